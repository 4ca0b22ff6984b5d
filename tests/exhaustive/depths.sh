#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Proves with Yosys that a pipelined lane is the one of least depth with a delay: whatever the registers hold at first,
# after `depth` cycles the output is that of the other for the operands of `depth` cycles before. All inputs are free,
# the operation too. fred_fp_add of depth 1 to 4 is compared with the combinational one; fred_reduce of integers, which
# has a register at least, of depth 2 to 4 with that of depth 1, with all operations. Prints a line a format and depth.
#
#   tests/exhaustive/depths.sh [FORMAT...]      all of them: int8 uint8 e5m2 e4m3 fp16 bf16 fp32 fp64
set -u
cd "$(dirname "$0")/../../rtl" || exit 2
[ $# -gt 0 ] || set -- int8 uint8 e5m2 e4m3 fp16 bf16 fp32 fp64
leaves="reduce int_add fp_add fp_pick shift_sticky normalise delay"
files=$(printf 'fred_%s.sv ' $leaves)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

for format in "$@"; do
  module=fred_fp_add least=0
  ports='.sum_i(control[0]), .max_i(control[1]), .pass_i(control[2]), .saturate_i(control[3])'
  case $format in
    int8) width=8 parameters='.DType(5)' module=fred_reduce ;;
    uint8) width=8 parameters='.DType(7)' module=fred_reduce ;;
    e5m2) width=8 parameters='.ExpW(5), .ManW(2)' ;;
    e4m3) width=8 parameters=".ExpW(4), .ManW(3), .Finite(1'b1)" ;;
    fp16) width=16 parameters='.ExpW(5), .ManW(10)' ;;
    bf16) width=16 parameters='.ExpW(8), .ManW(7)' ;;
    fp32) width=32 parameters='.ExpW(8), .ManW(23)' ;;
    fp64) width=64 parameters='.ExpW(11), .ManW(52)' ;;
    *) echo "depths.sh: no format $format" >&2; exit 2 ;;
  esac
  if [ $module = fred_reduce ]; then
    least=1
    parameters="$parameters, .Ops(127), .OpW(3)"
    ports='.op_i(control[2:0]), .pass_i(control[3])'
  fi
  for ((depth = least + 1; depth <= 4; depth++)); do
    cat >"$work/depths.sv" <<EOF
module depths (
  input  logic clk,
  input  logic [3:0] control,
  input  logic [$((width - 1)):0] a, b,
  output logic [$((width - 1)):0] pipelined, delayed
);
  logic [$((width - 1)):0] soon;
  $module #($parameters, .Latency($depth)) u_pipelined (
    .clk_i(clk), $ports, .a_i(a), .b_i(b), .y_o(pipelined));
  $module #($parameters, .Latency($least)) u_soon (
    .clk_i(clk), $ports, .a_i(a), .b_i(b), .y_o(soon));
  fred_delay #(.Width($width), .Depth($((depth - least)))) u_delay (.clk_i(clk), .data_i(soon), .data_o(delayed));
endmodule
EOF
    if yosys -q -p "read_verilog -sv $files $work/depths.sv
        prep -flatten -top depths
        opt -full
        sat -seq $((depth + 1)) -prove-skip $depth -prove pipelined delayed -set-def-inputs -verify" \
        >"$work/log" 2>&1; then
      echo "$format depth $depth: proved"
    else
      echo "$format depth $depth: NOT PROVED"
      tail -3 "$work/log" >&2
      failed=1
    fi
  done
done
exit $failed
