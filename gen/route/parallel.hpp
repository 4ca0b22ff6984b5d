// SPDX-License-Identifier: Apache-2.0
// Internal to the library: independent pieces of work on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace fred::detail {

/// Calls work(i) for i = 0..count-1, in any order, `chunk` neighbours at a time by one thread. What work(i) writes must
/// belong to i alone; then the result does not depend on `threads`. The first exception is thrown again at the end.
template <typename Work>
void parallel_for(std::size_t count, std::size_t chunk, int threads, const Work& work) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr error;
  std::mutex error_mutex;
  const auto take = [&] {
    try {
      for (std::size_t first = 0; (first = next.fetch_add(chunk)) < count;) {
        for (std::size_t i = first; i < std::min(first + chunk, count); ++i) work(i);
      }
    } catch (...) {
      next = count;
      const std::lock_guard lock(error_mutex);
      if (!error) error = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  for (int t = 1; t < threads; ++t) others.emplace_back(take);
  take();
  for (std::thread& thread : others) thread.join();
  if (error) std::rethrow_exception(error);
}

}  // namespace fred::detail
