// SPDX-License-Identifier: Apache-2.0
// Emitted files into a folder, all of them or nothing.
#pragma once

#include <filesystem>
#include <vector>

#include "fred/emit/emit.hpp"

namespace fred {

/// Makes `folder` hold exactly `files`. They are written into a temporary folder beside it, which then takes its place:
/// whoever looks finds the old content or the new, never a mixture, and an error leaves everything as it was. What a
/// process that was killed left behind (".NAME.fred.PID.new" or ".old") is removed by the next one.
///
/// `folder` must not exist (its parents are made), be empty, or hold an earlier output of `fred` and nothing else: its
/// manifest.json says so, lists every file, and each is still as its SHA-256 says. With `force` an earlier output is
/// replaced whatever has become of its files. An empty folder is filled, so it may be the current one; an earlier
/// output may not be. Throws InputError that names the path and the way out.
void write_output(const std::filesystem::path& folder, const std::vector<EmittedFile>& files, bool force = false);

/// Throws what write_output would throw now because of `folder`: asked before a long run, so that its result is not
/// lost.
void check_replaceable(const std::filesystem::path& folder, bool force = false);

}  // namespace fred
