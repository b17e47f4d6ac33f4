// SPDX-License-Identifier: BSL-1.0
// Which launcher started this process, and as which rank.
#pragma once

#include <cstdint>
#include <string>

#include "base/ids.hpp"
#include "base/status.hpp"

namespace tutti::worlds {

enum class launcher { none, tutti_run, open_mpi, hydra };

/// What the environment says of this process. A plain value.
struct launch {
  launcher by = launcher::none;
  rank_id rank = 0;
  rank_id size = 1;
  int segment_fd = -1;           ///< inherited memory, under tutti_run only
  std::uint64_t meeting = 0;     ///< equal for the ranks of one job under MPI launchers, and only for them
  std::string origin = "alone";  ///< for people
};

/// Reads the variables of `tutti run`, Open MPI's mpirun, MPICH's mpiexec, in this order.
/// Errors: launch_failed if they are incomplete, malformed, contradictory or speak of several machines.
result<launch> read_launch();

}  // namespace tutti::worlds
