// SPDX-License-Identifier: BSL-1.0
#include "engine/prepared.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "algorithms/registry.hpp"
#include "support/all_ranks.hpp"

namespace tutti::engine {
namespace {

using schedules::step_kind;

template <class Visit>
void every_schedule(Visit visit) {
  for (const auto& which : algorithms::all()) {
    for (const rank_id size : {1, 2, 3, 5, 8, 13}) {
      for (const auto& shape : test::shapes_of(which, size)) {
        for (rank_id me = 0; me < size; ++me) {
          SCOPED_TRACE(which.id);
          visit(prepare(std::string(which.id), which.what, static_cast<std::uint64_t>(shape.arity), which.shape,
                        algorithms::build(which, shape, me)));
        }
      }
    }
  }
}

TEST(prepared, every_step_waits_for_what_the_schedule_says_and_for_message_order) {
  every_schedule([](const prepared& made) {
    std::vector<std::set<std::uint32_t>> before(made.plan.steps.size());
    std::map<std::pair<step_kind, rank_id>, std::uint32_t> latest;
    for (std::uint32_t i = 0; i < made.plan.steps.size(); ++i) {
      const auto& s = made.plan.steps[i];
      before[i].insert(made.plan.after_of(s).begin(), made.plan.after_of(s).end());
      for (const rank_id peer : made.plan.peers_of(s)) {
        const auto [known, first] = latest.try_emplace({s.kind, peer}, i);
        if (!first) before[i].insert(std::exchange(known->second, i));
      }
    }
    std::vector<std::set<std::uint32_t>> found(made.plan.steps.size());
    for (std::uint32_t i = 0; i < made.steps.size(); ++i) {
      EXPECT_EQ(made.steps[i].waits_for, before[i].size());
      for (std::uint32_t k = 0; k < made.steps[i].successor_count; ++k) {
        EXPECT_TRUE(found[made.successors[made.steps[i].first_successor + k]].insert(i).second);
      }
    }
    EXPECT_EQ(found, before);
  });
}

TEST(prepared, messages_of_a_pair_are_numbered_in_order_in_each_direction) {
  every_schedule([](const prepared& made) {
    std::map<std::pair<step_kind, rank_id>, std::uint32_t> next;
    for (const auto& s : made.plan.steps) {
      for (std::uint32_t k = s.peers.begin; k < s.peers.begin + s.peers.count; ++k) {
        EXPECT_EQ(made.ordinals[k], (next[{s.kind, made.plan.peers[k]}]++));
      }
    }
  });
}

TEST(prepared, a_stream_feeds_the_one_reduce_that_reads_it) {
  std::size_t streams = 0;
  every_schedule([&](const prepared& made) {
    for (std::size_t i = 0; i < made.steps.size(); ++i) {
      if (made.steps[i].streams_into < 0) continue;
      ++streams;
      const auto reduce = static_cast<std::size_t>(made.steps[i].streams_into);
      const auto& receive = made.plan.steps[i];
      ASSERT_GT(reduce, i);
      EXPECT_EQ(receive.kind, step_kind::receive);
      EXPECT_EQ(receive.target.where, schedules::buffer::scratch);
      const auto operands = made.plan.operands_of(made.plan.steps[reduce]);
      EXPECT_EQ(made.plan.steps[reduce].kind, step_kind::reduce);
      EXPECT_EQ(std::count(operands.begin(), operands.end(), receive.target), 1);
      for (std::size_t j = i + 1; j < reduce; ++j) EXPECT_NE(made.plan.steps[j].target, receive.target);
    }
  });
  EXPECT_GT(streams, 0u);
}

TEST(prepared, identities_tell_algorithms_and_shapes_apart) {
  std::map<std::uint32_t, std::pair<std::string, int>> owners;
  std::size_t different = 0;
  for (const auto& which : algorithms::all()) {
    for (const auto& shape : test::shapes_of(which, 5)) {
      ++different;
      std::set<std::uint32_t> identities;
      for (rank_id me = 0; me < 5; ++me) {
        identities.insert(prepare(std::string(which.id), which.what, static_cast<std::uint64_t>(shape.arity),
                                  which.shape, algorithms::build(which, shape, me))
                              .identity);
      }
      EXPECT_EQ(identities.size(), 1u) << which.id;
      owners[*identities.begin()] = {std::string(which.id), shape.arity};
    }
  }
  EXPECT_EQ(owners.size(), different);
}

}  // namespace
}  // namespace tutti::engine
