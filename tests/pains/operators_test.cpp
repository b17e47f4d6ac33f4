// SPDX-License-Identifier: BSL-1.0
// Pains of operators: order, state, threads, lifetime, exceptions.
#include <malloc.h>

#include <atomic>
#include <thread>

#include "pains/pains.hpp"

namespace tutti {
namespace {

using test::all_reduces;
using test::error_of;
using test::forced;
using test::has;
using test::matrix;
using test::ordered_all_reduces;

TEST(Pain, P031_NonBlockingReductionsKeepRankOrder) {
  for (int size = 2; size <= 5; ++size) {
    run_threads(size, [size](const communicator& comm) {
      const auto count = static_cast<std::size_t>(size * size * size * size);
      std::vector<matrix> in(count);
      for (std::size_t i = 0; i < count; ++i) in[i] = test::matrix_at(comm.rank(), i);
      for (const auto* which : ordered_all_reduces()) {
        std::vector<matrix> out(count);
        std::vector<matrix> both = in;
        auto apart = all_reduce(comm, in, out, test::product, forced(*which));
        auto in_one = all_reduce(comm, in_place, both, test::product, forced(*which));
        in_one.get();
        apart.get();
        for (std::size_t i = 0; i < count; ++i) {
          const matrix expected = test::product_at(size, i);
          ASSERT_EQ(out[i], expected) << which->id << ", P=" << size << ", i=" << i;
          ASSERT_EQ(both[i], expected) << which->id << ", P=" << size << ", i=" << i;
        }
      }
    });
  }
}

TEST(Pain, P032_EveryAlgorithmIsRightOrRefusesANonCommutativeOperator) {
  for (const int size : {4, 5, 7}) {
    run_threads(size, [size](const communicator& comm) {
      for (const auto* which : all_reduces()) {
        std::vector<matrix> both(17);
        for (std::size_t i = 0; i < both.size(); ++i) both[i] = test::matrix_at(comm.rank(), i);
        const auto call = [&] { all_reduce(launch::sync, comm, in_place, both, test::product, forced(*which)); };
        if (which->order == algorithms::operand_order::any) {
          EXPECT_EQ(error_of(call).code(), errc::not_applicable) << which->id;
          continue;
        }
        call();
        for (std::size_t i = 0; i < both.size(); ++i) EXPECT_EQ(both[i], test::product_at(size, i)) << which->id;
      }
    });
  }
}

/// Up to 15 digits, concatenated.
struct word {
  std::uint64_t digits = 0;
  std::uint64_t scale = 10;
  friend bool operator==(const word&, const word&) = default;
};

TEST(Pain, P033_ForcedRingWithConcatenationIsAnErrorOnEveryRank) {
  run_threads(5, [](const communicator& comm) {
    const auto concatenate = [](const word& a, const word& b) {
      return word{a.digits * b.scale + b.digits, a.scale * b.scale};
    };
    const word mine{static_cast<std::uint64_t>(comm.rank() + 1), 10};
    const error why =
        error_of([&] { all_reduce(launch::sync, comm, mine, concatenate, {.algorithm = "all_reduce/ring"}); });
    EXPECT_EQ(why.code(), errc::not_applicable);
    EXPECT_TRUE(has(why.what(), "all_reduce/ring") && has(why.what(), "commutative")) << why.what();
    EXPECT_EQ(all_reduce(launch::sync, comm, mine, concatenate), (word{12345, 100'000}));
  });
}

TEST(Pain, P036_ACallableIsNotCommutativeUnlessItSaysSo) {
  const auto after = [](const matrix& x, const matrix& y) { return x * y; };
  static_assert(!operator_traits<decltype(after)>::is_commutative);
  static_assert(operator_traits<decltype(commutative(after))>::is_commutative);
  run_threads(4, [&](const communicator& comm) {
    EXPECT_EQ(all_reduce(comm, test::matrix_at(comm.rank(), 3), after).get(), test::product_at(4, 3));
    const auto sum = commutative([](int a, int b) { return a + b; });
    EXPECT_EQ(all_reduce(comm, comm.rank(), sum, {.algorithm = "all_reduce/ring"}).get(), 6);
  });
}

/// Adds, and `extra` for every combination: associative and commutative.
struct plus_extra {
  std::int64_t extra;
  std::int64_t operator()(std::int64_t a, std::int64_t b) const { return a + b + extra; }
};

TEST(Pain, P037_EachCallUsesItsOwnFunctor) {
  run_threads(2, [](const communicator& everyone) {
    const std::int64_t me = everyone.rank();
    std::array<communicator, 2> comms{create_communicator("/pain/a"), create_communicator("/pain/b")};
    std::vector<std::jthread> threads;
    for (std::int64_t extra = 2; extra <= 3; ++extra) {
      threads.emplace_back([&, extra] {
        for (std::int64_t i = 0; i < test::times(1000); ++i) {
          ASSERT_EQ(all_reduce(comms[static_cast<std::size_t>(extra - 2)], me + i, plus_extra{extra}).get(),
                    1 + 2 * i + extra);
        }
      });
    }
  });
}

TEST(Pain, P039_OperatorRunsOnTheCallersThread) {
  run_threads(2, [](const communicator& comm) {
    const auto caller = std::this_thread::get_id();
    int applied = 0;  // plain: applications of one call are never concurrent
    const auto add = [&](int a, int b) {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      ++applied;
      return a + b;
    };
    std::vector<int> both(1000, 1);
    all_reduce(launch::sync, comm, in_place, both, add, {.algorithm = "all_reduce/direct"});
    all_reduce(comm, in_place, both, add, {.algorithm = "all_reduce/direct"}).get();
    EXPECT_EQ(applied, 2000);
  });
}

TEST(Pain, P039_WithAProgressThreadApplicationsDoNotOverlap) {
  run_threads(2,
              [](const communicator& comm) {
                std::atomic<int> inside{0};
                const auto add = [&](std::int64_t a, std::int64_t b) {
                  EXPECT_EQ(inside.fetch_add(1), 0);
                  inside.fetch_sub(1);
                  return a + b;
                };
                for (int i = 0; i < test::times(200); ++i) {
                  std::vector<std::int64_t> both(100, i);
                  auto running = all_reduce(comm, in_place, both, add);
                  while (!running.is_ready()) std::this_thread::yield();
                  running.get();
                  ASSERT_EQ(both, std::vector<std::int64_t>(100, 2 * i));
                }
              },
              {.progress_thread = true});
}

TEST(Pain, P040_FreshCallablesLeaveNothingBehind) {
  run_threads(2, [](const communicator& comm) {
    const auto call = [&](int i) {
      std::array<std::int64_t, 32> large{i};  // too large for the room inside an operation
      const auto add = [i, large](std::int64_t a, std::int64_t b) { return a + b + i - large[0]; };
      ASSERT_EQ(all_reduce(comm, std::int64_t{i}, add).get(), 2 * i);
    };
    for (int i = 0; i < 100; ++i) call(i);
    barrier(launch::sync, comm);
    const std::size_t before = mallinfo2().uordblks;
    barrier(launch::sync, comm);
    for (int i = 0; i < test::times(20'000); ++i) call(i);
    barrier(launch::sync, comm);
    const std::size_t after = mallinfo2().uordblks;
    barrier(launch::sync, comm);
    EXPECT_LT(after, before + 100'000) << "a call in a hundred keeping a byte would show";
  });
}

/// What everyone must see of a call whose operator threw on the ranks in `throwing`.
void expect_thrown(const communicator& comm, const options& wishes, bool mine_throws) {
  const auto add = [&](int a, int b) {
    if (mine_throws) throw std::domain_error("odd number " + std::to_string(a % 2));
    return a + b;
  };
  try {
    std::vector<int> both(100, comm.rank());
    all_reduce(comm, in_place, both, commutative(add), wishes).get();
    ADD_FAILURE() << "no error on rank " << comm.rank() << " with " << wishes.algorithm;
  } catch (const std::domain_error& e) {
    EXPECT_TRUE(mine_throws) << e.what();
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::operator_failed) << e.what();
    EXPECT_TRUE(has(e.what(), "odd number")) << e.what();
  }
}

TEST(Pain, P041_OperatorThatThrowsFailsTheCallOnEveryRank) {
  run_threads(4, [](const communicator& comm) {
    for (const auto* which : all_reduces()) {
      expect_thrown(comm, forced(*which), true);
      EXPECT_EQ(all_reduce(comm, 1, std::plus{}).get(), 4) << "after " << which->id;
    }
    // Rank 0 applies the operator in every algorithm that folds anywhere at all.
    for (const auto* which : all_reduces()) {
      expect_thrown(comm, forced(*which), comm.rank() == 0);
      EXPECT_EQ(all_reduce(comm, 1, std::plus{}).get(), 4) << "after " << which->id;
    }
  });
}

TEST(Pain, P041_OperatorThatThrowsTheSecondTime) {
  run_threads(4, [](const communicator& comm) {
    for (const auto* which : all_reduces()) {
      int applied = 0;
      const auto add = [&](int a, int b) {
        if (++applied == 2) throw std::domain_error("odd number");
        return a + b;
      };
      std::vector<int> both(100, 1);
      EXPECT_THROW(all_reduce(launch::sync, comm, in_place, both, commutative(add), forced(*which)), std::exception)
          << which->id << " on rank " << comm.rank();
      EXPECT_EQ(all_reduce(launch::sync, comm, 1, std::plus{}), 4) << "after " << which->id;
    }
  });
}

}  // namespace
}  // namespace tutti
