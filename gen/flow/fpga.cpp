// SPDX-License-Identifier: Apache-2.0
// Tcl scripts for Vivado and Quartus. They find their files beside themselves and write to the folder that they are run
// in, so that the output folder stays as `fred gen` wrote it and may be replaced by the next one.
#include <fmt/format.h>

#include "fred/flow/formats.hpp"

namespace fred::flow {
namespace {

constexpr const char* kVivadoPart = "xcvu9p-flga2104-2L-e";
constexpr const char* kQuartusFamily = "Agilex 7";

/// The RTL as a Tcl list, a file a line.
std::string file_list(const FlowInput& input) {
  std::string text = "set rtl {\n";
  for (const std::string& file : input.files) text += fmt::format("  {}\n", file);
  return text + "}\n";
}

}  // namespace

std::vector<EmittedFile> vivado(const FlowInput& input) {
  const std::string name = fmt::format("{}_vivado.tcl", input.top);
  const std::string text = fmt::format(
      "#\n"
      "# Synthesis out of context, without a project. Reports and a checkpoint go to the current folder:\n"
      "#   vivado -mode batch -source PATH/{name} -tclargs [PART]\n"
      "\n"
      "set part [expr {{$argc > 0 ? [lindex $argv 0] : \"{part}\"}}]\n"
      "set here [file dirname [file normalize [info script]]]\n"
      "{rtl}"
      "\n"
      "foreach file $rtl {{\n"
      "  read_verilog -sv [file join $here $file]\n"
      "}}\n"
      "read_xdc -mode out_of_context [file join $here {xdc}]\n"
      "synth_design -top {top} -part $part -mode out_of_context -flatten_hierarchy rebuilt\n"
      "\n"
      "report_utilization -hierarchical -file {top}_utilization.rpt\n"
      "report_timing_summary -file {top}_timing.rpt\n"
      "write_checkpoint -force {top}_synth.dcp\n",
      fmt::arg("name", name), fmt::arg("part", kVivadoPart), fmt::arg("rtl", file_list(input)),
      fmt::arg("xdc", xdc_name(input)), fmt::arg("top", input.top));
  return {{name, header(input, ToolFlow::kVivado, true) + text}};
}

std::vector<EmittedFile> quartus(const FlowInput& input) {
  const std::string name = fmt::format("{}_quartus.tcl", input.top);
  std::string pins;
  for (const verilog::Interface::Port& port : input.ports) {
    if (port.name != kClock) pins += fmt::format("  {}\n", port.width == 1 ? port.name : port.name + "[*]");
  }
  const std::string text = fmt::format(
      "#\n"
      "# Makes the project {top} in the current folder, an older one is replaced, and leaves compiling to\n"
      "#   quartus_sh -t PATH/{name} [FAMILY [DEVICE]] && quartus_sh --flow compile {top}\n"
      "\n"
      "package require ::quartus::project\n"
      "\n"
      "set family [expr {{$argc > 0 ? [lindex $argv 0] : \"{family}\"}}]\n"
      "set device [expr {{$argc > 1 ? [lindex $argv 1] : \"AUTO\"}}]\n"
      "set here [file dirname [file normalize [info script]]]\n"
      "{rtl}"
      "\n"
      "# All ports but the clock are virtual pins: a wide design has more than a package.\n"
      "set virtual_pins {{\n"
      "{pins}"
      "}}\n"
      "\n"
      "project_new {top} -overwrite\n"
      "set_global_assignment -name FAMILY $family\n"
      "set_global_assignment -name DEVICE $device\n"
      "set_global_assignment -name TOP_LEVEL_ENTITY {top}\n"
      "foreach file $rtl {{\n"
      "  set_global_assignment -name SYSTEMVERILOG_FILE [file join $here $file]\n"
      "}}\n"
      "set_global_assignment -name SDC_FILE [file join $here {sdc}]\n"
      "foreach pin $virtual_pins {{\n"
      "  set_instance_assignment -name VIRTUAL_PIN ON -to $pin\n"
      "}}\n"
      "export_assignments\n"
      "project_close\n",
      fmt::arg("name", name), fmt::arg("top", input.top), fmt::arg("family", kQuartusFamily),
      fmt::arg("rtl", file_list(input)), fmt::arg("pins", pins), fmt::arg("sdc", sdc_name(input)));
  return {{name, header(input, ToolFlow::kQuartus, true) + text}};
}

}  // namespace fred::flow
