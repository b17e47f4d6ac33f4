// SPDX-License-Identifier: BSL-1.0
// docs/pains.md and the suite Pain list the same tests.
#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "pains/pains.hpp"

namespace tutti {
namespace {

std::set<std::string> registered() {
  std::set<std::string> names;
  const auto& all = *testing::UnitTest::GetInstance();
  for (int s = 0; s < all.total_test_suite_count(); ++s) {
    const auto& suite = *all.GetTestSuite(s);
    if (std::string(suite.name()) != "Pain") continue;
    for (int t = 0; t < suite.total_test_count(); ++t) names.insert(suite.GetTestInfo(t)->name());
  }
  return names;
}

TEST(Pains, PageListsEveryTestAndNoOther) {
  std::ifstream page(TUTTI_TEST_SOURCE_DIR "/docs/pains.md");
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  const std::regex name("`(P[0-9]{3}_[A-Za-z0-9]+)`");
  std::set<std::string> listed;
  for (std::sregex_iterator at(text.begin(), text.end(), name); at != std::sregex_iterator(); ++at)
    listed.insert((*at)[1]);
  EXPECT_FALSE(listed.empty());
  EXPECT_EQ(listed, registered());
}

TEST(Pains, EveryPainAskedForHasATest) {
  constexpr int asked[] = {1,   3,   11,  12,  13,  18,  26,  31,  32,  33,  36,  37,  39,  40,
                           41,  45,  47,  49,  52,  53,  56,  57,  58,  61,  68,  70,  71,  72,
                           87,  90,  91,  96,  97,  100, 103, 107, 108, 109, 111, 113, 114, 115,
                           116, 117, 118, 122, 123, 124, 125, 126, 127, 128, 129, 130, 132, 134};
  const auto names = registered();
  for (const int pain : asked) {
    const std::string prefix = fmt::format("P{:03}_", pain);
    const auto first = names.lower_bound(prefix);
    EXPECT_TRUE(first != names.end() && first->rfind(prefix, 0) == 0) << prefix;
  }
}

}  // namespace
}  // namespace tutti
