// SPDX-License-Identifier: Apache-2.0
#include "tests/link/end.hpp"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

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
  static_assert(N <= kBitsWords);
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
  VerilatedEnd() { model_.clk_i = 0; }

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

template <class Model>
std::unique_ptr<LinkEnd> make() {
  return std::make_unique<VerilatedEnd<Model>>();
}

/// Name and model.
struct Maker {
  const char* name;
  std::unique_ptr<LinkEnd> (*make)();
};
constexpr std::array kMakers{Maker{"beat", make<Vlink_beat>}, Maker{"four", make<Vlink_four>},
                             Maker{"slow", make<Vlink_slow>}, Maker{"few", make<Vlink_few>}};

/// What `fred link` wrote beside the RTL of which the model was made.
NamedLink read_link(const std::string& name) {
  const std::string path = fmt::format("{}/link_{}/end/manifest.json", FRED_LINK_MODELS, name);
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  const nlohmann::json values = nlohmann::json::parse(file).at("parameters");
  NamedLink named{.name = name,
                  .link = {.width = values.at("width"),
                           .slots = values.at("slots"),
                           .step_bits = values.at("step_bits"),
                           .tag_bits = values.at("tag_bits"),
                           .latency = values.at("latency"),
                           .flit_beats = values.at("flit_beats"),
                           .flit_words = values.at("flit_words"),
                           .slot_depth = values.at("slot_depth"),
                           .replay = values.at("replay"),
                           .allow_slow = values.at("allow_slow")}};
  named.link.validate();
  return named;
}

}  // namespace

const std::vector<NamedLink>& links() {
  static const std::vector<NamedLink> all = [] {
    std::vector<NamedLink> read;
    for (const Maker& maker : kMakers) read.push_back(read_link(maker.name));
    return read;
  }();
  return all;
}

const NamedLink& named_link(const std::string& name) {
  for (const NamedLink& link : links()) {
    if (link.name == name) return link;
  }
  throw std::out_of_range("no link " + name);
}

std::unique_ptr<LinkEnd> make_end(const std::string& name) {
  for (const Maker& maker : kMakers) {
    if (maker.name == name) return maker.make();
  }
  throw std::out_of_range("no link " + name);
}

}  // namespace fred::test
