// SPDX-License-Identifier: BSL-1.0
#include "transport/memory/arena.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <new>

#include "base/checked.hpp"

namespace tutti::memory {
namespace {

/// What a core fetches together, and what lines of a board are aligned to.
constexpr byte_count unit = 2 * cache_line_bytes;
constexpr byte_count largest_request = byte_count{1} << 45;

/// Units in a block of this class: 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, ..
constexpr byte_count class_units(int size_class) {
  const byte_count number = static_cast<byte_count>(size_class) + 1;
  if (number < 4) return number;
  return (4 + number % 4) << (number / 4 - 1);
}

/// The smallest class that holds so many units.
constexpr int class_for(byte_count units) {
  if (units < 4) return static_cast<int>(units) - 1;
  const int shift = static_cast<int>(std::bit_width(units)) - 3;
  const byte_count steps = divide_up(units, byte_count{1} << shift);  // 4..8
  return (shift + 1) * 4 + static_cast<int>(steps - 4) - 1;
}

/// The largest class that fits into so many units.
constexpr int class_within(byte_count units) {
  const int above = class_for(units);
  return class_units(above) == units ? above : above - 1;
}

static_assert(class_for(1) == 0 && class_for(3) == 2 && class_for(4) == 3 && class_for(8) == 7 && class_for(9) == 8);
static_assert(class_units(7) == 8 && class_units(8) == 10 && class_within(9) == 7 && class_units(class_for(11)) == 12);

}  // namespace

void arena::initialize(byte_count begin) noexcept {
  new (state_) arena_state{};
  state_->mutex.initialize();
  state_->begin = divide_up(begin, unit) * unit;
  state_->fresh.store(state_->begin, std::memory_order_relaxed);
}

byte_count arena::pop(int size_class) const noexcept {
  auto& head = state_->free_blocks[static_cast<std::size_t>(size_class)];
  const byte_count offset = head.load(std::memory_order_relaxed);
  if (offset != 0) head.store(*memory_->at<byte_count>(offset), std::memory_order_release);
  return offset;
}

void arena::push(int size_class, byte_count offset) const noexcept {
  auto& head = state_->free_blocks[static_cast<std::size_t>(size_class)];
  *memory_->at<byte_count>(offset) = head.load(std::memory_order_relaxed);
  head.store(offset, std::memory_order_release);
}

byte_count arena::split_larger(int size_class) const noexcept {
  for (int larger = size_class + 1; larger < size_class_count; ++larger) {
    const byte_count offset = pop(larger);
    if (offset == 0) continue;
    byte_count rest_offset = offset + class_units(size_class) * unit;
    byte_count rest = class_units(larger) - class_units(size_class);
    while (rest > 0) {
      const int part = class_within(rest);
      push(part, rest_offset);
      rest_offset += class_units(part) * unit;
      rest -= class_units(part);
    }
    return offset;
  }
  return 0;
}

failure arena::exhausted(byte_count bytes) const {
  return {errc::no_space,
          fmt::format("memory segment: a block of {} bytes does not fit: {} of {} bytes are in use; set "
                      "TUTTI_SEGMENT_BYTES to a larger number or free communicators",
                      bytes, in_use(), memory_->capacity() - state_->begin)};
}

result<byte_count> arena::allocate(byte_count bytes) const {
  if (bytes > largest_request) return exhausted(bytes);
  const int size_class = class_for(divide_up(bytes == 0 ? 1 : bytes, unit));
  const byte_count rounded = class_units(size_class) * unit;
  byte_count offset = 0;
  {
    const robust_lock lock(state_->mutex);
    offset = pop(size_class);
    if (offset == 0) {
      const byte_count fresh = state_->fresh.load(std::memory_order_relaxed);
      if (rounded <= memory_->capacity() - fresh) {
        if (status reserved = memory_->commit(fresh, rounded); !reserved) return std::move(reserved).why();
        state_->fresh.store(fresh + rounded, std::memory_order_release);
        state_->in_use.fetch_add(rounded, std::memory_order_relaxed);
        return fresh;  // never used, hence zero
      }
      offset = split_larger(size_class);
    }
    if (offset == 0) return exhausted(bytes);
    state_->in_use.fetch_add(rounded, std::memory_order_relaxed);
  }
  std::memset(memory_->data() + offset, 0, rounded);
  return offset;
}

void arena::release(byte_count offset, byte_count bytes) const noexcept {
  const int size_class = class_for(divide_up(bytes == 0 ? 1 : bytes, unit));
  const robust_lock lock(state_->mutex);
  push(size_class, offset);
  state_->in_use.fetch_sub(class_units(size_class) * unit, std::memory_order_relaxed);
}

}  // namespace tutti::memory
