// SPDX-License-Identifier: BSL-1.0
// A schedule: what one rank does in one collective, as a value.
//
// It names blocks of buffers, never addresses, types, byte counts or tags. All data of a collective is
// numbered as `blocks` blocks, the same on all ranks; assignment.hpp tells which of them a rank holds, and
// block_lengths.hpp how long they are, so a schedule serves every count, including 0 and fewer elements
// than blocks. Where all ranks hold the same vector of n elements, the sizes of its blocks differ by at
// most one (the first n % blocks are the larger).
//
// Invariants (the builder keeps them, the checker proves what they imply):
//  1. A step depends only on earlier steps: every index in `after` is below the step's own.
//  2. Input and output may be the same memory: hazards treat block i of both as one place.
//  3. Between any two ranks messages match in the order in which both list them.
//  4. A send is complete once its bytes may be overwritten; a receive once its bytes are there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/ids.hpp"

namespace tutti::schedules {

enum class buffer : std::uint8_t {
  input,
  output,
  staging,  ///< temporary room for one run of blocks, laid out as all blocks together would be
  scratch,  ///< temporary slots, each as large as the largest block
};

/// `count` consecutive blocks from block `first` on. In scratch they lie at slot `at`, one slot as
/// large as the largest block, and keep the sizes of blocks first .. first+count-1 of the vector
/// (packed back to back from the slot's start). Elsewhere `at` equals `first`.
struct slice {
  buffer where = buffer::input;
  std::int32_t first = 0;
  std::int32_t count = 1;
  std::int32_t at = 0;

  friend bool operator==(const slice&, const slice&) = default;
};

constexpr slice input(std::int32_t first, std::int32_t count = 1) { return {buffer::input, first, count, first}; }
constexpr slice output(std::int32_t first, std::int32_t count = 1) { return {buffer::output, first, count, first}; }
constexpr slice staging(std::int32_t first, std::int32_t count = 1) { return {buffer::staging, first, count, first}; }
/// Room in scratch, at slot `at`, for what blocks first .. first+count-1 hold.
constexpr slice scratch(std::int32_t at, std::int32_t first, std::int32_t count = 1) {
  return {buffer::scratch, first, count, at};
}

enum class step_kind : std::uint8_t {
  send,     ///< `target`, then the slices in `operands`, as one message to every rank in `peers`
  receive,  ///< one message from the one rank in `peers` into `target`, then the slices in `operands`
  reduce,   ///< target = (..(operands[0] op operands[1]) op ..) in exactly this order; may be one of them
  copy,     ///< operands[0] to target
};

/// A run of entries in one of the schedule's pools.
struct run {
  std::uint32_t begin = 0;
  std::uint32_t count = 0;

  /// A malformed run, too, gets a true answer.
  bool within(std::size_t pool) const noexcept { return std::size_t{begin} + count <= pool; }
  friend bool operator==(const run&, const run&) = default;
};

struct step {
  step_kind kind = step_kind::copy;
  std::uint32_t stage = 0;  ///< index into schedule::stages
  slice target;
  run peers;     ///< into schedule::peers; empty for reduce and copy
  run operands;  ///< into schedule::operands; of a message, the slices after the first
  run after;     ///< into schedule::after: earlier steps that must be complete first, ascending

  friend bool operator==(const step&, const step&) = default;
};

struct schedule {
  rank_id size = 1;  ///< P
  rank_id me = 0;
  std::int32_t blocks = 1;         ///< into how many blocks the vector is split; at least 1
  std::int32_t scratch_slots = 0;  ///< slots of one largest block each
  std::int32_t staging_first = 0;  ///< staging has room for blocks staging_first ..
  std::int32_t staging_end = 0;    ///< .. staging_end - 1: the least run that holds all that the steps name
  std::vector<step> steps;
  std::vector<rank_id> peers;
  std::vector<slice> operands;
  std::vector<std::uint32_t> after;
  std::vector<std::string> stages;  ///< labels for people, e.g. "reduce-scatter step 0"

  /// Widens staging so that it holds `what`, if that lies there.
  void reserve_staging(const slice& what) {
    if (what.where != buffer::staging || what.count == 0) return;
    const bool empty = staging_first == staging_end;
    staging_first = empty ? what.first : std::min(staging_first, what.first);
    staging_end = empty ? what.first + what.count : std::max(staging_end, what.first + what.count);
  }

  std::span<const rank_id> peers_of(const step& s) const {
    return std::span(peers).subspan(s.peers.begin, s.peers.count);
  }
  std::span<const slice> operands_of(const step& s) const {
    return std::span(operands).subspan(s.operands.begin, s.operands.count);
  }
  std::span<const std::uint32_t> after_of(const step& s) const {
    return std::span(after).subspan(s.after.begin, s.after.count);
  }

  friend bool operator==(const schedule&, const schedule&) = default;
};

/// f(slice) for a step's target and then for its operands; of a message these are its parts, in order.
template <class F>
void for_each_part(const schedule& s, const step& what, const F& f) {
  f(what.target);
  for (const slice& part : s.operands_of(what)) f(part);
}

/// Where block boundaries fall in a vector of `count` elements.
class block_layout {
 public:
  constexpr block_layout(element_count count, std::int32_t blocks)
      : small_(count / static_cast<element_count>(blocks)), larger_(count % static_cast<element_count>(blocks)) {}

  /// Elements before block i, for 0 <= i <= blocks.
  constexpr element_count offset(std::int32_t i) const {
    const auto index = static_cast<element_count>(i);
    return small_ * index + (index < larger_ ? index : larger_);
  }
  /// Elements in blocks first .. first+count-1.
  constexpr element_count elements(std::int32_t first, std::int32_t count) const {
    return offset(first + count) - offset(first);
  }
  /// Elements of the largest block: one scratch slot.
  constexpr element_count largest() const { return small_ + (larger_ != 0 ? 1 : 0); }

 private:
  element_count small_;
  element_count larger_;
};

}  // namespace tutti::schedules
