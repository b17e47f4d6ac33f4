// SPDX-License-Identifier: BSL-1.0
// How an algorithm writes a schedule: say what moves, in the order of one rank's own reasoning. The
// builder derives every dependency from slice hazards (read after write, write after read, write after
// write), with block i of input and of output taken for one place, so that in-place calls are safe.
#pragma once

#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>

#include "schedule/schedule.hpp"

namespace tutti::schedules {

/// What an algorithm may look at besides its own rank.
struct shape {
  rank_id size = 1;  ///< P >= 1
  rank_id root = 0;  ///< 0 <= root < size; rooted collectives only
  int arity = 2;     ///< >= 2: fan-out of trees, radix; algorithms that take one only
  int pieces = 8;    ///< >= 1: blocks that a pipelined algorithm cuts the vector into; those that take it only
};

/// Preconditions, for every step: a slice lies within the blocks that the rank holds, and `at` equals `first`
/// outside scratch; input is never a target; a peer is a rank other than the builder's own, and occurs at most
/// once in a list; two slices of one step are the same place or do not overlap. Nothing here fails or throws but
/// for want of memory; what a wrong rank function builds is for the checker to reject.
/// Cost: a step takes O(log steps) plus the earlier steps that it must wait for. Not thread safe.
class builder {
 public:
  /// `blocks` >= 1; 0 <= me < size.
  builder(rank_id size, rank_id me, std::int32_t blocks);
  ~builder();
  builder(builder&&) noexcept;
  builder& operator=(builder&&) noexcept;

  /// Names the steps that follow, for drawing and traces: "reduce-scatter step 0". A stage in which this
  /// rank takes no step leaves no trace; steps before the first stage belong to one named "".
  void stage(std::string_view label);
  void stage(std::string_view label, std::int64_t number);

  /// A slice of no blocks and a list of no peers are legal and add no step.
  void send(slice what, rank_id to);
  void send(slice what, std::span<const rank_id> to);
  void receive(slice into, rank_id from);
  /// One message of several slices, which the other end lists with the same blocks in the same order. Slices
  /// of no blocks are left out.
  void send(std::span<const slice> parts, rank_id to);
  void receive(std::span<const slice> parts, rank_id from);
  /// target = (..(operands[0] op operands[1]) op ..). Operands have target's first and count. One operand
  /// is a copy.
  void reduce(slice target, std::span<const slice> operands);
  void reduce(slice target, std::initializer_list<slice> operands);
  /// Same first and count. A slice copied to itself adds no step; input copied to output does.
  void copy(slice from, slice target);

  /// Ends the schedule. The builder is spent.
  schedule finish() &&;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace tutti::schedules
