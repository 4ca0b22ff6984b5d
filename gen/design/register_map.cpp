// SPDX-License-Identifier: Apache-2.0
// Where the registers of a design are.
#include "fred/design/register_map.hpp"

#include <algorithm>
#include <bit>

namespace fred {
namespace {

constexpr std::uint32_t kWord = 4;               // bytes of a register
constexpr std::uint32_t kLeastPortBase = 0x400;  // of global registers before it
constexpr std::uint32_t kLeastDescriptorBase = 0x1000;

int words(int bits) { return (bits + 31) / 32; }

std::uint32_t align(std::uint32_t address, std::uint32_t size) { return (address + size - 1) / size * size; }

}  // namespace

RegisterMap::RegisterMap(const Design& design)
    : mask_words(words(design.radix)),
      compat_words(words(design.descriptors)),
      out_mask(kInMask + kWord * static_cast<std::uint32_t>(mask_words)),
      compat(out_mask + kWord * static_cast<std::uint32_t>(mask_words)),
      report(compat + kWord * static_cast<std::uint32_t>(compat_words)),
      port_stride(kWord << ceil_log2(design.circuits())),
      descriptor_stride(std::bit_ceil(report + 4 * kWord * static_cast<std::uint32_t>(mask_words))) {
  const std::uint32_t ports_size = port_stride << ceil_log2(design.radix);
  port_base = align(kLeastPortBase, ports_size);
  descriptor_base = std::max(kLeastDescriptorBase, port_base + ports_size);
  const std::uint32_t descriptors_end =
      descriptor_base + static_cast<std::uint32_t>(design.descriptors) * descriptor_stride;
  std::uint32_t end = descriptors_end;
  alltoall_base = descriptors_end;
  if (design.alltoall_tables > 0) {
    const std::uint32_t tables = std::bit_ceil(static_cast<std::uint32_t>(design.alltoall_tables));
    const std::uint32_t size = (tables * kWord) << (2 * design.port_bits());
    alltoall_base = align(descriptors_end, size);
    end = alltoall_base + size;
  }
  if (design.counters) {
    beats_stride = kBeatsStride << ceil_log2(design.circuits());
    const std::uint32_t beats_size = beats_stride << ceil_log2(design.radix);
    const std::uint32_t launches_size = kLaunchesStride << ceil_log2(design.descriptors);
    beats_base = align(end, beats_size);
    launches_base = align(beats_base + beats_size, launches_size);
    end = launches_base + launches_size;
  }
  if (design.link_ports > 0) {
    link_stride = kWord << ceil_log2(design.link_ports);
    const std::uint32_t links_size = link_stride << ceil_log2(design.descriptors);
    link_base = align(end, links_size);
    const std::uint32_t status_size = kLinkStatusStride << ceil_log2(design.link_ports);
    link_status_base = align(link_base + links_size, status_size);
    end = link_status_base + status_size;
  }
  address_bits = std::bit_width(end - 1);
}

std::uint32_t RegisterMap::port(int p, int vc) const {
  return port_base + static_cast<std::uint32_t>(p) * port_stride + static_cast<std::uint32_t>(vc) * kWord;
}

std::uint32_t RegisterMap::beats(int p, int vc, std::uint32_t offset) const {
  return beats_base + static_cast<std::uint32_t>(p) * beats_stride + static_cast<std::uint32_t>(vc) * kBeatsStride +
         offset;
}

std::uint32_t RegisterMap::launches(int d, std::uint32_t offset) const {
  return launches_base + static_cast<std::uint32_t>(d) * kLaunchesStride + offset;
}

std::uint32_t RegisterMap::link(int d, int i) const {
  return link_base + static_cast<std::uint32_t>(d) * link_stride + static_cast<std::uint32_t>(i) * kWord;
}

std::uint32_t RegisterMap::link_status(int i, std::uint32_t offset) const {
  return link_status_base + static_cast<std::uint32_t>(i) * kLinkStatusStride + offset;
}

std::uint32_t RegisterMap::descriptor(int d, std::uint32_t offset) const {
  return descriptor_base + static_cast<std::uint32_t>(d) * descriptor_stride + offset;
}

std::uint32_t RegisterMap::alltoall(const Design& design, int table, int step, int port) const {
  const int bits = design.port_bits();
  const std::uint32_t index = (static_cast<std::uint32_t>(table) << (2 * bits)) +
                              (static_cast<std::uint32_t>(step) << bits) + static_cast<std::uint32_t>(port);
  return alltoall_base + index * kWord;
}

}  // namespace fred
