# SPDX-License-Identifier: Apache-2.0
# @title@
# Static timing analysis of the mapped netlist, without wires (there is no placement).
# Written by `@command@`; again by hand, in this folder: sta -no_splash -exit sta.tcl
read_liberty @liberty@
read_verilog sta_netlist.v
link_design @top@
read_sdc @top@.sdc

puts "== register to register"
report_checks -from [all_registers -clock_pins] -to [all_registers -data_pins] -format full -digits 4 -no_line_splits
puts "== input to register"
report_checks -from [all_inputs] -to [all_registers -data_pins] -format full -digits 4 -no_line_splits
puts "== register to output"
report_checks -from [all_registers -clock_pins] -to [all_outputs] -format full -digits 4 -no_line_splits
puts "== input to output"
report_checks -from [all_inputs] -to [all_outputs] -format full -digits 4 -no_line_splits
puts "== end"
