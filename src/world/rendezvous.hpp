// SPDX-License-Identifier: BSL-1.0
// How ranks started by a foreign launcher get hold of one memory: rank 0 hands the descriptor out over an
// abstract Unix socket. Both sides ask the kernel who the other is; a name taken by a stranger is passed over.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "base/descriptor.hpp"
#include "base/ids.hpp"
#include "base/status.hpp"

namespace tutti::worlds {

/// Where and as whom to meet. `key` is equal for the ranks of one job.
struct meeting {
  std::uint64_t key = 0;
  rank_id rank = 0;
  rank_id size = 1;
  std::chrono::steady_clock::time_point deadline;
  std::string origin;  ///< the launcher, for error texts
};

/// Names that are tried in turn; each is free to be squatted.
inline constexpr int meeting_names = 16;

/// The abstract socket name (with its leading NUL) of one attempt.
std::string meeting_name(std::uint64_t key, int attempt);

/// Rank 0: gives `memory` to all other ranks; returns when each has confirmed it.
/// Errors: launch_failed naming the ranks that are missing at the deadline, or that no name is free.
status host_meeting(const meeting& at, int memory);

/// Other ranks: the descriptor that rank 0 hands out.
/// Errors: launch_failed if rank 0 refuses this rank or is not found before the deadline.
result<descriptor> attend_meeting(const meeting& at);

}  // namespace tutti::worlds
