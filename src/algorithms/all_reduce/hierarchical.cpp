// SPDX-License-Identifier: BSL-1.0
// all_reduce/hierarchical: up and down a tree of balanced contiguous groups of given arity.
//
// A node of n ranks splits into min(arity, n) contiguous groups, the first n % arity one larger, and each group
// splits again until it is one rank. The leftmost rank of a group represents it: it folds the values of the
// node's other groups in order, and sends the result back to them.
//
// Shape    in and out: 1 block. Any P >= 1, any arity >= 2 (arity >= P is the flat shape), any count, in place.
// Cost     2T(P) rounds, T(1) = 0, T(n) = min(arity, n) - 1 + T(ceil(n / arity)); rank 0 receives and sends T(P).
// Order    rank order. Scratch  1 vector.
// Source   the group rule of HPX's hierarchical communicators, https://github.com/TheHPXProject/hpx/pull/7083.
#include "algorithms/rank_arithmetic.hpp"
#include "schedule/builder.hpp"

namespace tutti::algorithms::all_reduce {

using namespace schedules;

namespace {

struct node {
  rank_id first;
  rank_id size;
  int level;  // 0 at the top

  rank_id groups(int arity) const { return std::min<rank_id>(arity, size); }

  node group(rank_id number, int arity) const {
    const rank_id small = size / groups(arity);
    const rank_id larger = size % groups(arity);
    return {first + number * small + std::min(number, larger), small + (number < larger ? 1 : 0), level + 1};
  }

  node group_of(rank_id member, int arity) const {
    const rank_id small = size / groups(arity);
    const rank_id in_larger = size % groups(arity) * (small + 1);
    const rank_id offset = member - first;
    if (offset < in_larger) return group(offset / (small + 1), arity);
    return group((offset - in_larger) / small + size % groups(arity), arity);
  }

  std::vector<rank_id> followers(int arity) const {
    std::vector<rank_id> list;
    for (rank_id number = 1; number < groups(arity); ++number) list.push_back(group(number, arity).first);
    return list;
  }
};

/// Returns where this rank's partial result lies.
slice reduce_up(builder& b, const node& here, int arity, rank_id me) {
  if (here.size == 1) return input(0);
  const node mine = here.group_of(me, arity);
  slice held = reduce_up(b, mine, arity, me);
  if (me != mine.first) return held;
  b.stage("reduce level", here.level);
  if (me != here.first) {
    b.send(held, here.first);
    return held;
  }
  for (const rank_id follower : here.followers(arity)) {
    b.receive(scratch(0, 0), follower);
    b.reduce(output(0), {held, scratch(0, 0)});
    held = output(0);
  }
  return held;
}

void broadcast_down(builder& b, const node& here, int arity, rank_id me) {
  if (here.size == 1) return;
  const node mine = here.group_of(me, arity);
  b.stage("broadcast level", here.level);
  if (me == here.first) {
    b.send(output(0), here.followers(arity));
  } else if (me == mine.first) {
    b.receive(output(0), here.first);
  }
  broadcast_down(b, mine, arity, me);
}

}  // namespace

void hierarchical(builder& b, const shape& s, rank_id me) {
  const node top{0, s.size, 0};
  const slice held = reduce_up(b, top, s.arity, me);
  if (s.size == 1) b.copy(held, output(0));
  broadcast_down(b, top, s.arity, me);
}

}  // namespace tutti::algorithms::all_reduce
