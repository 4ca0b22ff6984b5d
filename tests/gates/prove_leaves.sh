#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/gates/prove_leaves.sh BUILD [LEAF...]: maps each leaf of a small switch (or those named) to osu018 and proves
# the netlist equivalent to the RTL, for all inputs and states (prove.py); `reduce` once for each element type. Then it
# exchanges inputs of random cells until the proof fails: at the first try, unless the exchange changes nothing.
set -euo pipefail
fred=$1/fred
tests=$(cd "$(dirname "$0")" && pwd)
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
design=(--radix 3 --middle 2 --lanes 1 --descriptors 2 --vcs 1)
leaves=(host ingress control launch network uswitch_r odd_demux uswitch_rd uswitch_d odd_mux egress reduce)
[ $# -eq 0 ] || leaves=("$@")

# prove LEAF OPTION...
prove() {
  local leaf=$1 code=0 try
  shift
  "$fred" synth --target osu018 --hierarchical --leaf "$leaf" "$@" -o "$work/leaf" >"$work/log"
  "$tests/prove.py" "$work/leaf"
  mv "$work/leaf/netlist.v" "$work/netlist.v"
  for try in {1..10}; do
    "$tests/break_netlist.py" "$work/netlist.v" random "$try" >"$work/leaf/netlist.v"
    code=0
    "$tests/prove.py" "$work/leaf" >"$work/log" 2>&1 || code=$?
    [ "$code" -ne 1 ] || break  # 2: a loop, which cannot be decided
  done
  sed -n 's/^  for example/  broken: differs in/; s/, where.*//p' "$work/log" | cut -c1-150
  [ "$code" -eq 1 ] || { cat "$work/log"; echo "$leaf: a broken netlist is proved" >&2; exit 1; }
  rm "$work/leaf/netlist.v"
}

for leaf in "${leaves[@]}"; do
  if [ "$leaf" = reduce ]; then
    for dtype in int16 int32 fp16 bf16 fp32; do
      echo "reduce, $dtype"
      prove reduce "${design[@]}" --dtype "$dtype"
    done
  else
    prove "$leaf" "${design[@]}" --dtype int16
  fi
done
