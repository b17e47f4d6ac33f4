// SPDX-License-Identifier: BSL-1.0
// The states that "Rings, Trees, and Butterflies: HPX Collectives (Part 1)" prints for four ranks holding
// [1 1 1 1] .. [4 4 4 4], value by value.
#include <gtest/gtest.h>

#include <map>
#include <optional>

#include "draw/trace.hpp"
#include "support/all_ranks.hpp"

namespace tutti {
namespace {

using vectors = std::vector<std::vector<double>>;
using owned_elements = std::vector<std::size_t>;

const vectors initial{{1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}, {4, 4, 4, 4}};
const vectors all_ten(4, {10, 10, 10, 10});

draw::trace trace_of(const std::string& name) {
  const auto all = test::all_ranks(*algorithms::require("all_reduce/" + name).value(), {.size = 4});
  return draw::follow(collective::all_reduce, all, initial).value();
}

vectors values_of(const draw::frame& f) {
  vectors made;
  for (const draw::cell& c : f.ranks) made.push_back(c.values);
  return made;
}

owned_elements owned_by(const draw::cell& c) {
  owned_elements made;
  for (std::size_t i = 0; i < c.owned.size(); ++i) {
    if (c.owned[i]) made.push_back(i);
  }
  return made;
}

TEST(article_trace, tree) {
  const draw::trace t = trace_of("tree");
  ASSERT_EQ(t.frames.size(), 5U);
  EXPECT_EQ(values_of(t.frames[0]), initial);
  EXPECT_EQ(values_of(t.frames[1]), (vectors{{3, 3, 3, 3}, {2, 2, 2, 2}, {7, 7, 7, 7}, {4, 4, 4, 4}}));
  EXPECT_EQ(t.frames[2].ranks[0].values, all_ten[0]);
  for (std::size_t r = 1; r < 4; ++r) EXPECT_TRUE(owned_by(t.frames[2].ranks[r]).empty()) << r;
  EXPECT_EQ(t.frames[3].ranks[2].values, all_ten[2]);
  EXPECT_EQ(values_of(t.frames[4]), all_ten);
}

TEST(article_trace, recursive_doubling) {
  const draw::trace t = trace_of("recursive_doubling");
  ASSERT_EQ(t.frames.size(), 3U);
  EXPECT_EQ(values_of(t.frames[0]), initial);
  EXPECT_EQ(values_of(t.frames[1]), (vectors{{3, 3, 3, 3}, {3, 3, 3, 3}, {7, 7, 7, 7}, {7, 7, 7, 7}}));
  EXPECT_EQ(values_of(t.frames[2]), all_ten);
}

TEST(article_trace, ring) {
  const draw::trace t = trace_of("ring");
  const vectors frames[] = {
      initial,
      {{1, 1, 1, 5}, {3, 2, 2, 2}, {3, 5, 3, 3}, {4, 4, 7, 4}},
      {{1, 1, 8, 5}, {3, 2, 2, 7}, {6, 5, 3, 3}, {4, 9, 7, 4}},
      {{1, 10, 8, 5}, {3, 2, 10, 7}, {6, 5, 3, 10}, {10, 9, 7, 4}},
      {{10, 10, 8, 5}, {3, 10, 10, 7}, {6, 5, 10, 10}, {10, 9, 7, 10}},
      {{10, 10, 8, 10}, {10, 10, 10, 7}, {6, 10, 10, 10}, {10, 9, 10, 10}},
      all_ten,
  };
  ASSERT_EQ(t.frames.size(), std::size(frames));
  for (std::size_t f = 0; f < std::size(frames); ++f) EXPECT_EQ(values_of(t.frames[f]), frames[f]) << t.frames[f].stage;
  for (std::size_t r = 0; r < 4; ++r) EXPECT_EQ(owned_by(t.frames[3].ranks[r]), (owned_elements{(r + 1) % 4})) << r;
}

TEST(article_trace, halving_doubling) {
  const draw::trace t = trace_of("halving_doubling");
  ASSERT_EQ(t.frames.size(), 5U);
  const owned_elements lower{0, 1};
  const owned_elements upper{2, 3};
  const double after_first[] = {3, 3, 7, 7};
  const std::size_t final_chunk[] = {0, 2, 1, 3};
  for (std::size_t r = 0; r < 4; ++r) {
    const owned_elements half = owned_by(t.frames[1].ranks[r]);
    EXPECT_EQ(half, r % 2 == 0 ? lower : upper) << r;
    for (const std::size_t i : half) EXPECT_EQ(t.frames[1].ranks[r].values[i], after_first[r]) << r;
    EXPECT_EQ(owned_by(t.frames[2].ranks[r]), owned_elements{final_chunk[r]}) << r;
    EXPECT_EQ(t.frames[2].ranks[r].values[final_chunk[r]], 10) << r;
  }
  EXPECT_EQ(values_of(t.frames[4]), all_ten);
}

TEST(trace, every_algorithm_ends_with_the_sum_owned_everywhere) {
  for (const algorithms::algorithm& which : algorithms::all()) {
    if (which.what != collective::all_reduce && which.what != collective::barrier) continue;
    for (const rank_id size : {1, 2, 3, 5, 8, 13}) {
      vectors inputs;
      for (rank_id r = 0; r < size; ++r) inputs.push_back({r + 1.0, 10.0 * r, 0.5 * r});
      const auto t = draw::follow(which.what, test::all_ranks(which, {.size = size}), inputs);
      ASSERT_TRUE(t) << which.id;
      for (const draw::cell& c : t.value().frames.back().ranks) {
        const double pairs = size * (size - 1) / 2.0;
        if (which.what == collective::all_reduce) {
          EXPECT_EQ(c.values, (std::vector<double>{pairs + size, 10 * pairs, 0.5 * pairs})) << which.id << size;
        }
        if (which.what == collective::barrier) {
          EXPECT_EQ(c.values.size(), static_cast<std::size_t>(size)) << which.id;
        }
        EXPECT_EQ(owned_by(c).size(), c.values.size()) << which.id << size;
      }
    }
  }
}

TEST(trace, refuses_inputs_that_do_not_fit) {
  const auto all = test::all_ranks(*algorithms::find("all_reduce/ring"), {.size = 4});
  EXPECT_FALSE(draw::follow(collective::all_reduce, all, vectors{{1}, {2}}));
  EXPECT_FALSE(draw::follow(collective::all_reduce, all, vectors{{1}, {2}, {3}, {4, 5}}));
  EXPECT_FALSE(draw::follow(collective::all_reduce, {}, {}));
}

TEST(trace, text_and_picture_are_stable) {
  const auto all = test::all_ranks(*algorithms::find("all_reduce/tree"), {.size = 2});
  const draw::trace t = draw::follow(collective::all_reduce, all, vectors{{1}, {2}}).value();
  EXPECT_EQ(draw::text_of(t),
            "initial\nr0  [1]\nr1  [2]\n\n"
            "reduce distance 1\nr0  [3]\nr1  [2]  owns nothing\n\n"
            "broadcast distance 1\nr0  [3]\nr1  [3]\n");
  const std::string svg = draw::svg_of(t, "a < b & \"c\"");
  EXPECT_NE(svg.find("<title>a &lt; b &amp; &quot;c&quot;</title>"), std::string::npos);
  EXPECT_NE(svg.find("<title>r1 to r0: 1 block from block 0 on</title>"), std::string::npos);
}

}  // namespace
}  // namespace tutti
