// SPDX-License-Identifier: BSL-1.0
// A one-way channel between two sites in shared memory: per lane a ring of fragments, one producer and one
// consumer, each with a counter on a line of its own.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/ids.hpp"
#include "transport/port.hpp"

namespace tutti::memory {

class channel {
 public:
  static constexpr std::uint32_t slots = 4;

  /// The largest fragment among `sites` sites: few sites get few large channels.
  static constexpr std::size_t fragment_bytes(rank_id sites) noexcept {
    return sites <= 16 ? 16'384 : sites <= 64 ? 4'096 : 1'024;
  }
  static constexpr byte_count bytes_for(std::size_t fragment_bytes) noexcept {
    return lanes_per_pair * (sizeof(counters) + slots * (sizeof(slot) + fragment_bytes));
  }

  /// `memory`: bytes_for(fragment_bytes) bytes, zeroed before first use by either side.
  channel(std::byte* memory, std::size_t fragment_bytes) noexcept : memory_(memory), fragment_bytes_(fragment_bytes) {}

  /// The producer's side: how many bytes were taken, -1 if all slots are full.
  std::int64_t push(int lane, const message_header& header, std::span<const std::byte> rest) const noexcept;
  /// The consumer's side.
  bool front(int lane, fragment& oldest) const noexcept;
  void pop(int lane) const noexcept;

 private:
  struct alignas(cache_line_bytes) counter {
    std::atomic<std::uint64_t> value;
  };
  struct counters {
    counter pushed;
    counter popped;
  };
  struct alignas(cache_line_bytes) slot {
    message_header header;
    std::uint64_t bytes;
  };

  std::byte* lane_memory(int lane) const noexcept {
    return memory_ + static_cast<std::size_t>(lane) * (sizeof(counters) + slots * (sizeof(slot) + fragment_bytes_));
  }
  counters& counters_of(int lane) const noexcept { return *reinterpret_cast<counters*>(lane_memory(lane)); }
  slot& slot_at(int lane, std::uint64_t number) const noexcept {
    std::byte* const first = lane_memory(lane) + sizeof(counters);
    return *reinterpret_cast<slot*>(first + (number % slots) * (sizeof(slot) + fragment_bytes_));
  }

  std::byte* memory_;
  std::size_t fragment_bytes_;
};

}  // namespace tutti::memory
