// SPDX-License-Identifier: BSL-1.0
// Ranks that make different calls: an error on every rank, with one text that names who called what and where.
#include <gtest/gtest.h>

#include <functional>
#include <source_location>

#include "support/each_rank.hpp"

namespace tutti {
namespace {

using test::attempt;
using test::ending;
using test::way;

struct one_call {
  std::string text;  ///< what the error must say of it
  std::function<void(const communicator&, bool blocking)> make;
};

template <class T, class Op = std::plus<>>
one_call reduce(const char* text, std::size_t count, options wishes, Op op = {},
                std::source_location where = std::source_location::current()) {
  const auto make = [=](const communicator& comm, bool blocking) {
    std::vector<T> in(count, T(1)), out(count);
    if (blocking) {
      all_reduce(launch::sync, comm, in, out, op, wishes, where);
    } else {
      all_reduce(comm, in, out, op, wishes, where).get();
    }
  };
  return {fmt::format("{} at mismatch_test.cpp:{}", text, where.line()), make};
}

one_call meet(const char* text, options wishes, std::source_location where = std::source_location::current()) {
  const auto make = [=](const communicator& comm, bool blocking) {
    if (blocking) {
      barrier(launch::sync, comm, wishes, where);
    } else {
      barrier(comm, wishes, where).get();
    }
  };
  return {fmt::format("{} at mismatch_test.cpp:{}", text, where.line()), make};
}

/// Rank `odd` makes `other`, the rest `usual`; every rank must hear of both.
void expect_told(int sites, int odd, const one_call& usual, const one_call& other) {
  SCOPED_TRACE(fmt::format("P={}, rank {} calls {}, the others {}", sites, odd, other.text, usual.text));
  const bool blocking = (sites + odd) % 2 == 0;
  const auto endings = test::each_rank(sites, [&](const communicator& comm) {
    const one_call& mine = comm.rank() == odd ? other : usual;
    std::vector<ending> both;
    for (int again = 0; again < 2; ++again) both.push_back(attempt([&] { mine.make(comm, blocking); }));
    EXPECT_TRUE(test::still_works(comm));
    return both;
  });
  for (std::size_t again = 0; again < 2; ++again) {
    const std::string& told = endings[0][again].text;
    for (const auto& both : endings) {
      EXPECT_FALSE(both[again].well);
      EXPECT_EQ(both[again].code, errc::mismatch);
      EXPECT_EQ(both[again].text, told);
    }
    EXPECT_NE(told.find(fmt::format("rank {} called {}", odd, other.text)), std::string::npos) << told;
    EXPECT_NE(told.find("called " + usual.text), std::string::npos) << told;
    for (int rank = 0; rank < sites; ++rank) EXPECT_NE(told.find(std::to_string(rank)), std::string::npos) << told;
  }
}

void expect_told(const one_call& usual, const one_call& other) {
  for (const int sites : {2, 3, 5}) {
    expect_told(sites, 0, usual, other);
    expect_told(sites, sites - 1, other, usual);
  }
}

std::string text_of(std::size_t count, const char* type, const char* op, const char* by) {
  return fmt::format("all_reduce of {} x {} with {} by {}", count, type, op, by);
}

TEST(mismatch, of_algorithm_or_count_between_any_two_ways_of_execution) {
  for (const way& a : test::ways()) {
    for (const way& b : test::ways()) {
      const std::size_t other = &a == &b ? b.count + 1 : b.count;
      expect_told(reduce<double>(text_of(a.count, "double", "std::plus", a.algorithm).c_str(), a.count,
                                 {.algorithm = a.algorithm}),
                  reduce<double>(text_of(other, "double", "std::plus", b.algorithm).c_str(), other,
                                 {.algorithm = b.algorithm}));
    }
  }
}

class mismatch_by : public testing::TestWithParam<way> {
 protected:
  options wishes() const { return {.algorithm = GetParam().algorithm}; }
  one_call usual(std::source_location where = std::source_location::current()) const {
    return reduce<double>(said("double", "std::plus").c_str(), GetParam().count, wishes(), std::plus{}, where);
  }
  std::string said(const char* type, const char* op) const {
    return text_of(GetParam().count, type, op, GetParam().algorithm);
  }
};

TEST_P(mismatch_by, of_type) {
  expect_told(usual(), reduce<std::int64_t>(said("long int", "std::plus").c_str(), GetParam().count, wishes()));
}

TEST_P(mismatch_by, of_operator) {
  expect_told(usual(), reduce<double>(said("double", "tutti::max").c_str(), GetParam().count, wishes(), max{}));
}

TEST_P(mismatch_by, of_operation) {
  expect_told(usual(), meet("barrier by barrier/direct", {}));
  expect_told(usual(), meet("barrier by barrier/tree", {.algorithm = "barrier/tree"}));
}

TEST_P(mismatch_by, of_segment_bytes) {
  options cut = wishes();
  cut.segment_bytes = 4096;
  expect_told(usual(), reduce<double>((said("double", "std::plus") + " in segments of 4096 bytes").c_str(),
                                      GetParam().count, cut));
}

TEST_P(mismatch_by, of_every_rank_from_every_other) {
  const way by = GetParam();
  const auto endings = test::each_rank(4, [&](const communicator& comm) {
    const auto mine = by.count + static_cast<std::size_t>(comm.rank());
    std::vector<double> values(mine, 1);
    const auto ended =
        attempt([&] { all_reduce(launch::sync, comm, in_place, values, std::plus{}, {.algorithm = by.algorithm}); });
    EXPECT_TRUE(test::still_works(comm));
    return ended;
  });
  for (const ending& one : endings) {
    EXPECT_EQ(one.code, errc::mismatch);
    EXPECT_EQ(one.text, endings[0].text);
    for (std::size_t rank = 0; rank < 4; ++rank) {
      EXPECT_NE(one.text.find(fmt::format("rank {} called all_reduce of {} x double", rank, by.count + rank)),
                std::string::npos)
          << one.text;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(ways, mismatch_by, testing::ValuesIn(test::ways()),
                         [](const auto& one) { return one.param.name; });

TEST(mismatch, of_arity) {
  expect_told(reduce<double>("all_reduce of 3 x double with std::plus by all_reduce/hierarchical", 3,
                             {.algorithm = "all_reduce/hierarchical"}),
              reduce<double>("all_reduce of 3 x double with std::plus by all_reduce/hierarchical with arity 3", 3,
                             {.algorithm = "all_reduce/hierarchical", .arity = 3}));
}

TEST(mismatch, between_barriers) {
  expect_told(meet("barrier by barrier/dissemination", {.algorithm = "barrier/dissemination"}),
              meet("barrier by barrier/flat", {.algorithm = "barrier/flat"}));
}

TEST(mismatch, of_an_operation_in_flight_leaves_the_ones_around_it_alone) {
  for (const way& by : test::ways()) {
    test::each_rank(3, [&](const communicator& comm) {
      const auto odd = by.count + (comm.rank() == 1 ? 1 : 0);
      std::vector<double> first(by.count, 1), second(odd, 1), third(by.count, 1);
      const options wishes{.algorithm = by.algorithm};
      auto a = all_reduce(comm, in_place, first, std::plus{}, wishes);
      auto b = all_reduce(comm, in_place, second, std::plus{}, wishes);
      auto c = all_reduce(comm, in_place, third, std::plus{}, wishes);
      EXPECT_TRUE(attempt([&] { c.get(); }).well) << by.name;
      EXPECT_EQ(attempt([&] { b.get(); }).code, errc::mismatch) << by.name;
      EXPECT_TRUE(attempt([&] { a.get(); }).well) << by.name;
      EXPECT_EQ(first, std::vector<double>(by.count, 3));
      EXPECT_EQ(third, std::vector<double>(by.count, 3));
      return 0;
    });
  }
}

}  // namespace
}  // namespace tutti
