// SPDX-License-Identifier: Apache-2.0
#include "fred/numeric/golden.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "fred/error.hpp"
#include "fred/numeric/reduce.hpp"

namespace {

thread_local std::string g_error;  // of the last call

void reduce(const char* dtype, const char* acc, const char* op, const int* ports, std::size_t ranks,
            const void* const* operands, std::size_t bytes, void* result) {
  if (dtype == nullptr || op == nullptr || (ranks != 0 && (ports == nullptr || operands == nullptr)) ||
      (bytes != 0 && result == nullptr)) {
    throw fred::InputError("an argument is a null pointer");
  }
  std::vector<std::size_t> order(ranks);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [ports](std::size_t a, std::size_t b) { return ports[a] < ports[b]; });
  std::vector<int> ascending;
  std::vector<const std::byte*> data;
  for (const std::size_t rank : order) {
    if (bytes != 0 && operands[rank] == nullptr)
      throw fred::InputError("operand " + std::to_string(rank) + " is a null pointer");
    if (!ascending.empty() && ascending.back() == ports[rank])
      throw fred::InputError("port " + std::to_string(ports[rank]) + " is there twice");
    ascending.push_back(ports[rank]);
    data.push_back(static_cast<const std::byte*>(operands[rank]));
  }
  const fred::DType type = fred::parse_dtype(dtype);
  const fred::DType inside = acc == nullptr ? type : fred::parse_dtype(acc);
  const std::vector<std::byte> sum =
      fred::reduce_tree(type, inside, fred::parse_op(op), std::numeric_limits<int>::max(), ascending, data, bytes);
  if (bytes != 0) std::memcpy(result, sum.data(), bytes);
}

}  // namespace

int fred_golden_reduce(const char* dtype, const char* acc, const char* op, const int* ports, std::size_t ranks,
                       const void* const* operands, std::size_t bytes, void* result) {
  g_error.clear();
  try {
    reduce(dtype, acc, op, ports, ranks, operands, bytes, result);
    return 0;
  } catch (const std::exception& error) {
    g_error = error.what();
    return 2;
  }
}

const char* fred_golden_error() { return g_error.c_str(); }
