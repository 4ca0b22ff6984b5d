// SPDX-License-Identifier: Apache-2.0
// The cache of built switches, the tools that fill it, and traces. The tools are scripts and the model is a stub, so
// that everything that can go wrong is quick to make go wrong; other tests build with the real ones.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <thread>

#include "fred/error.hpp"
#include "tb/model_build.hpp"
#include "tb/verilator_engine.hpp"

using namespace fred;
using namespace fred::tb;
namespace fs = std::filesystem;

namespace {

/// A switch without logic. Its trace is one FST block, or what FAKE_TRACE says.
constexpr const char* kStub = R"(
#include <cstdio>
#include <cstdlib>
#include <cstring>
extern "C" {
int fred_model_interface() { return 4; }
void* fred_model_create(const char* trace, int) {
  if (trace == nullptr) return new int;
  const char* how = getenv("FAKE_TRACE");
  if (how != nullptr && strcmp(how, "none") == 0) return new int;
  remove(trace);
  FILE* file = fopen(trace, "wb");
  if (file == nullptr) return nullptr;
  const char head[9] = {0, 0, 0, 0, 0, 0, 0, 1, 73};  // block 0 of 329 bytes
  fwrite(head, 1, sizeof head, file);
  for (int i = 0; i < (how != nullptr && strcmp(how, "short") == 0 ? 5 : 321); ++i) fputc(0, file);
  fclose(file);
  return new int;
}
const char* fred_model_cycle(void*, const void*, void*) { return nullptr; }
void fred_model_destroy(void* model) { delete static_cast<int*>(model); }
}
)";

