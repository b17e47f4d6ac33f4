// SPDX-License-Identifier: BSL-1.0
// A barrier that belongs to neither side of the race, and what ranks tell each other around it.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace peers {

constexpr int largest_job = 16;
constexpr int largest_block = 16;  // recorded laps of one side in one block

/// How ranks wait at the start line.
enum class waiting {
  spin,   // a core for each rank
  yield,  // ranks share cores with each other only
  sleep,  // ranks share cores with strangers
};

/// When one rank's batch ran, on the clock that all ranks share.
struct lap {
  double start = 0;  // seconds
  double stop = 0;
};

/// What each rank tells about a block. Written by its rank before the start line, read by rank 0 behind it.
struct alignas(64) rank_notes {
  std::array<std::array<lap, largest_block>, 3> laps;
  std::uint64_t ran_nanoseconds = 0;
  std::uint64_t delayed_nanoseconds = 0;
  alignas(64) std::atomic<std::uint64_t> token{0};  // for the check of a barrier
};

/// What rank 0 decides for the next block. Written by rank 0 before the start line, read by all behind it.
struct alignas(64) block_plan {
  bool go_on = false;
  int batch = 1;  // calls in a lap
  int laps = 1;   // recorded in a block
  std::uint64_t shuffle_seed = 0;
};

/// In memory shared by all ranks; made by rank 0.
struct board {
  alignas(64) std::atomic<std::uint32_t> arrived{0};
  alignas(64) std::atomic<std::uint32_t> generation{0};
  block_plan plan;
  std::array<rank_notes, largest_job> notes;
};

/// One rank's end. Everything written before wait() by any rank is visible behind it to all.
class start_line {
 public:
  start_line(board& shared, int rank, int size, waiting how) noexcept
      : shared_(shared), rank_(rank), size_(size), how_(how) {}

  /// Throws std::runtime_error when a rank has not come for a minute.
  void wait();

  int rank() const noexcept { return rank_; }
  int size() const noexcept { return size_; }
  waiting how() const noexcept { return how_; }
  block_plan& plan() noexcept { return shared_.plan; }
  rank_notes& mine() noexcept { return shared_.notes[static_cast<std::size_t>(rank_)]; }
  rank_notes& of(int rank) noexcept { return shared_.notes[static_cast<std::size_t>(rank)]; }

 private:
  board& shared_;
  int rank_;
  int size_;
  waiting how_;
};

/// Seconds on the monotonic clock, which all processes of the machine share.
double now() noexcept;

}  // namespace peers
