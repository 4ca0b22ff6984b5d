#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/switch/icarus_replay.sh BUILD: the same vectors in a second simulator. Every pin of a Verilated run with stalls is
# replayed by Icarus, which keeps X apart, and must be equal in every cycle.
set -euo pipefail
fred=$1/fred
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
design=(--radix 5 --middle 3 --dtype int32 --lanes 2 --descriptors 6)
"$fred" run "${design[@]}" --collective allreduce,reduce,broadcast,allgather,reducescatter,gather,scatter,send,barrier,alltoall \
  --groups "3,0,4;1,2" --root 1 --bytes 520 --packet 64 --stall-in 0.2 --stall-out 0.2 --vectors "$work/vectors"
"$fred" gen "${design[@]}" -o "$work/rtl"
(cd "$work/rtl" && iverilog -g2012 -o ../sim -s replay -c fred_switch.f ../vectors/replay.sv) 2>&1 | sed '/sorry: /d'
cd "$work/vectors"
vvp -n ../sim | tee ../log
grep -q '^PASS: ' ../log
# The comparison can fail: a changed expectation must be seen.
awk 'NR == 401 { $20 = ($20 ~ /^0+$/) ? "1f" : "00" } { print }' vectors.txt > changed  # s_axis_tready
mv changed vectors.txt
vvp -n ../sim | grep -q '^FAIL: '
# So is a torn file.
head -n 100 vectors.txt > torn && mv torn vectors.txt
vvp -n ../sim | grep -q '^FAIL: .*damaged'
