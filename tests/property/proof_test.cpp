// SPDX-License-Identifier: BSL-1.0
// Every registered algorithm is proved for every number of ranks up to 64.
#include <gtest/gtest.h>

#include "algorithms/registry.hpp"
#include "check/prove.hpp"
#include "support/all_ranks.hpp"

namespace tutti {
namespace {

/// `tutti check` proves every number of ranks up to 64 and every root; here, without optimization, there are fewer.
constexpr rank_id most_ranks_with_every_root = 12;

TEST(proof, every_registered_schedule_up_to_64_ranks) {
  constexpr rank_id most_ranks = 64;
  int proofs = 0;
  for (const algorithms::algorithm& which : algorithms::all()) {
    for (rank_id size = 1; size <= most_ranks; ++size) {
      if (!test::is_worth_trying(which, size)) continue;
      const auto roots =
          size <= most_ranks_with_every_root ? test::every_root(size) : std::set<rank_id>{size / 3, size - 1};
      for (const schedules::shape& s : test::rooted_shapes_of(which, size, roots)) {
        const check::verdict v = check::prove(which.what, which.order, test::all_ranks(which, s), s.root);
        ASSERT_TRUE(v) << which.id << " of arity " << s.arity << " and " << s.pieces
                       << " pieces: " << v.counterexample();
        ++proofs;
      }
    }
  }
  EXPECT_GE(proofs, static_cast<int>(algorithms::all().size()) * 20);
}

TEST(proof, ranks_beyond_one_machine_word) {
  for (const char* id : {"all_reduce/ring", "all_reduce/halving_doubling", "barrier/dissemination", "barrier/tree"}) {
    const algorithms::algorithm* which = algorithms::find(id);
    ASSERT_NE(which, nullptr) << id;
    const check::verdict v = check::prove(which->what, which->order, test::all_ranks(*which, {.size = 131}));
    EXPECT_TRUE(v) << id << ": " << v.counterexample();
  }
}

}  // namespace
}  // namespace tutti
