// SPDX-License-Identifier: BSL-1.0
// Prices of schedules small enough to be counted by hand.
#include "price/price.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "schedule/builder.hpp"

namespace tutti {
namespace {

using schedules::builder;
using schedules::input;
using schedules::output;
using schedules::schedule;
using schedules::scratch;

/// Every other rank sends its vector to rank 0, which folds all of them.
std::vector<schedule> gather_and_fold(rank_id size) {
  std::vector<schedule> made;
  for (rank_id me = 0; me < size; ++me) {
    builder b(size, me, 1);
    std::vector<schedules::slice> operands{input(0)};
    for (rank_id from = 1; me == 0 && from < size; ++from) {
      b.receive(scratch(from - 1, 0), from);
      operands.push_back(scratch(from - 1, 0));
    }
    if (me == 0) b.reduce(output(0), operands);
    if (me != 0) b.send(input(0), 0);
    made.push_back(std::move(b).finish());
  }
  return made;
}

TEST(price, incoming_messages_take_turns_at_the_port) {
  const auto all = gather_and_fold(5);
  const auto counted = price::count(all, 100, 8);
  ASSERT_TRUE(counted);
  EXPECT_EQ(counted.value().rounds, 4);
  EXPECT_EQ(counted.value().received[0], 4U * 800U);
  EXPECT_EQ(counted.value().sent_most(), 800U);
  EXPECT_EQ(counted.value().busiest(), 3200U);
  EXPECT_EQ(counted.value().temporary_most(), 3200U);
  EXPECT_EQ(counted.value().temporary[1], 0U);
}

TEST(price, combining_is_charged_per_pair_of_operands) {
  const auto all = gather_and_fold(3);
  const auto time = price::seconds(all, 10, 1, {.alpha = 5, .beta = 0.5, .gamma = 0.25});
  ASSERT_TRUE(time);
  EXPECT_DOUBLE_EQ(time.value(), 2 * (5 + 0.5 * 10) + 2 * 0.25 * 10);
}

TEST(price, full_duplex_exchange_is_one_round) {
  std::vector<schedule> all;
  for (rank_id me = 0; me < 2; ++me) {
    builder b(2, me, 1);
    b.send(input(0), 1 - me);
    b.receive(scratch(0, 0), 1 - me);
    all.push_back(std::move(b).finish());
  }
  EXPECT_EQ(price::count(all, 1, 1).value().rounds, 1);
}

TEST(price, a_send_to_many_is_one_message_each) {
  std::vector<schedule> all;
  for (rank_id me = 0; me < 4; ++me) {
    builder b(4, me, 1);
    const rank_id everyone[] = {1, 2, 3};
    if (me == 0) b.send(input(0), everyone);
    if (me != 0) b.receive(output(0), 0);
    all.push_back(std::move(b).finish());
  }
  const auto counted = price::count(all, 7, 2);
  ASSERT_TRUE(counted);
  EXPECT_EQ(counted.value().rounds, 3);
  EXPECT_EQ(counted.value().sent[0], 42U);
}

TEST(price, blocks_of_a_vector_with_a_remainder_differ_by_one_element) {
  std::vector<schedule> all;
  for (rank_id me = 0; me < 2; ++me) {
    builder b(2, me, 4);
    if (me == 0) b.send(input(1, 2), 1);
    if (me == 1) b.receive(scratch(0, 1, 2), 0);
    all.push_back(std::move(b).finish());
  }
  const auto counted = price::count(all, 6, 1);  // blocks of 2, 2, 1, 1
  ASSERT_TRUE(counted);
  EXPECT_EQ(counted.value().sent[0], 3U);
  EXPECT_EQ(counted.value().temporary[1], 4U);
}

TEST(price, what_cannot_run_has_no_price) {
  std::vector<schedule> all;
  for (rank_id me = 0; me < 2; ++me) {
    builder b(2, me, 1);
    b.receive(scratch(0, 0), 1 - me);
    b.send(scratch(0, 0), 1 - me);
    all.push_back(std::move(b).finish());
  }
  const auto counted = price::count(all, 1, 1);
  ASSERT_FALSE(counted);
  EXPECT_NE(counted.why().text.find("deadlock"), std::string::npos);
  all[0].steps.pop_back();
  EXPECT_NE(price::count(all, 1, 1).why().text.find("unmatched"), std::string::npos);
}

TEST(price, bytes_that_leave_64_bits_are_an_error) {
  const auto counted = price::count(gather_and_fold(2), std::numeric_limits<element_count>::max(), 8);
  ASSERT_FALSE(counted);
  EXPECT_EQ(counted.why().code, errc::bad_argument);
}

}  // namespace
}  // namespace tutti
