// SPDX-License-Identifier: Apache-2.0
#include "fred/process/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string_view>

#include "fred/error.hpp"

extern char** environ;

namespace fred {

namespace {

volatile std::sig_atomic_t g_signal = 0;  // that came under a SignalGuard
volatile std::sig_atomic_t g_group = 0;   // process group of the tool that runs

void on_signal(int signal) {
  const int cause = errno;
  g_signal = signal;
  if (g_group > 0) kill(-g_group, SIGTERM);  // SIGTERM: make hands that on
  errno = cause;
}

sigset_t guarded_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
  return set;
}

Ending ending_of(int status) {
  if (WIFSIGNALED(status)) return {128 + WTERMSIG(status), WTERMSIG(status)};
  return {WEXITSTATUS(status), 0};
}

/// Our environment without what a make around us, or a locale, would change in a tool.
std::vector<std::string> tool_environment() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    bool kept = true;
    for (const std::string_view name :
         {"LC_ALL=", "LANGUAGE=", "MAKEFLAGS=", "MFLAGS=", "MAKELEVEL=", "MAKEFILES=", "GNUMAKEFLAGS="}) {
      kept = kept && !text.starts_with(name);
    }
    if (kept) variables.emplace_back(text);
  }
  variables.emplace_back("LC_ALL=C");
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

/// The child's side of run_tool, after fork: no allocation.
[[noreturn]] void start(char* const* command, char** environment, const char* folder, int log, const sigset_t& mask) {
  setpgid(0, 0);
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGTERM);  // if we are killed so that we cannot do it ourselves
#endif
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  environ = environment;
  if (chdir(folder) == 0) execvp(command[0], command);
  const char* why = std::strerror(errno);
  (void)!write(STDERR_FILENO, why, std::strlen(why));
  _exit(127);
}

}  // namespace

std::string Ending::text() const {
  if (signal != 0) return fmt::format("signal {}, {}", signal, strsignal(signal));
  return fmt::format("exit code {}", exit_code);
}

SignalGuard::SignalGuard() {
  g_signal = 0;
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &action, nullptr);
  }
}

SignalGuard::~SignalGuard() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
}

void SignalGuard::check() const {
  if (g_signal != 0) throw Error(128 + g_signal, g_signal == SIGINT ? "interrupted" : "terminated");
}

Ending run_tool(const std::vector<std::string>& command, const std::filesystem::path& folder,
                const std::filesystem::path& log) {
  std::vector<std::string> words = command;
  std::vector<std::string> variables = tool_environment();
  const std::vector<char*> argv = pointers(words);
  std::vector<char*> environment = pointers(variables);
  const int file = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) throw ToolError(fmt::format("cannot write {}: {}", log.string(), std::strerror(errno)));

  const sigset_t guarded = guarded_signals();
  sigset_t mask;
  sigprocmask(SIG_BLOCK, &guarded, &mask);  // until the handler knows whom to end
  const pid_t child = g_signal != 0 ? 0 : fork();
  if (child == 0 && g_signal == 0) start(argv.data(), environment.data(), folder.c_str(), file, mask);
  if (child > 0) {
    setpgid(child, child);  // here and there: whoever comes first
    g_group = child;
  }
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  close(file);
  if (child == 0) return {128 + g_signal, g_signal};  // a signal came before it could be started
  if (child < 0) throw ToolError(fmt::format("cannot start {}: {}", command.front(), std::strerror(errno)));

  int status = 0;
  pid_t ended = -1;
  do {
    ended = waitpid(child, &status, 0);
  } while (ended < 0 && errno == EINTR);
  g_group = 0;
  if (ended < 0) throw ToolError(fmt::format("cannot wait for {}: {}", command.front(), std::strerror(errno)));
  kill(-child, SIGKILL);  // what it has left running
  return ending_of(status);
}

bool on_path(const std::string& tool) {
  const char* folders = std::getenv("PATH");
  std::stringstream path(folders == nullptr ? "" : folders);
  for (std::string folder; std::getline(path, folder, ':');) {
    if (!folder.empty() && access((std::filesystem::path(folder) / tool).c_str(), X_OK) == 0) return true;
  }
  return false;
}

std::string end_of_log(const std::string& log) {
  constexpr std::size_t kShown = 2000;  // characters
  return log.size() <= kShown ? log : "..." + log.substr(log.size() - kShown);
}

std::string output_of(const std::string& command, Ending& ending) {
  ending = {127, 0};
  std::string text;
  FILE* pipe = popen(("LC_ALL=C; LANGUAGE=; export LC_ALL LANGUAGE; " + command).c_str(), "r");
  if (pipe == nullptr) return text;
  std::array<char, 4096> buffer{};
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) text.append(buffer.data(), n);
  const int status = pclose(pipe);
  if (status != -1) ending = ending_of(status);
  return text;
}

}  // namespace fred
