// SPDX-License-Identifier: BSL-1.0
// all_to_all/pairwise: in each round a rank exchanges pieces with one partner.
//
// Shape    in and out: P pieces of 1 block, from and for each rank. Any P >= 1, any count; not in place.
// Cost     P-1 rounds for a power of two, where partners are me xor round; else P, in each of which round - me (mod P)
//          is the partner and one or two ranks rest. Each rank sends P-1 pieces.
// Order    nothing is combined. Scratch  none.
// Source   Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005, doi:10.1177/1094342005051521; for any P the partners of
//          a round-robin tournament.
#include "algorithms/rank_arithmetic.hpp"
#include "schedule/builder.hpp"

namespace tutti::algorithms::all_to_all {

using namespace schedules;

void pairwise(builder& b, const shape& s, rank_id me) {
  const bool is_power = s.size == power_of_two_within(s.size);
  b.stage("own piece");
  b.copy(input(piece(me, me, s.size)), output(piece(me, me, s.size)));
  for (rank_id round = is_power ? 1 : 0; round < s.size; ++round) {
    const rank_id partner = is_power ? me ^ round : around(0, round - me, s.size);
    if (partner == me) continue;
    b.stage("exchange round", round);
    b.send(input(piece(me, partner, s.size)), partner);
    b.receive(output(piece(partner, me, s.size)), partner);
  }
}

}  // namespace tutti::algorithms::all_to_all
