// SPDX-License-Identifier: BSL-1.0
// broadcast/circulant: the vector in n pieces over a circulant graph, each rank receiving a piece in every round.
//
// In round i a rank sends to the rank skip[k] to its right, k = i mod q, q = ceil(log2 P), and receives from that far
// to its left. Which piece arrives in the first q rounds follows from how the rank's distance from the root is
// a sum of skips: the smallest of them tells the piece that it gets first, a search over the sums the others. Later
// rounds repeat that for the next q pieces.
//
// Shape    n = pieces blocks. Any P >= 1, any root, any count, in place at the root.
// Cost     n - 1 + q rounds, the fewest possible: (n - 1 + q)(alpha + beta M/n).
// Order    nothing is combined. Scratch  none.
// Source   Traeff, "Optimal Broadcast Schedules in Logarithmic Time with Applications to Broadcast, All-Broadcast,
//          Reduction and All-Reduction", 2024, arXiv:2407.18004, doi:10.1145/3735139. Messages that would repeat the
//          last piece are left out.
#include <vector>

#include "algorithms/circulant_pieces.hpp"
#include "algorithms/rank_arithmetic.hpp"
#include "schedule/builder.hpp"

namespace tutti::algorithms::broadcast {

using namespace schedules;

void circulant(builder& b, const shape& s, rank_id me) {
  if (s.size == 1) return b.copy(input(0, s.pieces), output(0, s.pieces));
  const circulant_pieces plan(s.size, s.pieces);
  const rank_id distance = around(me, -s.root, s.size);
  const std::vector<int> mine = plan.arrivals(distance);
  std::vector<std::vector<int>> rights;
  rights.reserve(static_cast<std::size_t>(plan.skips()));
  for (int k = 0; k < plan.skips(); ++k) rights.push_back(plan.arrivals(around(distance, plan.skip(k), s.size)));
  for (int round = 0; round < plan.rounds(); ++round) {
    const rank_id skip = plan.skip(plan.skip_in(round));
    const int leaving = rights[static_cast<std::size_t>(plan.skip_in(round))][static_cast<std::size_t>(round)];
    const int arriving = mine[static_cast<std::size_t>(round)];
    b.stage("broadcast round", round);
    if (leaving != circulant_pieces::none) {
      b.send(me == s.root ? input(leaving) : output(leaving), around(me, skip, s.size));
    }
    if (arriving != circulant_pieces::none) b.receive(output(arriving), around(me, -skip, s.size));
  }
  if (me == s.root) b.copy(input(0, s.pieces), output(0, s.pieces));
}

}  // namespace tutti::algorithms::broadcast
