// SPDX-License-Identifier: BSL-1.0
// Pains of waiting: more ranks than cores, limits on cores, settings that must be honored.
#include <sched.h>

#include "base/cores.hpp"
#include "base/waiter.hpp"
#include "pains/pains.hpp"
#include "support/scoped_variable.hpp"

namespace tutti {
namespace {

using test::command_result;
using test::has;
using test::job_of;
using test::lines_of;
using test::run_command;
using test::scoped_variable;

/// A job kept to the first core that this process may use.
command_result run_on_one_core(int ranks, std::vector<std::string> arguments) {
  cpu_set_t mine;
  sched_getaffinity(0, sizeof mine, &mine);
  int core = 0;
  while (!CPU_ISSET(core, &mine)) ++core;
  std::vector<std::string> words{"taskset", "-c", std::to_string(core)};
  const auto job = job_of(ranks, "pain_limits", std::move(arguments));
  words.insert(words.end(), job.begin(), job.end());
  return run_command(words);
}

TEST(Pain, P125_FiveRanksOnOneCore) {
  const command_result job = run_on_one_core(5, {"sums", std::to_string(test::times(10'000))});
  EXPECT_EQ(job.code, 0) << job.err;
}

TEST(Pain, P126_AffinityCountsNotTheMachine) {
  const command_result job = run_on_one_core(3, {"waiting"});
  EXPECT_EQ(job.out, "1 lets others run adaptive\n1 lets others run adaptive\n1 lets others run adaptive\n");
}

TEST(Pain, P126_ForcedNumberOfCoresWins) {
  const scoped_variable cores("TUTTI_CORES", "8");
  EXPECT_EQ(run_on_one_core(2, {"waiting"}).out, "8 spins adaptive\n8 spins adaptive\n");
}

TEST(Pain, P126_CpuQuotaCounts) {
  EXPECT_EQ(cores_of_cpu_max("200000 100000\n"), 2);
  EXPECT_EQ(cores_of_cpu_max("150000 100000\n"), 2);
  EXPECT_EQ(cores_of_cpu_max("50000 100000\n"), 1);
  EXPECT_EQ(cores_of_cpu_max("max 100000\n"), 0);
  EXPECT_EQ(cores_of_cpu_max(""), 0);
}

TEST(Pain, P127_WaitingPolicyIsHonored) {
  for (const char* policy : {"adaptive", "yield", "sleep", "spin"}) {
    const scoped_variable setting("TUTTI_WAIT", policy);
    const command_result shown = run_on_one_core(1, {"waiting"});
    EXPECT_TRUE(has(shown.out, policy)) << shown.out;
    const bool spins = std::string(policy) == "spin";
    const command_result job = run_on_one_core(4, {"sums", spins ? "5" : "200"});
    EXPECT_EQ(job.code, 0) << policy << ": " << job.err;
  }
}

TEST(Pain, P127_AnUnknownPolicyIsNoticed) {
  const scoped_variable setting("TUTTI_WAIT", "spinn");
  const wait_setting read = wait_setting_from_environment();
  EXPECT_FALSE(read.known);
  EXPECT_EQ(read.policy, wait_policy::adaptive);
  const error refused = test::error_of([] { run_threads(1, [](const communicator&) {}); });
  EXPECT_EQ(refused.code(), errc::launch_failed);
  EXPECT_TRUE(has(refused.what(), "TUTTI_WAIT='spinn'")) << refused.what();
}

}  // namespace
}  // namespace tutti
