// SPDX-License-Identifier: BSL-1.0
// An allocator inside a region, shared by all ranks of a job.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "base/ids.hpp"
#include "base/status.hpp"
#include "transport/memory/region.hpp"
#include "transport/memory/robust_mutex.hpp"

namespace tutti::memory {

/// Sizes are rounded up to 128 (4..7) 2^k bytes (or 128, 256, 384), so at most a quarter is lost.
inline constexpr int size_class_count = 4 * 40;

/// The shared part. Every change becomes visible by one atomic store; a holder of the mutex that dies
/// between stores therefore leaks at most the block it was moving.
struct arena_state {
  robust_mutex mutex;
  byte_count begin;                                                   ///< first byte it may give out
  std::atomic<byte_count> fresh;                                      ///< everything from here on was never used
  std::atomic<byte_count> in_use;                                     ///< bytes given out, rounded sizes
  std::array<std::atomic<byte_count>, size_class_count> free_blocks;  ///< offsets of the first one, 0: none
};

/// A handle: cheap to copy, valid as long as the region. Thread safety: any thread, any process.
class arena {
 public:
  /// `state` lies inside `memory`, which must outlive the handle.
  arena(const region& memory, arena_state& state) noexcept : memory_(&memory), state_(&state) {}

  /// Once, before the state is shared: blocks come from [begin, capacity of the region).
  void initialize(byte_count begin) noexcept;

  /// A block of at least `bytes` bytes: its offset, a multiple of 128; reserved and zeroed.
  /// Errors: no_space naming the limit and what is in use. Complexity: O(1) plus the zeroing.
  result<byte_count> allocate(byte_count bytes) const;

  /// Gives back what allocate(bytes) returned; `bytes` must be the same number.
  void release(byte_count offset, byte_count bytes) const noexcept;

  byte_count in_use() const noexcept { return state_->in_use.load(std::memory_order_relaxed); }
  /// Bytes it has ever touched, free or not: what must stay flat in a long run.
  byte_count footprint() const noexcept { return state_->fresh.load(std::memory_order_relaxed) - state_->begin; }

 private:
  byte_count pop(int size_class) const noexcept;
  void push(int size_class, byte_count offset) const noexcept;
  byte_count split_larger(int size_class) const noexcept;
  failure exhausted(byte_count bytes) const;

  const region* memory_;
  arena_state* state_;
};

}  // namespace tutti::memory
