// SPDX-License-Identifier: BSL-1.0
// A barrier's messages carry who has arrived: nobody may leave before it knows of everyone.
#include <gtest/gtest.h>

#include <cstdint>
#include <iostream>
#include <vector>

#include "algorithms/registry.hpp"
#include "support/interpreter.hpp"

namespace tutti {
namespace {

struct arrivals {
  using payload = std::vector<bool>;

  std::vector<payload> known;

  explicit arrivals(rank_id size) {
    for (rank_id r = 0; r < size; ++r) {
      known.emplace_back(static_cast<std::size_t>(size), false)[static_cast<std::size_t>(r)] = true;
    }
  }
  payload send(std::size_t r, const schedules::schedule&, const schedules::step&) { return known[r]; }
  bool receive(std::size_t r, const schedules::schedule&, const schedules::step&, const payload& what) {
    for (std::size_t i = 0; i < what.size(); ++i) known[r][i] = known[r][i] || what[i];
    return true;
  }
  void local(std::size_t, const schedules::schedule&, const schedules::step&) {
    ADD_FAILURE() << "a barrier has no data to reduce or copy";
  }
};

TEST(barrier, nobody_leaves_before_it_knows_of_everyone) {
  std::size_t cases = 0;
  for (const auto& which : algorithms::all()) {
    if (which.what != collective::barrier) continue;
    for (rank_id size = 1; size <= 33; ++size) {
      std::vector<schedules::schedule> ranks;
      for (rank_id r = 0; r < size; ++r) ranks.push_back(algorithms::build(which, {size, 0, 2}, r));
      for (const auto first : {tests::preference::earliest_step, tests::preference::latest_step}) {
        ++cases;
        arrivals world(size);
        EXPECT_EQ(tests::interpret(ranks, world, first), "") << which.id << " P=" << size;
        for (const auto& known : world.known) {
          EXPECT_EQ(known, arrivals::payload(known.size(), true)) << which.id << " P=" << size;
        }
      }
    }
  }
  std::cout << cases << " cases\n";
  EXPECT_GT(cases, 0u);
}

}  // namespace
}  // namespace tutti
