// SPDX-License-Identifier: Apache-2.0
// The structural writer: what it writes, and what it refuses.
#include <doctest/doctest.h>

#include <stdexcept>

#include "fred/emit/verilog.hpp"

using namespace fred::verilog;

namespace {

const Interface kHalf{
    "half",
    {"Width"},
    {{"clk_i", Direction::kInput, 1}, {"data_i", Direction::kInput, 8}, {"data_o", Direction::kOutput, 8}}};

/// A module with ports clk_i, data_i [2*8], data_o [2*8] and nothing inside.
struct Pair {
  Module module{"pair"};
  Net clk = module.input("clk_i");
  Net in = module.input("data_i", {8, 2});
  Net out = module.output("data_o", {8, 2});
};

}  // namespace

TEST_CASE("a module is written as a person would") {
  Pair p;
  p.module.header("Two halves.\n\n  left --> right");
  const Size w = p.module.localparam("DataW", 8, "bits");
  p.module.localparam("Other", 11, "more");
  p.module.comment("Between them.");
  const Net wire = p.module.wire("left_to_right", {w});
  p.module.wires({"a", "b"}, {});
  p.module.comment("The left one.");
  p.module.add(Instance(kHalf, "u_left")
                   .parameter("Width", w)
                   .connect("clk_i", p.clk)
                   .connect("data_i", p.in.element(0))
                   .connect("data_o", wire));
  p.module.blank();
  p.module.assign(p.out.element(0), wire);
  p.module.assign(p.out.element(1), p.in.element(1));
  p.module.assign(concat({Net("a", {}), Net("b", {})}), p.in.bits(8, 2));
  CHECK(p.module.text() == R"(// SPDX-License-Identifier: Apache-2.0
// Two halves.
//
//   left --> right
`default_nettype none

module pair (
  input  wire logic           clk_i,
  input  wire logic [2*8-1:0] data_i,
  output logic      [2*8-1:0] data_o
);
  localparam int DataW = 8;   // bits
  localparam int Other = 11;  // more

  // Between them.
  logic [DataW-1:0] left_to_right;
  logic             a, b;

  // The left one.
  half #(
    .Width(DataW)
  ) u_left (
    .clk_i (clk_i),
    .data_i(data_i[0*8 +: 8]),
    .data_o(left_to_right)
  );

  assign data_o[0*8 +: 8] = left_to_right;
  assign data_o[1*8 +: 8] = data_i[1*8 +: 8];
  assign {a, b} = data_i[9:8];

endmodule

`default_nettype wire
)");
  CHECK(p.module.instantiates() == std::vector<std::string>{"half"});
}

TEST_CASE("expressions") {
  const Net scalar("s", {});
  const Net bits("b", {1, 4});
  const Net words("w", {Size(8, "W"), 4});
  CHECK(Expr(scalar).text() == "s");
  CHECK(scalar.element(0).text() == "s");
  CHECK(bits.element(2).text() == "b[2]");
  CHECK(bits.elements(1, 2).text() == "b[2:1]");
  CHECK(bits.elements(0, 4).text() == "b");
  CHECK(words.element(3).text() == "w[3*W +: W]");
  CHECK(words.elements(2, 2).text() == "w[2*W +: 2*W]");
  CHECK(words.elements(2, 2).width() == 16);
  CHECK(words.bits(4, 3).text() == "w[6:4]");
  CHECK(pack({bits.element(0), bits.element(1)}).text() == "{b[1], b[0]}");
  CHECK(pack({bits.element(0)}).text() == "b[0]");
  CHECK(concat({scalar, words}).width() == 33);
  CHECK(constant(2, 3).text() == "2'd3");
  CHECK(any(bits).text() == "|b");
  CHECK_FALSE(any(bits).drivable());
  CHECK_FALSE(concat({scalar, constant(1, 0)}).drivable());
  CHECK_THROWS_AS((void)bits.element(4), std::logic_error);
  CHECK_THROWS_AS((void)words.elements(3, 2), std::logic_error);
}

TEST_CASE("a port of one bit through a localparam is a vector") {
  Module m("m");
  const Net in = m.input("in_i", {Size(1, "W"), 1});
  const Net out = m.output("out_o");
  m.localparam("W", 1);
  const Net wire = m.wire("w", {Size(1, "W")});
  m.assign(wire, in);
  m.assign(out, wire);
  CHECK(m.text().find("logic [W-1:0] w;") != std::string::npos);
  CHECK(m.text().find("input  wire logic in_i,") != std::string::npos);
}

