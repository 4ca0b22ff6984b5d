#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# icarus.sh BUILD_DIR: two ends of a link that BUILD_DIR/fred writes, joined in pair_tb.sv, in Icarus Verilog.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[[ $# -eq 1 ]] || { echo "usage: $0 BUILD_DIR" >&2; exit 2; }
fred=$(cd "$1" && pwd)/fred
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$fred" link --width 32 --slots 2 --latency 30 --flit-beats 2 -o "$work/link" >/dev/null
cd "$work/link"
value() { sed -n "s/^ *\"$1\": *\([0-9]*\),\{0,1\}\$/\1/p" manifest.json; }
compiled=$(iverilog -g2012 -s pair_tb -o "$work/pair" -DPHY_BITS="$(value phy)" -DUSER_BITS="$(value tuser)" -DDEST_BITS="$(value tag_bits)" \
  -DSLOT_DEPTH="$(value slot_depth | head -1)" -c fred_link_end.f "$here/pair_tb.sv" 2>&1) || { echo "$compiled"; exit 1; }
vvp -n "$work/pair" | tee "$work/out"
grep -q '^right' "$work/out"
