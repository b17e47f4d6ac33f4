// SPDX-License-Identifier: BSL-1.0
// broadcast/scatter_all_gather: the root's blocks descend a binomial tree, then travel around a ring.
//
// A rank that leads a group already has the blocks of all of it after the first phase; the ring leaves those out.
//
// Shape    P blocks. Any P >= 1, any root, any count, in place at the root.
// Cost     at most L + P-1 rounds, L = ceil(log2 P): (L + P-1) alpha + 2 (P-1)/P beta M.
// Order    nothing is combined. Scratch  none.
// Source   van de Geijn, "On global combine operations", JPDC 22(2), 1994, doi:10.1006/jpdc.1994.1091; Thakur,
//          Rabenseifner, Gropp, IJHPCA 19(1), 2005, doi:10.1177/1094342005051521.
#include "algorithms/rank_arithmetic.hpp"
#include "algorithms/rank_tree.hpp"

namespace tutti::algorithms::broadcast {

using namespace schedules;

namespace {

using node = rank_tree::node;

slice blocks_of(const node& n, buffer where) { return {where, n.first, n.size, n.first}; }

/// The largest group that a rank leads.
node led_by(const rank_tree& tree, rank_id rank) {
  for (const node& n : tree.path(rank)) {
    if (rank == tree.leader(n)) return n;
  }
  return {rank, 1, 0, 0};
}

}  // namespace

void scatter_all_gather(builder& b, const shape& s, rank_id me) {
  const rank_tree tree(s.size, s.root, 2, splitting::aligned);
  const buffer held = me == s.root ? buffer::input : buffer::output;
  for (const node& n : tree.path(me)) {
    tree.stage(b, "scatter", n);
    const node mine = tree.group(n, tree.number_of(n, me));
    if (me == tree.leader(n)) {
      for (const rank_id follower : tree.followers(n)) {
        b.send(blocks_of(tree.group(n, tree.number_of(n, follower)), held), follower);
      }
    } else if (me == tree.leader(mine)) {
      b.receive(blocks_of(mine, held), tree.leader(n));
    }
  }
  const rank_id right = around(me, 1, s.size);
  const node own = led_by(tree, me);
  const node rights = led_by(tree, right);
  for (rank_id step = 0; step + 1 < s.size; ++step) {
    const rank_id leaving = around(me, -step, s.size);
    const rank_id arriving = around(me, -step - 1, s.size);
    b.stage("all-gather step", step);
    if (!rights.contains(leaving)) b.send(slice{held, leaving, 1, leaving}, right);
    if (!own.contains(arriving)) b.receive(output(arriving), around(me, -1, s.size));
  }
  if (me == s.root) b.copy(input(0, s.size), output(0, s.size));
}

}  // namespace tutti::algorithms::broadcast
