#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/gates/netlist_replay.sh BUILD [FAULTS [SEED]]: a whole switch as gates. The vectors of a Verilated run of every
# collective, with stalls, are replayed in Icarus on the RTL, then on the netlists that `fred synth` maps to two cell
# libraries, with the cells' Verilog models that come with the library. Every pin must be equal in every cycle.
#
# All flip-flops and memories, in the RTL and in the netlists, start unknown, and gates pass unknowns on: a pin that is
# X where a value is expected differs. So nothing that the switch does depends on what it holds at power-up.
#
# The netlists are proved equivalent to the RTL, too (prove.py). Then one is broken in several ways, which the vectors
# must see. FAULTS more are exchanges of one input between two random cells, which are counted: not each can be seen by
# these vectors.
set -euo pipefail
fred=$1/fred
faults=${2:-0}
seed=${3:-1}
tests=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Three ports have every part of a network: R, D, RD, demultiplexer and multiplexer of the odd port.
design=(--radix 3 --middle 2 --dtype int16 --lanes 1 --ops sum --descriptors 2)
"$fred" run "${design[@]}" --bytes 40 --packet 8 --stall-in 0.2 --stall-out 0.2 --vectors "$work/vectors" \
  --collective allreduce,reduce,broadcast,allgather,reducescatter,gather,scatter,send,barrier,alltoall

# models LIBRARY: its cells in Verilog. Delays are not simulated: Icarus leaves specify blocks out.
models() { echo "/usr/share/qflow/tech/$1/$1_stdcells.v"; }

# replay FILE...: PASS or FAIL, and why, of the vectors on these sources.
replay() {
  iverilog -g2012 -Ttyp -o "$work/sim" -s replay "$work/vectors/replay.sv" "$@" 2>&1 | sed '/sorry: /d'
  (cd "$work/vectors" && timeout 120 vvp -n "$work/sim") || true  # a broken netlist may have a loop that never settles
}

# passes WHAT FILE...: and prints it.
passes() {
  local what=$1
  shift
  replay "$@" >"$work/log"
  echo "$what: $(cat "$work/log")"
  grep -q '^PASS: ' "$work/log"
}

"$fred" gen "${design[@]}" -o "$work/rtl" >"$work/log"
passes "RTL" "$work"/rtl/rtl/*.sv
"$fred" synth --target osu018 "${design[@]}" -o "$work/osu018" >"$work/log"
passes "osu018, flattened" "$work/osu018/netlist.v" "$(models osu018)"
"$tests/prove.py" "$work/osu018"
"$fred" synth --target osu035 "${design[@]}" -o "$work/osu035" >"$work/log"
passes "osu035, flattened" "$work/osu035/netlist.v" "$(models osu035)"
"$tests/prove.py" "$work/osu035"

# A netlist that keeps the hierarchy is proved, not replayed: its gates pass on unknowns that no state of the switch
# depends on, and some of them stay.
"$fred" synth --target osu035 --hierarchical "${design[@]}" -o "$work/summed" >"$work/log"
"$tests/prove.py" "$work/summed"

# ---- Broken netlists. ----
# broken HOW...: a fault by break_netlist.py; is it seen? Leaves the log of the replay.
broken() {
  "$tests/break_netlist.py" "$work/osu018/netlist.v" "$@" >"$work/broken.v"
  replay "$work/broken.v" "$(models osu018)" >"$work/log"
  grep -q '^FAIL: .*differences' "$work/log"
}

# must_see WHAT HOW...
must_see() {
  local what=$1
  shift
  broken "$@" || { echo "not seen: $what" >&2; exit 1; }
  echo "broken, $what: $(head -n 1 "$work/log")"
}
sum='u_network.u_mid0.u_rd.u_merge.g_lane[0].u_reduce.gen_int.u_add.u_cut_out.genblk2.g_register.data_q'
must_see "two bits of a sum exchanged" exchange "$sum[3]" "$sum[4]" D
must_see "bits of two counters exchanged" exchange 'g_port[0].u_egress.fill_q[0]' 'g_port[1].u_egress.fill_q[0]' D
must_see "two gates' inputs exchanged" exchange AOI22X1 AOI22X1 A
must_see "a flip-flop that stays unknown" hold 'g_port[0].u_egress.fill_q[0]'

found=0
for ((n = 0; n < faults; ++n)); do
  ! broken random "$((seed + n))" || found=$((found + 1))
done
[ "$faults" -eq 0 ] || echo "of $faults random exchanges, seeds from $seed, $found are seen"
