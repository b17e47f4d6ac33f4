// SPDX-License-Identifier: BSL-1.0
// all_to_all/hierarchical: rows climb to the leaders of the top groups, which exchange; columns descend.
//
// What a group has for itself never leaves the leader of that group.
//
// Shape    in and out: P pieces of 1 block, from and for each rank. Any P >= 1, any arity >= 2 (arity >= P is direct),
//          any count; not in place.
// Cost     the leader of a top group of g ranks gets (g-1) P pieces from below, exchanges g (P-g) with the others and
//          hands each of its groups of c ranks c (P-c).
// Order    nothing is combined. Scratch  staging among the blocks of all rows, on every rank that leads others.
// Source   the group rule of HPX's hierarchical communicators, https://github.com/TheHPXProject/hpx/pull/7307.
#include <array>
#include <vector>

#include "algorithms/rank_tree.hpp"

namespace tutti::algorithms::all_to_all {

using namespace schedules;

namespace {

using node = rank_tree::node;
using slices = std::vector<slice>;

/// Pieces by source and target, as one rank holds them. A group's first column is its leader's own.
struct transpose {
  builder& b;
  rank_id size;
  rank_id me;

  slice piece(buffer where, rank_id source, rank_id target, rank_id count) const {
    const std::int32_t first = source * size + target;
    return {where, first, count, first};
  }
  /// The rows of a group; its leader's own lies apart.
  std::array<slice, 2> rows(const node& g, buffer own) const {
    return {piece(own, g.first, 0, size), piece(buffer::staging, g.first + 1, 0, (g.size - 1) * size)};
  }
  void add_columns(slices& list, buffer first, buffer rest, rank_id source, const node& g) const {
    list.push_back(piece(first, source, g.first, 1));
    list.push_back(piece(rest, source, g.first + 1, g.size - 1));
  }
  slices leaving(rank_id begin, rank_id end, const node& g) const {
    slices list;
    for (rank_id source = begin; source < end; ++source) {
      const buffer held = source == me ? buffer::input : buffer::staging;
      add_columns(list, held, held, source, g);
    }
    return list;
  }
  slices arriving(rank_id begin, rank_id end, const node& g) const {
    slices list;
    for (rank_id source = begin; source < end; ++source) {
      add_columns(list, buffer::output, buffer::staging, source, g);
    }
    return list;
  }
  /// What everyone outside a group has for it.
  slices leaving_around(const node& g) const { return joined(leaving(0, g.first, g), leaving(g.end(), size, g)); }
  slices arriving_around(const node& g) const { return joined(arriving(0, g.first, g), arriving(g.end(), size, g)); }
  void keep_own(rank_id source) const {
    b.copy(piece(source == me ? buffer::input : buffer::staging, source, me, 1), piece(buffer::output, source, me, 1));
  }

  static slices joined(slices first, const slices& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
  }
};

/// The groups of a node but the one that `me` is in, beginning to the right of it.
std::vector<node> other_groups(const rank_tree& tree, const node& n, rank_id me) {
  std::vector<node> list;
  const rank_id own = tree.number_of(n, me);
  for (rank_id step = 1; step < tree.groups(n); ++step) list.push_back(tree.group(n, (own + step) % tree.groups(n)));
  return list;
}

}  // namespace

void hierarchical(builder& b, const shape& s, rank_id me) {
  const rank_tree tree(s.size, 0, s.arity, splitting::balanced);
  const transpose t{b, s.size, me};
  const std::vector<node> path = tree.path(me);
  node led{me, 1, 0, 0};  // the largest group that I lead, the top apart
  for (std::size_t level = path.size(); level-- > 0;) {
    const node mine = tree.group(path[level], tree.number_of(path[level], me));
    if (me == tree.leader(mine)) led = mine;
    if (level == 0) break;
    tree.stage(b, "gather", path[level]);
    if (me == tree.leader(path[level])) {
      for (const node& g : other_groups(tree, path[level], me)) b.receive(t.rows(g, buffer::staging), g.first);
    } else if (me == mine.first) {
      b.send(t.rows(mine, buffer::input), path[level].first);
    }
  }
  if (!path.empty() && me == tree.group(path[0], tree.number_of(path[0], me)).first) {
    tree.stage(b, "exchange", path[0]);
    for (const node& g : other_groups(tree, path[0], me)) b.send(t.leaving(led.first, led.end(), g), g.first);
    for (const node& g : other_groups(tree, path[0], me)) b.receive(t.arriving(g.first, g.end(), led), g.first);
  }
  for (std::size_t level = 1; level < path.size(); ++level) {
    const node mine = tree.group(path[level], tree.number_of(path[level], me));
    tree.stage(b, "scatter", path[level]);
    if (me == tree.leader(path[level])) {
      for (const node& g : other_groups(tree, path[level], me)) b.send(t.leaving_around(g), g.first);
    } else if (me == mine.first) {
      b.receive(t.arriving_around(mine), path[level].first);
    }
  }
  for (rank_id source = led.first; source < led.end(); ++source) t.keep_own(source);
}

}  // namespace tutti::algorithms::all_to_all
