// SPDX-License-Identifier: Apache-2.0
#include "fred/cli/static_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fred/error.hpp"
#include "fred/network/network.hpp"
#include "fred/route/program.hpp"

namespace fred::cli {

void StaticOptions::add_to(CLI::App& command, bool what) {
  constexpr const char* kGroup = "Fixed function";
  CLI::Option* is_static =
      command
          .add_flag("--static", on,
                    "no registers: descriptors, routes and all-to-all tables are constants, a descriptor for each "
                    "collective on each group; errors and status are pins (docs/static.md)")
          ->group(kGroup);
  command
      .add_flag("--tdest", tdest,
                "keep the pin s_axis_tdest; without it port and virtual circuit name the descriptor, so a port sends "
                "in one of each circuit")
      ->needs(is_static)
      ->group(kGroup);
  command
      .add_option("--watchdog", watchdog,
                  "cycles after which a descriptor that waits is said to hang, a power of two; 0: never")
      ->capture_default_str()
      ->needs(is_static)
      ->group(kGroup);
  if (!what) return;
  groups_option_ =
      command.add_option("--groups", groups, "ports in rank order, \"0,1,2;5,3\"")->needs(is_static)->group(kGroup);
  flows_option_ = command.add_option("--flows", flows, "flows \"3,4>2;1>3,5\" instead of groups")
                      ->needs(is_static)
                      ->excludes(groups_option_)
                      ->group(kGroup);
  command
      .add_option("--collective", collectives,
                  "comma-separated list as in fred run: KIND on all groups, KIND@G on group G; behind it :TYPE, :OP, "
                  "then /vcN and /rootN, the rank of the root")
      ->capture_default_str()
      ->needs(is_static)
      ->group(kGroup);
  command.add_option("--root", root, "rank of the root within each group, where /rootN does not say it")
      ->capture_default_str()
      ->needs(is_static)
      ->group(kGroup);
  command.add_option("--op", op, "reduce operation where the collective does not say it: " + op_names())
      ->capture_default_str()
      ->needs(is_static)
      ->group(kGroup);
  command.add_option("--vc", vc, "virtual circuit of the collectives that do not say /vcN")
      ->capture_default_str()
      ->needs(is_static)
      ->group(kGroup);
  command
      .add_flag("--one-round", one_round, "exit code 3 if groups cannot all be routed together; else they take turns")
      ->needs(is_static)
      ->group(kGroup);
}

Design StaticOptions::apply(const DesignOptions& options) const {
  Design design = options.design();
  if (!on) return design;
  std::vector<tb::RankSet> sets;
  if (flows_option_->count() > 0) {
    sets = tb::rank_sets(parse_flows(flows, design.radix, Overlap::kAllowed));
  } else if (groups_option_->count() > 0) {
    sets = tb::rank_sets(parse_groups(groups, design.radix, Overlap::kAllowed));
  } else {
    throw InputError("--static: say on which ports: --groups \"0,1,2;3,4\" or --flows \"0,1>2\"");
  }
  if (vc < 0 || vc >= design.vcs) {
    throw InputError(fmt::format("--vc {}: allowed are 0..{}{}", vc, design.vcs - 1,
                                 design.vcs == 1 ? "; --vcs gives the switch more" : ""));
  }
  const std::vector<tb::Phase> phases =
      tb::parse_collectives(collectives, static_cast<int>(sets.size()), design.dtypes(), design.vcs, vc);
  for (const tb::Phase& phase : phases) {
    for (const tb::Entry& entry : phase.entries) {
      if (entry.start == 0) continue;
      throw InputError(
          fmt::format("--collective {}: /from{} is a time, which only fred run has", collectives, entry.start));
    }
  }
  design = static_design(options, *this, phases, sets, {root, parse_op(op), 0, nullptr, 1, nullptr});
  for (const std::string& note : static_program(design, make_network(design.radix, design.middle)).shared_time) {
    fmt::print(stderr, "fred: share time: {}\n", note);
  }
  return design;
}

Design static_design(const DesignOptions& options, const StaticOptions& form, const std::vector<tb::Phase>& phases,
                     const std::vector<tb::RankSet>& sets, const tb::JobOptions& job) {
  for (const CLI::Option* given : {options.descriptors, options.tables}) {
    if (given->count() == 0) continue;
    throw InputError(
        fmt::format("{}: not with --static, which has as many as its collectives need", given->get_name()));
  }
  StaticForm::check_watchdog(form.watchdog);
  Design design = options.design();
  if (options.ops_option->count() == 0) {  // those that are used
    design.ops.clear();
    for (const tb::Phase& phase : phases) {
      for (const tb::Entry& entry : phase.entries) {
        const Op op = entry.op.value_or(job.op);
        const bool used = reduces(entry.kind) && entry.kind != Kind::kBarrier;
        if (used && std::find(design.ops.begin(), design.ops.end(), op) == design.ops.end()) design.ops.push_back(op);
      }
    }
    if (design.ops.empty()) design.ops = {Op::kSum};
  }
  StaticForm constants;
  constants.tdest = form.tdest;
  constants.watchdog = static_cast<std::uint32_t>(form.watchdog);
  design.alltoall_tables = kMaxAllToAllTables;
  constants.collectives = tb::collectives_of(phases, sets, design, job);
  if (static_cast<int>(constants.collectives.size()) > kMaxDescriptors) {
    throw InputError(fmt::format("--static: {} collectives on all groups together; at most {} are allowed",
                                 constants.collectives.size(), kMaxDescriptors));
  }
  design.descriptors = static_cast<int>(constants.collectives.size());
  design.static_form = std::move(constants);
  const Program program = static_program(design, make_network(design.radix, design.middle), form.one_round);
  design.alltoall_tables = 0;
  for (const Descriptor& of : program.descriptors) {
    if (of.kind == Kind::kAllToAll) design.alltoall_tables = std::max(design.alltoall_tables, of.table + 1);
  }
  design.validate();
  return design;
}

}  // namespace fred::cli
