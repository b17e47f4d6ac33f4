// SPDX-License-Identifier: BSL-1.0
#include "world/bootstrap.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>

#include <list>
#include <memory>
#include <random>
#include <thread>

#include "support/child_process.hpp"
#include "support/scoped_variable.hpp"

namespace tutti::worlds {
namespace {

/// Joins, meets all ranks under one name, and checks the table. 0 if all is well.
int be_a_rank(rank_id rank, rank_id size) {
  auto me = join_job();
  if (!me || me.value().rank() != rank || me.value().size() != size) return 1;
  auto seat = me.value().names().join("everyone", size, rank, rank, 64);
  if (!seat) return 2;
  for (rank_id peer = 0; peer < size; ++peer) {
    while (seat.value().occupant(peer) != peer) std::this_thread::yield();
    if (me.value().job().state(peer) == memory::rank_state::absent) return 3;
  }
  return 0;
}

TEST(bootstrap, alone_is_a_job_of_one) {
  auto me = join_job();
  ASSERT_TRUE(me) << me.why().text;
  EXPECT_EQ(me.value().size(), 1);
  EXPECT_EQ(me.value().origin(), "alone");
  EXPECT_EQ(me.value().job().memory().fd(), -1);
}

TEST(bootstrap, siblings_of_an_mpi_launcher_find_each_other_whatever_their_skew) {
  constexpr rank_id size = 8;
  std::mt19937 random(7);
  for (int round = 0; round < 10; ++round) {
    for (const bool open_mpi : {true, false}) {
      std::list<test::child_process> ranks;
      for (rank_id rank = 0; rank < size; ++rank) {
        const auto delay = static_cast<useconds_t>(random() % 20'000);
        ranks.emplace_back([=] {
          usleep(delay);  // the skew under test
          setenv(open_mpi ? "OMPI_COMM_WORLD_RANK" : "PMI_RANK", std::to_string(rank).c_str(), 1);
          setenv(open_mpi ? "OMPI_COMM_WORLD_SIZE" : "PMI_SIZE", "8", 1);
          setenv(open_mpi ? "OMPI_COMM_WORLD_LOCAL_SIZE" : "MPI_LOCALNRANKS", "8", 1);
          setenv("PMIX_NAMESPACE", std::to_string(round).c_str(), 1);
          return be_a_rank(rank, size);
        });
      }
      for (auto& one : ranks) EXPECT_EQ(one.wait(), 0);
    }
  }
}

/// Passes a job on as `tutti run` does.
struct inheritance {
  explicit inheritance(int fd, const std::string& size = "2")
      : segment("TUTTI_SEGMENT_FD", std::to_string(fd)), rank("TUTTI_RANK", "1"), count("TUTTI_SIZE", size) {}
  test::scoped_variable segment;
  test::scoped_variable rank;
  test::scoped_variable count;
};

TEST(bootstrap, an_inherited_job_is_joined_and_left) {
  auto job = create_job(2, true);
  ASSERT_TRUE(job);
  const inheritance scope(dup(job.value().memory().fd()));
  {
    auto me = join_job();
    ASSERT_TRUE(me) << me.why().text;
    EXPECT_EQ(me.value().rank(), 1);
    EXPECT_EQ(me.value().origin(), "tutti run");
    EXPECT_EQ(job.value().state(1), memory::rank_state::running);
    auto moved = std::move(me).value();
    EXPECT_TRUE(moved.is_mine());
    EXPECT_EQ(job.value().state(1), memory::rank_state::running) << "what was moved from marks nothing";
  }
  EXPECT_EQ(job.value().state(1), memory::rank_state::left);
}

TEST(bootstrap, a_forked_child_has_no_part_in_the_membership) {
  auto job = create_job(2, true);
  ASSERT_TRUE(job);
  const inheritance scope(dup(job.value().memory().fd()));
  auto joined = join_job();
  ASSERT_TRUE(joined);
  auto me = std::make_unique<membership>(std::move(joined).value());
  test::child_process child([&] {
    const bool mine = me->is_mine();
    me.reset();
    return mine ? 1 : 0;
  });
  EXPECT_EQ(child.wait(), 0);
  EXPECT_EQ(job.value().state(1), memory::rank_state::running);
  EXPECT_EQ(job.value().alarm().load(), 0u);
}

TEST(bootstrap, stale_and_foreign_descriptors_are_errors) {
  const auto why = [](const inheritance&) {
    auto me = join_job();
    EXPECT_FALSE(me);
    EXPECT_EQ(me.why().code, errc::launch_failed);
    return me.why().text;
  };
  EXPECT_NE(why(inheritance(9999)).find("left over"), std::string::npos);
  const descriptor nothing(open("/dev/null", O_RDWR | O_CLOEXEC));
  EXPECT_NE(why(inheritance(nothing.get())).find("TUTTI_SEGMENT_FD"), std::string::npos);
  EXPECT_GE(fcntl(nothing.get(), F_GETFD), 0) << "a stranger's file stays open";
  auto job = create_job(2, true);
  ASSERT_TRUE(job);
  EXPECT_NE(why(inheritance(job.value().memory().fd(), "3")).find("TUTTI_SIZE=3"), std::string::npos);
}

TEST(bootstrap, segment_size_is_a_setting) {
  const test::scoped_variable setting("TUTTI_SEGMENT_BYTES", "1Mi");
  auto job = create_job(2, true);
  ASSERT_TRUE(job);
  EXPECT_EQ(job.value().memory().capacity(), 1024u * 1024);
  const test::scoped_variable tiny("TUTTI_SEGMENT_BYTES", "1");
  EXPECT_FALSE(create_job(2, true));
}

}  // namespace
}  // namespace tutti::worlds
