// SPDX-License-Identifier: BSL-1.0
// From a started process to a member of a job.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>

#include "base/ids.hpp"
#include "base/status.hpp"
#include "transport/memory/job.hpp"
#include "world/directory.hpp"

namespace tutti::worlds {

/// One rank's place in a job. Move-only. While it lives the rank counts as running; its end counts as
/// leaving in good order unless depart() said otherwise. A copy of it in a forked child does nothing.
class membership {
 public:
  membership(memory::job job, directory names, rank_id rank, std::string origin);
  membership(membership&& other) noexcept;
  membership& operator=(membership&& other) noexcept;
  ~membership();

  rank_id rank() const noexcept { return rank_; }
  rank_id size() const noexcept { return job_.size(); }
  const memory::job& job() const noexcept { return job_; }
  const directory& names() const noexcept { return names_; }
  /// Who started the job, for people: "tutti run", "mpirun (Open MPI)", "mpiexec (MPICH)", "alone".
  const std::string& origin() const noexcept { return origin_; }
  /// False in a child forked after joining: it has no part in the job.
  bool is_mine() const noexcept;

  /// Ends the membership with a reason. Later calls do nothing.
  void depart(const memory::departure& how) noexcept;

 private:
  memory::job job_;
  directory names_;
  rank_id rank_;
  std::string origin_;
  pid_t owner_;  ///< 0 once departed or moved from
};

/// Makes this process a rank of the job that its launcher (see read_launch) started, or of a job of its
/// own. Returns when this rank is in; rank 0 under an MPI launcher, when all have come.
/// Errors: launch_failed (the environment is inconsistent or stale, or ranks are missing after
/// TUTTI_START_TIMEOUT seconds), bad_argument (TUTTI_SEGMENT_BYTES out of range), no_space.
result<membership> join_job();

/// Fresh memory for `size` ranks with an empty process table and directory, to be passed to other
/// processes if `shared`. Errors: launch_failed and bad_argument for bad settings, no_space.
result<memory::job> create_job(rank_id size, bool shared);

}  // namespace tutti::worlds
