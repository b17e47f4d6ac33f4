// SPDX-License-Identifier: BSL-1.0
// The ledgers and the predicted times of "Rings, Trees, and Butterflies: HPX Collectives (Part 1)" at 8 ranks,
// counted from this library's schedules.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "price/price.hpp"
#include "support/all_ranks.hpp"
#include "support/sizes.hpp"

namespace tutti {
namespace {

using test::mebibyte;

std::vector<schedules::schedule> eight_ranks(const std::string& name) {
  return test::all_ranks(*algorithms::require("all_reduce/" + name).value(), {.size = 8});
}

price::ledger ledger_of(const std::string& name) { return price::count(eight_ranks(name), mebibyte / 8, 8).value(); }

TEST(article, the_root_of_flat_moves_14_mebibytes_and_the_others_2) {
  const price::ledger l = ledger_of("flat");
  EXPECT_EQ(l.busiest(), 14 * mebibyte);
  EXPECT_EQ(l.rounds, 14);
  for (std::size_t r = 1; r < 8; ++r) EXPECT_EQ(l.sent[r] + l.received[r], 2 * mebibyte);
}

TEST(article, tree_takes_six_rounds) { EXPECT_EQ(ledger_of("tree").rounds, 6); }

TEST(article, every_rank_of_recursive_doubling_sends_3_mebibytes_in_3_rounds) {
  const price::ledger l = ledger_of("recursive_doubling");
  for (const byte_count sent : l.sent) EXPECT_EQ(sent, 3 * mebibyte);
  EXPECT_EQ(l.rounds, 3);
  EXPECT_EQ(l.temporary_most(), mebibyte);
}

TEST(article, every_rank_of_ring_and_halving_doubling_sends_seven_quarters_of_a_mebibyte) {
  for (const char* name : {"ring", "halving_doubling"}) {
    for (const byte_count sent : ledger_of(name).sent) EXPECT_EQ(sent, mebibyte * 7 / 4) << name;
  }
  EXPECT_EQ(ledger_of("ring").rounds, 14);
  EXPECT_EQ(ledger_of("halving_doubling").rounds, 6);
}

/// Least squares over the article's three largest one-way times. It prints the slope rounded to 0.000017175, from
/// which its own table differs in the last digit.
double fitted_beta() {
  const std::pair<double, double> points[] = {{32768, 1.150}, {262144, 5.100}, {1048576, 18.600}};  // bytes, us
  double bytes = 0;
  double time = 0;
  for (const auto& [x, y] : points) {
    bytes += x / 3;
    time += y / 3;
  }
  double above = 0;
  double below = 0;
  for (const auto& [x, y] : points) {
    above += (x - bytes) * (y - time);
    below += (x - bytes) * (x - bytes);
  }
  return above / below;
}

TEST(article, predicted_times_agree_to_the_printed_digits) {
  const price::model shared_memory{.alpha = 0.065, .beta = fitted_beta(), .gamma = 0};  // us, us per byte
  EXPECT_NEAR(shared_memory.beta, 0.000017175, 5e-10);
  const char* names[] = {"flat", "tree", "recursive_doubling", "ring", "halving_doubling"};
  const struct {
    byte_count bytes;
    const char* printed[5];
  } rows[] = {{64, {"0.925", "0.397", "0.198", "0.912", "0.392"}},
              {8192, {"2.880", "1.234", "0.617", "1.156", "0.636"}},
              {131072, {"32.427", "13.897", "6.949", "4.850", "4.330"}},
              {mebibyte, {"253.044", "108.448", "54.224", "32.427", "31.907"}}};
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < std::size(names); ++i) {
      const auto time = price::seconds(eight_ranks(names[i]), row.bytes / 8, 8, shared_memory);
      ASSERT_TRUE(time) << names[i];
      EXPECT_EQ(fmt::format("{:.3f}", time.value()), row.printed[i]) << names[i] << " at " << row.bytes << " bytes";
    }
  }
}

}  // namespace
}  // namespace tutti
