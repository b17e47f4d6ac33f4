// SPDX-License-Identifier: BSL-1.0
// The values that "Rings, Trees, and Butterflies: HPX Collectives (Part 1)" prints for each collective on four ranks,
// by every algorithm of that collective.
#include <gtest/gtest.h>

#include <string>

#include "draw/trace.hpp"
#include "support/all_ranks.hpp"

namespace tutti {
namespace {

using vectors = std::vector<std::vector<double>>;
using texts = std::vector<std::string>;

void expect_end(collective what, rank_id root, const vectors& inputs, const texts& expected) {
  int tried = 0;
  for (const algorithms::algorithm& which : algorithms::all()) {
    if (which.what != what) continue;
    ++tried;
    const auto all = test::all_ranks(which, {.size = 4, .root = root});
    const auto t = draw::follow(what, all, inputs, root);
    ASSERT_TRUE(t) << which.id << ": " << t.why().text;
    texts found;
    for (const draw::cell& c : t.value().frames.back().ranks) found.push_back(draw::text_of(c));
    EXPECT_EQ(found, expected) << which.id;
  }
  EXPECT_GT(tried, 0);
}

const vectors one_each{{1}, {2}, {3}, {4}};

TEST(article_catalog, broadcast_from_rank_2) {
  expect_end(collective::broadcast, 2, {{}, {}, {3}, {}}, {"[3]", "[3]", "[3]", "[3]"});
}

TEST(article_catalog, reduce_defines_the_root_alone) {
  expect_end(collective::reduce, 0, one_each, {"[10]", "?", "?", "?"});
}

TEST(article_catalog, gather_in_rank_order) {
  expect_end(collective::gather, 0, one_each, {"[1 2 3 4]", "?", "?", "?"});
}

TEST(article_catalog, scatter_of_10_20_30_40) {
  expect_end(collective::scatter, 0, {{10, 20, 30, 40}, {}, {}, {}}, {"[10]", "[20]", "[30]", "[40]"});
}

TEST(article_catalog, all_gather_gives_all_to_all) {
  expect_end(collective::all_gather, 0, one_each, texts(4, "[1 2 3 4]"));
}

TEST(article_catalog, all_reduce_gives_the_sum_to_all) {
  expect_end(collective::all_reduce, 0, one_each, texts(4, "[10]"));
}

TEST(article_catalog, reduce_scatter_sums_columns) {
  expect_end(collective::reduce_scatter, 0, {{10, 11, 12, 13}, {20, 21, 22, 23}, {30, 31, 32, 33}, {40, 41, 42, 43}},
             {"[100]", "[104]", "[108]", "[112]"});
}

TEST(article_catalog, all_to_all_transposes) {
  expect_end(collective::all_to_all, 0, {{0, 1, 2, 3}, {10, 11, 12, 13}, {20, 21, 22, 23}, {30, 31, 32, 33}},
             {"[0 10 20 30]", "[1 11 21 31]", "[2 12 22 32]", "[3 13 23 33]"});
}

TEST(article_catalog, scans_keep_every_prefix) {
  expect_end(collective::inclusive_scan, 0, one_each, {"[1]", "[3]", "[6]", "[10]"});
}

TEST(article_catalog, exclusive_scan_has_no_result_on_the_first_rank) {
  expect_end(collective::exclusive_scan, 0, one_each, {"[?]", "[1]", "[3]", "[6]"});
}

}  // namespace
}  // namespace tutti
