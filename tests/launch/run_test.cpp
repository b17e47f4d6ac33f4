// SPDX-License-Identifier: BSL-1.0
// `tutti run` from outside: the built command is started and observed.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

#include "support/run_command.hpp"
#include "support/scoped_variable.hpp"

namespace tutti {
namespace {

using test::command;
using test::command_result;
using test::scoped_variable;

const std::string tutti_command = TUTTI_TEST_BIN_DIR "/tutti";

/// The words of `tutti run OPTIONS -- sh -c SCRIPT`.
std::vector<std::string> shell_job(std::vector<std::string> options, const std::string& script) {
  std::vector<std::string> words{tutti_command, "run"};
  words.insert(words.end(), options.begin(), options.end());
  for (const char* word : {"--", "sh", "-c"}) words.emplace_back(word);
  words.push_back(script);
  return words;
}

command_result run_shell(std::vector<std::string> options, const std::string& script, const std::string& input = {}) {
  return test::run_command(shell_job(std::move(options), script), input);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> sorted_lines(const std::string& text) {
  auto lines = lines_of(text);
  std::sort(lines.begin(), lines.end());
  return lines;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Until `count` lines have been written; false if the program ends first.
bool await_lines(const command& one, std::size_t count) {
  while (lines_of(one.out()).size() < count) {
    siginfo_t ended{};
    waitid(P_PID, static_cast<id_t>(one.pid()), &ended, WEXITED | WNOHANG | WNOWAIT);
    if (ended.si_pid != 0) return false;
    std::this_thread::yield();
  }
  return true;
}

TEST(run, success_is_zero_and_every_rank_knows_its_place) {
  const auto result = run_shell({"-n", "4"}, "echo $TUTTI_RANK of $TUTTI_SIZE");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(sorted_lines(result.out), (std::vector<std::string>{"0 of 4", "1 of 4", "2 of 4", "3 of 4"}));
  EXPECT_EQ(result.err, "");
}

TEST(run, a_failing_rank_gives_its_code_and_is_named) {
  const auto result = run_shell({"-n", "4"}, "test $TUTTI_RANK != 2 || exit 7");
  EXPECT_EQ(result.code, 7);
  EXPECT_EQ(result.err, "tutti run: rank 2 exited with code 7\n");
}

TEST(run, a_killed_rank_gives_128_plus_signal_and_ends_the_others) {
  const scoped_variable grace("TUTTI_GRACE", "0");
  const auto result = run_shell({"-n", "4"}, "test $TUTTI_RANK != 3 || kill -KILL $$; exec sleep 1000");
  EXPECT_EQ(result.code, 137);
  EXPECT_EQ(result.err, "tutti run: rank 3 was killed by signal 9 (SIGKILL)\n");
}

TEST(run, ranks_that_ignore_sigterm_are_killed) {
  const scoped_variable grace("TUTTI_GRACE", "0");
  const auto result = run_shell({"-n", "2"}, "trap '' TERM; test $TUTTI_RANK = 0 && exit 3; while :; do sleep 1; done");
  EXPECT_EQ(result.code, 3);
}

TEST(run, ranks_have_a_grace_period_to_end_by_themselves) {
  const scoped_variable grace("TUTTI_GRACE", "100");
  const auto result = run_shell({"-n", "2"}, "test $TUTTI_RANK = 0 && exit 3; sleep 0.2; echo saved; exit 4");
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(result.out, "saved\n");
  EXPECT_TRUE(has(result.err, "rank 1 exited with code 4"));
}

TEST(run, processes_left_behind_by_ranks_are_ended) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const auto result = run_shell({"-n", "2"}, "sleep 1000 & exit 0");
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "nothing was left to this process";
  prctl(PR_SET_CHILD_SUBREAPER, 0);
}

TEST(run, killing_the_launcher_leaves_no_rank) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  command job(shell_job({"-n", "4"}, "echo $$; exec sleep 1000"));
  ASSERT_TRUE(await_lines(job, 4));
  const auto pids = lines_of(job.out());
  job.send(SIGKILL);
  EXPECT_EQ(job.wait().code, 137);
  for (const std::string& pid : pids) {
    int how = 0;
    ASSERT_EQ(waitpid(std::stoi(pid), &how, 0), std::stoi(pid));
    EXPECT_TRUE(WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL);
  }
  prctl(PR_SET_CHILD_SUBREAPER, 0);
}

TEST(run, signals_are_forwarded) {
  for (const auto& [signal, name] : {std::pair(SIGTERM, "TERM"), std::pair(SIGINT, "INT"), std::pair(SIGHUP, "HUP")}) {
    command job(
        shell_job({"-n", "3"}, std::string("trap 'exit 5' ") + name + "; echo ready; while :; do sleep 0.05; done"));
    ASSERT_TRUE(await_lines(job, 3));
    job.send(signal);
    const auto result = job.wait();
    EXPECT_EQ(result.code, 5) << name;
  }
}

TEST(run, timeout_names_who_still_runs) {
  const auto result = run_shell({"-n", "3", "--timeout", "1"}, "test $TUTTI_RANK = 1 || exec sleep 1000");
  EXPECT_EQ(result.code, 124);
  EXPECT_TRUE(has(result.err, "still running: ranks 0, 2")) << result.err;
}

TEST(run, labels_keep_lines_whole_and_streams_apart) {
  constexpr int lines = 500;
  const auto result = run_shell({"-n", "4", "--label"},
                                "i=0; while [ $i -lt 500 ]; do echo \"line $i of rank $TUTTI_RANK\"; "
                                "echo \"error $i of rank $TUTTI_RANK\" >&2; i=$((i+1)); done; printf tail");
  EXPECT_EQ(result.code, 0);
  for (const auto& [text, word] : {std::pair(result.out, "line"), std::pair(result.err, "error")}) {
    std::map<std::string, int> next;
    for (const std::string& line : lines_of(text)) {
      const std::string rank = line.substr(1, 1);
      const int number = next[rank]++;
      const std::string expected =
          number == lines ? "tail" : std::string(word) + " " + std::to_string(number) + " of rank " + rank;
      ASSERT_EQ(line, "[" + rank + "] " + expected);
    }
    ASSERT_EQ(next.size(), 4u);
    for (const auto& [rank, count] : next) EXPECT_EQ(count, std::string(word) == "line" ? lines + 1 : lines) << rank;
  }
}

TEST(run, only_rank_zero_reads_standard_input) {
  const auto result = run_shell({"-n", "3", "--label"}, "cat", "hello\n");
  EXPECT_EQ(result.out, "[0] hello\n");
}

TEST(run, settings_reach_the_ranks) {
  const auto result = run_shell({"-n", "1", "--env", "A=x y=z", "--env", "B=", "--progress-thread"},
                                "echo \"$A|$B|$TUTTI_PROGRESS_THREAD\"");
  EXPECT_EQ(result.out, "x y=z||1\n");
}

TEST(run, program_options_are_the_programs) {
  const auto result = test::run_command({tutti_command, "run", "-n", "1", "echo", "-n", "--help", "--", "--json"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out, "--help -- --json");
}

TEST(run, report_tells_each_ranks_end) {
  const std::string path = testing::TempDir() + "tutti_run_report_" + std::to_string(getpid()) + ".json";
  const scoped_variable grace("TUTTI_GRACE", "100");
  EXPECT_EQ(run_shell({"-n", "3", "--json", path}, "case $TUTTI_RANK in 1) exit 4;; 2) kill -9 $$;; esac").code != 0,
            true);
  const auto report = nlohmann::json::parse(std::ifstream(path));
  std::remove(path.c_str());
  ASSERT_EQ(report["ranks"].size(), 3u);
  EXPECT_EQ(report["ranks"][0]["exit_code"], 0);
  EXPECT_EQ(report["ranks"][1]["exit_code"], 4);
  EXPECT_EQ(report["ranks"][2]["signal"], 9);
  for (const auto& one : report["ranks"]) {
    EXPECT_GT(one["pid"], 0);
    EXPECT_GT(one["wall_seconds"], 0.0);
    EXPECT_GE(one["cpu_seconds"], 0.0);
  }
}

TEST(run, bad_command_lines_say_what_is_wrong) {
  const struct {
    std::vector<std::string> words;
    int code;
    const char* mention;
  } cases[] = {
      {{"-n", "0", "true"}, 2, "1 to 4096"},
      {{"-n", "4097", "true"}, 2, "1 to 4096"},
      {{"-n", "many", "true"}, 2, "many"},
      {{"true"}, 2, "--ranks is required"},
      {{"-n", "2"}, 2, "no program"},
      {{"-n", "2", "--"}, 2, "no program"},
      {{"-n", "2", "--lable", "true"}, 2, "--lable"},
      {{"-n", "2", "--env", "=x", "true"}, 2, "NAME=VALUE"},
      {{"-n", "2", "--timeout", "-1", "true"}, 2, "--timeout"},
      {{"-n", "2", "./no_such_program"}, 127, "./no_such_program"},
      {{"-n", "2", "no_such_program"}, 127, "not found in PATH"},
      {{"-n", "2", "/"}, 127, "not a file"},
      {{"-n", "1", "--json", "/no_such_folder/report", "true"}, 2, "/no_such_folder/report"},
  };
  for (const auto& one : cases) {
    std::vector<std::string> words{tutti_command, "run"};
    words.insert(words.end(), one.words.begin(), one.words.end());
    const auto result = test::run_command(words);
    EXPECT_EQ(result.code, one.code) << one.mention;
    EXPECT_TRUE(has(result.err, one.mention)) << result.err;
  }
}

TEST(run, a_program_that_cannot_be_executed_is_told_once) {
  const std::string path = testing::TempDir() + "tutti_run_broken_" + std::to_string(getpid());
  std::ofstream(path) << "#!/no/such/interpreter\n";
  chmod(path.c_str(), 0700);
  const auto result = test::run_command({tutti_command, "run", "-n", "3", path});
  std::remove(path.c_str());
  EXPECT_EQ(result.code, 127);
  EXPECT_EQ(lines_of(result.err).size(), 1u) << result.err;
  EXPECT_TRUE(has(result.err, path));
}

TEST(run, bad_settings_are_errors) {
  {
    const scoped_variable segment("TUTTI_SEGMENT_BYTES", "lots");
    EXPECT_EQ(run_shell({"-n", "1"}, "true").code, 2);
  }
  const scoped_variable grace("TUTTI_GRACE", "soon");
  const auto result = run_shell({"-n", "1"}, "true");
  EXPECT_EQ(result.code, 2);
  EXPECT_TRUE(has(result.err, "TUTTI_GRACE='soon'"));
}

TEST(run, more_pipes_than_the_soft_limit_of_open_files) {
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  const rlimit low{64, before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &low);
  const auto result = run_shell({"-n", "100", "--label"}, "ulimit -Sn");
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_EQ(result.code, 0) << result.err;
  const auto lines = lines_of(result.out);
  EXPECT_EQ(lines.size(), 100u);
  for (const auto& line : lines) EXPECT_TRUE(has(line, "] 64")) << line << ": ranks keep the user's limit";
}

}  // namespace
}  // namespace tutti
