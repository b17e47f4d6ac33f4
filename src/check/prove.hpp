// SPDX-License-Identifier: BSL-1.0
// Is a collective right for this number of ranks? A proof over the schedules of all ranks, by running
// them on symbols instead of numbers.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>

#include "schedule/operand_order.hpp"
#include "schedule/schedule.hpp"
#include "tutti/core/collective.hpp"

namespace tutti::check {

/// Proved, or a counterexample: text that names rank, step, stage, peer and slice.
class [[nodiscard]] verdict {
 public:
  static verdict proved() { return {}; }
  static verdict refuted(std::string counterexample) {
    verdict made;
    made.counterexample_ = std::move(counterexample);
    return made;
  }

  explicit operator bool() const noexcept { return !counterexample_; }
  /// Precondition: refuted.
  const std::string& counterexample() const { return *counterexample_; }

 private:
  std::optional<std::string> counterexample_;
};

/// Proves, for every element count (or table of counts), element type and operator that `order` admits, in place
/// or not (all_to_all: with separate buffers):
///  1. every index, slice and peer is in range, a rank names only blocks that it holds, operands fit their target,
///     the input is never written;
///  2. steps of one rank that touch the same memory are ordered by `after`, so every order of execution
///     that `after` allows gives the same values (block i of input and output taken for one place);
///  3. sends and receives of each pair of ranks match in number and in order, and in blocks, hence in size;
///  4. no deadlock: every step of every rank runs, sends being buffered;
///  5. nothing is read before it was written (a barrier moves no payload, so there this is void);
///  6. the result: on every rank each block of the output combines exactly the contributions that
///     assignment::contributors names, each once, in rank order unless `order` is any, from the left if it is
///     left_fold, and parenthesised alike on all ranks that get the same, hence with the same bits;
///     barrier: no rank leaves before it has learned, through messages, that every rank has arrived.
///
/// `schedules[r]` is rank r's, `root` the root of a collective that has one. Any content is acceptable: what is
/// malformed is refuted. Pure; thread safe.
/// O(steps of all ranks * blocks per step + sum over ranks of steps^2 / 64).
verdict prove(collective what, schedules::operand_order order, std::span<const schedules::schedule> schedules,
              rank_id root = 0);

}  // namespace tutti::check
