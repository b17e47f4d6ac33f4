// SPDX-License-Identifier: BSL-1.0
// Where a thread of the program stands: its rank, its job, its calls in flight.
#pragma once

#include <chrono>
#include <memory>
#include <stop_token>
#include <thread>

#include "engine/pending_sites.hpp"
#include "world/bootstrap.hpp"

namespace tutti::core {

/// One rank's part of a job. Lives as long as the world, or the last communicator made in it.
class context {
 public:
  /// The job and its names outlive the context's communicators through `keeper`.
  context(std::shared_ptr<const void> keeper, const memory::job& job, const worlds::directory& names, rank_id rank,
          std::chrono::duration<double> drain_time);

  const memory::job& job() const noexcept { return *job_; }
  const worlds::directory& names() const noexcept { return *names_; }
  rank_id rank() const noexcept { return rank_; }
  rank_id size() const noexcept { return job_->size(); }
  engine::pending_sites& pending() noexcept { return pending_; }
  /// False in a child forked from a member: it has no part in the job.
  bool is_mine() const noexcept;

  void start_progress_thread();
  void stop_progress_thread();
  /// Completes what is in flight, within the drain time; false if something is left.
  bool drain();

  /// Of the calling thread: the one bound to it, else the process's; null if there is none.
  static std::shared_ptr<context> current();
  static bool install_for_process(std::shared_ptr<context> everyone);
  static void remove_from_process();

  /// Binds a context to the calling thread while it lives.
  class binding {
   public:
    explicit binding(std::shared_ptr<context> here);
    ~binding();
    binding(const binding&) = delete;
    binding& operator=(const binding&) = delete;
  };

 private:
  std::shared_ptr<const void> keeper_;
  const memory::job* job_;
  const worlds::directory* names_;
  rank_id rank_;
  std::chrono::duration<double> drain_time_;
  engine::pending_sites pending_;
  std::jthread progress_;
};

}  // namespace tutti::core
