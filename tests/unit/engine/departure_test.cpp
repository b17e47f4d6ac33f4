// SPDX-License-Identifier: BSL-1.0
// Ranks that leave without making a call that the others make: those fail, and name who is missing.
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

#include "support/each_rank.hpp"

namespace tutti {
namespace {

using test::attempt;
using test::ending;
using test::way;

class departure : public testing::TestWithParam<way> {
 protected:
  /// What each rank but `leaver` hears in a call that `leaver` does not make.
  template <class Leave>
  std::vector<ending> hear(int sites, int leaver, bool blocking, Leave leave) {
    const way by = GetParam();
    std::vector<ending> endings(static_cast<std::size_t>(sites));
    run_threads(sites, [&](const communicator& comm) {
      std::vector<double> values(by.count, 1);
      const options wishes{.algorithm = by.algorithm};
      all_reduce(launch::sync, comm, in_place, values, std::plus{}, wishes);
      if (comm.rank() == leaver) return leave();
      endings[static_cast<std::size_t>(comm.rank())] = attempt([&] {
        if (blocking) {
          all_reduce(launch::sync, comm, in_place, values, std::plus{}, wishes);
        } else {
          all_reduce(comm, in_place, values, std::plus{}, wishes).get();
        }
      });
      const auto next = attempt([&] { barrier(launch::sync, comm); });
      EXPECT_EQ(next.code, errc::rank_lost) << next.text;
    });
    return endings;
  }

  static void expect_named(const std::vector<ending>& endings, int leaver) {
    for (std::size_t rank = 0; rank < endings.size(); ++rank) {
      if (static_cast<int>(rank) == leaver) continue;
      EXPECT_EQ(endings[rank].code, errc::rank_lost) << endings[rank].text;
      EXPECT_NE(endings[rank].text.find(fmt::format("rank {}", leaver)), std::string::npos) << endings[rank].text;
    }
  }
};

TEST_P(departure, in_good_order) {
  for (const int sites : {2, 3, 5}) {
    for (const bool blocking : {true, false}) {
      for (const int leaver : {0, sites - 1}) expect_named(hear(sites, leaver, blocking, [] {}), leaver);
    }
  }
}

TEST_P(departure, is_noticed_by_whoever_only_polls) {
  const way by = GetParam();
  for (const bool progress_thread : {false, true}) {
    run_threads(3,
                [&](const communicator& comm) {
                  if (comm.rank() == 1) return;
                  std::vector<double> values(by.count, 1);
                  auto never = all_reduce(comm, in_place, values, std::plus{}, {.algorithm = by.algorithm});
                  while (!never.is_ready()) std::this_thread::yield();
                  const auto ended = attempt([&] { never.get(); });
                  EXPECT_EQ(ended.code, errc::rank_lost);
                  EXPECT_NE(ended.text.find("rank 1"), std::string::npos) << ended.text;
                },
                {.progress_thread = progress_thread});
  }
}

TEST_P(departure, by_an_exception) {
  for (const bool blocking : {true, false}) {
    std::vector<ending> endings;
    EXPECT_THROW(run_threads(3,
                             [&](const communicator& comm) {
                               if (comm.rank() == 1) throw std::range_error("went astray");
                               std::vector<double> values(GetParam().count, 1);
                               const options wishes{.algorithm = GetParam().algorithm};
                               const auto ended = attempt([&] {
                                 if (blocking) {
                                   all_reduce(launch::sync, comm, in_place, values, std::plus{}, wishes);
                                 } else {
                                   all_reduce(comm, in_place, values, std::plus{}, wishes).get();
                                 }
                               });
                               EXPECT_EQ(ended.code, errc::rank_lost);
                               EXPECT_NE(ended.text.find("rank 1"), std::string::npos) << ended.text;
                               EXPECT_NE(ended.text.find("went astray"), std::string::npos) << ended.text;
                             }),
                 std::range_error);
  }
}

INSTANTIATE_TEST_SUITE_P(ways, departure, testing::ValuesIn(test::ways()),
                         [](const auto& one) { return one.param.name; });

TEST(departure, from_one_communicator_leaves_others_in_service) {
  test::each_rank(3, [](const communicator& comm) {
    communicator second = create_communicator("second");
    barrier(launch::sync, second);
    if (comm.rank() == 2) {
      second = {};
    } else {
      const auto ended = attempt([&] { all_reduce(launch::sync, second, 1, std::plus{}); });
      EXPECT_EQ(ended.code, errc::rank_lost) << ended.text;
    }
    EXPECT_TRUE(test::still_works(comm));
    return 0;
  });
}

TEST(departure, before_a_communicator_is_complete_fails_those_who_sit_in_it) {
  for (const bool blocking : {true, false}) {
    run_threads(3, [&](const communicator& comm) {
      if (comm.rank() == 2) return;  // never takes its seat
      const communicator incomplete = create_communicator("incomplete");
      const auto ended = attempt([&] {
        if (blocking) {
          all_reduce(launch::sync, incomplete, 1, std::plus{});
        } else {
          barrier(incomplete).get();
        }
      });
      EXPECT_EQ(ended.code, errc::rank_lost) << ended.text;
      EXPECT_NE(ended.text.find("rank 2"), std::string::npos) << ended.text;
      EXPECT_NE(ended.text.find("too few ranks are left"), std::string::npos) << ended.text;
    });
  }
}

/// Two ranks want one seat, or agree on no number of seats: the first to come sits, and nobody else ever will.
TEST(departure, a_clash_reaches_those_who_sit_already) {
  for (const bool about_sites : {true, false}) {
    std::vector<ending> joined(2);
    std::vector<ending> called(2);
    std::atomic<int> tried{0};
    run_threads(2, [&](const communicator& comm) {
      const auto me = static_cast<std::size_t>(comm.rank());
      communicator mine;
      // A communicator of one would be complete at once, and the next of its name another.
      while (about_sites && me == 1 && tried == 0) std::this_thread::yield();
      joined[me] = attempt([&] {
        mine = about_sites ? create_communicator("clash", num_sites_arg(comm.rank() == 0 ? 2 : 1), this_site_arg(0))
                           : create_communicator("clash", num_sites_arg(2), this_site_arg(0));
      });
      ++tried;
      while (tried != 2) std::this_thread::yield();  // one who has come and gone contradicts nobody
      if (joined[me].code == errc::success) called[me] = attempt([&] { barrier(mine).get(); });
    });
    const std::size_t late = joined[0].code == errc::success ? 1 : 0;
    EXPECT_EQ(joined[late].code, errc::name_clash) << joined[late].text;
    EXPECT_EQ(called[1 - late].code, errc::name_clash) << called[1 - late].text;
  }
}

TEST(departure, after_its_part_is_done_harms_nobody) {
  for (int round = 0; round < 20; ++round) {
    for (const way& by : test::ways()) {
      std::vector<std::vector<double>> results(3);
      run_threads(3, [&](const communicator& comm) {
        std::vector<double> values(by.count, 1);
        all_reduce(launch::sync, comm, in_place, values, std::plus{}, {.algorithm = by.algorithm});
        results[static_cast<std::size_t>(comm.rank())] = std::move(values);
      });
      for (const auto& one : results) ASSERT_EQ(one, std::vector<double>(by.count, 3)) << by.name;
    }
  }
}

}  // namespace
}  // namespace tutti