std::string read(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

void write(const fs::path& path, const std::string& text) {
  fs::remove(path);  // a new file: a library that is still mapped must keep its own
  std::ofstream stream(path, std::ios::binary);
  stream << text;
}

std::size_t count(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

/// A folder with a verilator that does what a test says, first on PATH; the environment is restored at the end.
class FakeTools {
 public:
  FakeTools() : home_(fs::path(FRED_BINARY_DIR) / "model_build_test") {
    static int made = 0;
    number_ = ++made;
    fs::remove_all(home_);
    fs::create_directories(home_ / "bin");
    fs::create_directories(home_ / "tmp");
    write(home_ / "stub.cpp", kStub);
    REQUIRE(std::system(fmt::format("c++ -shared -fPIC -o '{0}/model.so' '{0}/stub.cpp'", home_.string()).c_str()) ==
            0);
    set("FAKE", home_.string());
    set("TMPDIR", (home_ / "tmp").string());
    set("PATH", (home_ / "bin").string() + ":" + std::getenv("PATH"));
    version("Verilator 5.006 2023-01-22 rev (fake)");
    verilator("");
  }
  ~FakeTools() {
    for (const auto& [name, value] : before_) {
      if (value) {
        setenv(name.c_str(), value->c_str(), 1);
      } else {
        unsetenv(name.c_str());
      }
    }
  }
  FakeTools(const FakeTools&) = delete;
  FakeTools& operator=(const FakeTools&) = delete;

  void set(const std::string& name, const std::string& value) {
    const char* old = std::getenv(name.c_str());
    before_.try_emplace(name, old == nullptr ? std::nullopt : std::optional<std::string>(old));
    setenv(name.c_str(), value.c_str(), 1);
  }
  void version(const std::string& text) { version_ = text; }
  /// What `verilator` does before it writes a Makefile that "builds" the stub, and the Makefile's recipe.
  void verilator(const std::string& before, const std::string& recipe = "cp \"$$FAKE/model.so\" $@",
                 const std::string& target = "../fred_switch.so", const std::string& on_version = "") {
    const fs::path script = home_ / "bin" / "verilator";
    write(script, fmt::format("#!/bin/sh\nif [ \"$1\" = --version ]; then {}\n echo '{}'; exit; fi\n{}\nmkdir obj\n"
                              "printf '%s\\n' '{}:' '\t{}' > obj/Vfred_switch.mk\n",
                              on_version, version_, before, target, recipe));
    fs::permissions(script, fs::perms::owner_all);
  }
  /// Another one for each FakeTools: a library stays loaded, and its path would find it again.
  [[nodiscard]] fs::path cache() const { return home_ / fmt::format("cache{}", number_); }
  [[nodiscard]] const fs::path& home() const { return home_; }

  [[nodiscard]] BuiltModel build() const { return build_in(cache()); }
  [[nodiscard]] static BuiltModel build_in(const fs::path& cache) {
    BuildOptions options;
    options.cache = cache;
    return build_model({{"rtl/fred_switch.sv", "module fred_switch; endmodule\n"}}, options);
  }
  /// What a build that fails says.
  [[nodiscard]] std::string failure() const {
    try {
      (void)build();
    } catch (const ToolError& error) {
      CHECK(count(cache()) == 0);  // and leaves nothing
      return error.what();
    }
    FAIL("was built");
    return "";
  }

 private:
  fs::path home_;
  int number_ = 0;
  std::string version_;
  std::map<std::string, std::optional<std::string>> before_;
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a cache may have any path") {
  const FakeTools tools;
  for (const char* name :
       {"plain", "with space", "it's \"$HOME\" #1; $(x) %.o: a\\b", "tab\there", "\xc3\xa9t\xc3\xa9"}) {
    CAPTURE(name);
    const fs::path cache = tools.home() / name;
    const BuiltModel model = FakeTools::build_in(cache);
    CHECK_FALSE(model.cached);
    CHECK(open_model(model.shared_object.string())->name() == "verilator");
    CHECK(count(cache) == 1);
    CHECK(fs::is_empty(tools.home() / "tmp"));
    CHECK(FakeTools::build_in(cache).cached);
  }
}

TEST_CASE("a temporary folder with a space is not used") {
  FakeTools tools;
  fs::create_directories(tools.home() / "tmp dir");
  tools.set("TMPDIR", (tools.home() / "tmp dir").string());
  CHECK_FALSE(FakeTools::build_in(tools.home() / "a b").cached);
}

TEST_CASE("a damaged cache entry is built again") {
  const FakeTools tools;
  const fs::path object = tools.build().shared_object;
  const fs::path entry = object.parent_path();
  const std::string whole = read(object);
  const fs::path seal = object.string() + ".sha256";
  REQUIRE(tools.build().cached);
  const auto repaired = [&](const char* what) {
    CAPTURE(what);
    CHECK_FALSE(tools.build().cached);
    CHECK(read(object) == whole);
    CHECK(tools.build().cached);
    CHECK(count(tools.cache()) == 1);
  };
  fs::remove(object);
  repaired("no shared object");
  write(object, "");
  repaired("an empty one");
  write(object, "garbage\n");
  repaired("garbage");
  write(object, whole.substr(0, whole.size() / 2));  // to open it could be the end of us
  repaired("half of one");
  write(object, whole + "x");
  repaired("one that has grown");
  fs::remove(seal);
  repaired("no seal");
  fs::remove(object);
  REQUIRE(mkfifo(object.c_str(), 0600) == 0);
  repaired("a pipe");
  fs::remove_all(entry);
  write(entry, "a file\n");
  repaired("a file for an entry");
  // Sealed, but no switch.
  const fs::path other = tools.home() / "other";
  const fs::path library = other / entry.filename() / object.filename();
  fs::create_directories(library.parent_path());
  write(other / "x.cpp", "int x;\n");
  const std::string make = fmt::format("cd '{}' && c++ -shared -fPIC -o '{}' x.cpp && cd '{}' && sha256sum {} > {}",
                                       other.string(), library.string(), library.parent_path().string(),
                                       object.filename().string(), seal.filename().string());
  REQUIRE(std::system(make.c_str()) == 0);
  CHECK(has(model_problem(library.string()), "no Verilated switch"));
  CHECK_FALSE(FakeTools::build_in(other).cached);
  CHECK(model_problem(library.string()).empty());
}

TEST_CASE("what Verilator calls itself is read from its output, not from a warning") {
  FakeTools tools;
  const fs::path object = tools.build().shared_object;
  tools.verilator("", "cp \"$$FAKE/model.so\" $@", "../fred_switch.so",
                  "echo 'perl: warning: Setting locale failed.' >&2; echo a remark;");
  CHECK(tools.build().cached);
  CHECK(tools.build().shared_object == object);
  tools.version("Verilator 5.008 2023-03-04 rev (fake)");
  tools.verilator("");
  CHECK_FALSE(tools.build().cached);
  fs::remove_all(tools.cache());
  fs::create_directories(tools.cache());
  tools.verilator("", "", "x", "echo 'Cannot locate FindBin.pm' >&2; exit 2;");
  std::string said = tools.failure();
  CHECK_MESSAGE((has(said, "verilator --version") && has(said, "exit code 2") && has(said, "FindBin")), said);
  tools.version("hello");
  tools.verilator("");
  said = tools.failure();
  CHECK_MESSAGE((has(said, "does not name a version") && has(said, "hello")), said);
}

TEST_CASE("a failed build says which tool failed, and how") {
  FakeTools tools;
  fs::create_directories(tools.cache());
  tools.verilator("echo '%Error: no such thing' >&2; exit 3");
  std::string said = tools.failure();
  CHECK_MESSAGE((has(said, "verilator failed (exit code 3)") && has(said, "%Error: no such thing")), said);
  CHECK_MESSAGE(!has(said, "5.006"), said);
  tools.verilator("kill -9 $$");
  CHECK(has(tools.failure(), "verilator failed (signal 9, Killed)"));
  tools.verilator("", "echo fred.cpp: no such header; exit 1", "verilated.o");
  said = tools.failure();
  CHECK_MESSAGE((has(said, "+ failed to make verilated.o (exit code 1)") && has(said, "no such header")), said);
  tools.verilator("", "kill -9 $$$$", "verilated.o");
  CHECK(has(tools.failure(), "+ failed to make verilated.o (Killed)"));
  tools.verilator("mkdir obj; echo nonsense > obj/Vfred_switch.mk; exit 0");
  said = tools.failure();
  CHECK_MESSAGE((has(said, "make failed (exit code 2)") && has(said, "missing separator")), said);
  tools.verilator("", "true");
  CHECK(has(tools.failure(), "there is no fred_switch.so"));
  tools.verilator("", "echo garbage > $@");
  CHECK(has(tools.failure(), "cannot be used"));
  tools.version("Verilator 4.038 2020-07-11 rev (fake)");
  tools.verilator("exit 1");
  said = tools.failure();
  CHECK_MESSAGE((has(said, "4.038") && has(said, "5.006 or later")), said);
}

TEST_CASE("a make around us changes nothing") {
  FakeTools tools;
  tools.set("MAKEFLAGS", "n");
  tools.set("MAKELEVEL", "3");
  CHECK_FALSE(tools.build().cached);
}

TEST_CASE("a signal ends the tools and leaves nothing behind") {
  FakeTools tools;
  for (const bool in_make : {false, true}) {
    const std::string name = in_make ? "cache 2" : "cache";
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
      CAPTURE(name);
      CAPTURE(signal);
      const fs::path cache = tools.home() / name;
      const fs::path running = tools.home() / "running";
      fs::remove(running);
      const std::string wait = "sleep 60 & echo $! > \"$FAKE/new\"; mv \"$FAKE/new\" \"$FAKE/running\"; wait";
      if (in_make) {
        tools.verilator("", "sh \"$$FAKE/wait\"");
        write(tools.home() / "wait", wait);
      } else {
        tools.verilator(wait);
      }
      const pid_t child = fork();
      if (child == 0) {
        try {
          (void)FakeTools::build_in(cache);
        } catch (const Error& error) {
          _exit(error.exit_code());
        }
        _exit(0);
      }
      for (int i = 0; i < 500 && !fs::exists(running); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
      REQUIRE(fs::exists(running));
      kill(child, signal);
      int status = 0;
      REQUIRE(waitpid(child, &status, 0) == child);
      CHECK(WIFEXITED(status));
      CHECK(WEXITSTATUS(status) == 128 + signal);
      CHECK(count(cache) == 0);
      CHECK(fs::is_empty(tools.home() / "tmp"));
      const pid_t sleeper = std::stoi(read(running));
      const auto gone = [sleeper] {  // or a zombie that nobody has collected
        const std::string state = read(fmt::format("/proc/{}/stat", sleeper));
        return state.empty() || has(state, ") Z ");
      };
      for (int i = 0; i < 100 && !gone(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
      CHECK(gone());
    }
  }
}

TEST_CASE("a trace replaces a regular file when it is complete, and nothing else") {
  FakeTools tools;
  const std::string model = tools.build().shared_object.string();
  const fs::path folder = tools.home() / "traces";
  fs::create_directories(folder);
  const auto refused = [&](const fs::path& trace, const std::string& why) {
    CAPTURE(trace);
    CHECK_THROWS_WITH_AS(check_trace(trace.string()), doctest::Contains(why.c_str()), InputError);
    CHECK_THROWS_WITH_AS((void)open_model(model, 1, trace.string()), doctest::Contains(trace.c_str()), InputError);
  };

  SUBCASE("new, then replaced; the old one stays until the end") {
    for (const char* before : {"", "old"}) {
      const auto engine = open_model(model, 1, (folder / "a.fst").string());
      CHECK(read(folder / "a.fst") == std::string(before));
      engine->close();
      CHECK(read(folder / "a.fst").size() == 330);
      CHECK(count(folder) == 1);
      write(folder / "a.fst", "old");
    }
  }
  SUBCASE("closed by the destructor, in the current folder") {
    const fs::path before = fs::current_path();
    fs::current_path(folder);
    CHECK_NOTHROW((void)open_model(model, 1, "b.fst"));
    fs::current_path(before);
    CHECK(read(folder / "b.fst").size() == 330);
  }
  SUBCASE("links stay links") {
    fs::create_directories(folder / "far");
    write(folder / "far" / "file.fst", "old");
    fs::create_symlink("far/file.fst", folder / "link.fst");
    fs::create_symlink("link.fst", folder / "chain.fst");
    fs::create_symlink("far/new.fst", folder / "dangling.fst");
    fs::create_symlink("loop.fst", folder / "loop.fst");
    open_model(model, 1, (folder / "chain.fst").string())->close();
    CHECK(read(folder / "far" / "file.fst").size() == 330);
    open_model(model, 1, (folder / "dangling.fst").string())->close();
    CHECK(read(folder / "far" / "new.fst").size() == 330);
    for (const char* link : {"link.fst", "chain.fst", "dangling.fst"}) CHECK(fs::is_symlink(folder / link));
    refused(folder / "loop.fst", "symbolic links");
  }
  SUBCASE("what is no regular file is left alone") {
    REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
    fs::create_symlink("pipe", folder / "link");
    fs::create_directories(folder / "folder");
    refused(folder / "pipe", "not a regular file");
    refused(folder / "link", "not a regular file");
    refused(folder / "folder", "is a folder");
    refused(folder / "none" / "a.fst", "there is no folder");
    refused(folder.string() + "/none/", "names no file");
    write(folder / "file", "mine");
    refused(folder / "file" / "a.fst", "");
    CHECK(fs::is_fifo(fs::symlink_status(folder / "pipe")));
    CHECK(count(folder) == 4);
  }
  SUBCASE("a trace that is not complete is an error, and the old one stays") {
    write(folder / "a.fst", "old");
    for (const char* how : {"short", "none"}) {
      tools.set("FAKE_TRACE", how);
      const auto engine = open_model(model, 1, (folder / "a.fst").string());
      CHECK_THROWS_WITH_AS(engine->close(), doctest::Contains("could not be written in whole"), InputError);
      CHECK_NOTHROW(engine->close());
      CHECK(read(folder / "a.fst") == "old");
    }
    CHECK(count(folder) == 1);
  }
}
