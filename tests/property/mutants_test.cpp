// SPDX-License-Identifier: BSL-1.0
// A checker is worth what it rejects: every algorithm's good schedules are spoiled in many ways.
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "check/prove.hpp"
#include "support/all_ranks.hpp"
#include "support/hazard_oracle.hpp"
#include "support/mutations.hpp"

namespace tutti {
namespace {

using schedules::schedule;
using schedules::step_kind;

constexpr rank_id sizes[] = {2, 3, 4, 7};

/// Proves what a good set was spoiled to.
using judge = std::function<check::verdict(const std::vector<schedule>&)>;

template <class Examine>
void for_each_good_set(const Examine& examine) {
  for (const algorithms::algorithm& which : algorithms::all()) {
    for (const rank_id size : sizes) {
      for (const rank_id root : has_root(which.what) ? std::set<rank_id>{0, size / 2} : std::set<rank_id>{0}) {
        const judge prove = [&](const auto& all) { return check::prove(which.what, which.order, all, root); };
        examine(which, test::all_ranks(which, {.size = size, .root = root, .pieces = 3}), prove);
      }
    }
  }
}

/// Ranks with different parts to play: the root, an odd one, a middle one, the last.
std::set<std::size_t> some_ranks(std::size_t size) { return {0, 1, size / 2, size - 1}; }

/// How many mutants of a kind were made.
int count_rejected(const test::mutation& kind) {
  int made = 0;
  for_each_good_set([&](const algorithms::algorithm& which, const std::vector<schedule>& good, const judge& prove) {
    for (const std::size_t r : some_ranks(good.size())) {
      for (std::uint32_t i = 0; i < good[r].steps.size(); ++i) {
        test::loose_schedule spoiled(good[r]);
        if (!kind.spoil({which, spoiled, i})) continue;
        std::vector<schedule> all = good;
        all[r] = spoiled.tighten();
        ++made;
        EXPECT_FALSE(prove(all)) << kind.name << " was accepted, although " << kind.why_it_always_matters << ": "
                                 << which.id << " of " << good.size() << ", rank " << r << ", step " << i;
      }
    }
  });
  return made;
}

TEST(mutants, of_messages_are_rejected) {
  for (const test::mutation& kind : test::message_mutations()) EXPECT_GT(count_rejected(kind), 0) << kind.name;
}

TEST(mutants, of_values_are_rejected) {
  for (const test::mutation& kind : test::value_mutations()) EXPECT_GT(count_rejected(kind), 0) << kind.name;
}

TEST(mutants, a_dropped_dependency_is_rejected_exactly_if_it_leaves_a_race) {
  int races = 0;
  int harmless = 0;
  for_each_good_set([&](const algorithms::algorithm& which, const std::vector<schedule>& good, const judge& prove) {
    for (const std::size_t r : some_ranks(good.size())) {
      ASSERT_FALSE(test::has_race(good[r])) << which.id;
      for (std::uint32_t i = 0; i < good[r].steps.size(); ++i) {
        for (std::uint32_t gone = 0; gone < good[r].steps[i].after.count; ++gone) {
          test::loose_schedule spoiled(good[r]);
          spoiled.steps[i].after.erase(spoiled.steps[i].after.begin() + gone);
          std::vector<schedule> all = good;
          all[r] = spoiled.tighten();
          const bool race = test::has_race(all[r]);
          ++(race ? races : harmless);
          const check::verdict v = prove(all);
          EXPECT_EQ(!v, race) << which.id << " of " << good.size() << ", rank " << r << ", step " << i << " without "
                              << gone;
        }
      }
    }
  });
  EXPECT_GT(races, 0);
  RecordProperty("races", races);
  RecordProperty("harmless", harmless);
}

/// Every receive goes to memory of its own and every send waits for all of them: nobody can begin.
TEST(mutants, receiving_before_sending_everywhere_is_a_deadlock) {
  int made = 0;
  for_each_good_set([&](const algorithms::algorithm& which, const std::vector<schedule>& good, const judge& prove) {
    const bool is_scan = which.what == collective::inclusive_scan || which.what == collective::exclusive_scan;
    if (has_root(which.what) || is_scan) return;  // some rank receives nothing, so it can begin
    std::vector<schedule> all;
    for (const schedule& s : good) {
      test::loose_schedule spoiled(s);
      std::erase_if(spoiled.steps, [](const test::loose_step& what) { return !what.moves(); });
      std::stable_partition(spoiled.steps.begin(), spoiled.steps.end(),
                            [](const test::loose_step& what) { return what.kind == step_kind::receive; });
      std::vector<std::uint32_t> receives;
      for (std::uint32_t i = 0; i < spoiled.steps.size(); ++i) {
        test::loose_step& what = spoiled.steps[i];
        what.after = what.kind == step_kind::send ? receives : std::vector<std::uint32_t>{};
        if (what.kind != step_kind::receive) continue;
        what.target = spoiled.fresh_scratch(what.target);
        for (schedules::slice& part : what.operands) part = spoiled.fresh_scratch(part);
        receives.push_back(i);
      }
      all.push_back(spoiled.tighten());
    }
    const check::verdict v = prove(all);
    ASSERT_FALSE(v) << which.id;
    EXPECT_NE(v.counterexample().find("deadlock"), std::string::npos) << which.id << ": " << v.counterexample();
    ++made;
  });
  EXPECT_GT(made, 0);
}

TEST(mutants, of_the_set_as_a_whole_are_rejected) {
  for_each_good_set([&](const algorithms::algorithm& which, const std::vector<schedule>& good, const judge& prove) {
    const auto refuted = [&](const std::function<void(std::vector<schedule>&)>& spoil) {
      std::vector<schedule> all = good;
      spoil(all);
      return !prove(all);
    };
    EXPECT_TRUE(refuted([](auto& all) { std::swap(all.front(), all.back()); })) << which.id;
    EXPECT_TRUE(refuted([](auto& all) { all.pop_back(); })) << which.id;
    EXPECT_TRUE(refuted([](auto& all) { all.back().blocks += 1; })) << which.id;
    EXPECT_TRUE(refuted([](auto& all) { all.back().size += 1; })) << which.id;
    EXPECT_TRUE(refuted([](auto& all) { all.back().steps.clear(); })) << which.id;
  });
}

}  // namespace
}  // namespace tutti
