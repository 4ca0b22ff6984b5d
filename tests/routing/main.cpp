// SPDX-License-Identifier: Apache-2.0
// Long checks of the router (`make router`), and their quick form in ctest.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "tests/routing/checks.hpp"

int main(int argc, char** argv) {
  using namespace fred::test;
  CLI::App app("Long checks of the router");
  std::uint32_t seed = 1;
  app.add_option("--seed", seed, "of all random choices")->capture_default_str();
  app.require_subcommand(1);
  app.fallthrough();

  long pairs = 1'000'000;
  int explain = 20;
  CLI::App* agree = app.add_subcommand("agree", "search and SAT on small instances");
  agree->add_option("--instances", pairs)->capture_default_str();
  agree->add_option("--explain-one-in", explain, "check the conflict of one unroutable instance in so many")
      ->capture_default_str();

  int timed = 10'000;
  int repeats = 5;
  CLI::App* speed = app.add_subcommand("speed", "time of exact answers at 64 ports");
  speed->add_option("--instances", timed)->capture_default_str();
  speed->add_option("--repeats", repeats)->capture_default_str();

  CLI::App* factorisations = app.add_subcommand("factorisations", "every MP x PP x DP");
  CLI::App* large = app.add_subcommand("large", "1024 ports");
  large->add_option("--repeats", repeats)->capture_default_str();

  int runs = 2'000;
  int low = 2;
  int high = 20;
  CLI::App* rtl = app.add_subcommand("rtl", "routes through Verilated switches, broken parts included");
  rtl->add_option("--instances", runs)->capture_default_str();
  rtl->add_option("--low", low, "smallest radix")->capture_default_str();
  rtl->add_option("--high", high, "largest radix")->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  try {
    std::printf("seed: %u\n", seed);
    bool right = false;
    if (agree->parsed()) right = check_agreement(pairs, seed, explain);
    if (speed->parsed()) right = check_speed(timed, seed, repeats);
    if (factorisations->parsed()) right = check_factorisations();
    if (large->parsed()) right = check_large(repeats);
    if (rtl->parsed()) right = check_rtl(runs, seed, low, high);
    std::printf("result: %s\n", right ? "all right" : "WRONG");
    return right ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "routing: %s\n", error.what());
    return 1;
  }
}
