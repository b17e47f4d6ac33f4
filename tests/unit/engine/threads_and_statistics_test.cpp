// SPDX-License-Identifier: BSL-1.0
// Several threads of one rank, and what a communicator tells of its past.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "support/each_rank.hpp"

namespace tutti {
namespace {

using test::attempt;
using test::ending;

/// Each thread has a communicator of its own: all is well.
TEST(threads_of_a_rank, with_communicators_of_their_own) {
  test::each_rank(2, [](const communicator&) {
    std::vector<communicator> own;
    for (int i = 0; i < 3; ++i) own.push_back(create_communicator(fmt::format("of thread {}", i)));
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; ++i) {
      threads.emplace_back([&mine = own[static_cast<std::size_t>(i)]] {
        for (int call = 0; call < 200; ++call) EXPECT_EQ(all_reduce(launch::sync, mine, call, std::plus{}), 2 * call);
        std::vector<double> values(20'000, 1);
        all_reduce(mine, in_place, values, std::plus{}, {.algorithm = "all_reduce/ring"}).get();
        EXPECT_EQ(values, std::vector<double>(20'000, 2));
      });
    }
    return 0;
  });
}

/// On a shared one: right results or an error, in bounded time.
TEST(threads_of_a_rank, on_one_communicator_get_an_error_or_the_right_answer) {
  for (int round = 0; round < 10; ++round) {
    test::each_rank(2, [](const communicator& everyone) {
      {
        const communicator shared = create_communicator("shared");
        std::vector<std::jthread> threads;
        for (int i = 0; i < 2; ++i) {
          threads.emplace_back([comm = shared] {
            for (int call = 0; call < 300; ++call) {
              int sum = 2;
              const ending ended = attempt([&] { sum = all_reduce(launch::sync, comm, 1, std::plus{}); });
              EXPECT_EQ(sum, 2);
              if (ended.well) continue;
              EXPECT_TRUE(ended.code == errc::concurrent_use || ended.code == errc::rank_lost) << ended.text;
              return;
            }
          });
        }
      }
      EXPECT_EQ(all_reduce(launch::sync, everyone, 1, std::plus{}), 2);
      return 0;
    });
  }
}

const algorithm_statistics& of(const statistics& all, std::string_view id) {
  const auto found =
      std::find_if(all.algorithms.begin(), all.algorithms.end(), [&](const auto& one) { return one.id == id; });
  EXPECT_NE(found, all.algorithms.end()) << id;
  return *found;
}

TEST(statistics, count_calls_bytes_failures_and_reasons) {
  test::each_rank(3, [](const communicator& comm) {
    const auto before = comm.statistics();
    EXPECT_EQ(before.calls, 0u);
    std::vector<double> values(1000, 1);
    for (int i = 0; i < 5; ++i) {
      all_reduce(launch::sync, comm, in_place, values, std::plus{}, {.algorithm = "all_reduce/ring"});
    }
    for (int i = 0; i < 3; ++i) all_reduce(comm, 1.0, std::plus{}).get();
    barrier(comm).get();
    EXPECT_FALSE(attempt([&] { barrier(launch::sync, comm, {.algorithm = "nowhere"}); }).well);
    const auto after = comm.statistics();
    EXPECT_EQ(after.calls, 10u);
    EXPECT_EQ(after.failures, 1u);
    EXPECT_EQ(after.bytes, 5u * 8'000 + 3u * 8);
    EXPECT_EQ(of(after, "all_reduce/ring").calls, 5u);
    EXPECT_EQ(of(after, "all_reduce/ring").bytes, 40'000u);
    EXPECT_EQ(of(after, "all_reduce/ring").reason, "forced by the caller");
    EXPECT_EQ(of(after, "all_reduce/direct").calls, 3u);
    EXPECT_NE(of(after, "all_reduce/direct").reason, "");
    EXPECT_EQ(of(after, "barrier/direct").calls, 1u);
    EXPECT_GE(after.seconds_for_late, 0);
    EXPECT_GE(after.seconds_inside, 0);
    return 0;
  });
}

/// They may be asked for where the communicator is in the middle of a call: by its operator, on whatever thread.
TEST(statistics, may_be_asked_for_by_an_operator) {
  for (const bool progress_thread : {false, true}) {
    test::each_rank(2,
                    [](const communicator& comm) {
                      const auto asks = [&](int a, int b) {
                        return a + b + static_cast<int>(comm.statistics().failures);
                      };
                      EXPECT_EQ(all_reduce(launch::sync, comm, 1, asks), 2);
                      EXPECT_EQ(all_reduce(comm, 1, asks).get(), 2);
                      EXPECT_EQ(comm.statistics().calls, 2u);
                      return 0;
                    },
                    {.progress_thread = progress_thread});
  }
}

/// Rank 0 runs a continuation on `other` inside its blocking call on `comm`: it has begun to combine, and rank 3,
/// without which that call cannot end, comes to it only after the continuation has run.
TEST(statistics, may_be_asked_for_by_a_continuation_inside_a_blocking_call) {
  std::atomic<bool> combining{false}, asked{false};
  test::each_rank(4, [&](const communicator& comm) {
    const communicator other = create_communicator("other");
    const int me = comm.rank();
    const auto plus = [&, me](int a, int b) {
      if (me == 0) combining = true;
      return a + b;
    };
    if (me == 3) {
      while (!combining) std::this_thread::yield();
      barrier(launch::sync, other);
      while (!asked) std::this_thread::yield();
    } else {
      static_cast<void>(barrier(other).then([&, me](future<void>) {
        const auto calls = comm.statistics().calls;
        if (me != 0) return;
        EXPECT_EQ(calls, 0u);
        asked = true;
      }));
    }
    EXPECT_EQ(all_reduce(launch::sync, comm, me, plus, {.algorithm = "all_reduce/recursive_doubling"}), 6);
    return 0;
  });
}

/// Nobody can make a rank late for certain, so one is made later and later until the other has noticed.
TEST(statistics, tell_how_long_late_ranks_were_waited_for) {
  test::each_rank(2, [](const communicator& comm) {
    std::vector<double> values(4'000, 1);
    for (int lateness = 1;; lateness *= 2) {
      const auto before = comm.statistics();
      if (comm.rank() == 1) {
        for (int i = 0; i < lateness; ++i) std::this_thread::yield();
      }
      all_reduce(launch::sync, comm, in_place, values, max{});
      const auto after = comm.statistics();
      const bool noticed =
          after.looks_for_late > before.looks_for_late && after.seconds_for_late > before.seconds_for_late;
      if (all_reduce(launch::sync, comm, noticed && comm.rank() == 0, std::logical_or{})) return 0;
    }
  });
}

TEST(statistics, tell_of_futures_how_long_late_ranks_were_waited_for) {
  std::atomic<bool> waited{false};
  run_threads(2, [&](const communicator& comm) {
    if (comm.rank() == 1) {
      while (!waited) std::this_thread::yield();
      return barrier(launch::sync, comm);
    }
    auto late = barrier(comm);
    const auto before = comm.statistics();
    // Ends: time goes on, and rank 1 does not come before it has been missed.
    for (auto now = before; now.looks_for_late == before.looks_for_late || now.seconds_for_late == 0;
         now = comm.statistics()) {
      EXPECT_EQ(late.wait_for(std::chrono::milliseconds(1)), std::future_status::timeout);
    }
    waited = true;
    late.get();
    EXPECT_GE(comm.statistics().seconds_for_late, 0.0);
  });
}

TEST(statistics, give_the_reason_of_a_rank_that_is_alone) {
  run_threads(1, [](const communicator& comm) {
    all_reduce(launch::sync, comm, 1, std::plus{});
    barrier(launch::sync, comm);
    ASSERT_EQ(comm.statistics().algorithms.size(), 2u);
    for (const auto& one : comm.statistics().algorithms)
      EXPECT_NE(std::string(one.reason).find("one rank"), std::string::npos);
  });
}

}  // namespace
}  // namespace tutti
