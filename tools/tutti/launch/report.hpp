// SPDX-License-Identifier: BSL-1.0
// What became of each rank, for people and for programs.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/status.hpp"
#include "options.hpp"

namespace tutti::launching {

struct rank_report {
  pid_t pid = 0;
  bool running = false;
  int exit_code = 0;
  int signal = 0;  ///< 0: it exited
  double wall_seconds = 0;
  double cpu_seconds = 0;

  bool failed() const noexcept { return exit_code != 0 || signal != 0; }
  /// As a shell reports it: the exit code, or 128 + the signal.
  int shell_code() const noexcept { return signal != 0 ? 128 + signal : exit_code; }
};

/// "exited with code 7", "was killed by signal 9 (SIGKILL)".
std::string describe_end(const rank_report& one);

/// "rank 2", "ranks 0, 3".
std::string list_ranks(const std::vector<rank_id>& ranks);

/// Writes the file that --json names. Errors: bad_argument if it cannot be written.
status write_report(const run_options& options, const std::vector<rank_report>& ranks, int exit_code);

}  // namespace tutti::launching
