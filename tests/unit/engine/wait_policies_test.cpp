// SPDX-License-Identifier: BSL-1.0
// Every way of waiting serves every way of execution.
#include <gtest/gtest.h>

#include "base/waiter.hpp"
#include "support/each_rank.hpp"
#include "support/scoped_variable.hpp"

namespace tutti {
namespace {

class wait_policies : public testing::TestWithParam<wait_policy> {};

TEST_P(wait_policies, serve_every_way_of_execution) {
  const test::scoped_variable policy("TUTTI_WAIT", to_string(GetParam()));
  // More spinning threads than cores hand over at the end of their time slices only.
  const int rounds = GetParam() == wait_policy::spin ? 5 : 50;
  for (const int sites : {2, 3}) {
    test::each_rank(sites, [&](const communicator& comm) {
      for (int round = 0; round < rounds; ++round) {
        EXPECT_TRUE(test::still_works(comm));
        auto first = all_reduce(comm, round, std::plus{}, {.algorithm = "all_reduce/ring"});
        auto second = barrier(comm);
        second.get();
        EXPECT_EQ(first.get(), sites * round);
      }
      return 0;
    });
  }
}

TEST_P(wait_policies, notice_a_rank_that_has_left) {
  const test::scoped_variable policy("TUTTI_WAIT", to_string(GetParam()));
  for (const test::way& by : test::ways()) {
    test::each_rank(3, [&](const communicator& comm) {
      if (comm.rank() == 0) return 0;
      std::vector<double> values(by.count, 1);
      const auto ended = test::attempt(
          [&] { all_reduce(launch::sync, comm, in_place, values, std::plus{}, {.algorithm = by.algorithm}); });
      EXPECT_EQ(ended.code, errc::rank_lost) << ended.text;
      return 0;
    });
  }
}

INSTANTIATE_TEST_SUITE_P(policies, wait_policies,
                         testing::Values(wait_policy::adaptive, wait_policy::spin, wait_policy::yield,
                                         wait_policy::sleep),
                         [](const auto& one) { return to_string(one.param); });

}  // namespace
}  // namespace tutti
