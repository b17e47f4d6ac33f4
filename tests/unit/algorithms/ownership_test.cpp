// SPDX-License-Identifier: BSL-1.0
// Which rank owns which complete block between the two phases, and in which stages.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "algorithms/registry.hpp"

namespace tutti::algorithms {
namespace {

using schedules::schedule;

schedule built(std::string_view id, rank_id size, rank_id me, int arity = 2) {
  return build(*find(id), {size, 0, arity}, me);
}

/// The target of the last reduce.
std::vector<schedules::slice> owned(std::string_view id, rank_id size) {
  std::vector<schedules::slice> list;
  for (rank_id me = 0; me < size; ++me) {
    const schedule made = built(id, size, me);
    for (const auto& s : made.steps) {
      if (s.kind != schedules::step_kind::reduce) continue;
      list.resize(static_cast<std::size_t>(me) + 1);
      list.back() = s.target;
    }
  }
  return list;
}

using slices = std::vector<schedules::slice>;
using labels = std::vector<std::string>;
using schedules::output;

TEST(ownership, ring_rank_owns_the_next_block) {
  EXPECT_EQ(owned("all_reduce/ring", 4), (slices{output(1), output(2), output(3), output(0)}));
}

TEST(ownership, halving_consumes_rank_bits_from_the_lowest) {
  EXPECT_EQ(owned("all_reduce/halving_doubling", 4), (slices{output(0), output(2), output(1), output(3)}));
}

TEST(ownership, circulant_and_sliced_ranks_own_their_own_block) {
  const slices own{output(0), output(1), output(2), output(3), output(4)};
  EXPECT_EQ(owned("all_reduce/sliced", 5), own);
  for (rank_id me = 0; me < 5; ++me) {
    // The last reduce of circulant combines block `me`; the one before may be of another block.
    EXPECT_EQ(owned("all_reduce/circulant", 5)[static_cast<std::size_t>(me)], own[static_cast<std::size_t>(me)]);
  }
}

TEST(stages, are_named_for_people) {
  EXPECT_EQ(built("all_reduce/tree", 4, 0).stages,
            (labels{"reduce distance 1", "reduce distance 2", "broadcast distance 2", "broadcast distance 1"}));
  EXPECT_EQ(built("all_reduce/recursive_doubling", 6, 1).stages, (labels{"fold pairs", "unfold pairs"}));
  EXPECT_EQ(built("all_reduce/recursive_doubling", 6, 0).stages,
            (labels{"fold pairs", "exchange distance 1", "exchange distance 2", "unfold pairs"}));
  EXPECT_EQ(built("all_reduce/ring", 3, 2).stages,
            (labels{"reduce-scatter step 0", "reduce-scatter step 1", "all-gather step 0", "all-gather step 1"}));
}

/// The groups of HPX: 10 ranks of arity 4 are 0-2, 3-5, 6-7, 8-9; 7 of arity 2 are 0-3, 4-6, then 0-1, 2-3, 4-5, 6.
TEST(hierarchical, groups_are_balanced_and_contiguous) {
  const auto sources = [](rank_id size, int arity, rank_id me) {
    std::vector<rank_id> list;
    const schedule made = built("all_reduce/hierarchical", size, me, arity);
    for (const auto& s : made.steps) {
      if (s.kind == schedules::step_kind::receive) list.push_back(made.peers_of(s)[0]);
    }
    return list;
  };
  using ranks = std::vector<rank_id>;
  EXPECT_EQ(sources(10, 4, 0), (ranks{1, 2, 3, 6, 8}));
  EXPECT_EQ(sources(10, 4, 3), (ranks{4, 5, 0}));
  EXPECT_EQ(sources(10, 4, 8), (ranks{9, 0}));
  EXPECT_EQ(sources(10, 4, 9), (ranks{8}));
  EXPECT_EQ(sources(7, 2, 0), (ranks{1, 2, 4}));
  EXPECT_EQ(sources(7, 2, 4), (ranks{5, 6, 0}));
  EXPECT_EQ(sources(7, 2, 6), (ranks{4}));
}

}  // namespace
}  // namespace tutti::algorithms
