#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/gates/netlist_replay.sh BUILD [FAULTS [SEED]]: a whole switch as gates. The vectors of a Verilated run of every
# collective, with stalls, are replayed in Icarus on the RTL, then on the netlists that `fred synth` maps to two cell
# libraries, with the cells' Verilog models that come with the library. Every pin must be equal in every cycle.
#
# Nothing is initialised in the RTL. In the netlists flip-flops, of which memories are made too, wake up as zeros, as
# ones and at random: what the switch does may not depend on it. (With unknown values, pins may stay X for ever that are
# known in any chip: a | ~a is X.) So an X has another reason, and where a value is expected it is a difference.
#
# The netlists are proved equivalent to the RTL, too (prove.py). Then one is broken in several ways, which the vectors
# must see; and FAULTS times (5) one input is exchanged between two random cells, of which they must see some: not each
# can be seen by these vectors, and some change nothing.
set -euo pipefail
fred=$1/fred
faults=${2:-5}
seed=${3:-1}
tests=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Three ports have every part of a network: R, D, RD, demultiplexer and multiplexer of the odd port.
design=(--radix 3 --middle 2 --dtype int16 --lanes 1 --ops sum --descriptors 2 --vcs 2)
"$fred" run "${design[@]}" --bytes 40 --packet 8 --stall-in 0.2 --stall-out 0.2 --vectors "$work/vectors" \
  --collective allreduce,reduce,broadcast,allgather,reducescatter,gather,scatter,send,barrier,alltoall

# models LIBRARY: its cells in Verilog, but for the flip-flop that Yosys maps to, which here wakes up as WAKE. Delays
# are not simulated: Icarus leaves specify blocks out.
models() {
  sed '/^module DFFPOSX1/,/^endmodule/d' "/usr/share/qflow/tech/$1/$1_stdcells.v"
  cat <<'END'
module DFFPOSX1 (input CLK, D, output reg Q);
  initial Q = `WAKE;
  always @(posedge CLK) Q <= D;
endmodule
END
}
for library in osu018 osu035; do models "$library" >"$work/$library.v"; done

# replay WAKE FILE...: PASS or FAIL, and why, of the vectors on these sources.
replay() {
  local wake=$1
  shift
  iverilog -g2012 -Ttyp -DWAKE="$wake" -o "$work/sim" -s replay "$work/vectors/replay.sv" "$@" 2>&1 | sed '/sorry: /d'
  (cd "$work/vectors" && timeout 120 vvp -n "$work/sim") || true  # a broken netlist may have a loop that never settles
}

# passes WHAT FILE...: and prints it.
passes() {
  local what=$1 wake
  shift
  for wake in 0 1 '$urandom'; do
    replay "$wake" "$@" >"$work/log"
    echo "$what, waking up as $wake: $(cat "$work/log")"
    grep -q '^PASS: ' "$work/log"
  done
}

"$fred" gen "${design[@]}" -o "$work/rtl" >"$work/log"
replay X "$work"/rtl/rtl/*.sv | tee "$work/log"
grep -q '^PASS: ' "$work/log"
"$fred" synth --target osu018 "${design[@]}" -o "$work/osu018" >"$work/log"
passes "osu018, flattened" "$work/osu018/netlist.v" "$work/osu018.v"
"$tests/prove.py" "$work/osu018"
"$fred" synth --target osu035 --hierarchical "${design[@]}" -o "$work/osu035" >"$work/log"
passes "osu035, hierarchical" "$work/osu035/netlist.v" "$work/osu035.v"
"$tests/prove.py" "$work/osu035"

# ---- Broken netlists. ----
# broken HOW...: a fault by break_netlist.py; is it seen? Leaves the log of the replay.
broken() {
  "$tests/break_netlist.py" "$work/osu018/netlist.v" "$@" >"$work/broken.v"
  replay '$urandom' "$work/broken.v" "$work/osu018.v" >"$work/log"
  grep -q '^FAIL: .*differences' "$work/log"
}

# must_see WHAT HOW...
must_see() {
  local what=$1
  shift
  broken "$@" || { echo "not seen: $what" >&2; exit 1; }
  echo "broken, $what: $(head -n 1 "$work/log")"
}
sum='u_network.u_mid0.u_rd.u_merge.g_type[0].g_lane[0].u_reduce.gen_int.u_add.u_cut_out.genblk2.g_register.data_q'
must_see "two bits of a sum exchanged" exchange "$sum[3]" "$sum[4]" D
must_see "bits of two counters exchanged" exchange 'g_port[0].u_egress.fill_q[0]' 'g_port[1].u_egress.fill_q[0]' D
must_see "a flip-flop that keeps what it wakes up with" hold 'g_port[0].u_egress.fill_q[0]'
must_see "an open input" open 'g_port[0].u_egress.fill_q[0]' D

found=0
for ((n = 0; n < faults; ++n)); do
  ! broken random "$((seed + n))" 2>"$work/how" || found=$((found + 1))
done
echo "of $faults random exchanges, seeds from $seed, $found are seen"
[ "$found" -gt 0 ]
