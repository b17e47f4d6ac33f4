// SPDX-License-Identifier: BSL-1.0
#include "base/cores.hpp"

#include <gtest/gtest.h>

#include <sched.h>

namespace tutti {
namespace {

TEST(cores, of_a_cpu_max_text) {
  EXPECT_EQ(cores_of_cpu_max("max 100000\n"), 0);
  EXPECT_EQ(cores_of_cpu_max("max"), 0);
  EXPECT_EQ(cores_of_cpu_max("100000 100000\n"), 1);
  EXPECT_EQ(cores_of_cpu_max("200000 100000"), 2);
  EXPECT_EQ(cores_of_cpu_max("150000 100000\n"), 2);  // rounded up: a part of a core is one to run on
  EXPECT_EQ(cores_of_cpu_max("1000 100000"), 1);
  EXPECT_EQ(cores_of_cpu_max("100001 100000"), 2);
  EXPECT_EQ(cores_of_cpu_max("100000   50000"), 2);
  EXPECT_EQ(cores_of_cpu_max("9223372036854775807 1"), 1 << 20);
}

TEST(cores, of_a_text_that_is_none_are_unlimited) {
  for (const char* text : {"", "\n", "garbage", "-1 100000", "0 100000", "100000", "100000 ", "100000 x", "100000 0",
                           "100000 -5", "99999999999999999999 100000"}) {
    EXPECT_EQ(cores_of_cpu_max(text), 0) << text;
  }
}

TEST(cores, usable_are_at_least_one_and_at_most_the_mask) {
  cpu_set_t mask;
  ASSERT_EQ(sched_getaffinity(0, sizeof mask, &mask), 0);
  EXPECT_GE(usable_cores(), 1);
  EXPECT_LE(usable_cores(), CPU_COUNT(&mask));
}

}  // namespace
}  // namespace tutti
