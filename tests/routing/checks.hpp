// SPDX-License-Identifier: Apache-2.0
// The long checks of the router, each a subcommand of `routing` (main.cpp). Each prints what it did and its figures, as
// "name: value" lines that scripts/router.py puts into docs/results/router.md, and returns whether all was right.
#pragma once

#include <cstdint>

namespace fred::test {

/// Search and SAT on random small instances, with and without broken links: the same answer, accepted by the checker;
/// conflicts (of one unroutable instance in `explain_one_in`) are minimal by SAT.
bool check_agreement(long instances, std::uint32_t seed, int explain_one_in);

/// Exact answers at 64 ports, m = 3: 99th percentile of the time, median of `repeats`; share that routes.
bool check_speed(int instances, std::uint32_t seed, int repeats);

/// Every MP x PP x DP = P up to 48 ports, and of 64, 96, 128: placed, routed and checked at m = 3 and m = 2; rounds.
bool check_factorisations();

/// 1024 ports, m = 3, mp=8,dp=16,pp=8: the network, a placement, all routes, and the checker: median of `repeats`.
bool check_large(int repeats);

/// A fixed computation to compare machines by, in seconds: 2^27 steps of a linear congruential generator.
double reference_computation();

/// Random instances at radix `low`..`high`, broken parts included, through Verilated switches: routed, written, run,
/// every bit checked. Switches with broken parts have wires that turn over every bit there.
bool check_rtl(int instances, std::uint32_t seed, int low, int high);

}  // namespace fred::test
