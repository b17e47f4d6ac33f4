// SPDX-License-Identifier: BSL-1.0
#include "engine/call_text.hpp"

#include <gtest/gtest.h>

#include "transport/board.hpp"

namespace tutti::engine {
namespace {

core::call a_call() {
  core::call made;
  made.what = collective::all_reduce;
  made.type = {8, 1, "double"};
  made.combine.name = "std::plus";
  made.count = 1000;
  made.where = std::source_location::current();
  return made;
}

TEST(call_text, says_all_that_ranks_must_agree_on) {
  prepared plan;
  plan.id = "all_reduce/hierarchical";
  plan.shape = " with arity 3";
  const auto call = a_call();
  EXPECT_EQ(
      describe(call, {&plan, 4096, ""}),
      fmt::format("all_reduce of 1000 x double with std::plus by all_reduce/hierarchical with arity 3 in segments "
                  "of 4096 bytes at call_text_test.cpp:{}",
                  call.where.line()));
}

TEST(call_text, of_a_refused_call_names_no_algorithm) {
  auto call = a_call();
  call.what = collective::barrier;
  EXPECT_EQ(describe(call, {}), fmt::format("barrier at call_text_test.cpp:{}", call.where.line()));
}

TEST(call_text, keeps_the_location_of_calls_with_endless_names) {
  auto call = a_call();
  const std::string endless = "first::" + std::string(1000, 'x') + "::last";
  call.type.name = endless;
  call.combine.name = endless;
  const std::string text = describe(call, {});
  EXPECT_LT(text.size(), site_record::text_bytes / 2);
  for (const char* part : {"first::", "::last", "call_text_test.cpp:"}) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace tutti::engine
