// SPDX-License-Identifier: BSL-1.0
// all_gather/recursive_doubling: partners at distance 1, 2, 4, .. exchange all the parts that they hold.
//
// Shape    in: 1 block per rank; out: P blocks. Any P >= 1, any count, in place.
// Cost     L = floor(log2 P) rounds, and 2 more if P is no power of two: then neighbors pair up, one acts for both.
//          (P-1) beta m for a power of two; the one that acts for two also sends its partner everything at the end.
// Order    nothing is combined. Scratch  none.
// Source   Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005, doi:10.1177/1094342005051521; here neighbors pair.
#include <array>

#include "algorithms/pairing.hpp"

namespace tutti::algorithms::all_gather {

using namespace schedules;

namespace {

/// The parts of all ranks for which actors first .. first+count-1 act.
slice held_by(const pairing& p, rank_id first, rank_id count) {
  return output(p.rank_of(first), p.rank_of(first + count) - p.rank_of(first));
}

std::array<slice, 2> all_but(rank_id one, rank_id size) { return {output(0, one), output(one + 1, size - one - 1)}; }

}  // namespace

void recursive_doubling(builder& b, const shape& s, rank_id me) {
  const pairing p(s.size, me);
  b.stage("own part");
  b.copy(input(me), output(me));
  if (!p.acts()) {
    b.stage("fold pairs");
    b.send(input(me), me - 1);
    b.stage("unfold pairs");
    return b.receive(all_but(me, s.size), me - 1);
  }
  if (p.is_paired()) {
    b.stage("fold pairs");
    b.receive(output(me + 1), me + 1);
  }
  for (rank_id distance = 1; distance < p.actors(); distance *= 2) {
    const rank_id mine = p.actor() / distance * distance;
    b.stage("exchange distance", distance);
    b.send(held_by(p, mine, distance), p.rank_of(p.actor() ^ distance));
    b.receive(held_by(p, mine ^ distance, distance), p.rank_of(p.actor() ^ distance));
  }
  if (p.is_paired()) {
    b.stage("unfold pairs");
    b.send(all_but(me + 1, s.size), me + 1);
  }
}

}  // namespace tutti::algorithms::all_gather
