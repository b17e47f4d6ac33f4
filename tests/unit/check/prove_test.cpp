// SPDX-License-Identifier: BSL-1.0
// Small schedules, written by hand, each wrong in one way; the text must say where.
#include "check/prove.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "schedule/builder.hpp"

namespace tutti {
namespace {

using check::prove;
using schedules::builder;
using schedules::input;
using schedules::operand_order;
using schedules::output;
using schedules::schedule;
using schedules::scratch;
using schedules::slice;
using schedules::staging;

std::vector<schedule> make(rank_id size, std::int32_t blocks, const std::function<void(builder&, rank_id)>& write) {
  std::vector<schedule> made;
  for (rank_id me = 0; me < size; ++me) {
    builder b(size, me, blocks);
    b.stage("only stage");
    write(b, me);
    made.push_back(std::move(b).finish());
  }
  return made;
}

/// Two ranks swap vectors and both fold in rank order.
void exchange(builder& b, rank_id me) {
  b.send(input(0), 1 - me);
  b.receive(scratch(0, 0), 1 - me);
  if (me == 0) b.reduce(output(0), {input(0), scratch(0, 0)});
  if (me == 1) b.reduce(output(0), {scratch(0, 0), input(0)});
}

void expect_refuted(collective what, operand_order order, const std::vector<schedule>& all, std::string_view words) {
  const check::verdict v = prove(what, order, all);
  ASSERT_FALSE(v) << "should have been refuted: " << words;
  EXPECT_NE(v.counterexample().find(words), std::string::npos) << v.counterexample();
}

void expect_refuted(const std::vector<schedule>& all, std::string_view words) {
  expect_refuted(collective::all_reduce, operand_order::rank, all, words);
}

TEST(prove, accepts_an_exchange_of_two) {
  const check::verdict v = prove(collective::all_reduce, operand_order::left_fold, make(2, 1, exchange));
  EXPECT_TRUE(v) << v.counterexample();
}

TEST(prove, one_rank_must_still_write_its_output) {
  EXPECT_TRUE(prove(collective::all_reduce, operand_order::left_fold,
                    make(1, 1, [](builder& b, rank_id) { b.copy(input(0), output(0)); })));
  expect_refuted(make(1, 1, [](builder&, rank_id) {}), "never written");
  EXPECT_TRUE(prove(collective::barrier, operand_order::any, make(1, 1, [](builder&, rank_id) {})));
}

TEST(prove, no_schedules_are_refuted) { expect_refuted({}, "no schedule"); }

TEST(prove, different_association_on_two_ranks_is_not_the_same_bits) {
  const auto all = make(2, 1, [](builder& b, rank_id me) {
    b.send(input(0), 1 - me);
    b.receive(scratch(0, 0), 1 - me);
    b.reduce(output(0), {input(0), scratch(0, 0)});
  });
  expect_refuted(collective::all_reduce, operand_order::any, all, "not the same bits");
}

TEST(prove, rank_order_is_asked_for_only_where_promised) {
  const auto all = make(2, 1, [](builder& b, rank_id me) {
    b.send(input(0), 1 - me);
    b.receive(scratch(0, 0), 1 - me);
    if (me == 1) b.reduce(output(0), {input(0), scratch(0, 0)});
    if (me == 0) b.reduce(output(0), {scratch(0, 0), input(0)});
  });
  EXPECT_TRUE(prove(collective::all_reduce, operand_order::any, all));
  expect_refuted(all, "not in rank order");
}

TEST(prove, left_fold_is_asked_for_only_where_promised) {
  const auto all = make(3, 1, [](builder& b, rank_id me) {  // x0 op (x1 op x2) everywhere
    for (rank_id other = 0; other < 3; ++other) {
      if (other != me) b.send(input(0), other);
    }
    std::vector<schedules::slice> parts;
    for (rank_id other = 0; other < 3; ++other) {
      if (other != me) b.receive(scratch(other, 0), other);
      parts.push_back(other == me ? input(0) : scratch(other, 0));
    }
    b.reduce(scratch(3, 0), {parts[1], parts[2]});
    b.reduce(output(0), {parts[0], scratch(3, 0)});
  });
  EXPECT_TRUE(prove(collective::all_reduce, operand_order::rank, all));
  expect_refuted(collective::all_reduce, operand_order::left_fold, all, "not folded from the left");
}

TEST(prove, a_missing_contribution_is_told) {
  expect_refuted(make(2, 1, [](builder& b, rank_id) { b.copy(input(0), output(0)); }), "1 contributions instead of 2");
}

TEST(prove, an_unmatched_send_is_told_with_its_peer) {
  expect_refuted(make(2, 1,
                      [](builder& b, rank_id me) {
                        exchange(b, me);
                        if (me == 1) b.send(output(0), 0);
                      }),
                 "rank 1, step 3 (stage \"only stage\"): send output block 0 to rank 0: rank 0 has no receive");
}

TEST(prove, a_deadlock_is_told_as_a_circle) {
  expect_refuted(make(2, 1,
                      [](builder& b, rank_id me) {
                        b.receive(scratch(0, 0), 1 - me);
                        b.send(scratch(0, 0), 1 - me);
                      }),
                 "deadlock");
}

TEST(prove, uninitialized_output_is_a_fault_unless_in_place) {
  expect_refuted(make(2, 1,
                      [](builder& b, rank_id me) {
                        b.send(output(0), 1 - me);
                        b.receive(scratch(0, 0), 1 - me);
                        b.reduce(output(0), {me == 0 ? input(0) : scratch(0, 0), me == 0 ? scratch(0, 0) : input(0)});
                      }),
                 "called with separate buffers");
}

TEST(prove, input_overwritten_by_an_in_place_call_is_noticed) {
  expect_refuted(make(2, 1,
                      [](builder& b, rank_id me) {  // right with separate buffers only
                        b.send(input(0), 1 - me);
                        b.receive(output(0), 1 - me);
                        if (me == 0) b.reduce(output(0), {input(0), output(0)});
                        if (me == 1) b.reduce(output(0), {output(0), input(0)});
                      }),
                 "called in place");
}

TEST(prove, scratch_read_through_another_first_block_is_undefined) {
  // Blocks are packed: where block 1 lies differs between a slice from block 0 and one from block 1.
  expect_refuted(make(2, 2,
                      [](builder& b, rank_id me) {
                        b.send(input(0, 2), 1 - me);
                        b.receive(scratch(0, 0, 2), 1 - me);
                        for (std::int32_t i : {0, 1}) {
                          if (me == 0) b.reduce(output(i), {input(i), scratch(i, i)});
                          if (me == 1) b.reduce(output(i), {scratch(i, i), input(i)});
                        }
                      }),
                 "holds nothing");
}

TEST(prove, other_blocks_than_expected_are_a_mismatch) {
  expect_refuted(make(2, 2,
                      [](builder& b, rank_id me) {
                        b.send(input(me), 1 - me);
                        b.receive(scratch(0, me), 1 - me);
                      }),
                 "other blocks");
}

TEST(prove, a_missing_dependency_is_a_race) {
  auto all = make(2, 1, exchange);
  all[1].steps[2].after.count = 0;
  expect_refuted(all, "rank 1, step 2");
}

TEST(prove, malformed_content_is_refuted_not_followed) {
  const auto broken = [](const std::function<void(schedule&)>& change) {
    auto all = make(2, 1, exchange);
    change(all[1]);
    return all;
  };
  expect_refuted(broken([](schedule& s) { s.peers[0] = 1; }), "to itself");
  expect_refuted(broken([](schedule& s) { s.peers[0] = 7; }), "not a rank");
  expect_refuted(broken([](schedule& s) { s.steps[0].target.first = 1; }), "out of range");
  expect_refuted(broken([](schedule& s) { s.steps[0].target.count = 2147483647; }), "out of range");
  expect_refuted(broken([](schedule& s) { s.steps[1].target = input(0); }), "input");
  expect_refuted(broken([](schedule& s) { s.steps[0].peers.count = 100; }), "peers lie outside");
  expect_refuted(broken([](schedule& s) { s.steps[2].operands.begin = 100; }), "operands lie outside");
  expect_refuted(broken([](schedule& s) { s.after[0] = 9; }), "later step");
  expect_refuted(broken([](schedule& s) { s.blocks = 0; }), "blocks");
  expect_refuted(broken([](schedule& s) { s.size = 3; }), "3 ranks");
  expect_refuted(broken([](schedule& s) { s.me = 0; }), "in place 1");
  expect_refuted(broken([](schedule& s) { s.steps[2].stage = 5; }), "no label");
}

TEST(prove, a_barrier_needs_news_of_everyone) {
  const auto report_only = make(3, 1, [](builder& b, rank_id me) {
    if (me != 0) b.send(output(0), 0);
    for (rank_id from = 1; me == 0 && from < 3; ++from) b.receive(output(0), from);
  });
  expect_refuted(collective::barrier, operand_order::any, report_only, "rank 1 can leave the barrier before rank 0");
}

TEST(prove, a_release_sent_too_early_is_no_barrier) {
  const auto eager = make(3, 1, [](builder& b, rank_id me) {
    const rank_id others[] = {1, 2};
    if (me == 0) b.receive(output(0), 1);
    if (me == 0) b.send(output(0), others);  // before rank 2 was heard
    if (me == 0) b.receive(output(0), 2);
    if (me != 0) b.send(output(0), 0);
    if (me != 0) b.receive(output(0), 0);
  });
  expect_refuted(collective::barrier, operand_order::any, eager, "rank 1 can leave the barrier before rank 2");
}

// Other promises than all_reduce's.

/// The root hands its vector to the other rank.
std::vector<schedule> broadcast_of_two(rank_id root) {
  return make(2, 1, [&](builder& b, rank_id me) {
    if (me != root) return b.receive(output(0), root);
    b.send(input(0), 1 - me);
    b.copy(input(0), output(0));
  });
}

TEST(prove, a_broadcast_starts_at_its_root) {
  EXPECT_TRUE(prove(collective::broadcast, operand_order::any, broadcast_of_two(1), 1));
  const check::verdict v = prove(collective::broadcast, operand_order::any, broadcast_of_two(1), 0);
  ASSERT_FALSE(v);
  EXPECT_NE(v.counterexample().find("with root 0: rank 1, step 0"), std::string::npos) << v.counterexample();
  EXPECT_FALSE(prove(collective::broadcast, operand_order::any, broadcast_of_two(1), 2));
}

TEST(prove, a_rank_names_only_blocks_that_it_holds) {
  const auto all = make(2, 2, [](builder& b, rank_id me) {
    if (me == 0) b.send(input(1), 1);
    if (me == 1) b.receive(output(1), 0);
  });
  expect_refuted(collective::all_gather, operand_order::any, all, "out of range");
}

/// Both parts in one message: a gather of two at rank 0 over blocks of two each.
std::vector<schedule> gather_in_slices(bool swapped) {
  return make(2, 4, [&](builder& b, rank_id me) {
    const slice sent[] = {input(2), input(3)};
    const slice kept[] = {output(swapped ? 3 : 2), output(swapped ? 2 : 3)};
    if (me == 1) return b.send(sent, 0);
    b.copy(input(0, 2), output(0, 2));
    b.receive(kept, 1);
  });
}

TEST(prove, both_ends_of_a_message_list_the_same_blocks) {
  EXPECT_TRUE(prove(collective::gather, operand_order::any, gather_in_slices(false)));
  expect_refuted(collective::gather, operand_order::any, gather_in_slices(true), "is fed with other blocks");
}

TEST(prove, a_message_has_room_for_each_of_its_slices) {
  auto all = gather_in_slices(false);
  all[0].operands.back() = all[0].steps[1].target;
  expect_refuted(collective::gather, operand_order::any, all, "to the same place");
}

TEST(prove, a_gather_needs_a_block_for_each_part) {
  expect_refuted(collective::gather, operand_order::any, make(2, 3, [](builder&, rank_id) {}), "a multiple of 2");
}

TEST(prove, the_first_rank_of_an_exclusive_scan_has_no_result) {
  const auto all = make(2, 1, [](builder& b, rank_id me) {
    if (me == 0) b.send(input(0), 1);
    if (me == 1) b.receive(output(0), 0);
  });
  EXPECT_TRUE(prove(collective::exclusive_scan, operand_order::left_fold, all));
  expect_refuted(collective::inclusive_scan, operand_order::left_fold, all, "never written");
}

TEST(prove, staging_is_read_after_it_is_written) {
  const auto all = make(1, 1, [](builder& b, rank_id) { b.copy(staging(0), output(0)); });
  expect_refuted(all, "staging block 0, which holds nothing");
}

}  // namespace
}  // namespace tutti
