// SPDX-License-Identifier: Apache-2.0
// Design configurations of OpenROAD-flow-scripts (config.mk) and LibreLane (config.json).
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "fred/flow/formats.hpp"

namespace fred::flow {

std::vector<EmittedFile> openroad(const FlowInput& input) {
  std::string files;
  for (const std::string& file : input.files) files += fmt::format(" \\\n  $(FRED_DIR){}", file);
  const std::string text = fmt::format(
      "#\n"
      "# In the folder flow/ of OpenROAD-flow-scripts:\n"
      "#   make DESIGN_CONFIG=PATH/config.mk [PLATFORM=sky130hd]\n"
      "\n"
      "FRED_DIR := $(dir $(abspath $(lastword $(MAKEFILE_LIST))))\n"
      "\n"
      "export DESIGN_NAME = {top}\n"
      "export PLATFORM ?= nangate45\n"
      "export VERILOG_FILES ={files}\n"
      "export SDC_FILE = $(FRED_DIR){sdc}\n"
      "\n"
      "# A start: low enough for the wires of the network.\n"
      "export CORE_UTILIZATION ?= 40\n",
      fmt::arg("top", input.top), fmt::arg("files", files), fmt::arg("sdc", sdc_name(input)));
  return {{"config.mk", header(input, ToolFlow::kOpenRoad, true) + text}};
}

// Without an SDC file: LibreLane's own takes period and I/O delay from here, adds driving cells, loads and derating of
// the PDK, and propagates the clock after clock-tree synthesis. JSON has no comments and LibreLane no key for one, so
// the file does not say where it comes from; manifest.json does.
std::vector<EmittedFile> librelane(const FlowInput& input) {
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const std::string& file : input.files) files.push_back("dir::" + file);
  nlohmann::ordered_json config = {{"DESIGN_NAME", input.top}, {"VERILOG_FILES", files}};
  config["CLOCK_PORT"] = nullptr;
  if (input.has_clock()) config["CLOCK_PORT"] = kClock;
  config["CLOCK_PERIOD"] = input.period_ns;
  config["IO_DELAY_CONSTRAINT"] = 100 * kIoDelayFraction;
  config["FP_CORE_UTIL"] = 40;
  return {{"config.json", config.dump(2) + "\n"}};
}

}  // namespace fred::flow
