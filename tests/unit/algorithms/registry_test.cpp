// SPDX-License-Identifier: BSL-1.0
#include "algorithms/registry.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace tutti::algorithms {
namespace {

TEST(registry, ids_are_unique_and_name_the_collective) {
  std::set<std::string_view> ids;
  for (const algorithm& a : all()) {
    EXPECT_TRUE(ids.insert(a.id).second) << a.id;
    EXPECT_EQ(a.id, std::string(to_string(a.what)) + '/' + std::string(a.name));
    EXPECT_EQ(find(a.id), &a);
    EXPECT_FALSE(a.summary.empty());
  }
  EXPECT_EQ(ids.size(), all().size());
  EXPECT_GT(ids.size(), 0u);
}

TEST(registry, unknown_id_offers_the_nearest_and_its_kin) {
  for (const auto& [asked, meant] :
       {std::pair("all_reduce/rng", "all_reduce/ring"), std::pair("circulent", "all_reduce/circulant"),
        std::pair("barrier/dissemnation", "barrier/dissemination")}) {
    const auto found = require(asked);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.why().code, errc::unknown_name);
    EXPECT_NE(found.why().text.find("nearest is \"" + std::string(meant) + '"'), std::string::npos) << found.why().text;
    const std::string named = std::string(asked).substr(0, std::string(asked).find('/'));
    for (const algorithm& one : all()) {
      const bool kin = to_string(one.what) == named || one.id == meant;
      const std::string& text = found.why().text;
      const bool offered = text.find('"' + std::string(one.id) + '"') != std::string::npos ||
                           (text + ',').find(' ' + std::string(one.id) + ',') != std::string::npos;
      EXPECT_EQ(offered, kin) << one.id << " in: " << text;
    }
  }
  ASSERT_TRUE(require("barrier/flat"));
  EXPECT_EQ(require(std::string(1'000'000, 'x')).why().code, errc::unknown_name);
}

TEST(registry, one_rank_of_a_million_costs_its_own_steps) {
  const schedules::shape s{1'000'003, 0, 4};
  for (const char* id :
       {"all_reduce/tree", "all_reduce/hierarchical", "all_reduce/recursive_doubling", "all_reduce/halving_doubling",
        "all_reduce/circulant", "barrier/dissemination", "broadcast/knomial", "broadcast/hierarchical",
        "gather/binomial", "scatter/hierarchical", "reduce/binomial", "reduce/dual_root", "reduce/rabenseifner",
        "broadcast/circulant", "all_gather/bruck", "reduce_scatter/circulant", "inclusive_scan/up_down_sweep",
        "exclusive_scan/hierarchical"}) {
    EXPECT_LT(build(*find(id), s, 999'983).steps.size(), 300u) << id;
  }
}

TEST(registry, a_rank_alone_copies_and_waits_for_nobody) {
  for (const algorithm& a : all()) {
    const auto made = build(a, {1, 0, 2}, 0);
    const bool has_result = a.what != collective::barrier && a.what != collective::exclusive_scan;
    EXPECT_EQ(made.steps.size(), has_result ? 1u : 0u) << a.id;
    EXPECT_TRUE(made.peers.empty()) << a.id;
    EXPECT_EQ(a.cost({1, 0, 2}).rounds + a.cost({1, 0, 2}).sent + a.cost({1, 0, 2}).temporary, 0) << a.id;
  }
}

}  // namespace
}  // namespace tutti::algorithms
