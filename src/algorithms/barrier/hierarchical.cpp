// SPDX-License-Identifier: BSL-1.0
// barrier/hierarchical: arrivals climb a tree of balanced contiguous groups of given arity, the release descends it.
//
// Shape    1 block of no elements: a message says who has arrived. Any P >= 1, any arity >= 2.
// Cost     2T(P) rounds, T(1) = 0, T(n) = min(arity, n) - 1 + T(ceil(n / arity)).
// Order    nothing is combined. Scratch  none.
// Source   the group rule of HPX's hierarchical communicators, https://github.com/TheHPXProject/hpx/pull/7083.
#include "algorithms/rank_tree.hpp"

namespace tutti::algorithms::barrier {

using namespace schedules;

void hierarchical(builder& b, const shape& s, rank_id me) {
  const rank_tree tree(s.size, 0, s.arity, splitting::balanced);
  const std::vector<rank_tree::node> path = tree.path(me);
  for (auto n = path.rbegin(); n != path.rend(); ++n) {
    tree.stage(b, "arrive", *n);
    if (me == tree.leader(*n)) {
      for (const rank_id follower : tree.followers(*n)) b.receive(output(0), follower);
    } else if (me == tree.leader(tree.group(*n, tree.number_of(*n, me)))) {
      b.send(output(0), tree.leader(*n));
    }
  }
  for (const rank_tree::node& n : path) {
    tree.stage(b, "release", n);
    if (me == tree.leader(n)) {
      b.send(output(0), tree.followers(n));
    } else if (me == tree.leader(tree.group(n, tree.number_of(n, me)))) {
      b.receive(output(0), tree.leader(n));
    }
  }
}

}  // namespace tutti::algorithms::barrier
