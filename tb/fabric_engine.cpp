// SPDX-License-Identifier: Apache-2.0
#include "tb/fabric_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "fred/error.hpp"
#include "tb/harness.hpp"  // SwitchError
#include "tb/pins.hpp"

namespace fred::tb {

namespace {

constexpr int kMaxPorts = 256;  // of a Design
constexpr int kUserLow = 5;     // step_end and epoch of s_axis_tuser; with the error bit one more at m_axis

std::size_t at(int index, int bits) { return static_cast<std::size_t>(index) * static_cast<std::size_t>(bits); }

int leaf_bits(const Fabric& fabric) {
  int most = 1;
  for (const FabricSwitch& of : fabric.switches) most = std::max(most, of.design.ends());
  return ceil_log2(most);
}

void copy_field(const Pins& from, int from_port, Pins& to, int to_port, int bits) {
  if (bits % 8 == 0 && bits > 32) {
    std::memcpy(bytes_at(to, at(to_port, bits / 8)), bytes_at(from, at(from_port, bits / 8)), at(1, bits / 8));
    return;
  }
  for (int low = 0; low < bits; low += 32) {
    const int part = std::min(32, bits - low);
    const auto offset = static_cast<std::size_t>(low);
    set_field(to, at(to_port, bits) + offset, part, get_field(from, at(from_port, bits) + offset, part));
  }
}

}  // namespace

Design FabricEngine::large(const Fabric& fabric, int collectives) {
  Design design = fabric.switches.front().design;
  int most = 0;
  for (std::size_t of = 0; of < fabric.switches.size(); ++of) {
    if (fabric.switches[of].design.ends() > 0) most = static_cast<int>(of);
  }
  const int ports = (most + 1) << leaf_bits(fabric);
  if (ports > kMaxPorts) {
    throw InputError(
        fmt::format("fabric: {} switches of up to {} ports; the simulation allows {} ports in all, each switch's "
                    "rounded up to a power of two",
                    most + 1, 1 << leaf_bits(fabric), kMaxPorts));
  }
  design.radix = std::max(2, ports);
  design.link_ports = 0;
  design.link = Design().link;
  if (collectives >= kMaxDescriptors) {
    throw InputError(fmt::format("fabric: {} collectives; the simulation allows {}", collectives, kMaxDescriptors - 1));
  }
  design.descriptors = collectives + 1;  // the last one: beats of no collective
  design.egress_depth = 0;
  design.validate();
  return design;
}

int FabricEngine::port(const Fabric& fabric, const FabricPort& of) { return of.leaf << leaf_bits(fabric) | of.port; }

FabricEngine::FabricEngine(const Fabric& fabric, const FabricPlan& plan, const FabricLinks& links,
                           const std::function<std::unique_ptr<Engine>(const Design&)>& open)
    : fabric_(fabric), large_(large(fabric, static_cast<int>(plan.at.size()))) {
  fabric_.validate();
  for (const FabricLink& a : fabric_.links) {
    for (const FabricLink& b : fabric_.links) {
      if (a.root == b.root && a.leaf < b.leaf && a.root_port > b.root_port) {
        throw InputError(fmt::format("fabric: leaves must be at ascending ports of {}",
                                     fabric_.switches[static_cast<std::size_t>(a.root)].name));
      }
    }
  }
  for (std::size_t s = 0; s < fabric_.switches.size(); ++s) {
    const Design& design = fabric_.switches[s].design;
    Node node{&design, open(design), InPins(design), OutPins(design), port(fabric_, {static_cast<int>(s), 0}), {}, {}};
    node.receives.assign(static_cast<std::size_t>(design.descriptors), -1);
    for (std::size_t c = 0; c < plan.at.size(); ++c) {
      const FabricPlan::At& of = plan.at[c][s];
      node.sends.push_back(std::max(0, of.sends));
      if (of.receives >= 0) node.receives[static_cast<std::size_t>(of.receives)] = static_cast<int>(c);
    }
    nodes_.push_back(std::move(node));
  }
  for (std::size_t l = 0; l < fabric_.links.size(); ++l) {
    const FabricLink& link = fabric_.links[l];
    const ChipLink& of = fabric_.design(link.leaf).link;
    const int leaf_link = link.leaf_port - fabric_.design(link.leaf).ends();
    const int root_link = link.root_port - fabric_.design(link.root).ends();
    const auto add = [&](int from, int from_link, int to, int to_link, std::uint64_t number) {
      ways_.push_back(
          {static_cast<std::size_t>(from), static_cast<std::size_t>(to), from_link, to_link,
           LinkChannel(of.phy_bits(), of.flit_words, of.latency, links.errors, sub_seed(links.seed, 7, number))});
    };
    add(link.leaf, leaf_link, link.root, root_link, 2 * l);
    add(link.root, root_link, link.leaf, leaf_link, 2 * l + 1);
  }
}

bool FabricEngine::up() const {
  return std::all_of(ways_.begin(), ways_.end(), [this](const Way& way) {
    return get_bit(nodes_[way.from].out.link_up, static_cast<std::size_t>(way.from_link));
  });
}

std::uint64_t FabricEngine::hits() const {
  std::uint64_t all = 0;
  for (const Way& way : ways_) all += way.channel.hits();
  return all;
}

void FabricEngine::put_streams(const InPins& in, Node& node) const {
  const Design& design = *node.design;
  for (int p = 0; p < design.ends(); ++p) {
    const int from = node.first_port + p;
    copy_field(in.s_tvalid, from, node.in.s_tvalid, p, 1);
    copy_field(in.s_tdata, from, node.in.s_tdata, p, design.width());
    copy_field(in.s_tkeep, from, node.in.s_tkeep, p, design.bytes());
    copy_field(in.s_tlast, from, node.in.s_tlast, p, 1);
    copy_field(in.s_tid, from, node.in.s_tid, p, design.vc_bits());
    const std::uint32_t collective =
        get_field(in.s_tdest, at(from, large_.descriptor_bits()), large_.descriptor_bits());
    const int descriptor = collective < node.sends.size() ? node.sends[collective] : 0;
    set_field(node.in.s_tdest, at(p, design.descriptor_bits()), design.descriptor_bits(),
              static_cast<std::uint32_t>(descriptor));
    set_field(node.in.s_tuser, at(p, design.s_user_bits()), kUserLow,
              get_field(in.s_tuser, at(from, large_.s_user_bits()), kUserLow));
    copy_field(in.m_tready, from, node.in.m_tready, p, 1);
    copy_field(in.m_vc_ready, from, node.in.m_vc_ready, p, design.vcs);
  }
}

void FabricEngine::put_registers(const InPins& in, Node& node, bool selected) const {
  constexpr std::uint32_t kLocal = 0xffffff;
  node.in.awvalid = in.awvalid && selected;
  node.in.wvalid = in.wvalid && selected;
  node.in.arvalid = in.arvalid && selected;
  node.in.bready = in.bready;
  node.in.rready = in.rready;
  node.in.awaddr = in.awaddr & kLocal;
  node.in.araddr = in.araddr & kLocal;
  node.in.wdata = in.wdata;
  node.in.wstrb = in.wstrb;
}

void FabricEngine::take_streams(const Node& node, OutPins& out) const {
  const Design& design = *node.design;
  for (int p = 0; p < design.ends(); ++p) {
    const int to = node.first_port + p;
    copy_field(node.out.s_tready, p, out.s_tready, to, 1);
    copy_field(node.out.s_vc_ready, p, out.s_vc_ready, to, design.vcs);
    copy_field(node.out.m_tvalid, p, out.m_tvalid, to, 1);
    copy_field(node.out.m_tdata, p, out.m_tdata, to, design.width());
    copy_field(node.out.m_tkeep, p, out.m_tkeep, to, design.bytes());
    copy_field(node.out.m_tlast, p, out.m_tlast, to, 1);
    copy_field(node.out.m_tid, p, out.m_tid, to, design.vc_bits());
    const std::uint32_t descriptor =
        get_field(node.out.m_tdest, at(p, design.descriptor_bits()), design.descriptor_bits());
    const int known = descriptor < node.receives.size() ? node.receives[descriptor] : -1;
    const int collective = known < 0 ? large_.descriptors - 1 : known;
    set_field(out.m_tdest, at(to, large_.descriptor_bits()), large_.descriptor_bits(),
              static_cast<std::uint32_t>(collective));
    const std::uint32_t user = get_field(node.out.m_tuser, at(p, design.m_user_bits()), design.m_user_bits());
    const std::uint32_t step = user >> (kUserLow + 1);
    const bool valid = node.in.rst_n && get_bit(node.out.m_tvalid, static_cast<std::size_t>(p));
    if (valid && step > ones(large_.port_bits())) {
      throw SwitchError(fmt::format("port {}: step {} at m_axis, of fewer members", to, step));
    }
    set_field(out.m_tuser, at(to, large_.m_user_bits()), large_.m_user_bits(),
              (user & ones(kUserLow + 1)) | (step & ones(large_.port_bits())) << (kUserLow + 1));
  }
}

void FabricEngine::cycle(const InPins& in, OutPins& out) {
  if (in.awvalid) selected_ = in.awaddr >> 24;
  if (in.arvalid) selected_ = in.araddr >> 24;
  for (std::size_t s = 0; s < nodes_.size(); ++s) {
    Node& node = nodes_[s];
    node.in.rst_n = in.rst_n && !node.held;
    put_streams(in, node);
    put_registers(in, node, s == selected_);
    std::fill(node.in.phy_rx_valid.begin(), node.in.phy_rx_valid.end(), 0U);
    std::fill(node.in.phy_tx_ready.begin(), node.in.phy_tx_ready.end(), ~0U);
  }
  for (Way& way : ways_) {
    LinkWord word;
    if (!way.channel.pop(cycle_, word)) continue;
    Node& node = nodes_[way.to];
    const int bits = node.design->link.phy_bits();
    const auto link = static_cast<std::size_t>(way.to_link);
    set_bit(node.in.phy_rx_valid, link, true);
    set_bit(node.in.phy_rx_first, link, word.first);
    copy_field(word.data, 0, node.in.phy_rx_data, way.to_link, bits);
  }
  for (Node& node : nodes_) node.engine->cycle(node.in, node.out);
  for (Way& way : ways_) {
    const Node& node = nodes_[way.from];
    const auto link = static_cast<std::size_t>(way.from_link);
    if (!node.in.rst_n || !get_bit(node.out.phy_tx_valid, link)) continue;
    const int bits = node.design->link.phy_bits();
    LinkWord word{get_bit(node.out.phy_tx_first, link), Pins(pin_words(static_cast<std::size_t>(bits)), 0U)};
    copy_field(node.out.phy_tx_data, way.from_link, word.data, 0, bits);
    way.channel.push(cycle_, std::move(word));
  }
  for (const Node& node : nodes_) take_streams(node, out);
  const OutPins& registers = nodes_[std::min(selected_, nodes_.size() - 1)].out;
  out.awready = registers.awready;
  out.wready = registers.wready;
  out.bvalid = registers.bvalid;
  out.bresp = registers.bresp;
  out.arready = registers.arready;
  out.rvalid = registers.rvalid;
  out.rdata = registers.rdata;
  out.rresp = registers.rresp;
  ++cycle_;
}

}  // namespace fred::tb
