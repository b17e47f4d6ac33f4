// SPDX-License-Identifier: BSL-1.0
// Pains of limits: memory, file sizes, descriptors, many ranks, many communicators, names and who may attach.
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "pains/pains.hpp"
#include "support/scoped_variable.hpp"

namespace tutti {
namespace {

using test::await_lines;
using test::command;
using test::command_result;
using test::has;
using test::job_of;
using test::lines_of;
using test::run_command;
using test::run_job;
using test::scoped_variable;

/// The words of a job inside `sh -c PREPARATION; exec ...`.
std::vector<std::string> prepared_job(const std::string& preparation, const std::vector<std::string>& job) {
  std::vector<std::string> words{"sh", "-c", preparation + "; exec \"$@\"", "sh"};
  words.insert(words.end(), job.begin(), job.end());
  return words;
}

/// Every rank must print the same refusal, which says what was needed and what to set.
void expect_same_refusal(const command_result& job, std::size_t ranks, const std::vector<std::string>& parts) {
  EXPECT_EQ(job.code, 0) << job.err;
  const auto lines = lines_of(job.out);
  ASSERT_EQ(lines.size(), ranks) << job.out << job.err;
  for (const auto& line : lines) EXPECT_EQ(line, lines.front());
  for (const auto& part : parts) EXPECT_TRUE(has(lines.front(), part)) << part << " in: " << lines.front();
}

TEST(Pain, P107_TooSmallASegmentIsOneErrorOnEveryRank) {
  const scoped_variable segment("TUTTI_SEGMENT_BYTES", "1Mi");
  expect_same_refusal(run_job(2, "pain_limits", {"large", "8000000"}), 2, {"no_space", "bytes", "TUTTI_SEGMENT_BYTES"});
}

TEST(Pain, P107_AFileSizeLimitIsOneErrorOnEveryRank) {
  const auto job = job_of(4, "pain_limits", {"large", "8000000"});
  std::vector<std::string> limited{"prlimit", "--fsize=1000000"};
  limited.insert(limited.end(), job.begin(), job.end());
  expect_same_refusal(run_command(limited), 4, {"no_space", "bytes", "ulimit -f"});
}

TEST(Pain, P108_ASegmentTooSmallForSoManyRanksIsSaidInOneLine) {
  const scoped_variable segment("TUTTI_SEGMENT_BYTES", "64Ki");
  const command_result job = run_job(64, "pain_limits", {"sums", "1"});
  EXPECT_EQ(job.code, 3);
  // Each rank writes the text to its own standard error; it is the same text.
  std::set<std::string> said;
  for (const auto& line : lines_of(job.err)) {
    if (!has(line, "exited with code")) said.insert(line);
  }
  ASSERT_EQ(said.size(), 1U) << job.err;
  for (const char* part : {"64 sites", "in use", "TUTTI_SEGMENT_BYTES"}) EXPECT_TRUE(has(*said.begin(), part)) << part;
}

TEST(Pain, P109_CommunicatorsUntilTheSegmentIsFull) {
  const scoped_variable segment("TUTTI_SEGMENT_BYTES", "2Mi");
  const command_result job = run_job(4, "pain_limits", {"fill"});
  EXPECT_EQ(job.code, 0) << job.err;
  for (const char* part : {"block of", "bytes are in use", "TUTTI_SEGMENT_BYTES"})
    EXPECT_TRUE(has(job.out, part)) << part << " in: " << job.out;
}

/// The memory of a running job's first rank, as /proc shows it.
std::string segment_of(pid_t pid) {
  for (const auto& one : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/fd")) {
    std::error_code gone;
    if (has(std::filesystem::read_symlink(one.path(), gone).string(), "memfd:tutti")) return one.path();
  }
  return {};
}

TEST(Pain, P113_NoNameInAnyFileSystem) {
  const command_result job = run_job(4, "pain_limits", {"places"});
  EXPECT_EQ(job.code, 0) << job.err;
  EXPECT_TRUE(has(job.out, "/memfd:tutti"));
  // What the loader, the build folder and the thread sanitizer (its tsan.rodata) map is not the job's.
  for (const char* place : {"/dev/shm", "/tmp", "/var", "/run"})
    for (const auto& line : lines_of(job.out))
      EXPECT_TRUE(line.rfind(place, 0) != 0 || has(line, TUTTI_TEST_SOURCE_DIR) || has(line, ".so") ||
                  has(line, "/tmp/tsan.rodata."))
          << line;
}

TEST(Pain, P114_AForeignOrForgedSegmentIsRefused) {
  // A descriptor that is not a sealed memory file of ours: a plain file, and one of another mode.
  const std::string forged = testing::TempDir() + "tutti_forged_" + std::to_string(getpid());
  for (const char* mode : {"666", "600"}) {
    const command_result rank = run_command({"sh", "-c",
                                             "head -c 1000000 /dev/zero >" + forged + "; chmod " + mode + " " + forged +
                                                 "; exec env TUTTI_RANK=0 " + "TUTTI_SIZE=1 TUTTI_SEGMENT_FD=9 " +
                                                 test::program("pain_limits") + " sums 1 9<>" + forged});
    EXPECT_EQ(rank.code, 3) << rank.out;
    EXPECT_TRUE(has(rank.err, "TUTTI_SEGMENT_FD=9") && has(rank.err, "not this job's memory")) << rank.err;
  }
  std::filesystem::remove(forged);
}

TEST(Pain, P115_OthersMayNotAttachWhateverTheUmask) {
  command job(prepared_job("umask 0", job_of(2, "pain_ends", {"loop"})));
  ASSERT_TRUE(await_lines(job, 2));
  const pid_t rank = std::stoi(lines_of(job.out()).front());
  const std::string segment = segment_of(rank);
  struct stat facts {};
  ASSERT_EQ(stat(segment.c_str(), &facts), 0) << segment;
  EXPECT_EQ(facts.st_mode & 07777, 0600U);
  EXPECT_EQ(facts.st_uid, geteuid());
  if (geteuid() == 0) {
    const command_result other = run_command({"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "dd",
                                              "if=" + segment, "of=/dev/null", "count=1"});
    EXPECT_NE(other.code, 0);
    EXPECT_TRUE(has(other.err, "Permission denied")) << other.err;
  }
  job.send(SIGTERM);
  EXPECT_EQ(job.wait().code, 128 + SIGTERM);
}

TEST(Pain, P117_AllJoinWhenStartedTogether) {
  for (int turn = 0; turn < test::times(15); ++turn) {
    const command_result job = run_command({test::tutti_command, "run", "-n", "8", "sh", "-c",
                                            "sleep 0.00$(( ($TUTTI_RANK * 7 + " + std::to_string(turn) +
                                                ") % 10 )); exec " + test::program("pain_limits") + " race 20"});
    ASSERT_EQ(job.code, 0) << job.err;
  }
}

/// Runs a job where /dev/shm has been made unusable, in a mount namespace of its own.
void expect_runs_without(const std::string& spoil) {
  const auto job = prepared_job(spoil, job_of(2, "pain_limits", {"sums", "20"}));
  std::vector<std::string> words{"unshare", "--mount"};
  if (geteuid() != 0) words = {"unshare", "--user", "--map-root-user", "--mount"};
  auto probe = words;
  probe.emplace_back("true");
  if (run_command(probe).code != 0) return;  // no namespaces here; P113 has shown that no place is used
  words.insert(words.end(), job.begin(), job.end());
  const command_result end = run_command(words);
  EXPECT_EQ(end.code, 0) << spoil << ": " << end.err;
  EXPECT_TRUE(has(end.out, "fds ")) << end.out;
}

TEST(Pain, P122_SharedMemoryFolderDoesNotMatter) {
  expect_runs_without("mount --bind /proc/sys /dev/shm");  // as good as absent: nothing can be created
  expect_runs_without("mount -t tmpfs -o ro none /dev/shm");
  expect_runs_without("mount -t tmpfs -o size=4k none /dev/shm; head -c 4096 /dev/zero >/dev/shm/full");
  expect_runs_without("mount -t tmpfs -o mode=0755 none /dev/shm");
}

/// "fds LEAST MOST" of a job of so many ranks under `ulimit -n 256`.
std::pair<int, int> descriptors(int ranks) {
  const command_result job = run_command(prepared_job("ulimit -n 256", job_of(ranks, "pain_limits", {"sums", "0"})));
  EXPECT_EQ(job.code, 0) << job.err.substr(0, 2000);
  std::istringstream line(job.out);
  std::string word;
  std::pair<int, int> found;
  line >> word >> found.first >> found.second;
  EXPECT_EQ(word, "fds") << job.out;
  return found;
}

TEST(Pain, P128_DescriptorsPerRankDoNotGrowWithRanks) {
  const auto few = descriptors(2);
  EXPECT_GT(few.second, 3) << "the three standard ones and the segment";
  EXPECT_EQ(descriptors(test::sanitized ? 64 : 256), few);
}

TEST(Pain, P129_FourHundredAndEightyRanksStart) {
  const auto many = descriptors(test::sanitized ? 150 : 480);
  EXPECT_LT(many.second, 20);
}

struct use {
  std::int64_t descriptors, mappings, footprint, kilobytes;
};

/// What `churn` prints: after a tenth of the turns, and at the end.
std::pair<use, use> churn(int turns) {
  const command_result job = run_job(2, "pain_limits", {"churn", std::to_string(turns)});
  EXPECT_EQ(job.code, 0) << job.err;
  std::istringstream lines(job.out);
  std::pair<use, use> seen{};
  for (use* one : {&seen.first, &seen.second})
    lines >> one->descriptors >> one->mappings >> one->footprint >> one->kilobytes;
  EXPECT_TRUE(lines) << job.out;
  return seen;
}

TEST(Pain, P130_CommunicatorsMadeAndDroppedLeaveNothing) {
  const auto [early, late] = churn(test::times(100'000));
  EXPECT_EQ(late.descriptors, early.descriptors);
  EXPECT_LE(late.mappings, early.mappings + 2);
  EXPECT_LE(late.footprint, early.footprint + (1 << 20)) << "shared memory ever touched";
}

TEST(Pain, P130_AtTheLimitTheErrorNamesLimitAndCountAndWhatExistsWorks) {
  const scoped_variable segment("TUTTI_SEGMENT_BYTES", "1Mi");
  const command_result job = run_job(2, "pain_limits", {"fill"});
  EXPECT_EQ(job.code, 0) << job.err;
  const std::string count = job.out.substr(0, job.out.find(' '));
  EXPECT_GT(std::stoi(count), 3);
  EXPECT_TRUE(has(job.out, "bytes are in use")) << "the limit: " << job.out;
  // The world's own communicator is the one more.
  EXPECT_TRUE(has(job.out.substr(count.size()), std::to_string(std::stoi(count) + 1))) << "the count: " << job.out;
}

TEST(Pain, P132_MakingAndDroppingKeepsResidentMemoryFlat) {
  const auto [early, late] = churn(test::times(20'000));
  EXPECT_LE(late.kilobytes, early.kilobytes + (test::sanitized ? 50'000 : 2'000));
}

}  // namespace
}  // namespace tutti
