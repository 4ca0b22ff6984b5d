// SPDX-License-Identifier: Apache-2.0
// Results that programs read: the FILE of `--json FILE` and of options like it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace fred::cli {

/// Help text of a `--json` option.
inline constexpr const char* kJsonHelp =
    "write the result as JSON to FILE; - is standard output, and nothing else goes there";

/// Whether `file` names standard output: then a command prints nothing else there.
[[nodiscard]] inline bool is_stdout(const std::string& file) { return file == "-"; }

/// Whether two names are of one file, or both standard output.
[[nodiscard]] bool same_file(const std::string& a, const std::string& b);

/// Throws InputError unless a folder `option PATH` can be made or written to, or, for `is_file`, a file in it: asked
/// before a long run, so that its result is not lost.
void check_output(const std::string& option, const std::string& path, bool is_file);

/// The same for `--json FILE`; empty or standard output: nothing to check. Throws InputError also if FILE is the folder
/// `output` or in it (empty: there is none): it would be lost when that is replaced, or be in the way of the next run.
void check_json(const std::string& json, const std::string& output = "");

/// Writes `text` to the `file` of `option` ("-": standard output). A file is written whole or not at all: an existing
/// one is replaced when the new one is complete. Throws InputError that names the file and the cause.
void write_text(const std::string& option, const std::string& file, const std::string& text);
/// The same with `value`, indented, of --json.
void write_json(const std::string& file, const nlohmann::ordered_json& value);

}  // namespace fred::cli
