// SPDX-License-Identifier: BSL-1.0
#include "schedule/builder.hpp"

#include <gtest/gtest.h>

#include <array>
#include <utility>
#include <vector>

namespace tutti::schedules {
namespace {

using indices = std::vector<std::uint32_t>;

indices after(const schedule& s, std::size_t index) {
  const auto found = s.after_of(s.steps.at(index));
  return {found.begin(), found.end()};
}

TEST(builder, read_waits_for_the_write) {
  builder b(2, 0, 4);
  b.receive(output(1, 2), 1);
  b.send(output(0), 1);  // beside the written blocks
  b.send(output(2), 1);
  const schedule s = std::move(b).finish();
  EXPECT_EQ(after(s, 1), indices{});
  EXPECT_EQ(after(s, 2), indices{0});
}

TEST(builder, write_waits_for_readers_and_only_where_there_are_none_for_the_writer) {
  builder b(2, 0, 4);
  b.receive(output(0, 4), 1);
  b.send(output(0), 1);
  b.receive(output(0, 2), 1);
  b.receive(output(3), 1);
  const schedule s = std::move(b).finish();
  EXPECT_EQ(after(s, 2), indices{1}) << "step 1 waits for step 0 already";
  EXPECT_EQ(after(s, 3), indices{0});
}

TEST(builder, input_and_output_are_one_place) {
  builder b(2, 0, 2);
  b.send(input(1), 1);
  b.receive(output(1), 1);
  b.receive(output(0), 1);
  const schedule s = std::move(b).finish();
  EXPECT_EQ(after(s, 1), indices{0});
  EXPECT_EQ(after(s, 2), indices{});
}

TEST(builder, scratch_is_apart_and_occupies_slots) {
  builder b(2, 0, 8);
  b.receive(scratch(1, 4, 2), 1);
  b.receive(output(4, 2), 1);
  b.receive(scratch(2, 0), 1);
  b.receive(scratch(0, 7), 1);
  const schedule s = std::move(b).finish();
  EXPECT_EQ(after(s, 1), indices{});
  EXPECT_EQ(after(s, 2), indices{0});
  EXPECT_EQ(after(s, 3), indices{});
  EXPECT_EQ(s.scratch_slots, 3);
}

TEST(builder, reduce_into_an_operand_does_not_wait_for_itself) {
  builder b(2, 0, 1);
  b.receive(scratch(0, 0), 1);
  b.reduce(output(0), {scratch(0, 0), output(0)});
  b.reduce(output(0), {output(0), scratch(0, 0)});
  const schedule s = std::move(b).finish();
  EXPECT_EQ(after(s, 1), indices{0});
  EXPECT_EQ(after(s, 2), indices{1});
}

TEST(builder, dependencies_are_ascending_and_unique) {
  builder b(3, 0, 6);
  b.receive(output(4, 2), 1);
  b.receive(output(0, 2), 2);
  b.receive(output(2, 2), 1);
  b.send(output(5), 1);
  b.send(output(0, 6), 1);
  b.receive(output(0, 6), 2);
  const schedule s = std::move(b).finish();
  EXPECT_EQ(after(s, 4), (indices{0, 1, 2}));
  EXPECT_EQ(after(s, 5), (indices{3, 4}));
}

TEST(builder, nothing_to_do_adds_no_step_and_no_stage) {
  builder b(2, 0, 2);
  b.stage("idle", 0);
  b.send(output(0, 0), 1);
  b.send(output(0), std::span<const rank_id>{});
  b.receive(output(0, 0), 1);
  b.reduce(output(0), std::span<const slice>{});
  b.copy(output(0), output(0));
  b.stage("busy", 1);
  b.copy(input(0), output(0));
  b.reduce(output(1), {input(1)});
  const schedule s = std::move(b).finish();
  ASSERT_EQ(s.steps.size(), 2u);
  EXPECT_EQ(s.steps[1].kind, step_kind::copy);
  EXPECT_EQ(s.stages, std::vector<std::string>{"busy 1"});
}

TEST(builder, one_send_serves_many) {
  builder b(4, 2, 1);
  const std::array<rank_id, 3> others{0, 1, 3};
  b.send(input(0), others);
  const schedule s = std::move(b).finish();
  ASSERT_EQ(s.steps.size(), 1u);
  const auto peers = s.peers_of(s.steps[0]);
  EXPECT_TRUE(std::equal(peers.begin(), peers.end(), others.begin(), others.end()));
  EXPECT_EQ(s.stages, std::vector<std::string>{""});
}

}  // namespace
}  // namespace tutti::schedules
