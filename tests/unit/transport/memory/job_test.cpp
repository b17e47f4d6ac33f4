// SPDX-License-Identifier: BSL-1.0
#include "transport/memory/job.hpp"

#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <new>
#include <set>

#include "support/child_process.hpp"
#include "support/sizes.hpp"
#include "transport/memory/process_identity.hpp"
#include "transport/memory/robust_mutex.hpp"

namespace tutti::memory {
namespace {

using test::mebibyte;

job make_job(rank_id size) {
  auto memory = region::create_shared(16 * mebibyte);
  EXPECT_TRUE(memory);
  auto created = job::create(std::move(memory).value(), size);
  EXPECT_TRUE(created);
  return std::move(created).value();
}

TEST(job, sizes_outside_its_domain_are_refused) {
  for (const rank_id size : {-1, 0, largest_job + 1}) {
    auto created = job::create(region::create_private(16 * mebibyte).value(), size);
    ASSERT_FALSE(created);
    EXPECT_EQ(created.why().code, errc::bad_argument);
  }
}

TEST(job, too_little_memory_for_the_table_is_no_space) {
  auto created = job::create(region::create_private(region::smallest_capacity).value(), largest_job);
  ASSERT_FALSE(created);
  EXPECT_EQ(created.why().code, errc::no_space);
}

TEST(job, an_empty_segment_is_no_job) {
  auto found = job::open(region::create_shared(mebibyte).value());
  ASSERT_FALSE(found);
  EXPECT_EQ(found.why().code, errc::launch_failed);
}

TEST(job, ids_differ) {
  std::set<std::uint64_t> ids;
  for (int i = 0; i < 20; ++i) ids.insert(make_job(1).id());
  EXPECT_EQ(ids.size(), 20u);
}

TEST(job, a_rank_announces_once_and_leaves_with_its_reason) {
  const job in = make_job(3);
  EXPECT_EQ(in.look(1).state, rank_state::absent);
  ASSERT_TRUE(in.announce(1));
  EXPECT_EQ(in.look(1).pid, getpid());
  EXPECT_EQ(in.confirm(1).state, rank_state::running);
  const auto alarm = in.alarm().load();
  const std::string text = "the operator threw: " + std::string(200, 'x');
  in.leave(1, {.state = rank_state::failed, .exit_code = 7, .text = text});
  EXPECT_EQ(in.alarm().load(), alarm + 1);
  const peer_view view = in.look(1);
  EXPECT_EQ(view.state, rank_state::failed);
  EXPECT_TRUE(view.ended());
  EXPECT_EQ(view.exit_code, 7);
  EXPECT_GE(view.text.size(), 80u);
  EXPECT_EQ(text.compare(0, view.text.size(), view.text), 0);
  for (const rank_id rank : {-1, 3}) {
    const status refused = in.announce(rank);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.why().code, errc::launch_failed);
  }
}

TEST(job, a_rank_taken_by_another_process_is_refused) {
  const job in = make_job(2);
  test::child_process child([&] { return in.announce(1) ? 0 : 1; });
  ASSERT_EQ(child.wait(), 0);
  const status second = in.announce(1);
  ASSERT_FALSE(second);
  EXPECT_NE(second.why().text.find(std::to_string(child.pid())), std::string::npos);
}

TEST(job, a_killed_process_is_confirmed_dead_as_zombie_and_when_reaped) {
  for (const bool reap_first : {false, true}) {
    const job in = make_job(2);
    test::child_process child([&] {
      if (!in.announce(1)) return 1;
      for (in.raise_alarm();;) pause();
    });
    while (in.alarm().load() == 0) sched_yield();
    EXPECT_EQ(in.confirm(1).state, rank_state::running);
    child.kill();
    siginfo_t ended;
    waitid(P_PID, static_cast<id_t>(child.pid()), &ended, WEXITED | WNOWAIT);
    if (reap_first) child.wait();
    EXPECT_EQ(in.look(1).state, rank_state::running) << "looking asks nobody";
    const auto alarm = in.alarm().load();
    EXPECT_EQ(in.confirm(1).state, rank_state::dead);
    EXPECT_EQ(in.alarm().load(), alarm + 1);
    EXPECT_EQ(in.confirm(1).state, rank_state::dead);
    EXPECT_EQ(in.alarm().load(), alarm + 1) << "a death is told once";
  }
}

TEST(job, a_reused_pid_is_no_proof_of_life) {
  const auto self = look_up_process(getpid());
  ASSERT_TRUE(self);
  EXPECT_EQ(self->parent, getppid());
  EXPECT_TRUE(may_be_running(getpid(), self->start_time));
  EXPECT_FALSE(may_be_running(getpid(), self->start_time + 1));
}

TEST(job, the_table_costs_no_descriptors) {
  const job in = make_job(480);
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  const rlimit limit{256, before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &limit);
  for (rank_id rank = 0; rank < 480; ++rank) {
    ASSERT_TRUE(in.announce(rank));
    ASSERT_EQ(in.confirm(rank).state, rank_state::running);
  }
  setrlimit(RLIMIT_NOFILE, &before);
  for (rank_id rank = 0; rank < 480; ++rank) EXPECT_EQ(in.look(rank).pid, getpid());
}

TEST(robust_mutex, passes_on_when_its_holder_is_killed) {
  const job in = make_job(2);
  const auto place = in.blocks().allocate(sizeof(robust_mutex));
  ASSERT_TRUE(place);
  auto* mutex = new (in.memory().data() + place.value()) robust_mutex;
  mutex->initialize();
  test::child_process child([&] {
    const robust_lock lock(*mutex);
    for (in.raise_alarm();;) pause();
    return 0;
  });
  while (in.alarm().load() == 0) sched_yield();
  child.kill();
  child.wait();
  {
    const robust_lock lock(*mutex);
    EXPECT_TRUE(lock.recovered());
  }
  const robust_lock lock(*mutex);
  EXPECT_FALSE(lock.recovered());
}

}  // namespace
}  // namespace tutti::memory
