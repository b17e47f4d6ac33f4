// SPDX-License-Identifier: BSL-1.0
// How a butterfly for powers of two serves any P: the first 2 * (P - 2^k) ranks pair up as (2i, 2i + 1),
// the even one acts for both. Neighbors pair, so that rank order survives.
#pragma once

#include "algorithms/rank_arithmetic.hpp"
#include "schedule/builder.hpp"

namespace tutti::algorithms {

class pairing {
 public:
  pairing(rank_id size, rank_id me) : actors_(power_of_two_within(size)), pairs_(size - actors_), me_(me) {}

  /// A power of two: those that take part in the butterfly.
  rank_id actors() const { return actors_; }
  bool acts() const { return me_ >= 2 * pairs_ || me_ % 2 == 0; }
  /// My number among the actors; only if I act.
  rank_id actor() const { return me_ < 2 * pairs_ ? me_ / 2 : me_ - pairs_; }
  /// Whether I act for my neighbor too, or it for me.
  bool is_paired() const { return me_ < 2 * pairs_; }
  /// 0 <= actor <= actors(); of actors() itself, the number of ranks.
  rank_id rank_of(rank_id actor) const { return actor < pairs_ ? 2 * actor : actor + pairs_; }

  /// Folds each pair's vectors of `blocks` blocks into the even rank's output, through scratch slots from 0
  /// on. Returns where this rank's operand of the butterfly lies.
  schedules::buffer fold(schedules::builder& b, std::int32_t blocks) const;

  /// Hands the result in output back to the ranks that did not act.
  void unfold(schedules::builder& b, std::int32_t blocks) const;

 private:
  rank_id actors_;
  rank_id pairs_;
  rank_id me_;
};

}  // namespace tutti::algorithms
