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

void reduce_up(builder& b, const rank_tree& tree, rank_id me, buffer room) {
  const slice total = me == tree.leader(tree.top()) ? output(0) : in(room, 0, 1);
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

void gather_up(builder& b, const rank_tree& tree, rank_id me, buffer room) {
  const bool is_root = me == tree.leader(tree.top());
  if (is_root) {
    room = buffer::output;
    b.stage("own part");
  }
  if (is_root) b.copy(input(me), output(me));
  const std::vector<node> path = tree.path(me);
  for (auto n = path.rbegin(); n != path.rend(); ++n) {
    const node mine = tree.group(*n, tree.number_of(*n, me));
    if (me == tree.leader(*n)) {
      tree.stage(b, "gather", *n);
      for (const rank_id follower : tree.followers(*n)) {
        b.receive(parts_of(tree.group(*n, tree.number_of(*n, follower)), room, room), follower);
      }
    } else if (me == tree.leader(mine)) {
      tree.stage(b, "gather", *n);
      b.send(parts_of(mine, buffer::input, room), tree.leader(*n));
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

slice scan_groups(builder& b, const rank_tree& tree, rank_id me) {
  const rank_id size = tree.top().size;
  const std::vector<node> path = tree.path(me);
  std::vector<std::vector<slice>> before(path.size());  // [level]: what lies in a node before each group but the first
  std::int32_t slots = 0;
  slice held = input(0);
  for (std::size_t level = path.size(); level-- > 0;) {
    const node& n = path[level];
    const node mine = tree.group(n, tree.number_of(n, me));
    tree.stage(b, "sum", n);
    if (me == tree.leader(n)) {
      for (rank_id number = 1; number < tree.groups(n); ++number) {
        before[level].push_back(held);
        const node g = tree.group(n, number);
        if (g.end() == size) break;  // nothing comes after it
        const slice sum = scratch(slots++, 0);
        b.receive(sum, g.first);
        b.reduce(sum, {held, sum});
        held = sum;
      }
    } else if (me == mine.first && mine.end() != size) {
      b.send(held, n.first);
    }
  }
  std::int32_t sent = 0;
  for (std::size_t level = 0; level < path.size(); ++level) {
    const node& n = path[level];
    tree.stage(b, "prefix", n);
    if (me != tree.leader(n)) {
      if (me == tree.group(n, tree.number_of(n, me)).first) b.receive(staging(0), n.first);
      continue;
    }
    for (std::size_t i = 0; i < before[level].size(); ++i) {
      slice prefix = before[level][i];
      if (me != 0) {
        prefix = scratch(slots + sent++ % 2, 0);
        b.reduce(prefix, {staging(0), before[level][i]});
      }
      b.send(prefix, tree.group(n, static_cast<rank_id>(i) + 1).first);
    }
  }
  return staging(0);
}

}  // namespace tutti::algorithms
