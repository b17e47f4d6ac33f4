// SPDX-License-Identifier: BSL-1.0
// reduce/rabenseifner: reduce-scatter by halving at distance 1, 2, 4, .., then gather to the root the same way back.
//
// Where P is no power of two, neighbors pair up first and one acts for both: the root, or else the even one.
//
// Shape    2^L blocks, L = floor(log2 P). Any P >= 1, any root, any count, in place at the root.
// Cost     2L rounds, and 1 more where pairs fold: 2L alpha + 2 (P-1)/P beta M for a power of two.
// Order    rank order, the lower partner's operand first.
// Scratch  half a vector, a whole one where pairs fold; as much staging on all but the root.
// Source   Rabenseifner, "Optimization of Collective Reduction Operations", ICCS 2004,
//          doi:10.1007/978-3-540-24685-5_1; here neighbors pair.
#include "algorithms/rank_arithmetic.hpp"
#include "schedule/builder.hpp"

namespace tutti::algorithms::reduce {

using namespace schedules;

namespace {

/// Who acts in the butterfly. Ranks below 2 * pairs are paired as (2i, 2i + 1).
struct cast {
  cast(rank_id size, rank_id root) : actors(power_of_two_within(size)), pairs(size - actors), root_(root) {}

  rank_id partner_of(rank_id rank) const { return rank < 2 * pairs ? rank ^ 1 : -1; }
  bool acts(rank_id rank) const { return rank >= 2 * pairs || rank == root_ || (rank % 2 == 0 && (rank ^ 1) != root_); }
  rank_id actor_of(rank_id rank) const { return rank < 2 * pairs ? rank / 2 : rank - pairs; }
  rank_id rank_of(rank_id actor) const {
    if (actor >= pairs) return actor + pairs;
    return root_ == 2 * actor + 1 ? root_ : 2 * actor;
  }

  rank_id actors;
  rank_id pairs;

 private:
  rank_id root_;
};

void fold(builder& b, bool mine_first, slice total, slice mine, slice other) {
  if (mine_first) {
    b.reduce(total, {mine, other});
  } else {
    b.reduce(total, {other, mine});
  }
}

}  // namespace

void rabenseifner(builder& b, const shape& s, rank_id me) {
  const cast roles(s.size, s.root);
  const rank_id blocks = roles.actors;
  const buffer room = me == s.root ? buffer::output : buffer::staging;
  buffer held = buffer::input;
  if (const rank_id partner = roles.partner_of(me); partner >= 0) {
    b.stage("fold pairs");
    if (!roles.acts(me)) return b.send(input(0, blocks), partner);
    b.receive(scratch(0, 0, blocks), partner);
    fold(b, me < partner, {room, 0, blocks, 0}, input(0, blocks), scratch(0, 0, blocks));
    held = room;
  }
  const rank_id actor = roles.actor_of(me);
  std::int32_t first = 0;
  std::int32_t count = blocks;
  for (rank_id distance = 1; distance < roles.actors; distance *= 2) {
    const rank_id partner = roles.rank_of(actor ^ distance);
    count /= 2;
    const std::int32_t given = (actor & distance) == 0 ? first + count : first;
    first = (actor & distance) == 0 ? first : first + count;
    const slice arriving = scratch(0, first, count);
    b.stage("halving distance", distance);
    b.send(slice{held, given, count, given}, partner);
    b.receive(arriving, partner);
    fold(b, me < partner, {room, first, count, first}, {held, first, count, first}, arriving);
    held = room;
  }
  const rank_id target = roles.actor_of(s.root);
  for (rank_id distance = roles.actors / 2; distance >= 1; distance /= 2) {
    const rank_id partner = roles.rank_of(actor ^ distance);
    b.stage("gather distance", distance);
    if ((actor & distance) != (target & distance)) return b.send(slice{held, first, count, first}, partner);
    const std::int32_t sibling = (actor & distance) == 0 ? first + count : first - count;
    b.receive(slice{room, sibling, count, sibling}, partner);
    first = std::min(first, sibling);
    count *= 2;
  }
  b.copy({held, 0, blocks, 0}, output(0, blocks));  // only a rank alone still holds its input
}

}  // namespace tutti::algorithms::reduce
