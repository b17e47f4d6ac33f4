// SPDX-License-Identifier: BSL-1.0
// Programs that join a job, under each launcher.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "support/run_command.hpp"
#include "support/scoped_variable.hpp"

namespace tutti {
namespace {

const std::string tutti_command = TUTTI_TEST_BIN_DIR "/tutti";
const std::string member = TUTTI_TEST_BIN_DIR "/tests/member";

std::vector<std::string> sorted_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

std::vector<std::string> everyone(int size, const std::string& origin) {
  std::vector<std::string> lines;
  for (int rank = 0; rank < size; ++rank)
    lines.push_back(std::to_string(rank) + "/" + std::to_string(size) + " " + origin);
  return lines;
}

TEST(join, all_ranks_meet_in_fifty_starts_with_skew) {
  for (int round = 0; round < 50; ++round) {
    const std::string script =
        "sleep 0.0$(( ($TUTTI_RANK * 7 + " + std::to_string(round) + ") % 10 )); exec " + member + " meet";
    const auto result = test::run_command({tutti_command, "run", "-n", "8", "sh", "-c", script});
    ASSERT_EQ(result.code, 0) << result.err;
    ASSERT_EQ(sorted_lines(result.out), everyone(8, "tutti run"));
  }
}

TEST(join, survivors_learn_from_the_table_who_died_and_how) {
  const test::scoped_variable grace("TUTTI_GRACE", "100");
  const auto result = test::run_command({tutti_command, "run", "-n", "4", member, "watch", "2"});
  EXPECT_EQ(result.code, 137);
  EXPECT_EQ(sorted_lines(result.out), std::vector<std::string>(3, "dead 9 was killed by signal 9 (SIGKILL)"));
}

TEST(join, a_program_started_by_a_rank_is_told_that_the_variables_are_stale) {
  const auto result =
      test::run_command({tutti_command, "run", "-n", "1", "sh", "-c", "TUTTI_SEGMENT_FD=77 exec " + member + " meet"});
  EXPECT_EQ(result.code, 9);
  EXPECT_NE(result.err.find("TUTTI_SEGMENT_FD=77 is not open"), std::string::npos) << result.err;
}

TEST(join, two_programs_as_one_rank_are_refused) {
  const auto result =
      test::run_command({tutti_command, "run", "-n", "1", "sh", "-c", member + " meet; " + member + " meet"});
  EXPECT_EQ(result.code, 9);
  EXPECT_NE(result.err.find("rank 0 of 1 is already process"), std::string::npos) << result.err;
}

TEST(join, alone) {
  const auto result = test::run_command({member, "meet"});
  EXPECT_EQ(result.out, "0/1 alone\n") << result.err;
}

TEST(join, under_open_mpi_directly_and_inside_shells) {
  const std::vector<std::string> start{"mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "-n", "4"};
  for (const std::vector<std::string>& program :
       {std::vector<std::string>{member, "meet"}, {"sh", "-c", "sh -c '" + member + " meet; exit $?'; exit $?"}}) {
    auto words = start;
    words.insert(words.end(), program.begin(), program.end());
    const auto result = test::run_command(words);
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(sorted_lines(result.out), everyone(4, "mpirun (Open MPI)"));
  }
}

TEST(join, under_mpich_directly_and_inside_shells) {
  for (const std::vector<std::string>& program :
       {std::vector<std::string>{member, "meet"}, {"sh", "-c", "sh -c '" + member + " meet; exit $?'; exit $?"}}) {
    std::vector<std::string> words{"mpiexec.hydra", "-n", "4"};
    words.insert(words.end(), program.begin(), program.end());
    const auto result = test::run_command(words);
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(sorted_lines(result.out), everyone(4, "mpiexec (MPICH)"));
  }
}

}  // namespace
}  // namespace tutti
