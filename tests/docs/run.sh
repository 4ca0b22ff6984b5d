#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Generates a small switch with BUILD_DIR/fred and runs bench.sv, which was written from the documentation alone, on it.
#   tests/docs/run.sh BUILD_DIR
# RTL=DIR takes the switch in DIR, which may have been changed, instead of a new one.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
[[ $# -eq 1 ]] || { echo "usage: $0 BUILD_DIR" >&2; exit 2; }
fred=$(cd "$1" && pwd)/fred
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [[ -n ${RTL:-} ]]; then
  cp -r "$RTL" "$work/rtl"
else
  "$fred" gen --radix 4 --middle 2 --dtype int32 --lanes 1 --descriptors 2 --alltoall-tables 1 --vcs 1 -o "$work/rtl" >/dev/null
fi
manifest=$work/rtl/manifest.json

# The value of a key that occurs once, and the colours of the only route: one bit a level (m = 2).
value() { sed -n "s/^ *\"$1\": *\"\{0,1\}\([0-9a-z]*\)\"\{0,1\},\{0,1\}\$/\1/p" "$manifest"; }
colours=$("$fred" route --radix 4 --middle 2 --groups 0,1,2,3 --json - | tr -d ' \n' |
  sed -n 's/.*"colours":\[\([0-9,]*\)\].*/\1/p')
route=0
level=0
for colour in ${colours//,/ }; do
  route=$((route | colour << level))
  level=$((level + 1))
done
hash=$(value parameter_hash)
first=$(value first_beat)
[[ -n $hash && -n $first && $level -eq 1 ]] || { echo "FAIL cannot read manifest.json or fred route" >&2; exit 1; }

cd "$work/rtl"
iverilog -g2012 -s bench -DROUTE="32'd$route" -DHASH="32'h$hash" -DFIRST="$first" -o "$work/bench.vvp" \
  -f fred_switch.f "$here/bench.sv"
timeout 60 vvp -N "$work/bench.vvp" | tee "$work/log"
grep -qx PASS "$work/log" && ! grep -q FAIL "$work/log"
