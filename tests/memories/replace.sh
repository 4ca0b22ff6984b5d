#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/memories/replace.sh BUILD: the memories can be replaced by compiled macros. A run with the memories of rtl/ is
# replayed in Icarus on a switch with those of tests/memories/macro: every pin must be equal in every cycle. Then the
# macros are broken, and that must be seen.
set -euo pipefail
fred=$1/fred
macros=$(cd "$(dirname "$0")/macro" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
design=(--radix 5 --middle 3 --dtype int32 --lanes 2 --descriptors 6 --vcs 1)  # as tests/switch/icarus_replay.sh: built once
"$fred" run "${design[@]}" --collective allreduce,alltoall --groups "3,0,4;1,2" --bytes 520 --packet 64 --stall-in 0.2 \
  --stall-out 0.2 --vectors "$work/vectors"
"$fred" gen "${design[@]}" -o "$work/rtl"
cp "$macros"/*.sv "$work/rtl/rtl"
printf 'rtl/%s\n' rf_2p.sv latch_2p.sv >>"$work/rtl/fred_switch.f"

# replay: PASS or FAIL, and why.
replay() {
  (cd "$work/rtl" && iverilog -g2012 -o ../sim -s replay -c fred_switch.f ../vectors/replay.sv) 2>&1 | sed '/sorry: /d'
  (cd "$work/vectors" && vvp -n ../sim)
}
replay | tee "$work/log"
grep -q '^PASS: ' "$work/log"

# broken WHAT FILE SED: with this change of a macro the replay must fail.
broken() {
  cp "$macros/$2" "$work/rtl/rtl/$2"
  sed -i "$3" "$work/rtl/rtl/$2"
  ! cmp -s "$macros/$2" "$work/rtl/rtl/$2"
  replay >"$work/log"
  grep -q '^FAIL: ' "$work/log" || { echo "not seen: $1" >&2; exit 1; }
  cp "$macros/$2" "$work/rtl/rtl/$2"
}
broken "a word read is not held" rf_2p.sv "s/if (!CENA) QA <= /&CENA ? 'x : /; s/if (!CENA)//"
broken "the last word is not written" rf_2p.sv 's/if (!CENB)/if (!CENB \&\& AB != Words-1)/'
broken "a word is written half a cycle late" latch_2p.sv 's/posedge CLK/negedge CLK/'
