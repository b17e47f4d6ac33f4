// SPDX-License-Identifier: BSL-1.0
#include "algorithms/rank_tree.hpp"

#include <gtest/gtest.h>

namespace tutti::algorithms {
namespace {

using ranks = std::vector<rank_id>;

/// The first rank and the size of each group.
std::vector<std::pair<rank_id, rank_id>> groups_of(const rank_tree& tree, const rank_tree::node& n) {
  std::vector<std::pair<rank_id, rank_id>> made;
  for (rank_id number = 0; number < tree.groups(n); ++number) {
    const rank_tree::node g = tree.group(n, number);
    made.emplace_back(g.first, g.size);
  }
  return made;
}

using groups = std::vector<std::pair<rank_id, rank_id>>;

/// The groups of HPX: 10 ranks of arity 4 are 0-2, 3-5, 6-7, 8-9; 7 of arity 2 are 0-3, 4-6.
TEST(rank_tree, balanced_groups_differ_by_one_and_the_first_are_larger) {
  const rank_tree ten(10, 0, 4, splitting::balanced);
  EXPECT_EQ(groups_of(ten, ten.top()), (groups{{0, 3}, {3, 3}, {6, 2}, {8, 2}}));
  const rank_tree seven(7, 0, 2, splitting::balanced);
  EXPECT_EQ(groups_of(seven, seven.top()), (groups{{0, 4}, {4, 3}}));
}

TEST(rank_tree, aligned_groups_are_powers_and_the_last_is_the_rest) {
  const rank_tree binomial(13, 0, 2, splitting::aligned);
  EXPECT_EQ(groups_of(binomial, binomial.top()), (groups{{0, 8}, {8, 5}}));
  EXPECT_EQ(groups_of(binomial, binomial.group(binomial.top(), 1)), (groups{{8, 4}, {12, 1}}));
  const rank_tree ternary(10, 0, 3, splitting::aligned);
  EXPECT_EQ(groups_of(ternary, ternary.top()), (groups{{0, 9}, {9, 1}}));
}

TEST(rank_tree, the_root_leads_every_group_that_it_is_in) {
  const rank_tree tree(8, 5, 2, splitting::aligned);
  EXPECT_EQ(tree.leader(tree.top()), 5);
  EXPECT_EQ(tree.followers(tree.top()), ranks{0});
  EXPECT_EQ(tree.path(5).size(), 3u);
  EXPECT_EQ(tree.leader(tree.path(6)[1]), 5);
  EXPECT_EQ(tree.leader(tree.path(6)[2]), 6);
  EXPECT_EQ(tree.leader(tree.path(2)[1]), 0);
}

TEST(rank_tree, a_member_is_in_the_group_of_its_number) {
  for (const splitting how : {splitting::balanced, splitting::aligned}) {
    for (rank_id size = 1; size <= 40; ++size) {
      for (const int arity : {2, 3, 5}) {
        const rank_tree tree(size, size / 2, arity, how);
        for (rank_id member = 0; member < size; ++member) {
          for (const rank_tree::node& n : tree.path(member)) {
            EXPECT_GE(tree.groups(n), 2);
            EXPECT_TRUE(tree.group(n, tree.number_of(n, member)).contains(member));
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace tutti::algorithms
