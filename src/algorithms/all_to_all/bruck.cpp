// SPDX-License-Identifier: BSL-1.0
// all_to_all/bruck: pieces travel by the digits of their distance, all with the same digit in one message.
//
// In base r = arity: a piece for the rank at distance j goes on by z r^k for each digit z at place k of j that is not
// 0.
//
// Shape    in and out: P pieces of 1 block, from and for each rank. Any P >= 1, any count; not in place.
//          Any radix r >= 2; r >= P is one message to each rank.
// Cost     at most (r-1) ceil(log_r P) rounds; a piece is sent once for each digit of its distance that is not 0: for
//          r = 2, L alpha + L/2 P beta m, m = bytes of one piece.
// Order    nothing is combined. Scratch  one or two for each distance with more digits than one that are not 0.
// Source   Bruck, Ho, Kipnis, Upfal, Weathersby, IEEE TPDS 8(11), 1997, doi:10.1109/71.642949; here every piece is
//          received where it is needed next, so that nothing is rotated.
#include <vector>

#include "algorithms/rank_arithmetic.hpp"
#include "schedule/builder.hpp"

namespace tutti::algorithms::all_to_all {

using namespace schedules;

namespace {

/// The first slot of each distance that has more than one digit other than 0.
std::vector<std::int32_t> slots_of(rank_id size, int radix) {
  std::vector<std::int32_t> slots;
  std::int32_t next = 0;
  for (rank_id j = 0; j < size; ++j) {
    slots.push_back(next);
    next += slots_for(j, radix);
  }
  return slots;
}

}  // namespace

void bruck(builder& b, const shape& s, rank_id me) {
  b.stage("own piece");
  b.copy(input(piece(me, me, s.size)), output(piece(me, me, s.size)));
  const std::vector<std::int32_t> slots = slots_of(s.size, s.arity);
  // A piece of distance j that has more of its way before it lies in one of the two slots of j: what arrives goes to
  // the other one than what leaves in the same round.
  const auto slot = [&](std::int64_t j, std::int64_t travelled, std::int32_t block) {
    return scratch(slots[static_cast<std::size_t>(j)] + (digits_not_zero(travelled, s.arity) - 1) % 2, block);
  };
  for (std::int64_t weight = 1; weight < s.size; weight *= s.arity) {
    for (std::int64_t digit = 1; digit < s.arity && digit * weight < s.size; ++digit) {
      std::vector<slice> leaving;
      std::vector<slice> arriving;
      for (std::int64_t j = digit * weight; j < s.size; ++j) {
        if (j / weight % s.arity != digit) continue;
        const std::int64_t before = j % weight;
        const std::int64_t after = before + digit * weight;
        const rank_id source = around(me, -before, s.size);
        const std::int32_t out = piece(source, around(source, j, s.size), s.size);
        const rank_id origin = around(me, -after, s.size);
        const std::int32_t in = piece(origin, around(origin, j, s.size), s.size);
        leaving.push_back(before == 0 ? input(out) : slot(j, before, out));
        arriving.push_back(j == after ? output(in) : slot(j, after, in));
      }
      b.stage("distance", digit * weight);
      b.send(leaving, around(me, digit * weight, s.size));
      b.receive(arriving, around(me, -digit * weight, s.size));
    }
  }
}

}  // namespace tutti::algorithms::all_to_all
