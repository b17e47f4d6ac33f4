// SPDX-License-Identifier: BSL-1.0
// Pains of disagreement and of many calls at once.
#include <random>
#include <thread>

#include "pains/pains.hpp"

namespace tutti {
namespace {

using test::error_of;
using test::has;

/// Rank 0 brings `one` elements, the others `other`; all must learn it, and the next call must work.
void expect_count_mismatch(std::size_t one, std::size_t other) {
  run_threads(2, [=](const communicator& comm) {
    std::vector<float> both(comm.rank() == 0 ? one : other, 1.0F);
    const error blocking = error_of([&] { all_reduce(launch::sync, comm, in_place, both, std::plus{}); });
    EXPECT_EQ(blocking.code(), errc::mismatch) << one << " against " << other;
    const error later = error_of([&] { all_reduce(comm, in_place, both, std::plus{}).get(); });
    EXPECT_EQ(later.code(), errc::mismatch) << one << " against " << other;
    for (const error& why : {blocking, later}) {
      EXPECT_TRUE(has(why.what(), std::to_string(one)) && has(why.what(), std::to_string(other))) << why.what();
    }
    EXPECT_EQ(all_reduce(launch::sync, comm, 1, std::plus{}), 2);
  });
}

TEST(Pain, P068_DifferentCountsAreAnErrorOnBothRanks) {
  expect_count_mismatch(1000, 1001);
  expect_count_mismatch(64, 128);
  expect_count_mismatch(1, 100'000);
  expect_count_mismatch(0, 1);
}

TEST(Pain, P070_MessageNamesOperationRankAndBothCounts) {
  run_threads(3, [](const communicator& comm) {
    std::vector<int> both(comm.rank() == 1 ? 1142 : 1088, 1);
    const error why = error_of([&] { all_reduce(launch::sync, comm, in_place, both, std::plus{}); });
    EXPECT_EQ(why.code(), errc::mismatch);
    for (const char* part : {"all_reduce", "1142", "1088", "rank 1 called", "ranks 0 and 2 called", "int"})
      EXPECT_TRUE(has(why.what(), part)) << part << " in: " << why.what();
  });
}

TEST(Pain, P071_MismatchIsCatchableInTheCallersFuture) {
  run_threads(2, [](const communicator& comm) {
    barrier(launch::sync, comm);
    std::vector<float> both(comm.rank() == 0 ? 1 : 4'800'000, 1.0F);
    auto running = all_reduce(comm, in_place, both, std::plus{});
    running.wait();
    EXPECT_TRUE(running.is_ready());
    const error why = error_of([&] { running.get(); });
    EXPECT_EQ(why.code(), errc::mismatch);
    for (const char* part : {"all_reduce", "4800000", "call 2"})
      EXPECT_TRUE(has(why.what(), part)) << part << " in: " << why.what();
  });
}

TEST(Pain, P072_DiagnosticShowsTheWholeCallOfEachRank) {
  run_threads(2, [](const communicator& comm) {
    std::vector<float> floats(200, 1.0F);
    std::vector<long> longs(200, 1);
    const bool first = comm.rank() == 0;
    const error operation = error_of([&] {
      if (first) return all_reduce(launch::sync, comm, in_place, floats, std::plus{});
      barrier(launch::sync, comm);
    });
    for (const char* part :
         {"rank 0 called all_reduce", "200", "float", "plus", "rank 1 called barrier", "call 1", "agreement_test.cpp"})
      EXPECT_TRUE(has(operation.what(), part)) << part << " in: " << operation.what();
    const error type = error_of([&] {
      if (first) return all_reduce(launch::sync, comm, in_place, floats, std::plus{});
      all_reduce(launch::sync, comm, in_place, longs, std::plus{});
    });
    for (const char* part : {"float", "long", "call 2"})
      EXPECT_TRUE(has(type.what(), part)) << part << " in: " << type.what();
    const error reduction = error_of([&] {
      if (first) return all_reduce(launch::sync, comm, in_place, floats, max{});
      all_reduce(launch::sync, comm, in_place, floats, std::plus{});
    });
    for (const char* part : {"max", "plus", "call 3"})
      EXPECT_TRUE(has(reduction.what(), part)) << part << " in: " << reduction.what();
    for (const error& why : {operation, type, reduction}) EXPECT_EQ(why.code(), errc::mismatch);
    barrier(launch::sync, comm);
  });
}

TEST(Pain, P096_DroppedFuturesAndTemporariesAreSafe) {
  run_threads(2, [](const communicator& comm) {
    constexpr std::size_t count = 1U << 12;
    const int turns = test::times(1000);
    for (int turn = 0; turn < turns; ++turn) {
      if (comm.rank() == 1) {
        // Both vectors die before the operation ends; so does the future.
        (void)all_reduce(comm, std::vector<double>(count, turn), std::vector<double>(count), std::plus{});
        continue;
      }
      std::vector<double> out(count);
      all_reduce(comm, std::vector<double>(count, 1.0), out, std::plus{}).wait();
      // The temporary input died, but only once the operation was complete.
      for (const double one : out) ASSERT_EQ(one, turn + 1.0);
    }
    EXPECT_EQ(all_reduce(launch::sync, comm, 1, std::plus{}), 2);
  });
}

/// `turns` sums of vectors whose lengths differ from turn to turn.
void sum_often(const communicator& comm, int turns, int seed) {
  for (int turn = 0; turn < turns; ++turn) {
    std::vector<std::int64_t> both(static_cast<std::size_t>((turn * 31 + seed) % 200), comm.rank() + turn + seed);
    all_reduce(launch::sync, comm, in_place, both, std::plus{});
    for (const auto one : both) ASSERT_EQ(one, 1 + 2 * (turn + seed));
  }
}

TEST(Pain, P097_TwoThreadsOnTwoCommunicators) {
  run_threads(2, [](const communicator&) {
    const communicator first = create_communicator("/pain/first");
    const communicator second = create_communicator("/pain/second");
    std::jthread other([&] { sum_often(first, test::times(1000), 5); });
    sum_often(second, test::times(1000), 9);
  });
}

TEST(Pain, P097_TwoThreadsOnOneCommunicatorAreRightOrToldSo) {
  run_threads(2, [](const communicator& comm) {
    const auto many = [&] {
      try {
        for (int turn = 0; turn < test::times(1000); ++turn)
          ASSERT_EQ(all_reduce(launch::sync, comm, std::int64_t{comm.rank()} + 1, std::plus{}), 3);
      } catch (const error& e) {
        EXPECT_TRUE(e.code() == errc::concurrent_use || e.code() == errc::rank_lost) << e.what();
      }
    };
    std::jthread other(many);
    many();
  });
}

TEST(Pain, P100_BlockingCallWhileAnotherIsOutstanding) {
  run_threads(2, [](const communicator& comm) {
    auto outstanding = all_reduce(comm, 1, std::plus{});
    EXPECT_EQ(all_reduce(launch::sync, comm, 1, std::plus{}), 2);
    EXPECT_EQ(outstanding.get(), 2);
    auto passing = barrier(comm);
    barrier(launch::sync, comm);
    passing.get();
  });
}

TEST(Pain, P103_RandomCountsNeverMeetAnOldSlot) {
  run_threads(4, [](const communicator& comm) {
    std::mt19937 same(103);  // equal on all ranks: counts agree
    std::vector<std::uint32_t> in;
    std::vector<std::uint32_t> out;
    for (std::uint32_t turn = 0; turn < static_cast<std::uint32_t>(test::times(20'000)); ++turn) {
      const std::size_t count = same() % 8 == 0 ? same() % 3000 : same() % 16;
      const auto mine = static_cast<std::uint32_t>(comm.rank());
      in.resize(count);
      out.assign(count, 0);
      for (std::size_t i = 0; i < count; ++i) in[i] = turn * 1000 + mine + static_cast<std::uint32_t>(i);
      if (turn % 5 == 4) barrier(launch::sync, comm);
      all_reduce(launch::sync, comm, in, out, std::plus{});
      for (std::size_t i = 0; i < count; ++i)
        ASSERT_EQ(out[i], 4 * (turn * 1000 + static_cast<std::uint32_t>(i)) + 6) << "turn " << turn << ", n=" << count;
    }
  });
}

TEST(Pain, P118_EndingOneCommunicatorLeavesTheOther) {
  run_threads(2, [](const communicator&) {
    communicator first = create_communicator("/pain/same_base/first");
    const communicator second = create_communicator("/pain/same_base/second");
    EXPECT_EQ(all_reduce(launch::sync, first, 1, std::plus{}), 2);
    first = {};
    for (int turn = 0; turn < 100; ++turn) {
      std::vector<int> both(1000, turn);
      all_reduce(launch::sync, second, in_place, both, std::plus{});
      ASSERT_EQ(both, std::vector<int>(1000, 2 * turn));
    }
    const communicator again = create_communicator("/pain/same_base/first");
    EXPECT_EQ(all_reduce(launch::sync, again, 1, std::plus{}), 2);
  });
}

}  // namespace
}  // namespace tutti
