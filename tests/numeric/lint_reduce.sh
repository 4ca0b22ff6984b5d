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

# tool_<name> DType Ops Latency: succeeds where the tool accepts the combination without a word.
tool_verilator() {
  verilator --lint-only -Wall --top-module fred_reduce "-GDType=$1" "-GOps=$2" "-GLatency=$3" $files >"$work/log" 2>&1 &&
    ! [ -s "$work/log" ]
}
tool_yosys() {
  yosys -q -p "read_verilog -sv $files
    hierarchy -check -top fred_reduce -chparam DType $1 -chparam Ops $2 -chparam Latency $3
    proc
    check -assert" >"$work/log" 2>&1 && ! [ -s "$work/log" ]
}
# Icarus 11 finds bad parameters when the simulation starts.
tool_icarus() {
  iverilog -g2012 -Wall -s fred_reduce "-Pfred_reduce.DType=$1" "-Pfred_reduce.Ops=$2" "-Pfred_reduce.Latency=$3" \
    -o "$work/sim" $files >"$work/log" 2>&1 && vvp -n "$work/sim" >>"$work/log" 2>&1 && ! [ -s "$work/log" ]
}

for tool in verilator yosys icarus; do
  for dtype in 0 1 2 3 4; do
    for ops in 1 2 3 4 5 6 7; do
      for latency in 1 2 3 4; do
        checked=$((checked + 1))
        "tool_$tool" $dtype $ops $latency && continue
        echo "$tool: DType $dtype Ops $ops Latency $latency:" >&2
        cat "$work/log" >&2
        failed=$((failed + 1))
      done
    done
  done
  for bad in "5 7 1" "8 7 1" "2 0 1" "2 8 1" "2 7 0" "2 7 5"; do
    checked=$((checked + 1))
    if "tool_$tool" $bad || ! grep -q "DType must be 0 to 4, Ops 1 to 7, Latency 1 to 4" "$work/log"; then
      echo "$tool: DType, Ops, Latency = $bad should be refused with a message" >&2
      failed=$((failed + 1))
    fi
  done
done
echo "$checked combinations checked, $failed failed"
[ $failed -eq 0 ]
