// SPDX-License-Identifier: BSL-1.0
#include "algorithms/tree_phases.hpp"

#include <array>

namespace tutti::algorithms {

using namespace schedules;

namespace {

using node = rank_tree::node;
using two_slices = std::array<slice, 2>;

slice in(buffer where, std::int32_t first, std::int32_t count) { return {where, first, count, first}; }

/// The blocks of a group, the leader's own apart: it lies elsewhere than those that the leader handles for others.
two_slices parts_of(const node& group, buffer own, buffer others) {
  return {in(own, group.first, 1), in(others, group.first + 1, group.size - 1)};
}

}  // namespace

void broadcast_down(builder& b, const rank_tree& tree, rank_id me, const slice& held, const slice& wanted) {
  const bool is_root = me == tree.leader(tree.top());
  for (const node& n : tree.path(me)) {
    if (me == tree.leader(n)) {
      tree.stage(b, "broadcast", n);
      b.send(is_root ? held : wanted, tree.followers(n));
    } else if (me == tree.leader(tree.group(n, tree.number_of(n, me)))) {
      tree.stage(b, "broadcast", n);
      b.receive(wanted, tree.leader(n));
    }
  }
}

void reduce_up(builder& b, const rank_tree& tree, rank_id me) {
  const slice total = me == tree.leader(tree.top()) ? output(0) : staging(0);
  const std::vector<node> path = tree.path(me);
  slice held = input(0);
  for (auto n = path.rbegin(); n != path.rend(); ++n) {
    const rank_id own = tree.number_of(*n, me);
    if (me != tree.leader(*n)) {
      if (me == tree.leader(tree.group(*n, own))) {
        tree.stage(b, "reduce", *n);
        b.send(held, tree.leader(*n));
      }
      continue;
    }
    tree.stage(b, "reduce", *n);
    for (rank_id number = own + 1; number < tree.groups(*n); ++number) {
      b.receive(scratch(0, 0), tree.leader(tree.group(*n, number)));
      b.reduce(total, {held, scratch(0, 0)});
      held = total;
    }
    for (rank_id number = own; number-- > 0;) {
      b.receive(scratch(0, 0), tree.leader(tree.group(*n, number)));
      b.reduce(total, {scratch(0, 0), held});
      held = total;
    }
  }
  if (path.empty()) b.copy(held, total);
}

void gather_up(builder& b, const rank_tree& tree, rank_id me) {
  const bool is_root = me == tree.leader(tree.top());
  if (is_root) b.copy(input(me), output(me));
  const std::vector<node> path = tree.path(me);
  for (auto n = path.rbegin(); n != path.rend(); ++n) {
    const node mine = tree.group(*n, tree.number_of(*n, me));
    if (me == tree.leader(*n)) {
      tree.stage(b, "gather", *n);
      const buffer room = is_root ? buffer::output : buffer::staging;
      for (const rank_id follower : tree.followers(*n)) {
        b.receive(parts_of(tree.group(*n, tree.number_of(*n, follower)), room, room), follower);
      }
    } else if (me == tree.leader(mine)) {
      tree.stage(b, "gather", *n);
      b.send(parts_of(mine, buffer::input, buffer::staging), tree.leader(*n));
    }
  }
}

void scatter_down(builder& b, const rank_tree& tree, rank_id me) {
  const bool is_root = me == tree.leader(tree.top());
  for (const node& n : tree.path(me)) {
    const node mine = tree.group(n, tree.number_of(n, me));
    if (me == tree.leader(n)) {
      tree.stage(b, "scatter", n);
      const buffer room = is_root ? buffer::input : buffer::staging;
      for (const rank_id follower : tree.followers(n)) {
        b.send(parts_of(tree.group(n, tree.number_of(n, follower)), room, room), follower);
      }
    } else if (me == tree.leader(mine)) {
      tree.stage(b, "scatter", n);
      b.receive(parts_of(mine, buffer::output, buffer::staging), tree.leader(n));
    }
  }
  if (is_root) b.copy(input(me), output(me));
}

}  // namespace tutti::algorithms
