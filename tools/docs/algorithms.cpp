// SPDX-License-Identifier: BSL-1.0
// Prints docs/algorithms.md: a row for each line of the registry, with its stated cost worked out for a few P.
#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "algorithms/registry.hpp"

namespace {

using namespace tutti;

constexpr rank_id sizes[] = {2, 7, 8, 64};

std::string row(const algorithms::algorithm& which) {
  std::string text = fmt::format("| `{}` | {} | {} | {} |", which.id, which.summary,
                                 has_operator(which.what) ? schedules::to_string(which.order) : "-",
                                 which.counts == algorithms::knowledge::own ? "own" : "all");
  for (const rank_id size : sizes) {
    const auto cost = which.cost({.size = size});
    text += fmt::format(" {:g} · {:.3g} · {:.3g} · {:.3g} |", cost.rounds, cost.sent, cost.busiest, cost.temporary);
  }
  return text + "\n";
}

std::string heading() {
  std::string names = "| algorithm | how | order | counts |";
  std::string rule = "|---|---|---|---|";
  for (const rank_id size : sizes) {
    names += fmt::format(" P = {} |", size);
    rule += "---|";
  }
  return names + "\n" + rule + "\n";
}

}  // namespace

int main() {
  std::string page =
      "# Algorithms\n\n"
      "Written by `./dev docs` from `src/algorithms/registry.def`; edit that.\n\n"
      "Order says how operands meet: `any` needs a commutative operator, `rank` keeps rank order but groups freely,\n"
      "`left_fold` computes ((x0 op x1) op x2) op .. and serves every operator. The four numbers for each P are the\n"
      "ledgers: messages on the critical path, each rank sending one and receiving one at a time · sent by the rank\n"
      "that sends most · through the busiest rank · scratch of the rank that holds most. The last three are in "
      "vectors;\n"
      "for gather, scatter, all_gather and reduce_scatter in what one rank contributes or gets, for all_to_all in "
      "what\n"
      "one rank has for one other, for a barrier in messages. The tests hold them equal to what the built schedules "
      "do,\n"
      "for every P from 1 to 64 and every root. Here the root is rank 0, an arity 2 and pieces are 8.\n"
      "Counts tells which lengths a rank must know where every part has a count of its own: those of its `own` input\n"
      "and output, or those of `all` parts.\n";
  const char* section = nullptr;
  for (const auto& which : algorithms::all()) {
    const char* const name = to_string(which.what);
    if (section != name) page += fmt::format("\n## {}\n\n{}", name, heading());
    section = name;
    page += row(which);
  }
  std::fputs(page.c_str(), stdout);
  return std::fflush(stdout) == 0 ? 0 : 1;
}
