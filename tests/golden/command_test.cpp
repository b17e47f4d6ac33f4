// SPDX-License-Identifier: BSL-1.0
// What the command writes, byte for byte. The states of the four all_reduce files are those that "Rings, Trees, and
// Butterflies: HPX Collectives (Part 1)" prints (unit/draw/article_traces_test.cpp holds them one by one).
#include <gtest/gtest.h>

#include <sys/wait.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

namespace tutti {
namespace {

struct outcome {
  int exit_code = -1;
  std::string out;
};

/// Standard error is dropped unless `arguments` redirect it.
outcome run_command(const std::string& arguments) {
  const std::string line = std::string(TUTTI_TEST_BIN_DIR "/tutti ") + arguments;
  FILE* const pipe = popen((arguments.find("2>") == std::string::npos ? line + " 2>/dev/null" : line).c_str(), "r");
  outcome made;
  if (pipe == nullptr) return made;
  char part[4096];
  for (std::size_t got = 0; (got = fread(part, 1, sizeof part, pipe)) > 0;) made.out.append(part, got);
  const int how = pclose(pipe);
  made.exit_code = WIFEXITED(how) ? WEXITSTATUS(how) : -1;
  return made;
}

std::string golden(const std::string& name) {
  const std::ifstream file(TUTTI_TEST_SOURCE_DIR "/tests/golden/explain/" + name, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(explain, writes_the_golden_files) {
  for (const std::string name : {"tree", "recursive_doubling", "ring", "halving_doubling"}) {
    const outcome made = run_command("explain all_reduce/" + name + " -n 4");
    EXPECT_EQ(made.exit_code, 0) << name;
    ASSERT_FALSE(made.out.empty()) << name;
    EXPECT_EQ(made.out, golden(name + ".txt")) << name;
  }
  EXPECT_EQ(run_command("explain barrier/dissemination -n 4").out, golden("dissemination.txt"));
  EXPECT_EQ(run_command("explain all_reduce/tree -n 2 --format svg").out, golden("tree.svg"));
}

TEST(explain, writes_the_golden_files_of_other_collectives) {
  for (const std::string id : {"broadcast/binomial", "reduce/binomial", "gather/binomial", "scatter/binomial",
                               "all_gather/bruck", "reduce_scatter/ring", "all_to_all/bruck",
                               "inclusive_scan/recursive_doubling", "exclusive_scan/up_down_sweep"}) {
    std::string file = id + ".txt";
    file[id.find('/')] = '_';
    const outcome made = run_command("explain " + id + " -n 4 --root 2");
    EXPECT_EQ(made.exit_code, 0) << id;
    ASSERT_FALSE(made.out.empty()) << id;
    EXPECT_EQ(made.out, golden(file)) << id;
  }
}

TEST(check, proves_every_root_or_the_one_asked_for) {
  EXPECT_NE(run_command("check --max-ranks 4 reduce/flat").out.find(" 10 proofs  proved"), std::string::npos);
  EXPECT_NE(run_command("check --max-ranks 4 --root 2 reduce/flat").out.find(" 2 proofs  proved"), std::string::npos);
}

TEST(explain, one_number_for_each_rank_is_repeated) {
  EXPECT_EQ(run_command("explain all_reduce/ring --values 1,2,3,4").out, golden("ring.txt"));
  EXPECT_EQ(run_command("explain all_reduce/ring --values '1 1 1 1,2 2 2 2,3 3 3 3,4 4 4 4'").out, golden("ring.txt"));
}

TEST(explain, bad_input_is_exit_code_2_with_a_reason) {
  const std::pair<const char*, const char*> cases[] = {
      {"explain all_reduce/rign", "all_reduce/ring"},
      {"explain all_reduce/ring -n 0", "not in range"},
      {"explain all_reduce/ring -n 4 --values 1,2", "2 ranks are given values"},
      {"explain all_reduce/ring -n 2 --values 1,x", "no number"},
      {"explain all_reduce/ring -n 2 --values '1 2,3'", "equally many"},
      {"explain all_reduce/ring --bytes 7", "whole number of elements"},
      {"explain all_reduce/ring --bytes 99Ei", "64 bits"},
      {"explain all_reduce/ring --schedule 4", "count from 0"},
      {"explain reduce/flat -n 3 --root 3", "count from 0"},
      {"explain broadcast/flat --values 1,2,3,4", "only the root has values"},
      {"list -n 4 --root 4", "count from 0"},
      {"explain all_reduce/ring --format pdf", "--format"},
      {"check all_reduce/rign", "all_reduce/ring"},
      {"check --max-ranks 0", "--max-ranks"},
      {"list none", "none"},
      {"check --root 3 --max-ranks 3", "nothing would be proved"},
      {"explain all_reduce/ring --alpha nan", "finite"},
      {"explain all_reduce/ring --gamma inf", "finite"},
      {"run -n 1 --timeout nan true", "finite"},
      {"nothing", "no verb is called \"nothing\"; there are bench, check, explain, info, list, run"},
      {"", "explain"}};
  for (const auto& [arguments, reason] : cases) {
    const outcome made = run_command(std::string(arguments) + " 2>&1");
    EXPECT_EQ(made.exit_code, 2) << arguments;
    EXPECT_NE(made.out.find(reason), std::string::npos) << arguments << ": " << made.out;
  }
}

TEST(check, counts_its_proofs) {
  const outcome made = run_command("check --max-ranks 5 all_reduce/ring");
  EXPECT_EQ(made.exit_code, 0);
  EXPECT_EQ(made.out,
            "all_reduce/ring                    5 proofs  proved\n"
            "5 proofs for 1 to 5 ranks: all hold\n");
  EXPECT_NE(run_command("check --max-ranks 3 barrier --json").out.find("\"proofs\": 24"), std::string::npos);
}

TEST(check, a_root_matters_only_to_collectives_that_have_one) {
  EXPECT_NE(run_command("check --max-ranks 4 --root 2 all_reduce/ring").out.find(" 4 proofs  proved"),
            std::string::npos);
}

TEST(every_verb, fails_if_its_output_cannot_be_written) {
  for (const std::string arguments :
       {"list", "list --json", "check --max-ranks 2 barrier", "explain all_reduce/ring",
        "explain all_reduce/ring --json", "explain all_reduce/ring --format svg", "info", "info --json", "--help"}) {
    const outcome made = run_command(arguments + " 2>&1 >/dev/full");
    EXPECT_EQ(made.exit_code, 1) << arguments;
    EXPECT_NE(made.out.find("could not be written"), std::string::npos) << arguments;
  }
}

TEST(command, says_its_version) {
  const outcome made = run_command("--version");
  EXPECT_EQ(made.exit_code, 0);
  EXPECT_EQ(made.out.rfind("tutti 0.", 0), 0u) << made.out;
}

TEST(every_verb, has_help_with_examples) {
  for (const std::string verb : {"list", "check", "explain", "bench"}) {
    const outcome made = run_command(verb + " --help");
    EXPECT_EQ(made.exit_code, 0) << verb;
    EXPECT_NE(made.out.find("Examples:\n  tutti " + verb), std::string::npos) << verb;
    EXPECT_NE(made.out.find("--json"), std::string::npos) << verb;
  }
}

}  // namespace
}  // namespace tutti
