// SPDX-License-Identifier: BSL-1.0
// reduce_scatter/recursive_halving: partners at distance .., 4, 2, 1 halve the blocks that each still reduces.
//
// Shape    in: P blocks; out: 1 block per rank. Any P >= 1, any count, in place.
// Cost     L = floor(log2 P) rounds, and 2 more if P is no power of two: then neighbors pair up, one acts for both and
//          gets the other's whole vector first. (P-1) beta m for a power of two.
// Order    any: far partners meet first, so that the blocks that a rank keeps are consecutive.
// Scratch  half the vector, and as much staging; the whole of both where pairs fold.
// Source   Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005, doi:10.1177/1094342005051521; here neighbors pair.
#include "algorithms/pairing.hpp"

namespace tutti::algorithms::reduce_scatter {

using namespace schedules;

namespace {

/// The blocks of all ranks for which actors first .. first+count-1 act.
slice blocks_of(const pairing& p, rank_id first, rank_id count, buffer where) {
  const rank_id begin = p.rank_of(first);
  return {where, begin, p.rank_of(first + count) - begin, begin};
}

}  // namespace

void recursive_halving(builder& b, const shape& s, rank_id me) {
  if (s.size == 1) return b.copy(input(me), output(me));
  const pairing p(s.size, me);
  if (!p.acts()) {
    b.stage("fold pairs");
    b.send(input(0, s.size), me - 1);
    b.stage("unfold pairs");
    return b.receive(output(me), me - 1);
  }
  buffer held = buffer::input;
  if (p.is_paired()) {
    b.stage("fold pairs");
    b.receive(scratch(0, 0, s.size), me + 1);
    b.reduce(staging(0, s.size), {input(0, s.size), scratch(0, 0, s.size)});
    held = buffer::staging;
  }
  for (rank_id distance = p.actors() / 2; distance >= 1; distance /= 2) {
    const rank_id mine = p.actor() / distance * distance;
    const rank_id partner = p.rank_of(p.actor() ^ distance);
    const slice kept = blocks_of(p, mine, distance, held);
    const slice arriving = scratch(0, kept.first, kept.count);
    b.stage("halving distance", distance);
    b.send(blocks_of(p, mine ^ distance, distance, held), partner);
    b.receive(arriving, partner);
    held = kept.count == 1 ? buffer::output : buffer::staging;
    b.reduce(blocks_of(p, mine, distance, held), {kept, arriving});
  }
  if (p.is_paired()) {
    b.stage("unfold pairs");
    b.send(staging(me + 1), me + 1);
    b.copy(staging(me), output(me));
  }
}

}  // namespace tutti::algorithms::reduce_scatter
