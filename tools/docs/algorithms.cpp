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
  std::string text = fmt::format("| `{}` | {} | {} |", which.id, which.summary, schedules::to_string(which.order));
  for (const rank_id size : sizes) {
    const auto cost = which.cost({.size = size});
    text += fmt::format(" {:g} · {:.3g} · {:.3g} · {:.3g} |", cost.rounds, cost.sent, cost.busiest, cost.temporary);
  }
  return text + "\n";
}

std::string heading() {
  std::string names = "| algorithm | how | order |";
  std::string rule = "|---|---|---|";
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
      "vectors\n"
      "(for a barrier, messages). The tests hold them equal to what the built schedules do, for every P from 1 to 64.\n"
      "Where an algorithm takes an arity, it is 2 here.\n";
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
