// SPDX-License-Identifier: BSL-1.0
#include <gtest/gtest.h>

#include <algorithm>

#include "bench/plan.hpp"

namespace tutti::benching {
namespace {

request asked_for(const std::string& collective) {
  request asked;
  asked.collective = collective;
  asked.ranks = 4;
  return asked;
}

TEST(bench_plan, all_is_the_librarys_choice_and_every_algorithm_of_the_collective) {
  const auto made = make_plan(asked_for("all_reduce"));
  ASSERT_TRUE(made) << made.why().text;
  EXPECT_EQ(made.value().sizes, (std::vector<byte_count>{64, 8192, 1 << 20}));
  EXPECT_EQ(made.value().candidates.front(), library_choice);
  const auto registered = algorithms::all();
  const auto of_it = std::count_if(registered.begin(), registered.end(),
                                   [](const auto& one) { return one.what == collective::all_reduce; });
  EXPECT_EQ(made.value().candidates.size(), static_cast<std::size_t>(of_it) + 1);
  EXPECT_EQ(made.value().dirty, std::vector<bool>{true});
}

TEST(bench_plan, a_barrier_has_neither_sizes_nor_buffers) {
  request asked = asked_for("barrier");
  asked.buffers = "both";
  const auto made = make_plan(asked);
  ASSERT_TRUE(made) << made.why().text;
  EXPECT_EQ(made.value().sizes, std::vector<byte_count>{0});
  EXPECT_EQ(made.value().dirty, std::vector<bool>{true});
}

TEST(bench_plan, both_kinds_of_buffers_are_rows_of_their_own) {
  request asked = asked_for("all_reduce");
  asked.buffers = "both";
  EXPECT_EQ(make_plan(asked).value().dirty, (std::vector<bool>{true, false}));
}

TEST(bench_plan, says_what_serves_a_candidate) {
  const plan made = make_plan(asked_for("all_reduce")).value();
  EXPECT_EQ(serves(made, "all_reduce/ring", 64).which->id, "all_reduce/ring");
  EXPECT_EQ(serves(made, library_choice, 64).which, select::choose({collective::all_reduce, 4, 64}).which);
}

TEST(bench_plan, refuses_bad_input_by_name) {
  const std::pair<void (*)(request&), const char*> cases[] = {
      {[](request& r) { r.collective = "all_redcue"; }, "all_redcue"},
      {[](request& r) { r.ranks = 0; }, "--ranks"},
      {[](request& r) { r.ranks = 1 << 20; }, "--ranks"},
      {[](request& r) { r.sizes = "0"; }, "--sizes"},
      {[](request& r) { r.sizes = ""; }, "--sizes"},
      {[](request& r) { r.sizes = "64,,64"; }, "--sizes"},
      {[](request& r) { r.sizes = "64,64"; }, "twice"},
      {[](request& r) { r.sizes = "12"; }, "whole number of elements"},
      {[](request& r) { r.sizes = "99Ei"; }, "--sizes"},
      {[](request& r) { r.sizes = "8388608Ti"; }, "memory"},
      {[](request& r) { r.algorithms = "all_reduce/rign"; }, "all_reduce/ring"},
      {[](request& r) { r.algorithms = "barrier/tree"; }, "cannot serve all_reduce"},
      {[](request& r) { r.algorithms = "default,default"; }, "twice"},
      {[](request& r) { r.trials = 0; }, "--trials"},
      {[](request& r) { r.warmup = -1; }, "--warmup"},
      {[](request& r) { r.arity = 1; }, "--arity"},
      {[](request& r) { r.buffers = "soapy"; }, "soapy"},
      {[](request& r) { r.buffers = "clean", r.in_place = true; }, "in place"},
      {[](request& r) { r.segment_bytes = "-1"; }, "--segment-bytes"},
      {[](request& r) { r.transport = "pigeons"; }, "pigeons"}};
  for (const auto& [spoil, reason] : cases) {
    request asked = asked_for("all_reduce");
    spoil(asked);
    const auto made = make_plan(asked);
    ASSERT_FALSE(made) << reason;
    EXPECT_NE(made.why().text.find(reason), std::string::npos) << reason << ": " << made.why().text;
  }
}

}  // namespace
}  // namespace tutti::benching
