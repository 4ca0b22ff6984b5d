#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/switch/icarus_replay.sh BUILD: the same vectors in a second simulator. Every pin of a Verilated run with stalls is
# replayed by Icarus, which keeps X apart, and must be equal in every cycle.
set -euo pipefail
fred=$1/fred
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
kinds=allreduce,reduce,broadcast,allgather,reducescatter,gather,scatter,send,barrier,alltoall

# replay RUN -- DESIGN: options of fred run; leaves $work/vectors and $work/sim.
replay() {
  local run=()
  while [ "$1" != -- ]; do run+=("$1"); shift; done
  shift
  rm -rf "$work/vectors" "$work/rtl"
  "$fred" run "$@" "${run[@]}" --packet 64 --stall-in 0.2 --stall-out 0.2 --vectors "$work/vectors"
  "$fred" gen "$@" -o "$work/rtl"
  (cd "$work/rtl" && iverilog -g2012 -o ../sim -s replay -c fred_switch.f ../vectors/replay.sv) 2>&1 | sed '/sorry: /d'
  (cd "$work/vectors" && vvp -n ../sim | tee ../log)
  grep -q '^PASS: ' "$work/log"
}

# Three types and several operations; accumulated in another type; integers alone.
replay --collective allreduce:int8:xor,allreduce:int8:and,allreduce:fp8e5m2:max,allreduce:fp8e5m2:or,allreduce:fp32,reduce:fp32:min,alltoall:fp32 --bytes 264 -- \
  --radix 3 --middle 2 --dtype int8,fp8e5m2,fp32 --width 64 --ops sum,min,max,and,or,xor --descriptors 3 --vcs 3
replay --collective allreduce:fp8e4m3,allgather:bf16 --op sum-sat --groups 0,1 --bytes 264 -- \
  --radix 2 --middle 2 --dtype fp8e4m3,bf16 --acc fp32 --width 32 --ops sum,sum-sat --descriptors 3 --vcs 2
replay --collective "$kinds" --groups "3,0,4;1,2" --root 1 --bytes 520 -- \
  --radix 5 --middle 3 --dtype int32 --lanes 2 --descriptors 6 --vcs 1 --counters
cd "$work/vectors"
# The comparison can fail: a changed expectation must be seen.
awk 'NR == 401 { $20 = ($20 ~ /^0+$/) ? "1f" : "00" } { print }' vectors.txt > changed  # s_axis_tready
mv changed vectors.txt
vvp -n ../sim | grep -q '^FAIL: '
# So is a torn file.
head -n 100 vectors.txt > torn && mv torn vectors.txt
vvp -n ../sim | grep -q '^FAIL: .*damaged'
