// SPDX-License-Identifier: BSL-1.0
// Many operations in flight: order of waiting, dropped futures, several communicators, handles that go early.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>

#include "support/each_rank.hpp"
#include "support/scoped_variable.hpp"

namespace tutti {
namespace {

using namespace std::chrono_literals;
using test::attempt;

std::size_t count_of(std::size_t i) { return i % 7 == 0 ? 20'000 : i % 7 == 1 ? 0 : i; }
const char* algorithm_of(std::size_t i) {
  constexpr const char* some[] = {
      "all_reduce/direct",          "all_reduce/sliced", "all_reduce/ring", "all_reduce/tree", "",
      "all_reduce/halving_doubling"};
  return some[i % std::size(some)];
}

TEST(in_flight, a_hundred_waited_for_in_reverse_order) {
  for (const int sites : {1, 2, 3, 5}) {
    test::each_rank(sites, [](const communicator& comm) {
      std::vector<std::vector<std::int64_t>> in(100), out(100);
      std::vector<future<void>> futures;
      for (std::size_t i = 0; i < 100; ++i) {
        in[i].assign(count_of(i), static_cast<std::int64_t>(i) * 1000 + comm.rank());
        out[i].resize(count_of(i));
        futures.push_back(all_reduce(comm, in[i], out[i], std::plus{}, {.algorithm = algorithm_of(i)}));
      }
      const std::int64_t ranks = comm.size();
      for (std::size_t i = 100; i-- > 0;) {
        futures[i].get();
        const std::int64_t expected = static_cast<std::int64_t>(i) * 1000 * ranks + ranks * (ranks - 1) / 2;
        EXPECT_EQ(out[i], std::vector<std::int64_t>(count_of(i), expected));
      }
      return 0;
    });
  }
}

TEST(in_flight, a_blocking_call_queues_behind_them) {
  test::each_rank(3, [](const communicator& comm) {
    for (const test::way& by : test::ways()) {
      std::vector<double> first(by.count, 1), second(by.count, 2);
      auto before = all_reduce(comm, in_place, first, std::plus{}, {.algorithm = by.algorithm});
      all_reduce(launch::sync, comm, in_place, second, std::plus{}, {.algorithm = by.algorithm});
      EXPECT_TRUE(before.is_ready());
      EXPECT_EQ(second, std::vector<double>(by.count, 6));
      before.get();
      EXPECT_EQ(first, std::vector<double>(by.count, 3));
    }
    return 0;
  });
}

/// Whatever the order in which ranks wait, nobody waits for ever.
TEST(in_flight, communicators_of_pairs_waited_for_in_any_order) {
  for (int order = 0; order < 8; ++order) {
    test::each_rank(3, [&](const communicator& everyone) {
      const int me = everyone.rank();
      const auto pair = [&](int other) {
        const int low = std::min(me, other);
        const int high = std::max(me, other);
        return create_communicator(fmt::format("pair {} {}", low, high), num_sites_arg(2),
                                   this_site_arg(me == low ? 0 : 1));
      };
      const communicator next = pair((me + 1) % 3);
      const communicator previous = pair((me + 2) % 3);
      for (const std::size_t count : {std::size_t{1}, std::size_t{5'000}, std::size_t{50'000}}) {
        for (const char* by : {"all_reduce/direct", "all_reduce/ring", "all_reduce/sliced"}) {
          std::vector<double> a(count, me), b(count, me);
          auto first = all_reduce(next, in_place, a, std::plus{}, {.algorithm = by});
          auto second = all_reduce(previous, in_place, b, std::plus{}, {.algorithm = by});
          if ((order >> me) % 2 == 0) std::swap(first, second);
          first.get();
          second.get();
          EXPECT_EQ(a, std::vector<double>(count, me + (me + 1) % 3));
          EXPECT_EQ(b, std::vector<double>(count, me + (me + 2) % 3));
        }
      }
      return 0;
    });
  }
}

/// A blocking call on one communicator moves on what is in flight on another.
TEST(in_flight, a_blocking_call_moves_other_communicators_on) {
  test::each_rank(2, [](const communicator& comm) {
    const communicator other = create_communicator("other");
    for (const test::way& by : test::ways()) {
      std::vector<double> values(by.count, 1);
      if (comm.rank() == 0) {
        auto outstanding = all_reduce(other, in_place, values, std::plus{}, {.algorithm = by.algorithm});
        barrier(launch::sync, comm);
        outstanding.get();
      } else {
        all_reduce(launch::sync, other, in_place, values, std::plus{}, {.algorithm = by.algorithm});
        barrier(launch::sync, comm);
      }
      EXPECT_EQ(values, std::vector<double>(by.count, 2));
    }
    return 0;
  });
}

TEST(in_flight, futures_dropped_early_and_their_buffers_freed_at_once) {
  test::each_rank(3, [](const communicator& comm) {
    for (std::size_t i = 0; i < 1000; ++i) {
      const test::way& by = test::ways()[i % 4];
      auto in = std::make_unique<std::vector<double>>(by.count, 1);
      auto out = std::make_unique<std::vector<double>>(by.count);
      auto dropped = std::make_optional(all_reduce(comm, *in, *out, std::plus{}, {.algorithm = by.algorithm}));
      dropped.reset();
      in.reset();
      out.reset();
      if (i % 3 == 0) static_cast<void>(all_reduce(comm, static_cast<double>(i), max{}));
      if (i % 100 == 0) {
        EXPECT_TRUE(test::still_works(comm));
      }
    }
    EXPECT_TRUE(test::still_works(comm));
    return 0;
  });
}

TEST(in_flight, an_assigned_future_drops_the_one_before) {
  test::each_rank(2, [](const communicator& comm) {
    future<int> latest;
    for (int i = 0; i < 200; ++i) latest = all_reduce(comm, i, std::plus{});
    EXPECT_EQ(latest.get(), 2 * 199);
    EXPECT_FALSE(latest.valid());
    return 0;
  });
}

TEST(in_flight, the_handle_may_go_before_the_operations_end) {
  for (int round = 0; round < 20; ++round) {
    test::each_rank(3, [](const communicator& everyone) {
      std::vector<double> values(20'000, 1);
      communicator brief = create_communicator("brief");
      auto first = all_reduce(brief, in_place, values, std::plus{}, {.algorithm = "all_reduce/ring"});
      auto second = all_reduce(brief, 1, std::plus{});
      static_cast<void>(barrier(brief));
      brief = {};
      EXPECT_EQ(second.get(), 3);
      first.get();
      EXPECT_EQ(values, std::vector<double>(20'000, 3));
      barrier(launch::sync, everyone);
      return 0;
    });
  }
}

TEST(in_flight, dropped_operations_are_completed_before_the_world_ends) {
  for (int round = 0; round < 20; ++round) {
    test::each_rank(3, [](const communicator& comm) {
      static_cast<void>(all_reduce(comm, comm.rank(), std::plus{}, {.algorithm = "all_reduce/tree"}));
      std::vector<double> values(20'000, 1);
      static_cast<void>(all_reduce(comm, in_place, values, std::plus{}));
      return 0;
    });
  }
}

TEST(in_flight, a_result_is_taken_once) {
  test::each_rank(2, [](const communicator& comm) {
    auto value = all_reduce(comm, 1, std::plus{});
    EXPECT_EQ(value.get(), 2);
    EXPECT_EQ(attempt([&] { value.get(); }).code, errc::invalid_state);
    auto done = barrier(comm);
    done.get();
    EXPECT_EQ(attempt([&] { done.get(); }).code, errc::invalid_state);
    EXPECT_EQ(attempt([&] { done.wait(); }).code, errc::invalid_state);
    EXPECT_EQ(attempt([&] { static_cast<void>(done.is_ready()); }).code, errc::invalid_state);
    return 0;
  });
}

TEST(in_flight, a_wait_that_runs_out_of_time_harms_nothing) {
  std::atomic<bool> timed_out{false};
  test::each_rank(2, [&](const communicator& comm) {
    for (const test::way& by : test::ways()) {
      std::vector<double> values(by.count, 1);
      if (comm.rank() == 1) {
        while (!timed_out.load()) std::this_thread::yield();
      }
      auto waited = all_reduce(comm, in_place, values, std::plus{}, {.algorithm = by.algorithm});
      if (comm.rank() == 0) {
        EXPECT_EQ(waited.wait_for(0s), std::future_status::timeout);
        EXPECT_EQ(waited.wait_for(3ms), std::future_status::timeout);
        EXPECT_FALSE(waited.is_ready());
        timed_out = true;
      }
      EXPECT_EQ(waited.wait_for(1h), std::future_status::ready);
      EXPECT_TRUE(waited.is_ready());
      waited.get();
      EXPECT_EQ(values, std::vector<double>(by.count, 2));
      if (comm.rank() == 1) timed_out = false;
      barrier(launch::sync, comm);
    }
    return 0;
  });
}

TEST(in_flight, with_a_progress_thread_nobody_needs_to_wait) {
  std::atomic<int> complete{0};
  test::each_rank(
      3,
      [&](const communicator& comm) {
        for (const test::way& by : test::ways()) {
          std::vector<double> values(by.count, 1);
          auto noted =
              all_reduce(comm, in_place, values, std::plus{}, {.algorithm = by.algorithm}).then([&](future<void> done) {
                done.get();
                ++complete;
              });
          const int all = 3 * (static_cast<int>(&by - test::ways().data()) + 1);
          while (complete.load() < all) std::this_thread::yield();  // no call of ours moves anything on
          EXPECT_EQ(values, std::vector<double>(by.count, 3));
          noted.get();
        }
        return 0;
      },
      {.progress_thread = true});
}

/// Elements that want more alignment than memory has by itself, in a call that goes on with copies of its own.
struct alignas(64) wide {
  std::int64_t value;
};

TEST(in_flight, copies_of_a_dropped_call_are_aligned_for_its_elements) {
  for (const int sites : {2, 3}) {
    std::atomic<int> misaligned{0};
    std::atomic<int> combined{0};
    test::each_rank(sites, [&](const communicator& comm) {
      const auto watch = [&](const wide& a, const wide& b) {
        for (const wide* one : {&a, &b}) {
          if (reinterpret_cast<std::uintptr_t>(one) % alignof(wide) != 0) ++misaligned;
        }
        ++combined;
        return wide{a.value + b.value};
      };
      for (std::size_t count = 1; count <= 400; count += 57) {
        const std::vector<wide> in(count, wide{comm.rank() + 1});
        std::vector<wide> out(count);
        for (const char* algorithm : {"all_reduce/direct", "all_reduce/sliced", "all_reduce/tree"})
          static_cast<void>(all_reduce(comm, in, out, watch, {.algorithm = algorithm}));  // dropped at once
      }
      barrier(comm).get();
      return 0;
    });
    EXPECT_EQ(misaligned, 0);
    EXPECT_GT(combined, 0);
  }
}

/// What some ranks took for a call that found no room on others is free again once all have come out of it.
TEST(in_flight, a_call_that_found_no_room_leaves_none_taken) {
  const test::scoped_variable small("TUTTI_SEGMENT_BYTES", "16Mi");
  run_threads(8, [](const communicator& comm) {
    for (int round = 0; round < 3; ++round) {
      std::vector<double> large(std::size_t{1} << 17, comm.rank());
      const auto refused =
          attempt([&] { all_reduce(launch::sync, comm, in_place, large, max{}, {.algorithm = "all_reduce/sliced"}); });
      EXPECT_EQ(refused.code, errc::no_space) << refused.text;
      barrier(launch::sync, comm);
      std::vector<double> smaller(std::size_t{1} << 15, comm.rank());
      const auto served = attempt(
          [&] { all_reduce(launch::sync, comm, in_place, smaller, max{}, {.algorithm = "all_reduce/sliced"}); });
      EXPECT_EQ(served.code, errc::success) << served.text;
      EXPECT_EQ(smaller, std::vector<double>(std::size_t{1} << 15, 7));
    }
  });
}

}  // namespace
}  // namespace tutti
