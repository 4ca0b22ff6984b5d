// SPDX-License-Identifier: Apache-2.0
// `fred order`: in which order a switch reduces a group, and whether other ports give the same bits.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "fred/cli/commands.hpp"
#include "fred/cli/json_output.hpp"
#include "fred/error.hpp"
#include "fred/numeric/reduce.hpp"
#include "fred/numeric/tree.hpp"
#include "fred/route/flow.hpp"

namespace fred::cli {
namespace {

struct OrderOptions {
  std::string groups;
  std::string same_as;
  std::string dtype = "fp32";
  std::string acc;  // empty: as dtype
  std::string op = "sum";
  std::string json;
};

constexpr int kMaxRadix = 256;  // the order depends on the ports alone, not on the switch

std::vector<int> ascending(Group group) {
  std::sort(group.begin(), group.end());
  return group;
}

std::string listed(const std::vector<int>& ports) { return fmt::format("{}", fmt::join(ports, ",")); }

/// How a placement compares with the one that it should give the bits of.
struct Comparison {
  bool same = false;                       ///< the same bits for all data
  std::optional<std::vector<int>> others;  ///< else a placement on the same ports that gives them
};

Comparison compare(const Group& reference, const Group& group, bool matters) {
  Comparison result;
  result.same = !matters || same_order(reference, group);
  if (!result.same) result.others = placement_in_order_of(reference, group);
  return result;
}

void run(const OrderOptions& options) {
  const std::vector<Group> groups = parse_groups(options.groups, kMaxRadix);
  const DType dtype = parse_dtype(options.dtype);
  const Op op = parse_op(options.op);
  if (!is_defined(dtype, op)) {
    throw InputError(fmt::format("--op {}: is not defined for {}", options.op, options.dtype));
  }
  const DType acc = options.acc.empty() ? dtype : parse_acc(options.acc, {dtype});
  std::optional<Group> reference;
  if (!options.same_as.empty()) {
    const std::vector<Group> parsed = parse_groups(options.same_as, kMaxRadix);
    if (parsed.size() != 1) throw InputError(fmt::format("--same-as {}: must be one group", options.same_as));
    reference = parsed.front();
    for (const Group& group : groups) {
      if (group.size() == reference->size()) continue;
      throw InputError(fmt::format("--same-as {}: has {} ranks, group {} has {}: they must be the same ranks",
                                   options.same_as, reference->size(), listed(group), group.size()));
    }
  }

  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  std::string text;
  bool all_same = true, any_matters = false;
  for (const Group& group : groups) {
    const std::vector<int> ports = ascending(group);
    const bool matters = order_matters(dtype, acc, op, group.size());
    any_matters = any_matters || matters;
    text += fmt::format("group {}\n  ports   {}\n  ranks   {}\n  height  {}\n", listed(group), tree_text(ports),
                        rank_tree_text(group), tree_height(ports));
    nlohmann::ordered_json entry = {{"group", group},
                                    {"ports", tree_text(ports)},
                                    {"ranks", rank_tree_text(group)},
                                    {"height", tree_height(ports)}};
    if (reference) {
      const Comparison comparison = compare(*reference, group, matters);
      all_same = all_same && comparison.same;
      entry["same_bits"] = comparison.same;
      text += fmt::format("  the bits of {}: {}", listed(*reference),
                          !matters          ? fmt::format("yes, {} of {}{} does not depend on the order", options.op,
                                                          options.dtype, options.acc.empty() ? "" : " in " + options.acc)
                          : comparison.same ? "yes, the same order"
                                            : "no, another order");
      if (comparison.others) {
        entry["placement"] = *comparison.others;
        text += fmt::format("; on these ports {} gives them", listed(*comparison.others));
      } else if (!comparison.same) {
        entry["placement"] = nullptr;
        text += "; no placement on these ports gives them, as their tree has another form";
      }
      text += '\n';
    }
    list.push_back(entry);
  }
  if (!options.json.empty()) {
    nlohmann::ordered_json value = {{"dtype", to_string(dtype)},
                                    {"acc", to_string(acc)},
                                    {"op", to_string(op)},
                                    {"order_matters", any_matters},
                                    {"groups", list}};
    if (reference) value["same_as"] = *reference;
    write_json(options.json, value);
  }
  if (!is_stdout(options.json)) fmt::print("{}", text);
  if (!all_same) set_exit_code(1);
}

}  // namespace

void add_order(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("order", "The order in which groups are reduced, and which placements give the same bits");
  const auto options = std::make_shared<OrderOptions>();
  command->add_option("--groups", options->groups, "ports in rank order, \"2,0,5;3,4\"")->required();
  command->add_option(
      "--same-as", options->same_as,
      "ports of the same ranks: does each group give the same bits as this one? Exit code 1: one does not");
  command->add_option("--dtype", options->dtype, "element type: " + dtype_names())->capture_default_str();
  command->add_option("--acc", options->acc, "type in which sums are accumulated; default: the element type");
  command->add_option("--op", options->op, "reduce operation: " + op_names())->capture_default_str();
  command->add_option("--json", options->json, kJsonHelp)->type_name("FILE");
  command->footer(
      "Examples:\n"
      "  fred order --groups 0,3,4,6,9\n"
      "  fred order --groups 4,5,6,8 --same-as 0,1,2,3 --dtype bf16");
  command->callback([options] { run(*options); });
}

}  // namespace fred::cli
