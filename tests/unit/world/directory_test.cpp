// SPDX-License-Identifier: BSL-1.0
#include "world/directory.hpp"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

#include "support/child_process.hpp"
#include "support/sizes.hpp"

namespace tutti::worlds {
namespace {

using test::mebibyte;

struct fixture {
  explicit fixture(rank_id size, byte_count capacity = 64 * mebibyte)
      : job(memory::job::create(memory::region::create_shared(capacity).value(), size).value()),
        names(directory::create(job).value()) {
    for (rank_id rank = 0; rank < size; ++rank) EXPECT_TRUE(job.announce(rank));
  }
  seat join(std::string_view name, rank_id sites, rank_id site) const {
    auto got = names.join(name, sites, site, site, 256);
    EXPECT_TRUE(got) << (got ? "" : got.why().text);
    return got.value();
  }
  memory::job job;
  directory names;
};

TEST(directory, sites_of_one_name_meet) {
  const fixture in(3);
  const seat a = in.join("/app/sync", 3, 0);
  EXPECT_EQ(a.occupant(2), -1);
  const seat c = in.join("/app/sync", 3, 2);
  EXPECT_EQ(a.number, c.number);
  EXPECT_EQ(a.block_offset, c.block_offset);
  EXPECT_EQ(a.occupant(2), 2);
  EXPECT_EQ(a.occupant(1), -1);
  const seat other = in.join("/app/other", 3, 0);
  EXPECT_NE(other.number, a.number);
  EXPECT_NE(other.block_offset, a.block_offset);
  in.names.leave(c);
  EXPECT_TRUE(a.has_left(2));
  EXPECT_FALSE(a.has_left(0));
}

TEST(directory, names_are_used_again_in_order) {
  const fixture in(2);
  // Rank 0 runs ahead by three incarnations of different size.
  const seat first = in.join("x", 2, 0);
  in.names.leave(first);
  const seat second = in.join("x", 1, 0);
  const seat third = in.join("x", 2, 0);
  EXPECT_EQ(std::set({first.number, second.number, third.number}).size(), 3u);
  EXPECT_EQ(in.join("x", 2, 1).number, first.number);
  EXPECT_EQ(in.join("x", 2, 1).number, third.number);
}

TEST(directory, a_different_number_of_sites_clashes_for_both) {
  const fixture in(3);
  const seat first = in.join("x", 2, 0);
  EXPECT_FALSE(in.names.clash(first));
  const auto alarm = in.job.alarm().load();
  auto second = in.names.join("x", 3, 1, 1, 256);
  ASSERT_FALSE(second);
  const auto seen = in.names.clash(first);
  ASSERT_TRUE(seen);
  EXPECT_NE(in.job.alarm().load(), alarm);
  for (const failure& why : {second.why(), *seen}) {
    EXPECT_EQ(why.code, errc::name_clash);
    EXPECT_NE(why.text.find("world rank 0 created it with 2 sites"), std::string::npos) << why.text;
    EXPECT_NE(why.text.find("world rank 1 joined it with 3 sites"), std::string::npos) << why.text;
  }
  EXPECT_FALSE(in.names.join("x", 2, 1, 2, 256)) << "a spoilt incarnation takes nobody in";
  in.names.leave(first);
  EXPECT_EQ(in.names.live(), 0u);
  EXPECT_EQ(in.join("x", 2, 0).number, in.join("x", 2, 1).number) << "afterwards the name is free";
}

TEST(directory, a_site_claimed_twice_clashes_for_both) {
  const fixture in(2);
  const seat first = in.join("x", 2, 0);
  auto second = in.names.join("x", 2, 0, 1, 256);
  ASSERT_FALSE(second);
  ASSERT_TRUE(in.names.clash(first));
  EXPECT_NE(second.why().text.find("site 0 belongs to world rank 0, and world rank 1"), std::string::npos);
}

TEST(directory, different_block_sizes_clash) {
  const fixture in(2);
  const seat first = in.join("x", 2, 0);
  auto second = in.names.join("x", 2, 1, 1, 512);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.why().code, errc::name_clash);
  EXPECT_TRUE(in.names.clash(first));
}

TEST(directory, bad_arguments_are_named) {
  const fixture in(2);
  const auto code = [&](std::string_view name, rank_id sites, rank_id site, std::string_view mention) {
    auto got = in.names.join(name, sites, site, 0, 64);
    EXPECT_FALSE(got);
    if (got) return errc::success;
    EXPECT_NE(got.why().text.find(mention), std::string::npos) << got.why().text;
    return got.why().code;
  };
  EXPECT_EQ(code("", 2, 0, "empty"), errc::bad_argument);
  EXPECT_EQ(code(std::string(1024, 'n'), 2, 0, "1024"), errc::bad_argument);
  EXPECT_EQ(code("x", 0, 0, "num_sites_arg is 0"), errc::bad_argument);
  EXPECT_EQ(code("x", -5, 0, "-5"), errc::bad_argument);
  EXPECT_EQ(code("x", 3, 0, "1 to 2"), errc::bad_argument);
  EXPECT_EQ(code("x", 2, 2, "this_site_arg is 2"), errc::bad_argument);
  EXPECT_EQ(code("x", 2, -1, "-1"), errc::bad_argument);
  EXPECT_EQ(in.names.live(), 0u);
  EXPECT_TRUE(in.names.join(std::string(1023, 'n'), 2, 0, 0, 64));
}

TEST(directory, a_hundred_thousand_communicators_leave_nothing) {
  const fixture in(2);
  byte_count after_first = 0;
  for (int round = 0; round < 100'000; ++round) {
    const seat a = in.join("loop", 2, 0);
    const seat b = in.join("loop", 2, 1);
    auto* words = in.job.memory().at<std::uint64_t>(a.block_offset);
    ASSERT_EQ(*words, 0u) << "each incarnation starts clean";
    *words = 1;
    in.names.leave(a);
    in.names.leave(b);
    in.names.leave(b);
    if (round == 0) after_first = in.job.blocks().footprint();
  }
  EXPECT_EQ(in.job.blocks().footprint(), after_first);
  EXPECT_EQ(in.names.live(), 0u);
}

TEST(directory, at_the_limit_the_error_counts_and_old_ones_work) {
  const fixture in(1, mebibyte);
  std::vector<seat> held;
  for (;;) {
    auto got = in.names.join("c" + std::to_string(held.size()), 1, 0, 0, 4096);
    if (!got) {
      EXPECT_EQ(got.why().code, errc::no_space);
      EXPECT_NE(got.why().text.find(std::to_string(held.size()) + " others live"), std::string::npos) << got.why().text;
      EXPECT_NE(got.why().text.find("TUTTI_SEGMENT_BYTES"), std::string::npos);
      break;
    }
    held.push_back(got.value());
  }
  EXPECT_GT(held.size(), 100u);
  for (const seat& one : held) EXPECT_EQ(one.occupant(0), 0);
  const auto in_use = in.job.blocks().in_use();
  in.names.leave(held.back());
  EXPECT_LT(in.job.blocks().in_use(), in_use);
  EXPECT_TRUE(in.names.join("again", 1, 0, 0, 4096));
}

TEST(directory, a_dead_member_does_not_keep_the_communicator) {
  const fixture in(2);
  const seat a = in.join("x", 2, 0);
  (void)in.join("x", 2, 1);
  in.job.leave(1, {.state = memory::rank_state::dead});
  in.names.leave(a);
  EXPECT_EQ(in.names.live(), 0u);
}

TEST(directory, threads_and_processes_agree_on_every_incarnation) {
  constexpr rank_id ranks = 4;
  constexpr int rounds = 300;
  const fixture in(ranks);
  auto table = in.job.blocks().allocate(ranks * rounds * 8);
  ASSERT_TRUE(table);
  auto* numbers = in.job.memory().at<std::uint64_t>(table.value());
  const auto run = [&](rank_id rank) {
    for (int round = 0; round < rounds; ++round) {
      auto got = in.names.join(round % 3 == 0 ? "a" : "b", ranks, rank, rank, 128);
      if (!got) return 1;
      numbers[rank * rounds + round] = got.value().number;
      in.names.leave(got.value());
    }
    return 0;
  };
  test::child_process third([&] { return run(2); });
  test::child_process fourth([&] { return run(3); });
  std::thread second([&] { EXPECT_EQ(run(1), 0); });
  EXPECT_EQ(run(0), 0);
  second.join();
  EXPECT_EQ(third.wait(), 0);
  EXPECT_EQ(fourth.wait(), 0);
  std::set<std::uint64_t> seen;
  for (int round = 0; round < rounds; ++round) {
    for (rank_id rank = 1; rank < ranks; ++rank) EXPECT_EQ(numbers[rank * rounds + round], numbers[round]) << round;
    EXPECT_TRUE(seen.insert(numbers[round]).second);
  }
  EXPECT_EQ(in.names.live(), 0u);
}

TEST(directory, a_killed_joiner_blocks_nobody) {
  const fixture in(2);
  for (int victim = 0; victim < 20; ++victim) {
    test::child_process child([&] {
      for (;;) {
        auto got = in.names.join("mine", 1, 0, 1, 64);
        if (got) in.names.leave(got.value());
      }
      return 0;
    });
    for (int round = 0; round < 300; ++round) in.names.leave(in.join("yours", 1, 0));
    child.kill();
    child.wait();
    in.names.leave(in.join("yours", 1, 0));
  }
  EXPECT_LE(in.names.live(), 20u);
}

}  // namespace
}  // namespace tutti::worlds
