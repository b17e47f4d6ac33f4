// SPDX-License-Identifier: BSL-1.0
// Calls that cannot be made, on one rank or on all: an error on every rank, and the next call works.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "support/each_rank.hpp"

namespace tutti {
namespace {

using test::attempt;
using test::ending;

struct bad_call {
  const char* name;
  errc code;
  std::string text;  ///< in the error's words
  std::function<void(const communicator&, bool blocking)> make;
};

/// A sum of doubles in the form asked for.
void sum(const communicator& comm, bool blocking, std::span<const double> in, std::span<double> out,
         const options& wishes = {}) {
  if (blocking) {
    all_reduce(launch::sync, comm, in, out, std::plus{}, wishes);
  } else {
    all_reduce(comm, in, out, std::plus{}, wishes).get();
  }
}

std::vector<bad_call> bad_calls() {
  std::vector<bad_call> all;
  const auto add = [&](const char* name, errc code, const char* text, auto make) {
    all.push_back({name, code, text, make});
  };
  add("unequal_sizes", errc::bad_argument, "input has 3 elements and the output 4",
      [](const auto& comm, bool blocking) {
        std::vector<double> in(3), out(4);
        sum(comm, blocking, in, out);
      });
  add("partial_overlap", errc::bad_argument, "overlap", [](const auto& comm, bool blocking) {
    std::vector<double> both(5);
    sum(comm, blocking, {both.data(), 4}, {both.data() + 1, 4});
  });
  add("null_input", errc::bad_argument, "null", [](const auto& comm, bool blocking) {
    std::vector<double> out(4);
    sum(comm, blocking, {static_cast<const double*>(nullptr), 4}, out);
  });
  add("null_output", errc::bad_argument, "null", [](const auto& comm, bool blocking) {
    std::vector<double> in(4);
    sum(comm, blocking, in, {static_cast<double*>(nullptr), 4});
  });
  add("overflowing_count", errc::bad_argument, "bits", [](const auto& comm, bool blocking) {
    double one = 0;
    double other = 0;
    constexpr std::size_t count = std::numeric_limits<std::size_t>::max() / 8;
    sum(comm, blocking, {&one, count}, {&other, count});
  });
  add("unknown_algorithm", errc::unknown_name, "all_reduce/rin", [](const auto& comm, bool blocking) {
    std::vector<double> in(4), out(4);
    sum(comm, blocking, in, out, {.algorithm = "all_reduce/rin"});
  });
  add("algorithm_of_another_operation", errc::not_applicable, "barrier/tree", [](const auto& comm, bool blocking) {
    std::vector<double> in(4), out(4);
    sum(comm, blocking, in, out, {.algorithm = "barrier/tree"});
  });
  add("arity_below_two", errc::bad_argument, "arity is 1", [](const auto& comm, bool blocking) {
    std::vector<double> in(4), out(4);
    sum(comm, blocking, in, out, {.arity = 1});
  });
  add("ring_for_a_left_fold", errc::not_applicable, "left fold", [](const auto& comm, bool blocking) {
    const options wishes{.algorithm = "all_reduce/ring"};
    if (blocking) {
      all_reduce(launch::sync, comm, 1.0, left_fold(std::minus{}), wishes);
    } else {
      all_reduce(comm, 1.0, left_fold(std::minus{}), wishes).get();
    }
  });
  add("ring_for_an_operator_not_commutative", errc::not_applicable, "not declared commutative",
      [](const auto& comm, bool blocking) {
        const auto first = [](const int& a, const int&) noexcept { return a; };
        const options wishes{.algorithm = "all_reduce/ring"};
        if (blocking) {
          all_reduce(launch::sync, comm, 1, first, wishes);
        } else {
          all_reduce(comm, 1, first, wishes).get();
        }
      });
  add("barrier_by_an_all_reduce", errc::not_applicable, "all_reduce/ring", [](const auto& comm, bool blocking) {
    const options wishes{.algorithm = "all_reduce/ring"};
    if (blocking) {
      barrier(launch::sync, comm, wishes);
    } else {
      barrier(comm, wishes).get();
    }
  });
  return all;
}

class bad_argument_of : public testing::TestWithParam<bad_call> {};

TEST_P(bad_argument_of, every_rank) {
  const bad_call& bad = GetParam();
  for (const int sites : {2, 3}) {
    for (const bool blocking : {true, false}) {
      const auto endings = test::each_rank(sites, [&](const communicator& comm) {
        const ending ended = attempt([&] { bad.make(comm, blocking); });
        EXPECT_TRUE(test::still_works(comm));
        return ended;
      });
      for (const ending& one : endings) {
        EXPECT_EQ(one.code, bad.code) << one.text;
        EXPECT_NE(one.text.find(bad.text), std::string::npos) << one.text;
        EXPECT_EQ(one.text, endings[0].text);
      }
    }
  }
}

TEST_P(bad_argument_of, one_rank_alone) {
  const bad_call& bad = GetParam();
  for (const test::way& by : test::ways()) {
    for (const bool blocking : {true, false}) {
      SCOPED_TRACE(fmt::format("the others by {}, blocking {}", by.name, blocking));
      const auto endings = test::each_rank(3, [&](const communicator& comm) {
        const std::vector<double> in(by.count, 1);
        std::vector<double> out(by.count);
        const ending ended = attempt([&] {
          if (comm.rank() == 1) {
            bad.make(comm, blocking);
          } else {
            sum(comm, blocking, in, out, {.algorithm = by.algorithm});
          }
        });
        EXPECT_EQ(in, std::vector<double>(by.count, 1));
        EXPECT_TRUE(test::still_works(comm));
        return ended;
      });
      for (const ending& one : endings) {
        EXPECT_EQ(one.code, bad.code) << one.text;
        EXPECT_NE(one.text.find(bad.text), std::string::npos) << one.text;
        EXPECT_NE(one.text.find("rank 1"), std::string::npos) << one.text;
        EXPECT_EQ(one.text, endings[0].text);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(calls, bad_argument_of, testing::ValuesIn(bad_calls()),
                         [](const auto& one) { return one.param.name; });

TEST(arguments, alone_there_is_nobody_else_to_tell_but_the_error_is_the_same) {
  test::each_rank(1, [](const communicator& comm) {
    for (const bad_call& bad : bad_calls()) {
      if (std::string_view(bad.name).starts_with("ring_for")) continue;  // nothing is combined
      EXPECT_EQ(attempt([&] { bad.make(comm, true); }).code, bad.code) << bad.name;
      EXPECT_EQ(attempt([&] { bad.make(comm, false); }).code, bad.code) << bad.name;
    }
    EXPECT_TRUE(test::still_works(comm));
    return 0;
  });
}

TEST(arguments, of_a_bad_call_whose_future_is_dropped_are_not_looked_at) {
  test::each_rank(2, [&](const communicator& comm) {
    const std::span<const double> nowhere(static_cast<const double*>(nullptr), 4);
    const std::span<double> no_room(static_cast<double*>(nullptr), 3);
    std::vector<double> little(3), much(100'000);
    for (int i = 0; i < 20; ++i) {
      static_cast<void>(all_reduce(comm, nowhere, much, std::plus{}));
      static_cast<void>(all_reduce(comm, little, much, std::plus{}));
      static_cast<void>(all_reduce(comm, much, little, std::plus{}));
      static_cast<void>(all_reduce(comm, little, no_room, std::plus{}));
    }
    EXPECT_TRUE(test::still_works(comm));
    return 0;
  });
}

TEST(arguments, null_pointers_are_welcome_where_there_is_nothing) {
  test::each_rank(3, [](const communicator& comm) {
    for (const test::way& by : test::ways()) {
      sum(comm, true, {}, {}, {.algorithm = by.algorithm});
      sum(comm, false, {}, {}, {.algorithm = by.algorithm});
    }
    EXPECT_TRUE(test::still_works(comm));
    return 0;
  });
}

TEST(arguments, the_same_span_twice_is_in_place) {
  test::each_rank(3, [](const communicator& comm) {
    std::vector<double> both(100, 2);
    sum(comm, true, both, both);
    EXPECT_EQ(both, std::vector<double>(100, 6));
    return 0;
  });
}

TEST(arguments, an_empty_communicator_or_future_says_so) {
  const communicator none;
  EXPECT_EQ(attempt([&] { all_reduce(none, 1, std::plus{}).get(); }).code, errc::invalid_state);
  EXPECT_EQ(attempt([&] { barrier(launch::sync, none); }).code, errc::invalid_state);
  EXPECT_EQ(attempt([&] { static_cast<void>(none.rank()); }).code, errc::invalid_state);
  future<int> nothing;
  EXPECT_FALSE(nothing.valid());
  EXPECT_EQ(attempt([&] { nothing.get(); }).code, errc::invalid_state);
  EXPECT_EQ(attempt([&] { nothing.wait(); }).code, errc::invalid_state);
}

}  // namespace
}  // namespace tutti
