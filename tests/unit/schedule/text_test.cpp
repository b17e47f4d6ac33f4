// SPDX-License-Identifier: BSL-1.0
#include "schedule/text.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "algorithms/registry.hpp"

namespace tutti::schedules {
namespace {

constexpr const char* sample =
    "schedule size 4 rank 1 blocks 4 scratch 2\n"
    "stage \"reduce-scatter step 0\"\n"
    "0: send input[1] to 2, 3, 0\n"
    "1: receive scratch@0[0..1] from 0\n"
    "2: reduce output[0..1] = scratch@0[0..1], input[0..1] after 0, 1\n"
    "stage \"quote \\\" backslash \\\\ line \\x0a\"\n"
    "3: copy output[3] = input[3]\n"
    "stage \"\"\n";

TEST(text, reads_what_it_says) {
  const auto read = parse(sample);
  ASSERT_TRUE(read) << read.why().text;
  const schedule& s = read.value();
  EXPECT_EQ(s.size, 4);
  EXPECT_EQ(s.me, 1);
  EXPECT_EQ(s.scratch_slots, 2);
  ASSERT_EQ(s.steps.size(), 4u);
  EXPECT_EQ(s.peers_of(s.steps[0]).size(), 3u);
  EXPECT_EQ(s.steps[1].target, scratch(0, 0, 2));
  EXPECT_EQ(s.operands_of(s.steps[2])[1], input(0, 2));
  EXPECT_EQ(s.after_of(s.steps[2]).back(), 1u);
  EXPECT_EQ(s.steps[3].stage, 1u);
  EXPECT_EQ(s.stages[1], "quote \" backslash \\ line \n");
  EXPECT_EQ(to_text(s), sample);
}

TEST(text, every_algorithm_round_trips) {
  for (const auto& which : algorithms::all()) {
    for (const rank_id size : {1, 2, 3, 7, 8, 33}) {
      for (rank_id me = 0; me < size; ++me) {
        const schedule made = algorithms::build(which, {size, size / 2, 3}, me);
        const std::string text = to_text(made);
        const auto read = parse(text);
        ASSERT_TRUE(read) << read.why().text << '\n' << text;
        EXPECT_EQ(read.value(), made) << text;
        EXPECT_EQ(to_text(read.value()), text);
      }
    }
  }
}

TEST(text, a_message_may_have_several_slices_and_staging_names_its_blocks) {
  const std::string text =
      "schedule size 2 rank 0 blocks 6 scratch 2\n"
      "stage \"s\"\n"
      "0: receive output[5], staging[2..3], scratch@1[0] from 1\n"
      "1: send staging[3], input[0..1] to 1 after 0\n";
  const auto read = parse(text);
  ASSERT_TRUE(read) << read.why().text;
  EXPECT_EQ(read.value().staging_first, 2);
  EXPECT_EQ(read.value().staging_end, 4);
  EXPECT_EQ(read.value().operands_of(read.value().steps[0]).size(), 2u);
  EXPECT_EQ(to_text(read.value()), text);
}

TEST(text, accepts_carriage_returns_blank_lines_and_spaces) {
  const auto read = parse(
      "\r\n  schedule  size 2 rank 0 blocks 1 scratch 0\r\n\n"
      "\tstage\"\"\r\n0:send output [ 0 .. 0 ]to 1");
  ASSERT_TRUE(read) << read.why().text;
  EXPECT_EQ(to_text(read.value()), "schedule size 2 rank 0 blocks 1 scratch 0\nstage \"\"\n0: send output[0] to 1\n");
}

TEST(text, refuses_with_line_and_reason) {
  const std::string head = "schedule size 3 rank 1 blocks 4 scratch 2\nstage \"s\"\n";
  const std::pair<std::string, const char*> wrong[] = {
      {"", "line 1: expected \"schedule"},
      {"schedule size 0 rank 0 blocks 1 scratch 0", "the size must be in 1..2147483647"},
      {"schedule size 2 rank 2 blocks 1 scratch 0", "the rank must be in 0..1"},
      {"schedule size 99999999999999999999999 rank 0", "the size must be in"},
      {"schedule size 2147483648 rank 0", "the size must be in"},
      {"schedule size 2 rank 0 blocks 1 scratch 0\n0: send output[0] to 1", "needs a stage line"},
      {head + "1: send output[0] to 0", "line 3: the step (counted from 0) must be in 0..0"},
      {head + "0: send output[0] to 1", "rank 1 would exchange with itself"},
      {head + "0: send output[0] to 3", "a peer must be in 0..2"},
      {head + "0: receive output[0], input[1] from 0", "the input is never written"},
      {head + "0: send output[0], staging[4] to 0", "the first block must be in 0..3"},
      {head + "0: send output[0] to 0, 2, 0", "rank 0 occurs twice"},
      {head + "0: send output[0] to -1", "expected a peer"},
      {head + "0: send output[00] to 0", "leading zeros"},
      {head + "0: send output[4] to 0", "the first block must be in 0..3"},
      {head + "0: send output[2..1] to 0", "the last block must be in 2..3"},
      {head + "0: send scratch@2[0] to 0", "the scratch slot must be in 0..1"},
      {head + "0: send scratch@1[0..1] to 0", "go beyond the 2 slots"},
      {head + "0: receive output[0] from 0, 2", "a receive has one source"},
      {head + "0: receive input[0] from 0", "the input is never written"},
      {head + "0: copy output[0] = input[0], input[0]", "a copy has one source"},
      {head + "0: reduce output[0] = input[0]", "two operands or more"},
      {head + "0: reduce output[0] = input[0], input[1]", "other blocks than the target"},
      {head + "0: send output[0] to 0 after 0", "none is possible here"},
      {head + "0: send output[0] to 0\n1: send output[0] to 0 after 1", "line 4: an earlier step"},
      {head + "0: send output[0] to 0 0", "more follows"},
      {head + "0: sendoutput[0] to 0", "expected \"copy\""},
      {head + "stage \"open", "no closing quote"},
      {head + "stage \"\\q\"", "a backslash begins"},
      {head + std::string("\0\xff", 2), "expected the step"},
  };
  for (const auto& [text, reason] : wrong) {
    const auto read = parse(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.why().code, errc::bad_argument);
    EXPECT_NE(read.why().text.find(reason), std::string::npos) << read.why().text;
  }
}

TEST(text, survives_every_cut_and_every_changed_byte) {
  const std::string text = sample;
  std::size_t refused = 0;
  const auto survives = [&](const std::string& bytes) {
    const auto read = parse(bytes);
    if (!read) {
      ++refused;
    } else {
      const std::string canonical = to_text(read.value());
      const auto again = parse(canonical);
      ASSERT_TRUE(again) << again.why().text << '\n' << canonical;
      EXPECT_EQ(again.value(), read.value());
    }
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    survives(text.substr(0, i));
    survives(text.substr(i));
    for (const char c : {'\0', '\n', '\r', ' ', '"', '\\', '0', '9', '-', ',', '.', '[', '\x7f', '\xff'}) {
      std::string changed = text;
      changed[i] = c;
      survives(changed);
    }
  }
  EXPECT_GT(refused, 1000u);
}

}  // namespace
}  // namespace tutti::schedules
