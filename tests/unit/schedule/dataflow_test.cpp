// SPDX-License-Identifier: BSL-1.0
#include "schedule/dataflow.hpp"

#include <gtest/gtest.h>

#include "schedule/builder.hpp"

namespace tutti::schedules {
namespace {

TEST(dataflow, messages_leave_in_the_order_of_the_list_of_peers) {
  std::vector<schedule> all;
  for (rank_id me = 0; me < 3; ++me) {
    builder b(3, me, 1);
    const rank_id others[] = {2, 1};
    if (me == 0) b.send(input(0), others);
    if (me != 0) b.receive(output(0), 0);
    all.push_back(std::move(b).finish());
  }
  const matching m = match(all);
  ASSERT_EQ(m.messages.size(), 2U);
  EXPECT_EQ(m.messages[0].receive, (place{2, 0}));
  EXPECT_EQ(m.messages[1].receive, (place{1, 0}));
  EXPECT_EQ(m.leaving[0][0].count, 2U);
  EXPECT_EQ(m.feeding[1][0], 1U);
  EXPECT_TRUE(m.unmatched.empty());
  EXPECT_EQ(execute(all, m).order.size(), 3U);
}

TEST(dataflow, a_pair_matches_first_to_first) {
  std::vector<schedule> all;
  for (rank_id me = 0; me < 2; ++me) {
    builder b(2, me, 2);
    for (std::int32_t i : {0, 1}) {
      if (me == 0) b.send(input(i), 1);
      if (me == 1) b.receive(output(i), 0);
    }
    all.push_back(std::move(b).finish());
  }
  const matching m = match(all);
  ASSERT_EQ(m.messages.size(), 2U);
  for (std::uint32_t i : {0U, 1U}) EXPECT_EQ(m.messages[i].receive, (place{1, i}));
}

TEST(dataflow, what_has_no_partner_is_listed_and_blocks) {
  std::vector<schedule> all;
  for (rank_id me = 0; me < 2; ++me) {
    builder b(2, me, 1);
    if (me == 1) b.receive(output(0), 0);
    if (me == 1) b.send(output(0), 0);
    all.push_back(std::move(b).finish());
  }
  const matching m = match(all);
  ASSERT_EQ(m.unmatched.size(), 2U);
  const execution run = execute(all, m);
  EXPECT_TRUE(run.order.empty());
  EXPECT_EQ(run.blocked, (std::vector<place>{{1, 0}, {1, 1}}));
}

}  // namespace
}  // namespace tutti::schedules
