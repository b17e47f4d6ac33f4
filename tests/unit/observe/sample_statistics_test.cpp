// SPDX-License-Identifier: BSL-1.0
#include "observe/sample_statistics.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace tutti::observe {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(sample_statistics, an_odd_sample) {
  // sorted 1 2 4 7 30; deviations from 4: 3 2 0 3 26, sorted 0 2 3 3 26; p10 lies 0.4 of the way from 1 to 2,
  // p90 0.6 of the way from 7 to 30.
  const auto made = summarize(std::vector<double>{7, 1, 30, 2, 4});
  ASSERT_TRUE(made);
  EXPECT_EQ(made.value().count, 5u);
  EXPECT_DOUBLE_EQ(made.value().median, 4);
  EXPECT_DOUBLE_EQ(made.value().mad, 3);
  EXPECT_DOUBLE_EQ(made.value().p10, 1.4);
  EXPECT_DOUBLE_EQ(made.value().p90, 20.8);
  EXPECT_DOUBLE_EQ(made.value().least, 1);
  EXPECT_DOUBLE_EQ(made.value().most, 30);
}

TEST(sample_statistics, an_even_sample) {
  // sorted 1 3 5 9: median 4, deviations 3 1 1 5, sorted 1 1 3 5: MAD 2.
  const auto made = summarize(std::vector<double>{9, 1, 5, 3});
  ASSERT_TRUE(made);
  EXPECT_DOUBLE_EQ(made.value().median, 4);
  EXPECT_DOUBLE_EQ(made.value().mad, 2);
}

TEST(sample_statistics, a_single_sample_is_all_its_figures) {
  const auto made = summarize(std::vector<double>{2.5});
  ASSERT_TRUE(made);
  for (const double figure :
       {made.value().median, made.value().p10, made.value().p90, made.value().least, made.value().most}) {
    EXPECT_DOUBLE_EQ(figure, 2.5);
  }
  EXPECT_DOUBLE_EQ(made.value().mad, 0);
}

TEST(sample_statistics, refuses_what_is_no_sample) {
  EXPECT_EQ(summarize({}).why().code, errc::bad_argument);
  const auto refused = summarize(std::vector<double>{1, not_a_number});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.why().text.find("sample 1 is nan"), std::string::npos) << refused.why().text;
  EXPECT_FALSE(summarize(std::vector<double>{infinity}));
}

TEST(sample_statistics, the_ratio_of_constant_samples_is_certain) {
  const auto made = ratio_of_medians(std::vector<double>{6, 6, 6}, std::vector<double>{2, 2});
  ASSERT_TRUE(made);
  EXPECT_DOUBLE_EQ(made.value().low, 3);
  EXPECT_DOUBLE_EQ(made.value().estimate, 3);
  EXPECT_DOUBLE_EQ(made.value().high, 3);
}

TEST(sample_statistics, the_interval_holds_the_estimate_and_stays_within_the_possible) {
  const std::vector<double> a{10, 11, 12, 13, 14, 15, 16};
  const std::vector<double> b{4, 5, 6};
  const auto made = ratio_of_medians(a, b);
  ASSERT_TRUE(made);
  EXPECT_DOUBLE_EQ(made.value().estimate, 13.0 / 5);
  EXPECT_LT(made.value().low, made.value().estimate);
  EXPECT_GT(made.value().high, made.value().estimate);
  EXPECT_GE(made.value().low, 10.0 / 6);
  EXPECT_LE(made.value().high, 16.0 / 4);
  const auto narrow = ratio_of_medians(a, b, {.confidence = 0.5});
  EXPECT_LE(narrow.value().high - narrow.value().low, made.value().high - made.value().low);
  EXPECT_EQ(ratio_of_medians(a, b).value().low, made.value().low) << "the seed decides";
}

TEST(sample_statistics, pairs_cancel_what_slowed_both) {
  // Times drift by a factor of 100, their ratio does not.
  const std::vector<double> b{1, 10, 100, 3, 30};
  std::vector<double> a;
  for (const double one : b) a.push_back(2 * one);
  const auto made = paired_ratio(a, b);
  ASSERT_TRUE(made);
  EXPECT_DOUBLE_EQ(made.value().low, 2);
  EXPECT_DOUBLE_EQ(made.value().estimate, 2);
  EXPECT_DOUBLE_EQ(made.value().high, 2);
}

TEST(sample_statistics, ratios_refuse_bad_input) {
  const std::vector<double> two{1, 2};
  EXPECT_FALSE(ratio_of_medians({}, two));
  EXPECT_FALSE(ratio_of_medians(two, {}));
  EXPECT_FALSE(ratio_of_medians(two, std::vector<double>{1, not_a_number}));
  EXPECT_FALSE(ratio_of_medians(two, std::vector<double>{1, 0}));
  EXPECT_FALSE(paired_ratio(two, std::vector<double>{1}));
  EXPECT_FALSE(paired_ratio(two, two, {.confidence = 1}));
  EXPECT_FALSE(paired_ratio(two, two, {.confidence = not_a_number}));
  EXPECT_FALSE(paired_ratio(two, two, {.resamples = 0}));
}

}  // namespace
}  // namespace tutti::observe
