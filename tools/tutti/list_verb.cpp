// SPDX-License-Identifier: BSL-1.0
// tutti list: which algorithms there are, what each asks for and what it costs.
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>

#include "selection.hpp"
#include "verbs.hpp"

namespace tutti::tools {
namespace {

constexpr const char* list_examples = R"(
Costs are the registry's, for -n ranks: messages on the critical path, then vectors sent by the rank that sends
most, vectors through the busiest rank and vectors of scratch (for a barrier: messages). The unit of gather, scatter,
all_gather and reduce_scatter is what one rank contributes or gets; that of all_to_all what one has for one other.
Order: which operators an algorithm serves. any: commutative ones; rank: associative ones; left_fold: all.

Examples:
  tutti list
  tutti list all_reduce -n 64
  tutti list --json)";

struct list_options {
  std::string name;
  schedules::shape shape{.size = 8};
  bool json = false;
};

void list_as_json(const list_options& options) {
  auto rows = nlohmann::ordered_json::array();
  for (const algorithms::algorithm* which : select_algorithms(options.name)) {
    const algorithms::stated_cost cost = which->cost(options.shape);
    rows.push_back(
        {{"id", which->id},
         {"collective", to_string(which->what)},
         {"order", to_string(which->order)},
         {"takes_arity", which->takes_arity},
         {"takes_pieces", which->takes_pieces},
         {"summary", which->summary},
         {"ranks", options.shape.size},
         {"cost",
          {{"rounds", cost.rounds}, {"sent", cost.sent}, {"busiest", cost.busiest}, {"temporary", cost.temporary}}}});
  }
  std::cout << rows.dump(2) << '\n';
}

void list_as_table(const list_options& options) {
  std::cout << fmt::format("cost at {} ranks{:27}rounds   sent  busiest  scratch\n", options.shape.size, "");
  for (const algorithms::algorithm* which : select_algorithms(options.name)) {
    const algorithms::stated_cost cost = which->cost(options.shape);
    std::cout << fmt::format("{:<30} {:<10} {:>6.4g} {:>6.4g} {:>8.4g} {:>8.4g}  {}{}\n", which->id,
                             to_string(which->order), cost.rounds, cost.sent, cost.busiest, cost.temporary,
                             which->summary,
                             which->takes_arity    ? " (--arity)"
                             : which->takes_pieces ? " (--pieces)"
                                                   : "");
  }
}

}  // namespace

void add_list_verb(CLI::App& app) {
  auto options = std::make_shared<list_options>();
  CLI::App* verb = app.add_subcommand("list", "The algorithms, what each asks for and what it costs");
  verb->footer(list_examples);
  verb->add_option("name", options->name, "An algorithm or a collective; all if left out");
  verb->add_option("-n,--ranks", options->shape.size, "Number of ranks that costs are for (8)")
      ->check(CLI::Range(1, 1 << 20));
  verb->add_option("--root", options->shape.root, "Root of collectives that have one (0)")
      ->check(CLI::NonNegativeNumber);
  verb->add_option("--arity", options->shape.arity, "Fan-out of trees, or radix (2)")->check(CLI::Range(2, 1 << 20));
  verb->add_option("--pieces", options->shape.pieces, "Pieces that pipelined algorithms cut the vector into (8)")
      ->check(CLI::Range(1, 1 << 20));
  verb->add_flag("--json", options->json, "Write JSON");
  verb->callback([options] {
    require_rank("--root", options->shape.root, options->shape.size);
    options->json ? list_as_json(*options) : list_as_table(*options);
  });
}

}  // namespace tutti::tools
