// SPDX-License-Identifier: BSL-1.0
#include "spawn.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace tutti::launching {
namespace {

struct pipe_ends {
  descriptor read;
  descriptor write;
};

result<pipe_ends> make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    return failure{errc::launch_failed, fmt::format("no pipe for a rank's output: {}", std::strerror(errno))};
  }
  return pipe_ends{descriptor(ends[0]), descriptor(ends[1])};
}

bool is_file(const std::string& path) {
  struct stat facts {};
  return stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode);
}

void set_environment(const spawn_plan& plan, rank_id rank) {
  for (const std::string& setting : plan.options.environment) {
    const auto equals = setting.find('=');
    setenv(setting.substr(0, equals).c_str(), setting.c_str() + equals + 1, 1);
  }
  if (plan.options.progress_thread) setenv("TUTTI_PROGRESS_THREAD", "1", 1);
  setenv("TUTTI_RANK", std::to_string(rank).c_str(), 1);
  setenv("TUTTI_SIZE", std::to_string(plan.options.ranks).c_str(), 1);
  setenv("TUTTI_SEGMENT_FD", std::to_string(plan.segment_fd).c_str(), 1);
}

[[noreturn]] void become_rank(const spawn_plan& plan, rank_id rank, int out, int err) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != plan.launcher) _exit(1);  // it died before the line above
  if (rank != 0) {
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    close(nothing);
  }
  if (out >= 0) dup2(out, STDOUT_FILENO);
  if (err >= 0) dup2(err, STDERR_FILENO);
  fcntl(plan.segment_fd, F_SETFD, 0);
  set_environment(plan, rank);
  setrlimit(RLIMIT_NOFILE, &plan.open_files);
  std::signal(SIGPIPE, SIG_DFL);
  sigprocmask(SIG_SETMASK, &plan.signals, nullptr);

  std::vector<char*> arguments;
  arguments.reserve(plan.options.command.size() + 1);
  for (const std::string& word : plan.options.command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(plan.program.c_str(), arguments.data());
  const exec_failure why{rank, errno};
  [[maybe_unused]] const ssize_t told = write(plan.failure_pipe, &why, sizeof why);
  _exit(127);
}

}  // namespace

result<std::string> find_program(const std::string& name) {
  const auto refuse = [&](const char* why) {
    return failure{errc::launch_failed, fmt::format("program '{}': {}", name, why)};
  };
  if (name.find('/') != std::string::npos) {
    if (access(name.c_str(), F_OK) != 0) return refuse(std::strerror(errno));
    if (!is_file(name)) return refuse("it is not a file");
    if (access(name.c_str(), X_OK) != 0) return refuse("it may not be executed (chmod +x)");
    return name;
  }
  const char* path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
  while (!name.empty()) {
    const auto colon = rest.find(':');
    const std::string_view folder = rest.substr(0, colon);
    const std::string candidate = fmt::format("{}/{}", folder.empty() ? "." : folder, name);
    if (is_file(candidate) && access(candidate.c_str(), X_OK) == 0) return candidate;
    if (colon == std::string_view::npos) break;
    rest.remove_prefix(colon + 1);
  }
  return refuse("not found in PATH; for a program in this folder write ./ before its name");
}

result<started_rank> spawn(const spawn_plan& plan, rank_id rank) {
  started_rank started;
  pipe_ends out;
  pipe_ends err;
  if (plan.options.label) {
    auto first = make_pipe();
    if (!first) return std::move(first).why();
    auto second = make_pipe();
    if (!second) return std::move(second).why();
    out = std::move(first).value();
    err = std::move(second).value();
  }
  started.pid = fork();
  if (started.pid == 0) become_rank(plan, rank, out.write.get(), err.write.get());
  if (started.pid < 0) {
    return failure{errc::launch_failed, fmt::format("rank {} of {} cannot be started: {}; use fewer ranks or raise "
                                                    "ulimit -u",
                                                    rank, plan.options.ranks, std::strerror(errno))};
  }
  started.out = std::move(out.read);
  started.err = std::move(err.read);
  return started;
}

}  // namespace tutti::launching
