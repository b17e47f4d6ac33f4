// SPDX-License-Identifier: BSL-1.0
// all_reduce/recursive_doubling: partners at distance 1, 2, 4, .. exchange whole partial results.
//
// Shape    in and out: 1 block. Any P >= 1, any count, in place.
// Cost     L rounds, L = floor(log2 P), and 2 more to fold and unfold pairs if P is no power of two;
//          each rank sends L vectors: L(alpha + beta M).
// Order    rank order, the lower partner's operand first on both sides. Scratch  1 vector.
// Source   Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005, doi:10.1177/1094342005051521; here neighbors pair.
#include "algorithms/pairing.hpp"

namespace tutti::algorithms::all_reduce {

using namespace schedules;

void recursive_doubling(builder& b, const shape& s, rank_id me) {
  const pairing p(s.size, me);
  slice held{p.fold(b, 1), 0, 1, 0};
  if (p.acts()) {
    for (rank_id distance = 1; distance < p.actors(); distance *= 2) {
      const rank_id partner = p.rank_of(p.actor() ^ distance);
      b.stage("exchange distance", distance);
      b.send(held, partner);
      b.receive(scratch(0, 0), partner);
      if (me < partner) {
        b.reduce(output(0), {held, scratch(0, 0)});
      } else {
        b.reduce(output(0), {scratch(0, 0), held});
      }
      held = output(0);
    }
    b.copy(held, output(0));  // only a rank alone still holds its input
  }
  p.unfold(b, 1);
}

}  // namespace tutti::algorithms::all_reduce
