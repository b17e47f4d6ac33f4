// SPDX-License-Identifier: BSL-1.0
// Pains of ranks that end: killed, gone early, with an exception, by a signal, stopped for a while.
#include <sys/prctl.h>

#include <thread>

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
using test::run_job;
using test::scoped_variable;

/// Long enough for the ranks to end by themselves; nothing waits for it where they do.
constexpr const char* long_grace = "60";

std::size_t count_lines_with(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (const auto& line : lines_of(text)) count += has(line, part) ? 1 : 0;
  return count;
}

/// Processes of this machine whose command line has `part`.
std::size_t processes_with(const std::string& part) {
  const auto found = test::run_command({"sh", "-c", "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' '"});
  std::size_t count = 0;
  for (auto at = found.out.find(part); at != std::string::npos; at = found.out.find(part, at + 1)) ++count;
  return count;
}

std::string shared_memory_files() { return test::run_command({"ls", "-A", "/dev/shm"}).out; }

void expect_survivors_told(const std::string& how) {
  const scoped_variable grace("TUTTI_GRACE", long_grace);
  const command_result job = run_job(4, "pain_ends", {"kill", how});
  EXPECT_EQ(job.code, 137) << job.err;
  for (const int survivor : {0, 1, 3})
    EXPECT_EQ(count_lines_with(job.out, "rank " + std::to_string(survivor) + ": 8 of 8: "), 1U) << how << job.out;
  EXPECT_EQ(count_lines_with(job.out, "rank 2 "), 3U) << "each text names the dead: " << job.out;
  EXPECT_TRUE(has(job.err, "rank 2 was killed by signal 9")) << job.err;
}

TEST(Pain, P087_SurvivorsOfAKilledRankGetErrorsThatNameIt) { expect_survivors_told("get"); }
TEST(Pain, P087_SurvivorsThatOnlyPollAreToldToo) { expect_survivors_told("poll"); }
TEST(Pain, P087_SurvivorsThatWaitInShortStepsAreToldToo) { expect_survivors_told("wait_for"); }
TEST(Pain, P087_TheProgressThreadTellsContinuations) {
  const scoped_variable progress("TUTTI_PROGRESS_THREAD", "1");
  expect_survivors_told("then");
}

TEST(Pain, P090_LeavingEarlyIsAnErrorForThoseWhoWait) {
  const scoped_variable grace("TUTTI_GRACE", long_grace);
  const command_result job = run_job(2, "pain_ends", {"leave"});
  EXPECT_EQ(job.code, 3);
  EXPECT_TRUE(has(job.err, "rank 0") && has(job.err, "barrier")) << job.err;
  EXPECT_TRUE(has(job.err, "rank 1 exited with code 3")) << job.err;
}

TEST(Pain, P091_UnwindingNeverWaitsForPeersAndTheTextSurvives) {
  const scoped_variable grace("TUTTI_GRACE", long_grace);
  const command_result job = run_job(3, "pain_ends", {"unwind"});
  EXPECT_EQ(job.code, 3);
  EXPECT_EQ(count_lines_with(job.err, "disk full"), 1U) << job.err;
  EXPECT_EQ(count_lines_with(job.err, "rank 1 (process"), 2U) << "both peers name it: " << job.err;
}

void expect_nothing_left_after(int signal) {
  const std::string before = shared_memory_files();
  command job(job_of(4, "pain_ends", {"loop"}));
  ASSERT_TRUE(await_lines(job, 4));
  const auto pids = lines_of(job.out());
  job.send(signal);
  EXPECT_EQ(job.wait().code, 128 + signal);
  for (const auto& pid : pids) EXPECT_EQ(kill(std::stoi(pid), 0), -1) << pid;
  EXPECT_EQ(shared_memory_files(), before);
}

TEST(Pain, P111_InterruptLeavesNothing) { expect_nothing_left_after(SIGINT); }
TEST(Pain, P111_TerminationLeavesNothing) { expect_nothing_left_after(SIGTERM); }

TEST(Pain, P111_KillingTheLauncherLeavesNothing) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const std::string before = shared_memory_files();
  command job(job_of(4, "pain_ends", {"loop"}));
  ASSERT_TRUE(await_lines(job, 4));
  const auto pids = lines_of(job.out());
  job.send(SIGKILL);
  EXPECT_EQ(job.wait().code, 137);
  for (const auto& pid : pids) {
    int how = 0;
    ASSERT_EQ(waitpid(std::stoi(pid), &how, 0), std::stoi(pid));
    EXPECT_TRUE(WIFSIGNALED(how));
  }
  EXPECT_EQ(shared_memory_files(), before);
  prctl(PR_SET_CHILD_SUBREAPER, 0);
}

TEST(Pain, P116_ARunAfterAKilledOneIsUnaffected) {
  for (int turn = 0; turn < 3; ++turn) {
    {
      command killed(job_of(2, "pain_ends", {"loop"}));
      ASSERT_TRUE(await_lines(killed, 2));
      killed.send(SIGKILL);
      killed.wait();
    }
    const command_result next = run_job(2, "pain_ends", {"rounds", "100"});
    EXPECT_EQ(next.code, 0) << next.err;
  }
}

TEST(Pain, P116_TwoJobsOfOneNameAreSeparate) {
  command first(job_of(2, "pain_ends", {"rounds", "2000"}));
  command second(job_of(3, "pain_ends", {"rounds", "2000"}));
  for (command* job : {&first, &second}) {
    const command_result end = job->wait();
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_GE(count_lines_with(end.out, "done"), 2U);
  }
}

TEST(Pain, P123_ChildrenOfARankDisturbNobody) {
  const command_result job = run_job(2, "pain_ends", {"fork"});
  EXPECT_EQ(job.code, 0) << job.err;
  EXPECT_EQ(count_lines_with(job.out, "done"), 2U) << job.out;
}

TEST(Pain, P124_SignalsThatInterruptCallsFailNothing) {
  const command_result job = run_job(2, "pain_ends", {"storm", std::to_string(test::times(5000))});
  EXPECT_EQ(job.code, 0) << job.err;
  EXPECT_EQ(count_lines_with(job.out, "done"), 2U);
}

TEST(Pain, P124_AStoppedRankIsNotDead) {
  command job(job_of(3, "pain_ends", {"rounds", std::to_string(test::times(20'000))}));
  ASSERT_TRUE(await_lines(job, 3));
  const pid_t stopped = std::stoi(lines_of(job.out())[1]);
  kill(stopped, SIGSTOP);
  // Well past the point where waiting ranks ask after their peers (10 ms); no outcome depends on it.
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  kill(stopped, SIGCONT);
  const command_result end = job.wait();
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_EQ(count_lines_with(end.out, "done"), 3U);
  EXPECT_EQ(processes_with("pain_ends rounds " + std::to_string(test::times(20'000))), 0U);
}

}  // namespace
}  // namespace tutti
