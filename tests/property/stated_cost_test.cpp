// SPDX-License-Identifier: BSL-1.0
// What each registry line states is what its schedules cost when all ranks' are counted.
#include <gtest/gtest.h>

#include <iostream>
#include <numeric>
#include <vector>

#include "algorithms/registry.hpp"
#include "price/price.hpp"

namespace tutti {
namespace {

void expect_stated(const algorithms::algorithm& which, const schedules::shape& shape) {
  std::vector<schedules::schedule> ranks;
  for (rank_id r = 0; r < shape.size; ++r) ranks.push_back(algorithms::build(which, shape, r));
  const auto elements = static_cast<element_count>(which.blocks(shape));  // one per block: blocks divide the vector
  const auto counted = price::count(ranks, elements, 1);
  ASSERT_TRUE(counted) << which.id << " P=" << shape.size << ": " << counted.why().text;
  const auto vectors = [&](byte_count bytes) { return static_cast<double>(bytes) / static_cast<double>(elements); };
  const auto stated = which.cost(shape);
  const auto where = testing::Message() << which.id << " P=" << shape.size << " arity=" << shape.arity;
  EXPECT_EQ(stated.rounds, counted.value().rounds) << where;
  EXPECT_DOUBLE_EQ(stated.sent, vectors(counted.value().sent_most())) << where;
  EXPECT_DOUBLE_EQ(stated.busiest, vectors(counted.value().busiest())) << where;
  EXPECT_DOUBLE_EQ(stated.temporary, vectors(counted.value().temporary_most())) << where;
}

TEST(stated_cost, is_what_the_schedules_cost) {
  std::size_t cases = 0;
  for (const auto& which : algorithms::all()) {
    for (const int arity : which.takes_arity ? std::vector{2, 3, 4, 16, 64} : std::vector{2}) {
      for (rank_id size = 1; size <= 64; ++size, ++cases) expect_stated(which, {size, 0, arity});
    }
  }
  std::cout << cases << " cases\n";
  EXPECT_GT(cases, 0u);
}

}  // namespace
}  // namespace tutti
