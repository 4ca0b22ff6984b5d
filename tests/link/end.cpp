// SPDX-License-Identifier: Apache-2.0
#include "tests/link/end.hpp"

#include <vector>

#include "Vlink_beat.h"
#include "Vlink_few.h"
#include "Vlink_four.h"
#include "Vlink_slow.h"

namespace fred::test {

namespace {

void put(Bits& bits, std::uint64_t value) {
  bits[0] = static_cast<std::uint32_t>(value);
  bits[1] = static_cast<std::uint32_t>(value >> 32);
}
template <std::size_t N>
void put(Bits& bits, const VlWide<N>& wide) {
  static_assert(N <= std::tuple_size_v<Bits>);
  for (std::size_t i = 0; i < N; ++i) bits[i] = wide[i];
}
void take(const Bits& bits, QData& pin) { pin = bits[0] | static_cast<std::uint64_t>(bits[1]) << 32; }
template <std::size_t N>
void take(const Bits& bits, VlWide<N>& wide) {
  for (std::size_t i = 0; i < N; ++i) wide[i] = bits[i];
}

template <class Pin, class Value>
void set(Pin& pin, Value value) {
  pin = static_cast<Pin>(value);
}

template <class Model>
class VerilatedEnd : public LinkEnd {
 public:
  explicit VerilatedEnd(const NamedLink& p) {
    parameters = p;
    model_.clk_i = 0;
  }

  void look() override {
    model_.rst_ni = !reset;
    model_.s_axis_tvalid = offer;
    set(model_.s_axis_tdata, out.data);
    set(model_.s_axis_tkeep, out.keep);
    model_.s_axis_tlast = out.last;
    set(model_.s_axis_tid, out.slot);
    set(model_.s_axis_tdest, out.dest);
    set(model_.s_axis_tuser, out.user);
    set(model_.m_axis_free, free);
    model_.phy_tx_ready_i = phy_ready;
    model_.phy_rx_valid_i = phy_valid;
    model_.phy_rx_first_i = phy_in.first;
    take(phy_in.data, model_.phy_rx_data_i);
    model_.eval();
    ready = model_.s_axis_tready != 0;
    slot_ready = model_.s_axis_vc_ready;
    valid = model_.m_axis_tvalid != 0;
    in = {model_.m_axis_tdata, model_.m_axis_tkeep, model_.m_axis_tlast != 0,
          model_.m_axis_tid,   model_.m_axis_tdest, model_.m_axis_tuser};
    phy_sends = model_.phy_tx_valid_o != 0;
    phy_out.first = model_.phy_tx_first_o != 0;
    put(phy_out.data, model_.phy_tx_data_o);
    up = model_.up_o != 0;
    lost = model_.lost_o != 0;
    sent = model_.sent_o != 0;
    taken = model_.taken_o != 0;
    bad = model_.bad_o != 0;
    gap = model_.gap_o != 0;
    replay = model_.replay_o != 0;
    timeout = model_.timeout_o != 0;
  }

  void clock() override {
    model_.clk_i = 1;
    model_.eval();
    model_.clk_i = 0;
    model_.eval();
  }

 private:
  Model model_;
};

NamedLink named(const char* name, ChipLink link) {
  link.validate();
  return {.name = name, .link = link};
}

/// As in tests/link/verilated.cmake. Data wide enough that beats are not equal by chance.
const std::vector<NamedLink>& links() {
  static const std::vector<NamedLink> all{
      named("beat", {.width = 32, .slots = 3, .step_bits = 5, .tag_bits = 4, .latency = 26}),
      named("four", {.width = 32, .slots = 2, .step_bits = 3, .tag_bits = 3, .latency = 52, .flit_beats = 4}),
      named("slow", {.width = 32,
                     .slots = 5,
                     .step_bits = 4,
                     .tag_bits = 2,
                     .latency = 14,
                     .flit_beats = 2,
                     .flit_words = 3,
                     .slot_depth = 7,
                     .allow_slow = true}),
      named("few", {.width = 24,
                    .slots = 1,
                    .step_bits = 2,
                    .tag_bits = 1,
                    .latency = 30,
                    .slot_depth = 2,
                    .replay = 2,
                    .allow_slow = true}),
  };
  return all;
}

}  // namespace

std::unique_ptr<LinkEnd> make_end(const std::string& name) {
  for (const auto& p : links()) {
    if (p.name != name) continue;
    if (name == "beat") return std::make_unique<VerilatedEnd<Vlink_beat>>(p);
    if (name == "four") return std::make_unique<VerilatedEnd<Vlink_four>>(p);
    if (name == "slow") return std::make_unique<VerilatedEnd<Vlink_slow>>(p);
    return std::make_unique<VerilatedEnd<Vlink_few>>(p);
  }
  return nullptr;
}

const std::vector<std::string>& end_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& p : links()) all.push_back(p.name);
    return all;
  }();
  return names;
}

}  // namespace fred::test
