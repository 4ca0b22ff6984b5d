# SPDX-License-Identifier: Apache-2.0
# tclsh tcl_tools.tcl TOOL FILE [ARGUMENT...]: runs FILE as Vivado, Quartus or Vivado's XDC reader would, with the tool's
# commands replaced by ones that check their arguments and print the call: "COMMAND\tARGUMENT\t...", a line each. This is
# an own check against the documented commands, not the tools themselves. The grammar of each command:
#   vivado   AMD UG835, Vivado Design Suite Tcl Command Reference Guide
#   xdc      AMD UG903, Using Constraints: "XDC supports set, list and expr of Tcl, and the commands of the constraints"
#   quartus  Intel Quartus Prime Pro Edition User Guide: Scripting (::quartus::project)
# Anything else is an error: another command of the tool, a flag it does not have, a value missing or left over.

# COMMAND -> {flags, each with the number of its values} {least and most values without a flag}
set commands(vivado) {
  read_verilog          {{-sv 0 -library 1} {1 1}}
  read_xdc              {{-mode 1} {1 1}}
  synth_design          {{-top 1 -part 1 -mode 1 -flatten_hierarchy 1} {0 0}}
  report_utilization    {{-hierarchical 0 -file 1} {0 0}}
  report_timing_summary {{-file 1} {0 0}}
  write_checkpoint      {{-force 0} {1 1}}
}
set commands(xdc) {
  create_clock     {{-name 1 -period 1} {0 1}}
  set_input_delay  {{-clock 1} {2 2}}
  set_output_delay {{-clock 1} {2 2}}
  get_ports        {{} {1 1}}
  get_clocks       {{} {1 1}}
}
set commands(quartus) {
  package                 {{} {2 2}}
  project_new             {{-overwrite 0} {1 1}}
  set_global_assignment   {{-name 1} {1 1}}
  set_instance_assignment {{-name 1 -to 1} {1 1}}
  export_assignments      {{} {0 0}}
  project_close           {{} {0 0}}
}
# What a flag may be given: "COMMAND FLAG" -> words.
array set values {
  {read_xdc -mode}                  {default out_of_context}
  {synth_design -mode}              {default out_of_context}
  {synth_design -flatten_hierarchy} {rebuilt full none}
  {set_global_assignment -name}     {FAMILY DEVICE TOP_LEVEL_ENTITY SYSTEMVERILOG_FILE SDC_FILE}
  {set_instance_assignment -name}   {VIRTUAL_PIN}
}
set builtins(vivado) {set list expr if foreach file info lindex llength}
set builtins(quartus) $builtins(vivado)
set builtins(xdc) {set list expr}

proc call {command flags range args} {
  global values
  set positional {}
  for {set i 0} {$i < [llength $args]} {incr i} {
    set word [lindex $args $i]
    if {![string match -* $word]} {
      lappend positional $word
      continue
    }
    if {![dict exists $flags $word]} {error "$command has no $word"}
    if {[dict get $flags $word] == 0} continue
    if {[incr i] >= [llength $args]} {error "$command $word: its value is missing"}
    set key "$command $word"
    if {[info exists values($key)] && [lindex $args $i] ni $values($key)} {
      error "$key [lindex $args $i]: allowed are $values($key)"
    }
  }
  lassign $range least most
  set count [llength $positional]
  if {$count < $least || $count > $most} {error "$command takes $least..$most values, not $count: $positional"}
  if {$command ni {get_ports get_clocks}} {puts [join [list $command {*}$args] \t]}
  return [lindex $positional 0]  ;# get_ports, get_clocks: the pattern stands for what it finds
}

lassign $argv tool path
interp create tool
foreach name [tool eval {info commands}] {
  if {$name ni $builtins($tool)} {catch {tool hide $name}}
}
dict for {name grammar} $commands($tool) {tool alias $name call $name {*}$grammar}
interp eval tool [list set argv [lrange $argv 2 end]]
interp eval tool [list set argc [expr {$argc - 2}]]
if {[catch {tool invokehidden source $path} message]} {
  puts stderr "$path: $message"
  exit 1
}
