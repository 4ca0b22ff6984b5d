#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs fred_reduce through Verilator, Yosys and Icarus in every combination of DType, Ops and Latency, and checks that
# each tool refuses what is not allowed. Any warning fails. No waivers.
#
#   tests/numeric/lint_reduce.sh
set -u
cd "$(dirname "$0")/../../rtl" || exit 2
files="fred_reduce.sv fred_int_add.sv fred_fp_add.sv fred_fp_pick.sv fred_shift_sticky.sv fred_normalise.sv fred_delay.sv"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
checked=0

# tool_<name> DType Ops OpW Latency: succeeds where the tool accepts the combination without a word.
tool_verilator() {
  verilator --lint-only -Wall --top-module fred_reduce "-GDType=$1" "-GOps=$2" "-GOpW=$3" "-GLatency=$4" $files >"$work/log" 2>&1 &&
    ! [ -s "$work/log" ]
}
tool_yosys() {
  yosys -q -p "read_verilog -sv $files
    hierarchy -check -top fred_reduce -chparam DType $1 -chparam Ops $2 -chparam OpW $3 -chparam Latency $4
    proc
    check -assert" >"$work/log" 2>&1 && ! [ -s "$work/log" ]
}
# Icarus 11 finds bad parameters when the simulation starts.
tool_icarus() {
  iverilog -g2012 -Wall -s fred_reduce "-Pfred_reduce.DType=$1" "-Pfred_reduce.Ops=$2" "-Pfred_reduce.OpW=$3" "-Pfred_reduce.Latency=$4" \
    -o "$work/sim" $files >"$work/log" 2>&1 && vvp -n "$work/sim" >>"$work/log" 2>&1 && ! [ -s "$work/log" ]
}

for tool in verilator yosys icarus; do
  number=0
  for dtype in 0 1 2 3 4 5 6 7 8 9 10 11 12 13; do
    for ops in 1 2 3 4 5 6 7 16 32 48 64 65 82 102 119 8 11 127; do
      latency=$((1 + number++ % 4))
      # A third of them, another third for the next type, so every set meets several types.
      (((number + dtype) % 3 == 0 || ops == 1)) || continue
      width=$((ops > 15 ? 3 : 2))
      checked=$((checked + 1))
      "tool_$tool" $dtype $ops $width $latency && continue
      echo "$tool: DType $dtype Ops $ops OpW $width Latency $latency:" >&2
      cat "$work/log" >&2
      failed=$((failed + 1))
    done
  done
  for bad in "14 7 2 1" "2 0 2 1" "2 128 3 1" "2 7 2 0" "2 7 2 5" "2 7 3 1" "0 16 2 1"; do
    checked=$((checked + 1))
    if "tool_$tool" $bad || ! grep -q "DType must be 0..13, Ops 1..127, OpW 2 (3 if Ops > 15), Latency 1..4" "$work/log"; then
      echo "$tool: DType, Ops, OpW, Latency = $bad should be refused with a message" >&2
      failed=$((failed + 1))
    fi
  done
done
# The width of an element follows from its type.
checked=$((checked + 1))
if verilator --lint-only -Wall --top-module fred_reduce -GDType=1 -GElemW=24 $files >"$work/log" 2>&1 || ! grep -q "ElemW its default" "$work/log"; then
  echo "verilator: ElemW = 24 should be refused with a message" >&2
  failed=$((failed + 1))
fi
echo "$checked combinations checked, $failed failed"
[ $failed -eq 0 ]
