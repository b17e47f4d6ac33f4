// SPDX-License-Identifier: BSL-1.0
#include "tutti/half.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using tutti::bfloat16;
using tutti::half;

static_assert(half(1.0F).bits() == 0x3c00);
static_assert(half(65504.0F) == std::numeric_limits<half>::max());
static_assert(half(65519.996F).bits() == 0x7bff);
static_assert(half(65520.0F).bits() == 0x7c00);
static_assert(half(0x1p-24F) == std::numeric_limits<half>::denorm_min());
static_assert(half(0x1p-25F).bits() == 0);  // a tie, to even
static_assert(half(0x1.8p-24F).bits() == 2);
static_assert(half(-0.0F).bits() == 0x8000);
static_assert(half(1.0F + 0x1p-11F).bits() == 0x3c00);
static_assert(half(1.0F + 0x3p-11F).bits() == 0x3c02);
static_assert(half(-0.0F) == half(0.0F) && half(1.0F) < half(2.0F));
static_assert(bfloat16(1.0F + 0x1p-8F).bits() == 0x3f80);
static_assert(bfloat16(1.0F + 0x3p-8F).bits() == 0x3f82);
static_assert(bfloat16(std::numeric_limits<float>::max()) == std::numeric_limits<bfloat16>::infinity());
static_assert(bfloat16(std::numeric_limits<float>::denorm_min()).bits() == 0);

/// What a half is worth, from the definition of the format.
double worth_of_half(unsigned bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31U);
  const double fraction = (bits & 1023U) / 1024.0;
  const double magnitude = exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1.0 + fraction, exponent - 15);
  return (bits & 0x8000U) != 0 ? -magnitude : magnitude;
}

TEST(half, every_value_is_worth_what_the_format_says_and_comes_back) {
  for (unsigned bits = 0; bits < 0x10000U; ++bits) {
    const auto value = half::from_bits(static_cast<std::uint16_t>(bits));
    const auto wide = static_cast<float>(value);
    if ((bits & 0x7fffU) > 0x7c00U) {
      EXPECT_TRUE(std::isnan(wide));
      EXPECT_EQ(half(wide).bits(), bits | 0x0200U);
      EXPECT_FALSE(value == value);
    } else {
      if ((bits & 0x7fffU) == 0x7c00U)
        EXPECT_TRUE(std::isinf(wide));
      else
        EXPECT_EQ(wide, worth_of_half(bits));
      EXPECT_EQ(half(wide).bits(), bits);
    }
  }
}

TEST(half, between_two_neighbors_the_nearer_wins_and_a_tie_goes_to_the_even_one) {
  for (unsigned bits = 0; bits < 0x7bffU; ++bits) {
    const double low = worth_of_half(bits);
    const double high = worth_of_half(bits + 1);
    const auto middle = static_cast<float>((low + high) / 2);
    EXPECT_EQ(half(middle).bits(), bits + (bits & 1U));
    EXPECT_EQ(half(std::nextafter(middle, 0.0F)).bits(), bits);
    EXPECT_EQ(half(std::nextafter(middle, INFINITY)).bits(), bits + 1);
    EXPECT_EQ(half(-middle).bits(), 0x8000U + bits + (bits & 1U));
  }
}

TEST(bfloat16, every_value_comes_back_and_neighbors_round_to_nearest_even) {
  for (unsigned bits = 0; bits < 0x10000U; ++bits) {
    const auto wide = static_cast<float>(bfloat16::from_bits(static_cast<std::uint16_t>(bits)));
    if ((bits & 0x7fffU) > 0x7f80U) {
      EXPECT_TRUE(std::isnan(wide));
      EXPECT_EQ(bfloat16(wide).bits(), bits | 0x0040U);
      continue;
    }
    EXPECT_EQ(bfloat16(wide).bits(), bits);
    if ((bits & 0x7fffU) == 0x7f80U) continue;
    const auto middle = std::bit_cast<float>((bits << 16) | 0x8000U);
    EXPECT_EQ(bfloat16(middle).bits(), bits + (bits & 1U));
    EXPECT_EQ(bfloat16(std::bit_cast<float>((bits << 16) | 0x7fffU)).bits(), bits);
    EXPECT_EQ(bfloat16(std::bit_cast<float>((bits << 16) | 0x8001U)).bits(), bits + 1);
  }
}

TEST(half, limits_agree_with_the_conversions) {
  EXPECT_EQ(static_cast<float>(std::numeric_limits<half>::epsilon()), 0x1p-10F);
  EXPECT_EQ(static_cast<float>(std::numeric_limits<half>::min()), 0x1p-14F);
  EXPECT_EQ(static_cast<float>(std::numeric_limits<half>::lowest()), -65504.0F);
  EXPECT_TRUE(std::isnan(static_cast<float>(std::numeric_limits<half>::quiet_NaN())));
  EXPECT_EQ(static_cast<float>(std::numeric_limits<bfloat16>::epsilon()), 0x1p-7F);
  EXPECT_EQ(static_cast<float>(std::numeric_limits<bfloat16>::min()), 0x1p-126F);
  EXPECT_TRUE(std::isnan(static_cast<float>(std::numeric_limits<bfloat16>::quiet_NaN())));
}

}  // namespace
