# @title@
# An ideal clock; inputs arrive with it and outputs are wanted by the next, so that the paths from and to the ports are
# measured too (OpenSTA leaves out the clock's own port, with a warning). Time in the unit of the library.
create_clock -name clk -period @period@ [get_ports clk_i]
set_input_delay 0 -clock clk [all_inputs]
set_output_delay 0 -clock clk [all_outputs]