TEST_CASE("long lists are wrapped after a comma") {
  Module m("m");
  std::vector<Expr> items;
  for (int i = 0; i < 12; ++i) items.emplace_back(m.input("a_rather_long_name_" + std::to_string(i)));
  const Net out = m.output("out_o", {1, 12});
  m.assign(out, pack(items));
  const std::string text = m.text();
  std::size_t start = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', start)) {
    CHECK(end - start <= 110);
    start = end + 1;
  }
  CHECK(text.find(",\n      a_rather_long_name_") != std::string::npos);
}

TEST_CASE("what nothing reads is taken in") {
  Module m("m");
  const Net in = m.input("a_i", {1, 2});
  m.unused("unused_a", {in});
  CHECK(m.text().find("  logic unused_a;\n  assign unused_a = ^a_i;\n") != std::string::npos);
}

TEST_CASE("mistakes are refused") {
  Pair p;
  SUBCASE("a name twice") {
    CHECK_THROWS_WITH_AS(p.module.wire("clk_i"), "pair: clk_i is declared twice", std::logic_error);
    p.module.localparam("W", 1);
    CHECK_THROWS_AS(p.module.wire("W"), std::logic_error);
    CHECK_THROWS_AS(p.module.localparam("data_i", 1), std::logic_error);
  }
  SUBCASE("a net that is not declared") {
    CHECK_THROWS_WITH_AS(p.module.assign(p.out.element(0), Net("ghost", {8})),
                         "pair: assign data_o[0*8 +: 8]: ghost is not declared", std::logic_error);
  }
  SUBCASE("another width") {
    CHECK_THROWS_WITH_AS(p.module.assign(p.out, p.in.element(0)), "pair: assign data_o: 16 bits from 8 bits",
                         std::logic_error);
    CHECK_THROWS_WITH_AS(Instance(kHalf, "u").connect("data_i", p.in), "half u: port data_i has 8 bits, data_i has 16",
                         std::logic_error);
  }
  SUBCASE("ports and parameters that do not exist, or twice") {
    CHECK_THROWS_WITH_AS(Instance(kHalf, "u").connect("x_i", p.clk), "half u: port x_i does not exist",
                         std::logic_error);
    CHECK_THROWS_AS(Instance(kHalf, "u").parameter("Depth", 1), std::logic_error);
    CHECK_THROWS_AS(Instance(kHalf, "u").connect("clk_i", p.clk).connect("clk_i", p.clk), std::logic_error);
  }
  SUBCASE("a port left out") {
    CHECK_THROWS_WITH_AS(p.module.add(Instance(kHalf, "u").connect("clk_i", p.clk).connect("data_i", p.in.element(0))),
                         "pair: half u: data_o is not connected", std::logic_error);
  }
  SUBCASE("an output on what cannot be driven") {
    CHECK_THROWS_AS(Instance(kHalf, "u").connect("data_o", constant(8, 0)), std::logic_error);
    CHECK_THROWS_AS(p.module.assign(p.in.element(0), p.in.element(1)), std::logic_error);
    CHECK_THROWS_AS(p.module.assign(any(p.out), p.clk), std::logic_error);
  }
  SUBCASE("driven twice") {
    p.module.assign(p.out.element(0), p.in.element(0));
    CHECK_THROWS_WITH_AS(p.module.assign(p.out, p.in), "pair: assign data_o: data_o[0] is driven twice",
                         std::logic_error);
  }
  SUBCASE("not driven") {
    p.module.assign(p.out.element(0), p.in.element(0));
    CHECK_THROWS_WITH_AS((void)p.module.text(), "pair: nothing drives data_o[8]", std::logic_error);
  }
  SUBCASE("an instance name twice") {
    const Net a = p.module.wire("a", {8});
    const Net b = p.module.wire("b", {8});
    const auto half = [&](const Net& out) {
      return Instance(kHalf, "u").connect("clk_i", p.clk).connect("data_i", p.in.element(0)).connect("data_o", out);
    };
    p.module.add(half(a));
    CHECK_THROWS_AS(p.module.add(half(b)), std::logic_error);
  }
}
