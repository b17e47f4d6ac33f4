// SPDX-License-Identifier: BSL-1.0
// A call that fails on a rank that is ahead must not drag down the call before it, which its peers have yet to end.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "support/each_rank.hpp"

namespace tutti {
namespace {

void until(const std::atomic<bool>& flag) {
  while (!flag.load()) std::this_thread::yield();
}

/// Four ranks reduce along a tree. The root ends the call while rank 2, which has to hand the result on to rank 3,
/// stands still; then the root makes a bad call, and rank 3 must go on waiting for the good one.
TEST(later_failure, leaves_the_call_before_alone) {
  std::atomic<bool> root_has_all{false}, rank_2_stands{false}, root_has_failed{false}, rank_3_has_looked{false};
  test::each_rank(4, [&](const communicator& comm) {
    int folds = 0;
    const auto sum = [&](const int& a, const int& b) noexcept {
      if (comm.rank() == 0 && ++folds == 2) {
        root_has_all = true;
        until(rank_2_stands);
      }
      return a + b;
    };
    const auto combine = commutative(sum);
    auto good = all_reduce(comm, 1 << comm.rank(), combine, {.algorithm = "all_reduce/tree"});
    future<void> bad;
    const options nonsense{.algorithm = "barrier/none"};
    switch (comm.rank()) {
      case 0:
        good.wait();
        bad = barrier(comm, nonsense);
        root_has_failed = true;
        break;
      case 2:
        while (!root_has_all.load()) static_cast<void>(good.is_ready());
        rank_2_stands = true;
        until(rank_3_has_looked);
        break;
      case 3:
        while (!root_has_failed.load()) static_cast<void>(good.is_ready());
        for (int i = 0; i < 100; ++i) static_cast<void>(good.is_ready());
        rank_3_has_looked = true;
        break;
      default: break;
    }
    EXPECT_EQ(good.get(), 15) << "rank " << comm.rank();
    if (!bad.valid()) bad = barrier(comm, nonsense);
    EXPECT_EQ(test::attempt([&] { bad.get(); }).code, errc::unknown_name);
    EXPECT_TRUE(test::still_works(comm));
    return 0;
  });
}

}  // namespace
}  // namespace tutti
