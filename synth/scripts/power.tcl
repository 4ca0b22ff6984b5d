# SPDX-License-Identifier: Apache-2.0
# @title@
# Power at the least period, with the changes of every cell's outputs in a simulated all-reduce.
# Written by `@command@`; again by hand, in this folder: sta -no_splash -exit power.tcl
read_liberty @liberty@
read_verilog sta_netlist.v
link_design @top@
create_clock -name clk_i -period @power_period@ [get_ports clk_i]

# In OpenSTA 2.0 set_power_activity -pins calls a procedure that is not there.
proc activity {pin changes} {
  if {[info commands ::sta::set_power_pin_activity] ne ""} {
    ::sta::set_power_pin_activity [get_pins $pin] $changes 0.5
  } else {
    set_power_activity -pins [get_pins $pin] -activity $changes -duty 0.5
  }
}
source activities.tcl
puts "== power"
report_power -digits 4
puts "== end"
