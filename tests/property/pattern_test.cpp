// SPDX-License-Identifier: BSL-1.0
// The shape that a registry line states is the one that every rank's schedule has.
#include <gtest/gtest.h>

#include "algorithms/registry.hpp"
#include "check/recognise.hpp"

namespace tutti {
namespace {

TEST(Pattern, EveryStatedShapeIsThatOfEveryRanksSchedule) {
  int proved = 0;
  for (const auto& a : algorithms::all()) {
    if (a.shape == schedules::pattern::stepwise) continue;
    for (rank_id size = 2; size <= 64; ++size) {
      for (rank_id me = 0; me < size; ++me) {
        const auto plan = algorithms::build(a, {size, 0, 2}, me);
        EXPECT_EQ(check::recognise(plan, a.what == collective::barrier), a.shape)
            << a.id << " P=" << size << " rank " << me;
        ++proved;
      }
    }
  }
  EXPECT_EQ(proved, 3 * (64 * 65 / 2 - 1));
}

TEST(Pattern, OtherSchedulesHaveNoShape) {
  for (const auto& a : algorithms::all()) {
    if (a.shape != schedules::pattern::stepwise) continue;
    for (rank_id size = 3; size <= 16; ++size) {
      for (rank_id me = 0; me < size; ++me) {
        const auto plan = algorithms::build(a, {size, 0, 2}, me);
        EXPECT_EQ(check::recognise(plan, a.what == collective::barrier), schedules::pattern::stepwise)
            << a.id << " P=" << size << " rank " << me;
      }
    }
  }
}

TEST(Pattern, ASwappedOperandOrAMissingPeerIsNoExchange) {
  const auto& direct = *algorithms::find("all_reduce/direct");
  auto swapped = algorithms::build(direct, {4, 0, 2}, 1);
  std::swap(swapped.operands[0], swapped.operands[2]);
  EXPECT_EQ(check::recognise(swapped, false), schedules::pattern::stepwise);
  auto missing = algorithms::build(direct, {4, 0, 2}, 1);
  missing.peers[0] = missing.peers[1];
  EXPECT_EQ(check::recognise(missing, false), schedules::pattern::stepwise);
}

}  // namespace
}  // namespace tutti
