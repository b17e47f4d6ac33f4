// SPDX-License-Identifier: BSL-1.0
#include <gtest/gtest.h>

#include "bench/buffers.hpp"
#include "tutti/world.hpp"

namespace tutti::benching {
namespace {

plan plan_of(rank_id ranks, bool in_place) {
  plan made;
  made.what = collective::all_reduce;
  made.ranks = ranks;
  made.in_place = in_place;
  return made;
}

TEST(bench_buffers, a_right_result_of_every_call_of_a_batch_passes) {
  for (const bool in_place : {false, true}) {
    run_threads(3, [&](const communicator& comm) {
      const plan what = plan_of(3, in_place);
      buffers mine(what, comm.rank(), 20 * sizeof(element));
      mine.reserve(2);
      for (int repetition = 0; repetition < 2; ++repetition) {
        mine.prepare(2, true);
        for (int call = 0; call < 2; ++call) mine.run(call, comm, {});
        EXPECT_EQ(mine.first_error(2), "");
      }
    });
  }
}

TEST(bench_buffers, a_result_that_lacks_a_rank_is_told_with_rank_index_got_and_wanted) {
  run_threads(1, [](const communicator& alone) {
    const plan what = plan_of(2, false);
    buffers mine(what, 0, 4 * sizeof(element));
    mine.reserve(1);
    mine.prepare(1, true);
    mine.run(0, alone, {});
    EXPECT_EQ(mine.first_error(1), "rank 0, index 0: got 1, wanted 3");
  });
}

TEST(bench_buffers, the_result_of_an_earlier_call_does_not_pass_for_this_ones) {
  run_threads(1, [](const communicator& alone) {
    const plan what = plan_of(1, false);
    buffers mine(what, 0, 4 * sizeof(element));
    mine.reserve(2);
    mine.prepare(2, false);
    mine.run(0, alone, {});
    mine.run(1, alone, {});
    EXPECT_EQ(mine.first_error(2), "");
    mine.prepare(2, false);
    mine.run(0, alone, {});
    EXPECT_EQ(mine.first_error(1), "");
    EXPECT_EQ(mine.first_error(2), "rank 0, index 0: got nan, wanted 1");
  });
}

}  // namespace
}  // namespace tutti::benching
