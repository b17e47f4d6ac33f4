// SPDX-License-Identifier: BSL-1.0
#include "base/bytes_text.hpp"

#include <gtest/gtest.h>

namespace tutti {
namespace {

TEST(parse_bytes, accepts_plain_binary_and_decimal_units) {
  const std::pair<const char*, byte_count> cases[] = {{"0", 0},
                                                      {"64", 64},
                                                      {"64B", 64},
                                                      {"8Ki", 8192},
                                                      {"8KiB", 8192},
                                                      {"8kib", 8192},
                                                      {"1Mi", 1 << 20},
                                                      {"1MiB", 1 << 20},
                                                      {"2M", 2000000},
                                                      {"2MB", 2000000},
                                                      {"3k", 3000},
                                                      {"1Gi", 1 << 30},
                                                      {"1T", 1000000000000U},
                                                      {"15Ei", 15ULL << 60},
                                                      {"18446744073709551615", 18446744073709551615ULL}};
  for (const auto& [text, bytes] : cases) {
    const auto parsed = parse_bytes(text);
    ASSERT_TRUE(parsed) << text;
    EXPECT_EQ(parsed.value(), bytes) << text;
  }
}

TEST(parse_bytes, refuses_anything_else_and_says_why) {
  const std::pair<const char*, const char*> cases[] = {{"", "whole number"},
                                                       {"Ki", "whole number"},
                                                       {"-1", "whole number"},
                                                       {" 1", "whole number"},
                                                       {"1 Ki", "no unit"},
                                                       {"1Xi", "no unit"},
                                                       {"1Kib2", "no unit"},
                                                       {"1i", "no unit"},
                                                       {"1.5Mi", "no unit"},
                                                       {"16Ei", "64 bits"},
                                                       {"18446744073709551616", "64 bits"},
                                                       {"19E", "64 bits"}};
  for (const auto& [text, why] : cases) {
    const auto parsed = parse_bytes(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.why().code, errc::bad_argument);
    EXPECT_NE(parsed.why().text.find(why), std::string::npos) << parsed.why().text;
  }
}

TEST(bytes_text, picks_the_largest_unit) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(1023), "1023 B");
  EXPECT_EQ(bytes_text(8192), "8 KiB");
  EXPECT_EQ(bytes_text(1835008), "1.75 MiB");
  EXPECT_EQ(bytes_text(14.0 * (1 << 20)), "14 MiB");
}

}  // namespace
}  // namespace tutti
