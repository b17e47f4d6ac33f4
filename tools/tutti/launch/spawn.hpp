// SPDX-License-Identifier: BSL-1.0
// Starting the process of one rank.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <csignal>
#include <string>

#include "base/descriptor.hpp"
#include "base/status.hpp"
#include "options.hpp"

namespace tutti::launching {

/// Written by a child whose exec failed, read by the launcher.
struct exec_failure {
  rank_id rank = 0;
  int error = 0;
};

/// What all children share.
struct spawn_plan {
  const run_options& options;
  std::string program{};  ///< path, resolved
  int segment_fd = -1;
  int failure_pipe = -1;  ///< write end; closes on exec
  pid_t launcher = 0;
  sigset_t signals{};   ///< mask the launcher was started with
  rlimit open_files{};  ///< limit the launcher was started with
};

struct started_rank {
  pid_t pid = 0;
  descriptor out;  ///< read ends, only with --label
  descriptor err;
};

/// Finds a program as the shell does. Errors: launch_failed if there is none or it may not be executed.
result<std::string> find_program(const std::string& name);

/// Forks and executes. The child dies with the launcher. Errors: launch_failed if the system refuses.
result<started_rank> spawn(const spawn_plan& plan, rank_id rank);

}  // namespace tutti::launching
