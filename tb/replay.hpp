// SPDX-License-Identifier: Apache-2.0
// Writes every cycle of a run as vectors and a SystemVerilog bench that replays them in any simulator: the same inputs,
// and the same outputs expected in the same cycles. Payload pins are compared only where their valid bit, and for data
// the tkeep bit, makes them mean something.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>

#include "fred/design/design.hpp"
#include "tb/engine.hpp"

namespace fred::tb {

/// Folder with `vectors.txt` (the number of cycles, written last, so that a torn file is none; then a line a cycle:
/// hexadecimal input pins, then output pins) and `replay.sv`. Compile
/// replay.sv with the design's files and run it in the folder; it prints "PASS: N cycles" or "FAIL: ...".
class ReplayWriter {
 public:
  /// Creates the folder and both files. Throws InputError that names what cannot be written.
  ReplayWriter(const std::filesystem::path& folder, const Design& design);
  ~ReplayWriter();
  /// Adds one cycle.
  void cycle(const InPins& in, const OutPins& out);
  /// Closes the file. Throws InputError if not everything could be written.
  void close();

 private:
  struct Pins;
  std::unique_ptr<const Pins> pins_;    ///< the pins of the design, in the order of a line
  std::filesystem::path vectors_path_;  ///< of vectors.txt
  std::ofstream vectors_;
  std::uint64_t cycles_ = 0;  ///< written
};

}  // namespace fred::tb
