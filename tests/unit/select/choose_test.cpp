// SPDX-License-Identifier: BSL-1.0
#include "select/choose.hpp"

#include <gtest/gtest.h>

namespace tutti::select {
namespace {

facts reduce_of(rank_id size, byte_count bytes, bool commutative = true, bool associative = true) {
  return {collective::all_reduce, size, bytes, commutative, associative};
}

constexpr collective every_collective[] = {
    collective::all_reduce,     collective::barrier,        collective::broadcast,     collective::gather,
    collective::scatter,        collective::reduce,         collective::all_gather,    collective::all_to_all,
    collective::reduce_scatter, collective::inclusive_scan, collective::exclusive_scan};

/// Whether an algorithm may serve an operator is stated by its order alone.
bool may_serve(const algorithms::algorithm& which, const facts& call) {
  if (which.what != call.what) return false;
  if (!has_operator(call.what) || call.size == 1) return true;
  if (!call.associative) return which.order == algorithms::operand_order::left_fold;
  return call.commutative || which.order != algorithms::operand_order::any;
}

TEST(choose, always_finds_one_that_may_serve_and_says_why) {
  for (const rank_id size : {1, 2, 3, 8, 64, 1000}) {
    for (byte_count bytes = 0; bytes <= byte_count{1} << 40; bytes = bytes * 3 + 1) {
      for (const auto& [commutative, associative] : {std::pair(true, true), {false, true}, {false, false}}) {
        for (const collective what : every_collective) {
          facts call = reduce_of(size, bytes, commutative, associative);
          call.what = what;
          const choice made = choose(call);
          ASSERT_NE(made.which, nullptr);
          EXPECT_TRUE(may_serve(*made.which, call)) << made.which->id;
          EXPECT_NE(std::string_view(made.reason), "");
        }
      }
    }
  }
}

TEST(choose, keeps_to_an_algorithm_as_vectors_grow) {
  for (const rank_id size : {2, 3, 8, 64}) {
    int changes = 0;
    const algorithms::algorithm* before = nullptr;
    for (byte_count bytes = 8; bytes <= byte_count{1} << 30; bytes *= 2) {
      const auto* now = choose(reduce_of(size, bytes)).which;
      changes += before != nullptr && now != before ? 1 : 0;
      before = now;
    }
    EXPECT_LE(changes, 3) << size;
  }
}

TEST(force, takes_what_may_serve_and_refuses_the_rest_with_a_reason) {
  std::size_t refused = 0;
  for (const auto& which : algorithms::all()) {
    for (const collective what : every_collective) {
      for (const rank_id size : {1, 2, 7}) {
        for (const auto& [commutative, associative] : {std::pair(true, true), {false, true}, {false, false}}) {
          facts call = reduce_of(size, 100, commutative, associative);
          call.what = what;
          const auto made = force(which.id, call);
          EXPECT_EQ(static_cast<bool>(made), may_serve(which, call)) << which.id;
          if (made) {
            EXPECT_EQ(made.value().which, &which);
            continue;
          }
          ++refused;
          EXPECT_EQ(made.why().code, errc::not_applicable);
          EXPECT_NE(made.why().text.find(which.id), std::string::npos) << made.why().text;
        }
      }
    }
  }
  EXPECT_GT(refused, 0u);
}

TEST(force, offers_the_nearest_name) {
  const auto made = force("all_reduce/rign", reduce_of(4, 8));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.why().code, errc::unknown_name);
  EXPECT_NE(made.why().text.find("all_reduce/ring"), std::string::npos) << made.why().text;
}

}  // namespace
}  // namespace tutti::select
