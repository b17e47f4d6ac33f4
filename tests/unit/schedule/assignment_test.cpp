// SPDX-License-Identifier: BSL-1.0
// Which blocks a rank holds, where they lie and how long they are.
#include "schedule/assignment.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "schedule/block_lengths.hpp"

namespace tutti::schedules {
namespace {

std::vector<std::int32_t> blocks_of(const holding& held) {
  std::vector<std::int32_t> made;
  for (std::int32_t i = 0; i < held.blocks(); ++i) made.push_back(held.block(i));
  return made;
}

using blocks = std::vector<std::int32_t>;

TEST(assignment, gather_collects_parts_at_the_root_and_scatter_mirrors_it) {
  const assignment gather(collective::gather, 3, 1, 6);
  EXPECT_EQ(blocks_of(gather.input(2)), (blocks{4, 5}));
  EXPECT_EQ(blocks_of(gather.output(1)), (blocks{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(blocks_of(gather.output(0)), blocks{});
  EXPECT_EQ(gather.contributors(1, 5), (rank_range{2, 3}));
  const assignment scatter(collective::scatter, 3, 1, 6);
  EXPECT_EQ(blocks_of(scatter.input(1)), (blocks{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(blocks_of(scatter.input(2)), blocks{});
  EXPECT_EQ(blocks_of(scatter.output(2)), (blocks{4, 5}));
  EXPECT_EQ(scatter.contributors(2, 5), (rank_range{1, 2}));
}

TEST(assignment, all_to_all_gives_rows_and_takes_columns) {
  const assignment who(collective::all_to_all, 3, 0, 9);
  EXPECT_EQ(blocks_of(who.input(1)), (blocks{3, 4, 5}));
  EXPECT_EQ(blocks_of(who.output(1)), (blocks{1, 4, 7}));
  EXPECT_EQ(who.contributors(1, 7), (rank_range{2, 3}));
  EXPECT_TRUE(who.output(1).holds(4, 1));
  EXPECT_FALSE(who.output(1).holds(4, 2));
  EXPECT_FALSE(who.output(1).holds(5, 1));
  EXPECT_FALSE(who.output(1).holds(10, 1));
  EXPECT_FALSE(who.may_be_in_place());
}

TEST(assignment, a_scan_combines_what_comes_before) {
  EXPECT_EQ(assignment(collective::inclusive_scan, 4, 0, 1).contributors(2, 0), (rank_range{0, 3}));
  EXPECT_EQ(assignment(collective::exclusive_scan, 4, 0, 1).contributors(2, 0), (rank_range{0, 2}));
  EXPECT_EQ(assignment(collective::exclusive_scan, 4, 0, 1).contributors(0, 0), (rank_range{0, 0}));
  EXPECT_EQ(assignment(collective::reduce, 4, 3, 1).contributors(3, 0), (rank_range{0, 4}));
}

TEST(block_lengths, parts_of_one_count_are_split_each_on_its_own) {
  const block_lengths lengths(5, 3, 6);  // three parts of 5 as 3 + 2
  EXPECT_EQ(lengths.elements(0, 1), 3u);
  EXPECT_EQ(lengths.elements(1, 1), 2u);
  EXPECT_EQ(lengths.before(4), 10u);
  EXPECT_EQ(lengths.before(6), 15u);
  EXPECT_EQ(lengths.largest(), 3u);
  const assignment who(collective::gather, 3, 1, 6);
  EXPECT_EQ(lengths.offset(who.input(2), 5), 3u);
  EXPECT_EQ(lengths.offset(who.output(1), 5), 13u);
  EXPECT_EQ(lengths.total(who.input(2)), 5u);
  EXPECT_EQ(lengths.total(who.output(0)), 0u);
}

TEST(block_lengths, a_table_gives_every_part_its_own_count) {
  const element_count counts[] = {4, 0, 7};
  const block_lengths lengths(counts, 6);
  EXPECT_EQ(lengths.elements(0, 2), 4u);
  EXPECT_EQ(lengths.elements(2, 2), 0u);
  EXPECT_EQ(lengths.elements(4, 1), 4u);
  EXPECT_EQ(lengths.before(6), 11u);
  EXPECT_EQ(lengths.largest(), 4u);
}

TEST(block_lengths, a_column_lies_back_to_back) {
  const assignment who(collective::all_to_all, 3, 0, 9);
  const block_lengths even(2, 9, 9);
  EXPECT_EQ(even.offset(who.output(1), 7), 4u);
  EXPECT_EQ(even.offset(who.input(1), 5), 4u);
  EXPECT_EQ(even.total(who.output(2)), 6u);
  const element_count counts[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const block_lengths table(counts, 9);
  EXPECT_EQ(table.offset(who.output(1), 7), 2u + 5u);
  EXPECT_EQ(table.offset(who.input(1), 5), 4u + 5u);
  EXPECT_EQ(table.total(who.output(2)), 3u + 6u + 9u);
}

TEST(block_lengths, one_vector_is_split_as_ever) {
  const block_lengths lengths(10, 1, 4);
  const block_layout layout(10, 4);
  for (std::int32_t block = 0; block <= 4; ++block) EXPECT_EQ(lengths.before(block), layout.offset(block));
  EXPECT_EQ(lengths.largest(), layout.largest());
}

}  // namespace
}  // namespace tutti::schedules
