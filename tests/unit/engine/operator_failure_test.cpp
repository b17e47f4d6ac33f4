// SPDX-License-Identifier: BSL-1.0
// Operators that throw: the call fails on every rank, the thrower gets its own exception, and the next call works.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>

#include "algorithms/registry.hpp"
#include "support/each_rank.hpp"

namespace tutti {
namespace {

using test::attempt;
using test::ending;

struct users_own : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Adds; throws at its n-th application, and counts what comes after.
struct fragile_sum {
  struct log {
    int applications = 0;
    int after_throw = 0;
    bool threw = false;
  };
  double operator()(const double& a, const double& b) {
    if (notes->threw) ++notes->after_throw;
    if (++notes->applications == throws_at) {
      notes->threw = true;
      throw users_own("too much to bear");
    }
    return a + b;
  }
  log* notes;
  int throws_at;
};

struct on_rank {
  ending ended;
  bool own_exception = false;
  fragile_sum::log notes;
};

on_rank try_fragile(const communicator& comm, std::string_view algorithm, std::size_t count, bool blocking,
                    int throws_at) {
  on_rank made;
  const std::vector<double> in(count, 1);
  std::vector<double> out(count);
  const auto op = commutative(fragile_sum{&made.notes, throws_at});
  made.ended = attempt([&] {
    try {
      if (blocking) {
        all_reduce(launch::sync, comm, in, out, op, {.algorithm = algorithm});
      } else {
        all_reduce(comm, in, out, op, {.algorithm = algorithm}).get();
      }
    } catch (const users_own&) {
      made.own_exception = true;
      throw;
    }
  });
  EXPECT_EQ(in, std::vector<double>(count, 1));
  return made;
}

/// `throws_at(rank)`: 0 never.
template <class ThrowsAt>
void expect_failure_everywhere(ThrowsAt throws_at) {
  int failures = 0;
  for (const auto& which : algorithms::all()) {
    if (which.what != collective::all_reduce) continue;
    for (const int sites : {2, 3, 5}) {
      for (const std::size_t count : {std::size_t{1}, std::size_t{5}, std::size_t{4'001}}) {
        for (const bool blocking : {true, false}) {
          SCOPED_TRACE(fmt::format("{} P={} count={} blocking={}", which.id, sites, count, blocking));
          const auto ranks = test::each_rank(sites, [&](const communicator& comm) {
            const on_rank made = try_fragile(comm, which.id, count, blocking, throws_at(comm.rank()));
            std::vector<double> others(count, 7);  // not what the failed call had
            all_reduce(launch::sync, comm, in_place, others, std::plus{}, {.algorithm = which.id});
            EXPECT_EQ(others, std::vector<double>(count, 7 * comm.size()));
            return made;
          });
          // Where a rank has nothing to fold, its operator is not asked.
          const bool threw = std::any_of(ranks.begin(), ranks.end(), [](const auto& r) { return r.notes.threw; });
          failures += threw ? 1 : 0;
          std::string told;
          for (const on_rank& r : ranks) {
            EXPECT_EQ(r.ended.well, !threw) << r.ended.text;
            EXPECT_EQ(r.own_exception, r.notes.threw) << r.ended.text;
            EXPECT_EQ(r.notes.after_throw, 0);
            if (!threw || r.own_exception) continue;
            EXPECT_EQ(r.ended.code, errc::operator_failed);
            EXPECT_NE(r.ended.text.find("too much to bear"), std::string::npos) << r.ended.text;
            if (told.empty()) told = r.ended.text;
            EXPECT_EQ(r.ended.text, told);
          }
        }
      }
    }
  }
  EXPECT_GT(failures, 0);
}

TEST(operator_failure, on_the_first_rank) {
  expect_failure_everywhere([](int rank) { return rank == 0 ? 1 : 0; });
}
TEST(operator_failure, on_the_second_rank) {
  expect_failure_everywhere([](int rank) { return rank == 1 ? 1 : 0; });
}
TEST(operator_failure, on_all_ranks) {
  expect_failure_everywhere([](int) { return 1; });
}
TEST(operator_failure, at_the_second_application) {
  expect_failure_everywhere([](int rank) { return rank == 0 ? 2 : 0; });
}
TEST(operator_failure, at_different_applications_on_different_ranks) {
  expect_failure_everywhere([](int rank) { return 1 + 3 * rank; });
}

TEST(operator_failure, of_something_that_is_no_exception_type) {
  struct throws_a_number {
    int operator()(const int&, const int&) const { throw 7; }
  };
  test::each_rank(3, [](const communicator& comm) {
    EXPECT_THROW(all_reduce(launch::sync, comm, 1, throws_a_number{}), int);
    EXPECT_THROW(all_reduce(comm, 1, throws_a_number{}).get(), int);
    EXPECT_TRUE(test::still_works(comm));
    return 0;
  });
}

TEST(operator_failure, again_and_again) {
  test::each_rank(3, [](const communicator& comm) {
    for (int round = 0; round < 50; ++round) {
      const int thrower = round % 3;
      const auto made = try_fragile(comm, "all_reduce/direct", 5, round % 2 == 0, comm.rank() == thrower ? 1 : 0);
      EXPECT_FALSE(made.ended.well);
      EXPECT_EQ(made.own_exception, comm.rank() == thrower);
    }
    EXPECT_TRUE(test::still_works(comm));
    return 0;
  });
}

TEST(operator_state, is_kept_from_application_to_application) {
  struct counting {
    std::uint64_t operator()(const std::uint64_t& a, const std::uint64_t& b) noexcept {
      ++*applications;
      ++own;
      EXPECT_EQ(own, *applications);
      return a + b;
    }
    std::uint64_t* applications;
    std::uint64_t own = 0;
  };
  test::each_rank(3, [](const communicator& comm) {
    std::uint64_t applications = 0;
    std::vector<std::uint64_t> values(5'000, 1);
    all_reduce(comm, in_place, values, counting{&applications}, {.algorithm = "all_reduce/direct"}).get();
    EXPECT_EQ(applications, 2u * 5'000);
    EXPECT_EQ(values, std::vector<std::uint64_t>(5'000, 3));
    return 0;
  });
}

TEST(operator_state, belongs_to_the_operation_although_the_temporary_is_gone) {
  test::each_rank(2, [](const communicator& comm) {
    auto owned = std::make_shared<int>(5);
    const std::weak_ptr<int> watched = owned;
    auto result = all_reduce(comm, 1, [kept = std::move(owned)](const int& a, const int& b) { return a + b + *kept; });
    EXPECT_EQ(result.get(), 7);
    EXPECT_TRUE(watched.expired());
    return 0;
  });
}

}  // namespace
}  // namespace tutti
