// SPDX-License-Identifier: BSL-1.0
// The shape of what `tutti bench` writes; never how long something took.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <set>
#include <string>
#include <vector>

#include "support/run_command.hpp"

namespace tutti {
namespace {

test::command_result bench(std::vector<std::string> words) {
  words.insert(words.begin(), {TUTTI_TEST_BIN_DIR "/tutti", "bench"});
  return test::run_command(words);
}

nlohmann::json json_of(std::vector<std::string> words) {
  words.insert(words.end(), {"--json", "-"});
  const auto made = bench(words);
  EXPECT_EQ(made.code, 0) << made.err;
  return nlohmann::json::parse(made.out, nullptr, false);
}

std::set<std::string> keys_of(const nlohmann::json& object) {
  std::set<std::string> keys;
  for (const auto& item : object.items()) keys.insert(item.key());
  return keys;
}

void expect_row(const nlohmann::json& row, std::size_t trials) {
  const std::set<std::string> keys{"candidate",           "id",      "reason",       "bytes", "batch",
                                   "microseconds",        "buffers", "back_to_back", "ratio", "ledgers",
                                   "samples_microseconds"};
  EXPECT_EQ(keys_of(row), keys);
  EXPECT_EQ(keys_of(row["microseconds"]), (std::set<std::string>{"median", "mad", "p10", "p90", "min", "max"}));
  EXPECT_EQ(row["samples_microseconds"].size(), trials);
  for (const auto& sample : row["samples_microseconds"]) EXPECT_GT(sample.get<double>(), 0);
  EXPECT_LE(row["microseconds"]["min"], row["microseconds"]["median"]);
  EXPECT_LE(row["microseconds"]["median"], row["microseconds"]["max"]);
}

TEST(bench, writes_every_sample_with_ledgers_and_provenance) {
  const auto made = json_of({"all_reduce", "-n", "2", "--sizes", "64,8Ki", "--algorithms", "default,all_reduce/ring",
                             "--warmup", "1", "--trials", "3", "--seed", "7", "--buffers", "both"});
  ASSERT_TRUE(made.is_object());
  const std::set<std::string> keys{"tutti",  "collective", "ranks",   "transport", "started_by",
                                   "moment", "seconds",    "options", "machine",   "rows"};
  EXPECT_EQ(keys_of(made), keys);
  EXPECT_EQ(made["started_by"], "tutti run");
  EXPECT_EQ(made["options"]["seed"], 7);
  for (const char* known : {"processor", "kernel", "usable_cores", "wait_policy", "load_average"}) {
    EXPECT_TRUE(made["machine"].contains(known)) << known;
  }
  ASSERT_EQ(made["rows"].size(), 8u);  // sizes x candidates x kinds of buffers
  for (const auto& row : made["rows"]) expect_row(row, 3);
  const auto& ring = made["rows"][6];
  EXPECT_EQ(ring["id"], "all_reduce/ring");
  EXPECT_EQ(ring["buffers"], "dirty");
  EXPECT_EQ(ring["bytes"], 8192);
  // 2 ranks: a half of the vector in each of two rounds.
  const nlohmann::json ledgers{
      {"rounds", 2}, {"sent_most_bytes", 8192}, {"busiest_bytes", 16384}, {"temporary_most_bytes", 4096}};
  EXPECT_EQ(ring["ledgers"], ledgers);
}

TEST(bench, serves_barriers_threads_vectors_in_place_and_launchers) {
  EXPECT_EQ(json_of({"barrier", "-n", "3", "--trials", "2"})["rows"].size(), 6u);
  const auto threads = json_of({"all_reduce", "-n", "2", "--sizes", "24", "--trials", "2", "--transport", "threads",
                                "--in-place", "--algorithms", "all_reduce/sliced", "--segment-bytes", "8"});
  EXPECT_EQ(threads["transport"], "threads");
  EXPECT_EQ(threads["rows"].size(), 1u);
  const std::string tutti = TUTTI_TEST_BIN_DIR "/tutti";
  const auto launched = test::run_command({tutti, "run", "-n", "2", tutti, "bench", "barrier", "--algorithms",
                                           "barrier/tree", "--trials", "1", "--json", "-"});
  EXPECT_EQ(launched.code, 0) << launched.err;
  EXPECT_EQ(nlohmann::json::parse(launched.out, nullptr, false)["ranks"], 2);
}

TEST(bench, the_table_names_candidates_and_ledgers) {
  const auto made = bench({"all_reduce", "-n", "2", "--sizes", "8Ki", "--warmup", "0", "--trials", "2"});
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(made.err, "");
  for (const char* part : {"8 KiB = 1024 doubles on 2 ranks, dirty buffers", "all_reduce/", "median", "default: direct",
                           "halving_doubling", "16 KiB", "every element was checked"}) {
    EXPECT_NE(made.out.find(part), std::string::npos) << part << "\n" << made.out;
  }
}

TEST(bench, bad_input_is_exit_code_2_with_a_reason) {
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{}, "collective"},
      {{"all_redcue"}, "all_redcue"},
      {{"all_reduce", "-n", "0"}, "--ranks"},
      {{"all_reduce", "--trials", "0"}, "--trials"},
      {{"all_reduce", "--trials", "many"}, "--trials"},
      {{"all_reduce", "--sizes", "99Ei"}, "64 bits"},
      {{"all_reduce", "--algorithms", "all_reduce/rign"}, "all_reduce/ring"},
      {{"barrier", "--algorithms", "all_reduce/ring"}, "cannot serve barrier"},
      {{"all_reduce", "--json", "/nowhere/at/all.json"}, "cannot be written"}};
  for (const auto& [words, reason] : cases) {
    const auto made = bench(words);
    EXPECT_EQ(made.code, 2) << reason;
    EXPECT_NE(made.err.find(reason), std::string::npos) << reason << ": " << made.err;
    EXPECT_EQ(made.out, "") << reason;
  }
}

}  // namespace
}  // namespace tutti
