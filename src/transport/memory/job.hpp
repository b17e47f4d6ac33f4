// SPDX-License-Identifier: BSL-1.0
// The head of a job's memory: how many ranks there are and what is known of each one's process.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/ids.hpp"
#include "base/status.hpp"
#include "transport/memory/arena.hpp"
#include "transport/memory/region.hpp"

namespace tutti::memory {

inline constexpr rank_id largest_job = 4096;

enum class rank_state : std::uint32_t {
  absent,   ///< has not announced itself yet
  running,  ///< announced, not known to have ended
  left,     ///< ended its membership in good order
  failed,   ///< ended with an error that it or the launcher reported
  dead,     ///< its process is gone without a word
};

/// "absent", "running", "left", "failed", "dead".
const char* to_string(rank_state state) noexcept;

/// What is known of one rank. The rank takes no further part unless absent or running.
struct peer_view {
  rank_state state = rank_state::absent;
  std::int32_t pid = 0;
  std::int32_t exit_code = 0;
  std::int32_t signal = 0;  ///< that ended it, 0 if none or unknown
  std::string text;         ///< the reason as far as known, cut to about 80 bytes

  bool ended() const noexcept { return state != rank_state::absent && state != rank_state::running; }
};

/// How a rank ended, for leave().
struct departure {
  rank_state state = rank_state::left;
  std::int32_t exit_code = 0;
  std::int32_t signal = 0;
  std::string_view text{};
};

struct job_header;
struct process_line;

/// A handle on a job's memory: cheap to copy, the last copy unmaps. Destruction marks nothing.
/// Thread safety: all members may be called from any thread and any process of the job.
class job {
 public:
  /// Lays out fresh memory for `size` ranks. Errors: bad_argument unless 1 <= size <= largest_job, no_space.
  static result<job> create(region memory, rank_id size);

  /// Finds what create() laid out, perhaps in another process.
  /// Errors: launch_failed if the memory holds no job of this version.
  static result<job> open(region memory);

  rank_id size() const noexcept;
  std::uint64_t id() const noexcept;  ///< random: tells jobs apart
  const region& memory() const noexcept { return *memory_; }
  arena blocks() const noexcept;

  /// This process is `rank` from now on.
  /// Errors: launch_failed if rank is out of range or taken by another live process.
  status announce(rank_id rank) const;

  /// Records how `rank` ended and raises the alarm. A later report overrides an earlier one.
  void leave(rank_id rank, const departure& how) const noexcept;

  /// What the table says. Complexity: one cache line.
  peer_view look(rank_id rank) const;
  rank_state state(rank_id rank) const noexcept;

  /// As look(), but asks the kernel about a running rank's process and marks it dead if it is gone.
  peer_view confirm(rank_id rank) const;

  /// How many ranks, itself included, may run on a core that `rank` may run on; absent ones may.
  int competitors(rank_id rank) const noexcept;

  /// Counts departures and deaths; a shared futex word, woken at every change.
  std::atomic<std::uint32_t>& alarm() const noexcept;
  void raise_alarm() const noexcept;

  /// Offset of the next room's shared state; set once, before the memory is shared.
  std::atomic<byte_count>& root() const noexcept;

 private:
  explicit job(std::shared_ptr<const region> memory) noexcept : memory_(std::move(memory)) {}
  job_header& header() const noexcept;
  process_line& line(rank_id rank) const noexcept;

  std::shared_ptr<const region> memory_;
};

}  // namespace tutti::memory
