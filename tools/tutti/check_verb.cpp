// SPDX-License-Identifier: BSL-1.0
// tutti check: proves schedules for every number of ranks up to a bound.
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <iostream>
#include <memory>

#include "check/prove.hpp"
#include "selection.hpp"
#include "verbs.hpp"

namespace tutti::tools {
namespace {

constexpr const char* check_examples = R"(
One proof covers all ranks of one number of ranks (and root, arity or pieces), every vector length, in place or not:
see docs/checking.md. Exit code 1 if a schedule is refuted; the text names rank, step, stage, peer and slice.

Examples:
  tutti check
  tutti check --max-ranks 16 all_reduce/ring
  tutti check --root 2 reduce
  tutti check barrier --json)";

struct check_options {
  std::string name;
  rank_id most_ranks = 64;
  rank_id root = -1;
  bool json = false;
};

struct outcome {
  const algorithms::algorithm* which;
  int proofs = 0;
  std::string counterexample;  // empty if all is proved
};

/// On a terminal only, and never among the results.
class progress {
 public:
  ~progress() {
    if (shown_) std::cerr << "\r\033[K";
  }
  void show(std::string_view id, rank_id size, rank_id most) {
    if (!on_terminal_) return;
    shown_ = true;
    std::cerr << fmt::format("\r\033[K{} {}/{} ranks", id, size, most) << std::flush;
  }

 private:
  bool on_terminal_ = isatty(STDERR_FILENO) == 1;
  bool shown_ = false;
};

/// The shapes to prove for one number of ranks: every root, unless one is asked for. Where there is no root, the wish
/// for one does not matter.
std::vector<schedules::shape> shapes_of(const algorithms::algorithm& which, rank_id size, rank_id root) {
  const auto arities = which.takes_arity ? std::vector{2, 3, 4, 8} : std::vector{2};
  const auto pieces = which.takes_pieces ? std::vector{1, 3, 8} : std::vector{8};
  const bool one_root = !has_root(which.what) || root >= 0;
  const rank_id first = has_root(which.what) && root >= 0 ? root : 0;
  const rank_id last = one_root ? first : size - 1;
  std::vector<schedules::shape> made;
  for (const int arity : arities) {
    for (const int into : pieces) {
      for (rank_id at = first; at <= last && at < size; ++at) {
        made.push_back({.size = size, .root = at, .arity = arity, .pieces = into});
      }
    }
  }
  return made;
}

outcome examine(const algorithms::algorithm& which, const check_options& options, progress& shown) {
  outcome made{&which, 0, {}};
  for (rank_id size = 1; size <= options.most_ranks; ++size) {
    shown.show(which.id, size, options.most_ranks);
    for (const schedules::shape& s : shapes_of(which, size, options.root)) {
      const check::verdict v = check::prove(which.what, which.order, build_all_ranks(which, s), s.root);
      if (!v) {
        made.counterexample = v.counterexample();
        if (which.takes_pieces) made.counterexample = fmt::format("{} pieces: {}", s.pieces, made.counterexample);
        if (which.takes_arity) made.counterexample = fmt::format("arity {}: {}", s.arity, made.counterexample);
        return made;
      }
      ++made.proofs;
    }
  }
  return made;
}

void write_json(const std::vector<outcome>& outcomes, rank_id most_ranks, int proofs, bool good) {
  nlohmann::ordered_json made{{"max_ranks", most_ranks}, {"proofs", proofs}, {"proved", good}};
  made["algorithms"] = nlohmann::ordered_json::array();
  for (const outcome& o : outcomes) {
    nlohmann::ordered_json row{{"id", o.which->id}, {"proofs", o.proofs}, {"proved", o.counterexample.empty()}};
    if (!o.counterexample.empty()) row["counterexample"] = o.counterexample;
    made["algorithms"].push_back(row);
  }
  std::cout << made.dump(2) << '\n';
}

void check(const check_options& options) {
  if (options.root >= options.most_ranks) {
    throw CLI::ValidationError(
        "--root", fmt::format("root {} is no rank of at most {} ranks, so nothing would be proved", options.root,
                              options.most_ranks));
  }
  std::vector<outcome> outcomes;
  int proofs = 0;
  bool good = true;
  {
    progress shown;
    for (const algorithms::algorithm* which : select_algorithms(options.name)) {
      outcomes.push_back(examine(*which, options, shown));
      proofs += outcomes.back().proofs;
      good = good && outcomes.back().counterexample.empty();
    }
  }
  if (options.json) {
    write_json(outcomes, options.most_ranks, proofs, good);
  } else {
    for (const outcome& o : outcomes) {
      const bool proved = o.counterexample.empty();
      std::cout << fmt::format("{:<30} {:>5} proofs  {}\n", o.which->id, o.proofs, proved ? "proved" : "REFUTED");
      if (!proved) std::cout << "  " << o.counterexample << '\n';
    }
    std::cout << fmt::format("{} proofs for 1 to {} ranks: {}\n", proofs, options.most_ranks,
                             good ? "all hold" : "a schedule is wrong");
  }
  if (!good) throw CLI::RuntimeError(exit_failed);
}

}  // namespace

void add_check_verb(CLI::App& app) {
  auto options = std::make_shared<check_options>();
  CLI::App* verb = app.add_subcommand("check", "Prove schedules for every number of ranks up to a bound");
  verb->footer(check_examples);
  verb->add_option("name", options->name, "An algorithm or a collective; all if left out");
  verb->add_option("--max-ranks", options->most_ranks, "The bound (64)")->check(CLI::Range(1, 1024));
  verb->add_option("--root", options->root, "Prove collectives that have a root for this one only (all)")
      ->check(CLI::NonNegativeNumber);
  verb->add_flag("--json", options->json, "Write JSON");
  verb->callback([options] { check(*options); });
}

}  // namespace tutti::tools
