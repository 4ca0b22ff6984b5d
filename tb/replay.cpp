// SPDX-License-Identifier: Apache-2.0
// One table of pins drives both the writer of vectors and the bench, so they cannot disagree.
#include "tb/replay.hpp"

#include <fmt/format.h>

#include <functional>
#include <string>
#include <vector>

#include "fred/design/register_map.hpp"
#include "fred/error.hpp"
#include "tb/pins.hpp"

namespace fred::tb {
namespace {

constexpr int kCountWidth = 20;  // characters of the first line, the number of cycles

/// How an output is compared.
enum class Compare { kAlways, kIfValid, kBytes };

template <typename Source>
struct Pin {
  const char* name;                          ///< of the port of fred_switch
  std::function<Pins(const Source&)> value;  ///< its bits
  int per_port;                              ///< bits a port of the switch; 0: not a vector of all ports
  int bits;                                  ///< bits of it all
  Compare compare = Compare::kAlways;        ///< outputs
  const char* valid = "";                    ///< outputs with kIfValid or kBytes: the valid pin
};

template <typename Source>
Pin<Source> port_pin(const Design& d, const char* name, Pins Source::*member, int per_port,
                     Compare compare = Compare::kAlways, const char* valid = "") {
  return {name, [member](const Source& s) { return s.*member; }, per_port, per_port * d.radix, compare, valid};
}
template <typename Source, typename T>
Pin<Source> lite_pin(const char* name, T Source::*member, int bits, const char* valid = "") {
  return {name,
          [member](const Source& s) { return Pins{static_cast<std::uint32_t>(s.*member)}; },
          0,
          bits,
          *valid == '\0' ? Compare::kAlways : Compare::kIfValid,
          valid};
}

std::vector<Pin<InPins>> inputs(const Design& d) {
  const int address = RegisterMap(d).address_bits;
  return {lite_pin("rst_ni", &InPins::rst_n, 1),
          port_pin(d, "s_axis_tvalid", &InPins::s_tvalid, 1),
          port_pin(d, "s_axis_tdata", &InPins::s_tdata, d.width()),
          port_pin(d, "s_axis_tkeep", &InPins::s_tkeep, d.bytes()),
          port_pin(d, "s_axis_tlast", &InPins::s_tlast, 1),
          port_pin(d, "s_axis_tid", &InPins::s_tid, d.vc_bits()),
          port_pin(d, "s_axis_tdest", &InPins::s_tdest, d.descriptor_bits()),
          port_pin(d, "s_axis_tuser", &InPins::s_tuser, d.s_user_bits()),
          port_pin(d, "m_axis_tready", &InPins::m_tready, 1),
          port_pin(d, "m_axis_vc_ready", &InPins::m_vc_ready, d.vcs),
          lite_pin("s_axil_awvalid", &InPins::awvalid, 1),
          lite_pin("s_axil_awaddr", &InPins::awaddr, address),
          lite_pin("s_axil_wvalid", &InPins::wvalid, 1),
          lite_pin("s_axil_wdata", &InPins::wdata, 32),
          lite_pin("s_axil_wstrb", &InPins::wstrb, 4),
          lite_pin("s_axil_bready", &InPins::bready, 1),
          lite_pin("s_axil_arvalid", &InPins::arvalid, 1),
          lite_pin("s_axil_araddr", &InPins::araddr, address),
          lite_pin("s_axil_rready", &InPins::rready, 1)};
}

std::vector<Pin<OutPins>> outputs(const Design& d) {
  const char* valid = "m_axis_tvalid";
  const Compare if_valid = Compare::kIfValid;
  return {port_pin(d, "s_axis_tready", &OutPins::s_tready, 1),
          port_pin(d, "s_axis_vc_ready", &OutPins::s_vc_ready, d.vcs),
          port_pin(d, valid, &OutPins::m_tvalid, 1),
          port_pin(d, "m_axis_tkeep", &OutPins::m_tkeep, d.bytes(), if_valid, valid),
          port_pin(d, "m_axis_tdata", &OutPins::m_tdata, d.width(), Compare::kBytes, valid),
          port_pin(d, "m_axis_tlast", &OutPins::m_tlast, 1, if_valid, valid),
          port_pin(d, "m_axis_tid", &OutPins::m_tid, d.vc_bits(), if_valid, valid),
          port_pin(d, "m_axis_tdest", &OutPins::m_tdest, d.descriptor_bits(), if_valid, valid),
          port_pin(d, "m_axis_tuser", &OutPins::m_tuser, d.m_user_bits(), if_valid, valid),
          lite_pin("s_axil_awready", &OutPins::awready, 1),
          lite_pin("s_axil_wready", &OutPins::wready, 1),
          lite_pin("s_axil_bvalid", &OutPins::bvalid, 1),
          lite_pin("s_axil_bresp", &OutPins::bresp, 2, "s_axil_bvalid"),
          lite_pin("s_axil_arready", &OutPins::arready, 1),
          lite_pin("s_axil_rvalid", &OutPins::rvalid, 1),
          lite_pin("s_axil_rdata", &OutPins::rdata, 32, "s_axil_rvalid"),
          lite_pin("s_axil_rresp", &OutPins::rresp, 2, "s_axil_rvalid")};
}

/// The low `bits` bits in hexadecimal, most significant digit first.
std::string hex(const Pins& pins, int bits) {
  std::string text;
  for (int digit = (bits - 1) / 4; digit >= 0; --digit) {
    const auto bit = static_cast<std::size_t>(digit) * 4;
    std::uint32_t value = (pins[bit / 32] >> (bit % 32)) & 0xfU;
    if (bits - digit * 4 < 4) value &= (1U << (bits - digit * 4)) - 1U;
    text += "0123456789abcdef"[value];
  }
  return text;
}

std::string bench(const Design& design) {
  const std::vector<Pin<InPins>> ins = inputs(design);
  const std::vector<Pin<OutPins>> outs = outputs(design);
  std::string declarations;
  std::string formats;
  std::string arguments;
  std::string connections;
  std::string checks;
  for (const auto& pin : ins) {
    declarations += fmt::format("  logic [{}:0] {};\n", pin.bits - 1, pin.name);
    formats += " %h";
    arguments += fmt::format(", {}", pin.name);
    connections += fmt::format(",\n    .{0}({0})", pin.name);
  }
  for (const auto& pin : outs) {
    declarations += fmt::format("  logic [{0}:0] {1}, want_{1};\n", pin.bits - 1, pin.name);
    formats += " %h";
    arguments += fmt::format(", want_{}", pin.name);
    connections += fmt::format(",\n    .{0}({0})", pin.name);
    if (pin.per_port == 0 || pin.compare == Compare::kAlways) {
      const std::string guard = pin.compare == Compare::kAlways ? "" : fmt::format("{} === 1'b1 && ", pin.valid);
      checks += fmt::format("      if ({0}{1} !== want_{1}) differ(\"{1}\", -1);\n", guard, pin.name);
    } else if (pin.compare == Compare::kIfValid) {
      checks += fmt::format(
          "      for (p = 0; p < {0}; p = p + 1)\n"
          "        if (want_{2}[p] && {1}[p*{3} +: {3}] !== want_{1}[p*{3} +: {3}]) differ(\"{1}\", p);\n",
          design.radix, pin.name, pin.valid, pin.per_port);
    } else {
      checks += fmt::format(
          "      for (p = 0; p < {0}; p = p + 1)\n"
          "        for (b = 0; b < {1}; b = b + 1)\n"
          "          if (want_{3}[p] && want_m_axis_tkeep[p*{1} + b] &&\n"
          "              {2}[(p*{1} + b)*8 +: 8] !== want_{2}[(p*{1} + b)*8 +: 8]) differ(\"{2}\", p);\n",
          design.radix, design.bytes(), pin.name, pin.valid);
    }
  }
  return fmt::format(
      R"(// Replays the cycles in vectors.txt on a switch made by:
//   fred gen {options}
// Prints PASS and the number of cycles, or FAIL with the pin that differs.
`timescale 1ns / 1ns

module replay;
  logic clk_i = 1'b0;
{declarations}
  integer file, read, lines, cycles, failures, p, b;
  logic settled;  // reset has been seen at a rising edge

  fred_switch dut (
    .clk_i(clk_i){connections}
  );

  task differ(input [8*16-1:0] pin, input integer port);
    begin
      if (failures < 10) $display("cycle %0d: %0s differs, port %0d", cycles, pin, port);
      failures = failures + 1;
    end
  endtask

  task compare;
    begin
{checks}    end
  endtask

  initial begin
    settled = 1'b0;
    cycles = 0;
    failures = 0;
    file = $fopen("vectors.txt", "r");
    if (file == 0) begin
      $display("FAIL: no vectors.txt");
      $finish;
    end
    lines = 0;
    read = $fscanf(file, "%d", lines);
    read = {values};
    while (cycles < lines && read == {values}) begin
      read = $fscanf(file, "{formats}"{arguments});
      if (read == {values}) begin
        #1;
        if (settled) compare;
        #4 clk_i = 1'b1;
        #5 clk_i = 1'b0;
        cycles = cycles + 1;
        if (!rst_ni) settled = 1'b1;
      end
    end
    if (cycles != lines || lines == 0) $display("FAIL: vectors.txt is damaged behind cycle %0d of %0d", cycles, lines);
    else if (failures == 0) $display("PASS: %0d cycles", cycles);
    else $display("FAIL: %0d differences in %0d cycles", failures, cycles);
    $finish;
  end
endmodule
)",
      fmt::arg("options", design.canonical_options()), fmt::arg("declarations", declarations),
      fmt::arg("connections", connections), fmt::arg("values", ins.size() + outs.size()), fmt::arg("formats", formats),
      fmt::arg("arguments", arguments), fmt::arg("checks", checks));
}

}  // namespace

struct ReplayWriter::Pins {
  std::vector<Pin<InPins>> in;
  std::vector<Pin<OutPins>> out;
};

ReplayWriter::ReplayWriter(const std::filesystem::path& folder, const Design& design)
    : pins_(new Pins{inputs(design), outputs(design)}), vectors_path_(folder / "vectors.txt") {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw InputError(fmt::format("--vectors {}: {}", folder.string(), error.message()));
  std::ofstream text(folder / "replay.sv");
  text << bench(design);
  text.close();
  vectors_.open(vectors_path_);
  vectors_ << fmt::format("{:<{}}\n", 0, kCountWidth);
  if (!text || !vectors_) throw InputError(fmt::format("--vectors {}: cannot write there", folder.string()));
}

ReplayWriter::~ReplayWriter() = default;

void ReplayWriter::cycle(const InPins& in, const OutPins& out) {
  std::string line;
  for (const auto& pin : pins_->in) line += hex(pin.value(in), pin.bits) + ' ';
  for (const auto& pin : pins_->out) line += hex(pin.value(out), pin.bits) + ' ';
  line.back() = '\n';
  vectors_ << line;
  ++cycles_;
}

void ReplayWriter::close() {
  vectors_.seekp(0);
  vectors_ << fmt::format("{:<{}}", cycles_, kCountWidth);
  vectors_.close();
  if (!vectors_) throw InputError(fmt::format("--vectors {}: not everything could be written", vectors_path_.string()));
}

}  // namespace fred::tb
