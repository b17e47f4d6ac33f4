// SPDX-License-Identifier: BSL-1.0
#include "transport/memory/channel.hpp"

#include <algorithm>
#include <cstring>

namespace tutti::memory {

std::int64_t channel::push(int lane, const message_header& header, std::span<const std::byte> rest) const noexcept {
  counters& count = counters_of(lane);
  const std::uint64_t pushed = count.pushed.value.load(std::memory_order_relaxed);
  if (pushed - count.popped.value.load(std::memory_order_acquire) >= slots) return -1;
  slot& into = slot_at(lane, pushed);
  const std::size_t bytes = std::min(rest.size(), fragment_bytes_);
  into.header = header;
  into.bytes = bytes;
  if (bytes != 0) std::memcpy(&into + 1, rest.data(), bytes);
  count.pushed.value.store(pushed + 1, std::memory_order_release);
  return static_cast<std::int64_t>(bytes);
}

bool channel::front(int lane, fragment& oldest) const noexcept {
  counters& count = counters_of(lane);
  const std::uint64_t popped = count.popped.value.load(std::memory_order_relaxed);
  if (count.pushed.value.load(std::memory_order_acquire) == popped) return false;
  const slot& from = slot_at(lane, popped);
  oldest.header = from.header;
  oldest.bytes = {reinterpret_cast<const std::byte*>(&from + 1), from.bytes};
  return true;
}

void channel::pop(int lane) const noexcept {
  counter& popped = counters_of(lane).popped;
  popped.value.store(popped.value.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

}  // namespace tutti::memory
