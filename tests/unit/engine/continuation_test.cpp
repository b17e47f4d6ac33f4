// SPDX-License-Identifier: BSL-1.0
// then(), when_all() and co_await on operations of a communicator.
#include <gtest/gtest.h>

#include <atomic>
#include <coroutine>
#include <exception>
#include <list>
#include <stdexcept>
#include <thread>

#include "support/each_rank.hpp"

namespace tutti {
namespace {

using test::attempt;

TEST(continuation, then_gets_the_ready_future_and_makes_another) {
  test::each_rank(3, [](const communicator& comm) {
    auto doubled = all_reduce(comm, comm.rank() + 1, std::plus{}).then([](future<int> sum) { return 2 * sum.get(); });
    EXPECT_EQ(doubled.get(), 12);
    bool ran = false;
    barrier(comm)
        .then([&](future<void> met) {
          EXPECT_TRUE(met.is_ready());
          ran = true;
        })
        .get();
    EXPECT_TRUE(ran);
    return 0;
  });
}

TEST(continuation, errors_travel_through_it) {
  test::each_rank(2, [](const communicator& comm) {
    auto failed = all_reduce(comm, 1, std::plus{}, {.algorithm = "all_reduce/none"}).then([](future<int> sum) {
      return sum.get();
    });
    EXPECT_EQ(attempt([&] { failed.get(); }).code, errc::unknown_name);
    auto thrown = barrier(comm).then([](future<void>) -> int { throw std::logic_error("mine"); });
    EXPECT_THROW(thrown.get(), std::logic_error);
    EXPECT_TRUE(test::still_works(comm));
    return 0;
  });
}

/// Each continuation issues the next call, on the same communicator.
struct chain {
  const communicator& comm;
  std::vector<double> values;
  int left;
  std::list<future<void>> made{};  // one must not go while it is being asked
  void go_on() {
    made.push_back(
        all_reduce(comm, in_place, values, std::plus{}, {.algorithm = left % 2 == 0 ? "all_reduce/ring" : ""})
            .then([this](future<void> done) {
              done.get();
              if (--left > 0) go_on();
            }));
  }
};

TEST(continuation, may_issue_new_calls_on_the_same_communicator) {
  for (const std::size_t count : {std::size_t{1}, std::size_t{4'000}}) {
    test::each_rank(3, [&](const communicator& comm) {
      chain calls{comm, std::vector<double>(count, 1), 10};
      calls.go_on();
      for (auto& one : calls.made) one.get();  // more come while it waits
      EXPECT_EQ(calls.left, 0);
      EXPECT_EQ(calls.values, std::vector<double>(count, 59'049));
      return 0;
    });
  }
}

TEST(continuation, when_all_waits_for_several_communicators) {
  test::each_rank(3, [](const communicator& comm) {
    const communicator other = create_communicator("other");
    auto both = when_all(all_reduce(comm, 1, std::plus{}), all_reduce(other, 2.5, std::plus{}), barrier(comm)).get();
    EXPECT_EQ(std::get<0>(both).get(), 3);
    EXPECT_EQ(std::get<1>(both).get(), 7.5);
    std::get<2>(both).get();
    std::vector<future<int>> many;
    for (int i = 0; i < 20; ++i) many.push_back(all_reduce(i % 2 == 0 ? comm : other, i, std::plus{}));
    auto all = when_all(std::move(many)).get();
    for (int i = 0; i < 20; ++i) EXPECT_EQ(all[static_cast<std::size_t>(i)].get(), 3 * i);
    EXPECT_TRUE(when_all(std::vector<future<int>>{}).get().empty());
    return 0;
  });
}

TEST(continuation, when_all_of_an_empty_future_is_an_error) {
  EXPECT_EQ(attempt([] { static_cast<void>(when_all(future<int>{})); }).code, errc::invalid_state);
}

/// A coroutine that starts at once and may be waited for through the flag that it sets.
struct task {
  struct promise_type {
    task get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};

task sum_twice(const communicator& comm, int& result, std::atomic<bool>& over) {
  const int first = co_await all_reduce(comm, 1, std::plus{});
  const int second = co_await all_reduce(comm, first, std::plus{});
  co_await barrier(comm);
  try {
    co_await barrier(comm, {.algorithm = "barrier/none"});
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::unknown_name);
    result = second;
  }
  over = true;
}

TEST(continuation, co_await_resumes_with_value_or_error) {
  for (const bool progress_thread : {false, true}) {
    test::each_rank(3,
                    [](const communicator& comm) {
                      int result = 0;
                      std::atomic<bool> over{false};
                      sum_twice(comm, result, over);
                      // Calls on another communicator move the coroutine on.
                      const communicator other = create_communicator("other");
                      while (!all_reduce(launch::sync, other, over.load(), std::logical_and{})) {
                      }
                      EXPECT_EQ(result, 9);
                      return 0;
                    },
                    {.progress_thread = progress_thread});
  }
}

TEST(continuation, of_an_empty_future_is_an_error) {
  EXPECT_EQ(attempt([] { static_cast<void>(future<int>{}.then([](future<int>) {})); }).code, errc::invalid_state);
}

TEST(continuation, dropping_the_last_future_of_a_chain_lets_it_run) {
  test::each_rank(2, [](const communicator& comm) {
    int ran = 0;
    for (int i = 0; i < 100; ++i) static_cast<void>(barrier(comm).then([&](future<void>) { ++ran; }));
    barrier(launch::sync, comm);
    EXPECT_EQ(ran, 100);
    return 0;
  });
}

/// A coroutine whose frame its maker destroys.
struct handled {
  struct promise_type {
    handled get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> frame;
};

handled await_sum(const communicator& comm, bool& resumed) {
  co_await all_reduce(comm, 1, std::plus{});
  resumed = true;
}

TEST(continuation, a_suspended_coroutine_may_be_destroyed) {
  for (const bool progress_thread : {false, true}) {
    std::atomic<int> destroyed{0};
    const auto take_part = [&](const communicator& comm) {
      for (int round = 0; round < 50; ++round) {
        bool resumed = false;
        if (comm.rank() == 0) {
          const handled waiting = await_sum(comm, resumed);
          EXPECT_FALSE(waiting.frame.done());
          waiting.frame.destroy();
          ++destroyed;
        } else {
          while (destroyed <= round) std::this_thread::yield();
          EXPECT_EQ(all_reduce(launch::sync, comm, 1, std::plus{}), 2);
        }
        barrier(launch::sync, comm);
        EXPECT_FALSE(resumed);
      }
    };
    run_threads(2, take_part, {.progress_thread = progress_thread});
  }
}

}  // namespace
}  // namespace tutti
