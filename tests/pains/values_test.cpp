// SPDX-License-Identifier: BSL-1.0
// Pains of values: NaN, zeros, overflow, bool, ties, small floats, bits that differ between ranks or runs.
#include <bit>
#include <cmath>
#include <complex>
#include <limits>
#include <mutex>
#include <thread>

#include "kernels/kernel_table.hpp"
#include "pains/pains.hpp"

namespace tutti {
namespace {

using test::all_reduces;
using test::forced;

template <class T>
constexpr T nan = std::numeric_limits<T>::quiet_NaN();

/// max of {1, NaN, 3} and {1, 2, 3}, the NaN on one rank and then on the other, in vectors long enough for SIMD.
template <class T>
void nan_wins_wherever_it_is() {
  run_threads(2, [](const communicator& comm) {
    for (const auto* which : all_reduces()) {
      for (const int holder : {0, 1}) {
        std::vector<T> both(3 * 33);
        for (std::size_t i = 0; i < both.size(); ++i)
          both[i] = comm.rank() == holder && i % 3 == 1 ? nan<T> : static_cast<T>(i % 3 + 1);
        all_reduce(launch::sync, comm, in_place, both, max{}, forced(*which));
        for (std::size_t i = 0; i < both.size(); ++i) {
          if (i % 3 == 1) {
            EXPECT_TRUE(std::isnan(both[i])) << which->id << " i=" << i;
          } else {
            EXPECT_EQ(both[i], static_cast<T>(i % 3 + 1)) << which->id << " i=" << i;
          }
        }
      }
    }
  });
}

TEST(Pain, P045_NanWinsWhereverItIs) {
  nan_wins_wherever_it_is<float>();
  nan_wins_wherever_it_is<double>();
  run_threads(4, [](const communicator& comm) {
    constexpr std::array<double, 4> values{1, nan<double>, 3, 4};
    for (const auto* which : all_reduces()) {
      for (std::size_t turn = 0; turn < 4; ++turn) {
        const double mine = values[(static_cast<std::size_t>(comm.rank()) + turn) % 4];
        EXPECT_TRUE(std::isnan(all_reduce(launch::sync, comm, mine, min{}, forced(*which)))) << which->id;
      }
    }
  });
}

template <class T>
void sum_of_negative_zeros(int size) {
  run_threads(size, [](const communicator& comm) {
    for (const auto* which : all_reduces()) {
      std::vector<T> both(37, static_cast<T>(-0.0));
      all_reduce(launch::sync, comm, in_place, both, std::plus{}, forced(*which));
      for (const T& one : both) {
        EXPECT_EQ(std::real(one), 0);
        EXPECT_TRUE(std::signbit(std::real(one))) << which->id << " P=" << comm.size();
      }
    }
  });
}

TEST(Pain, P047_SumOfNegativeZeros) {
  for (int size = 1; size <= 4; ++size) {
    sum_of_negative_zeros<double>(size);
    sum_of_negative_zeros<float>(size);
    run_threads(size, [](const communicator& comm) {
      const auto sum = all_reduce(launch::sync, comm, std::complex<double>(-0.0, -0.0), std::plus{});
      EXPECT_TRUE(std::signbit(sum.real()) && std::signbit(sum.imag()));
    });
  }
}

TEST(Pain, P047_ExtremesOfMixedZeros) {
  run_threads(2, [](const communicator& comm) {
    for (const int negative : {0, 1}) {
      const double mine = comm.rank() == negative ? -0.0 : 0.0;
      EXPECT_FALSE(std::signbit(all_reduce(launch::sync, comm, mine, max{})));
      EXPECT_TRUE(std::signbit(all_reduce(launch::sync, comm, mine, min{})));
    }
  });
}

TEST(Pain, P049_NarrowSumsWrap) {
  run_threads(2, [](const communicator& comm) {
    const auto mine = static_cast<std::int8_t>(comm.rank() == 0 ? 120 : 100);
    EXPECT_EQ(all_reduce(launch::sync, comm, mine, std::plus{}), static_cast<std::int8_t>(-36));
  });
  run_threads(4, [](const communicator& comm) {
    constexpr std::int32_t near = std::numeric_limits<std::int32_t>::max() - 1;
    for (const auto* which : all_reduces()) {
      std::vector<std::int32_t> both(19, near);
      all_reduce(launch::sync, comm, in_place, both, std::plus{}, forced(*which));
      EXPECT_EQ(both, std::vector<std::int32_t>(19, -8)) << which->id;
      EXPECT_EQ(all_reduce(launch::sync, comm, std::int64_t{near}, std::plus{}, forced(*which)),
                4 * std::int64_t{near});
    }
  });
}

TEST(Pain, P052_BoolIsAnElementType) {
  run_threads(2, [](const communicator& comm) {
    const std::array<bool, 5> mine =
        comm.rank() == 0 ? std::array{true, true, false, false, true} : std::array{true, false, true, false, true};
    for (const auto* which : all_reduces()) {
      std::array<bool, 5> either{};
      std::array<bool, 5> all{};
      all_reduce(launch::sync, comm, mine, either, std::logical_or{}, forced(*which));
      all_reduce(comm, mine, all, std::logical_and{}, forced(*which)).get();
      using bytes = std::array<std::uint8_t, 5>;
      EXPECT_EQ(std::bit_cast<bytes>(either), (bytes{1, 1, 1, 0, 1})) << which->id;
      EXPECT_EQ(std::bit_cast<bytes>(all), (bytes{1, 0, 0, 0, 1})) << which->id;
    }
  });
}

TEST(Pain, P053_LogicalAndOnBoolTakesTheFastPath) {
  core::bound_operator<bool, std::logical_and<>> bound(std::logical_and<>{});
  const core::reducer combine = bound.view();
  EXPECT_EQ(combine.state, nullptr) << "a kernel of the library, not a call per element";
  EXPECT_EQ(combine.fold, core::kernel(core::element_code_of<bool>(), core::operator_code::logical_and));
  EXPECT_TRUE(combine.commutative);
  run_threads(2, [](const communicator& comm) {
    EXPECT_FALSE(all_reduce(launch::sync, comm, comm.rank() == 0, std::logical_and<>{}));
    EXPECT_TRUE(all_reduce(launch::sync, comm, true, std::logical_and<bool>{}));
  });
}

TEST(Pain, P056_LowestIndexWinsTies) {
  run_threads(4, [](const communicator& comm) {
    using located = value_at<double>;
    for (const auto* which : all_reduces()) {
      const located equal{5.0, comm.rank()};
      EXPECT_EQ(all_reduce(launch::sync, comm, equal, maxloc{}, forced(*which)), (located{5.0, 0})) << which->id;
      EXPECT_EQ(all_reduce(launch::sync, comm, equal, minloc{}, forced(*which)), (located{5.0, 0})) << which->id;
      const located mine{comm.rank() % 2 == 1 ? 9.0 : 1.0, comm.rank()};
      EXPECT_EQ(all_reduce(launch::sync, comm, mine, maxloc{}, forced(*which)), (located{9.0, 1})) << which->id;
      const located turned{mine.value, 3 - comm.rank()};  // the lower index on the higher rank
      EXPECT_EQ(all_reduce(launch::sync, comm, turned, maxloc{}, forced(*which)), (located{9.0, 0})) << which->id;
    }
  });
}

template <class T>
void small_floats_round_once_per_step() {
  run_threads(2, [](const communicator& comm) {
    std::vector<T> both(1000, T(1.0F));
    all_reduce(launch::sync, comm, in_place, both, std::plus{});
    for (const T& one : both) EXPECT_EQ(static_cast<float>(one), 2.0F);
    // Stated: each step adds in float and rounds to T, so a thousand ones one after the other stop at T's precision.
    T running(0.0F);
    for (int i = 0; i < 500; ++i)
      running = all_reduce(launch::sync, comm, comm.rank() == 0 ? running : T(1.0F), std::plus{});
    float expected = 0;
    for (int i = 0; i < 500; ++i) expected = static_cast<float>(T(expected + 1.0F));
    EXPECT_EQ(static_cast<float>(running), expected);
  });
}

TEST(Pain, P057_SmallFloatsAreElementTypes) {
  small_floats_round_once_per_step<half>();
  small_floats_round_once_per_step<bfloat16>();
}

/// Values whose sum depends on the order of additions.
constexpr std::array<double, 4> touchy{1e16, 1, -1e16, 1};

TEST(Pain, P058_SameBitsOnEveryRank) {
  for (const auto* which : all_reduces()) {
    std::array<std::vector<std::uint64_t>, 4> seen;
    run_threads(4, [&](const communicator& comm) {
      const auto me = static_cast<std::size_t>(comm.rank());
      std::vector<double> both(101);
      for (std::size_t i = 0; i < both.size(); ++i) both[i] = touchy[(me + i) % 4] * static_cast<double>(i + 1) / 3;
      all_reduce(launch::sync, comm, in_place, both, std::plus{}, forced(*which));
      for (const double one : both) seen[me].push_back(std::bit_cast<std::uint64_t>(one));
    });
    for (const auto& other : seen) EXPECT_EQ(other, seen[0]) << which->id;
    EXPECT_EQ(seen[0].size(), 101U);
  }
}

/// Spends a time that differs by rank and turn, so that arrival orders differ.
void dawdle(int rank, int turn) {
  const int yields = (rank * 7919 + turn * 104729) % 4;
  for (int i = 0; i < yields; ++i) std::this_thread::yield();
  volatile int busy = (rank * 31 + turn * 17) % 500;
  while (busy > 0) busy = busy - 1;
}

TEST(Pain, P061_SameBitsRunAfterRun) {
  for (const auto* which : all_reduces()) {
    run_threads(4, [&](const communicator& comm) {
      const auto me = static_cast<std::size_t>(comm.rank());
      std::vector<double> in(9);
      for (std::size_t i = 0; i < in.size(); ++i) in[i] = touchy[(me + i) % 4] / 7;
      std::vector<double> first(in.size());
      all_reduce(launch::sync, comm, in, first, std::plus{}, forced(*which));
      for (int turn = 0; turn < test::times(200); ++turn) {
        dawdle(comm.rank(), turn);
        std::vector<double> again(in.size());
        all_reduce(launch::sync, comm, in, again, std::plus{}, forced(*which));
        ASSERT_EQ(std::memcmp(again.data(), first.data(), sizeof(double) * in.size()), 0) << which->id;
      }
    });
  }
}

}  // namespace
}  // namespace tutti
