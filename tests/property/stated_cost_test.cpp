// SPDX-License-Identifier: BSL-1.0
// What each registry line states is what its schedules cost when all ranks' are counted.
#include <gtest/gtest.h>

#include <iostream>
#include <vector>

#include "algorithms/registry.hpp"
#include "price/price.hpp"
#include "schedule/assignment.hpp"
#include "support/all_ranks.hpp"

namespace tutti {
namespace {

void expect_stated(const algorithms::algorithm& which, const schedules::shape& shape) {
  const std::int32_t parts = schedules::assignment::parts(which.what, shape.size);
  const std::int32_t blocks = which.blocks(shape);
  const auto elements = static_cast<element_count>(blocks / parts);  // one per block: blocks divide the part
  const auto counted = price::count(test::all_ranks(which, shape), {elements, parts, blocks}, 1);
  ASSERT_TRUE(counted) << which.id << " P=" << shape.size << ": " << counted.why().text;
  const auto in_parts = [&](byte_count bytes) { return static_cast<double>(bytes) / static_cast<double>(elements); };
  const auto stated = which.cost(shape);
  const auto where = testing::Message() << which.id << " P=" << shape.size << " root=" << shape.root
                                        << " arity=" << shape.arity << " pieces=" << shape.pieces;
  EXPECT_EQ(stated.rounds, counted.value().rounds) << where;
  EXPECT_DOUBLE_EQ(stated.sent, in_parts(counted.value().sent_most())) << where;
  EXPECT_DOUBLE_EQ(stated.busiest, in_parts(counted.value().busiest())) << where;
  EXPECT_DOUBLE_EQ(stated.temporary, in_parts(counted.value().temporary_most())) << where;
}

TEST(stated_cost, is_what_the_schedules_cost) {
  std::size_t cases = 0;
  for (const auto& which : algorithms::all()) {
    for (rank_id size = 1; size <= 64; ++size) {
      if (!test::is_worth_trying(which, size)) continue;
      // Every root up to 12 ranks, some of more, large arities at root 0.
      const auto roots = size <= 12 ? test::every_root(size) : std::set<rank_id>{0, size / 3, size - 1};
      for (const schedules::shape& s : test::rooted_shapes_of(which, size, roots)) {
        expect_stated(which, s);
        ++cases;
      }
      for (const int arity : which.takes_arity ? std::vector{16, 64} : std::vector<int>{}) {
        expect_stated(which, {.size = size, .arity = arity});
        ++cases;
      }
    }
  }
  std::cout << cases << " cases\n";
  EXPECT_GT(cases, 0u);
}

}  // namespace
}  // namespace tutti
