// SPDX-License-Identifier: BSL-1.0
#include <gtest/gtest.h>

#include "bench/buffers.hpp"
#include "tutti/world.hpp"

namespace tutti::benching {
namespace {

plan plan_of(rank_id ranks, bool in_place, collective what = collective::all_reduce) {
  plan made;
  made.what = what;
  made.ranks = ranks;
  made.in_place = in_place;
  return made;
}

TEST(bench_buffers, a_right_result_of_every_call_of_a_batch_passes) {
  for (const auto& [which, in_place] : {std::pair(collective::all_reduce, false),
                                        {collective::all_reduce, true},
                                        {collective::barrier, false},
                                        {collective::broadcast, false},
                                        {collective::broadcast, true},
                                        {collective::gather, false},
                                        {collective::gather, true},
                                        {collective::scatter, false},
                                        {collective::scatter, true},
                                        {collective::reduce, false},
                                        {collective::reduce, true},
                                        {collective::all_gather, false},
                                        {collective::all_gather, true},
                                        {collective::all_to_all, false},
                                        {collective::reduce_scatter, false},
                                        {collective::reduce_scatter, true},
                                        {collective::inclusive_scan, false},
                                        {collective::inclusive_scan, true},
                                        {collective::exclusive_scan, false},
                                        {collective::exclusive_scan, true}}) {
    SCOPED_TRACE(to_string(which));
    run_threads(3, [&, what = which, where = in_place](const communicator& comm) {
      plan asked = plan_of(3, where, what);
      if (has_root(what)) asked.root = 2;
      buffers mine(asked, comm.rank(), (what == collective::barrier ? 0 : 20) * sizeof(element));
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
