// SPDX-License-Identifier: BSL-1.0
// Starts the ranks of a job, watches over them and ends them together.
#pragma once

#include <sys/signalfd.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.hpp"
#include "label.hpp"
#include "options.hpp"
#include "report.hpp"
#include "spawn.hpp"
#include "transport/memory/job.hpp"

namespace tutti::launching {

/// One run. Thread safety: none; the process must be single-threaded, since it forks and owns its signals.
class supervisor {
 public:
  explicit supervisor(const run_options& options);

  /// Runs the job to its end and says on stderr what went wrong. Returns the exit code: 0 if all ranks
  /// succeeded, else the first failing rank's as a shell reports it; 124 after --timeout; 127 if the
  /// program cannot be executed; 2 for a bad setting; 1 if the system refuses to start a rank.
  int run();

 private:
  using clock = std::chrono::steady_clock;
  enum class phase { running, grace, terminating, killing };

  void take_signals();
  bool start_all();
  void loop();
  void time_is_over();
  void end_descendants();
  int wait_milliseconds() const;
  void read_exec_failures();
  void handle_signal(const signalfd_siginfo& what);
  void reap();
  void record(rank_id rank, int how);
  void end_after(std::chrono::milliseconds grace);
  void escalate();
  void signal_all(int number) const;
  void pump_ready(int wait);
  void drain();
  void say(const std::string& text) const;
  int exit_code() const;

  const run_options& options_;
  std::optional<memory::job> job_;
  spawn_plan plan_;
  descriptor signals_;
  descriptor exec_failures_;
  std::vector<rank_report> ranks_;
  std::vector<labeled_stream> streams_;
  rank_id alive_ = 0;
  phase phase_ = phase::running;
  clock::time_point start_;
  std::optional<clock::time_point> deadline_;  ///< of the phase
  std::optional<clock::time_point> timeout_;
  std::optional<rank_id> first_failed_;
  std::optional<int> code_;  ///< decided by something other than a rank's end
  bool asked_to_end_ = false;
};

}  // namespace tutti::launching
