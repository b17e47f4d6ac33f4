// SPDX-License-Identifier: BSL-1.0
// The schedules of all ranks, and the shapes worth trying for a number of ranks.
#pragma once

#include <algorithm>
#include <set>
#include <vector>

#include "algorithms/registry.hpp"

namespace tutti::test {

inline std::vector<schedules::schedule> all_ranks(const algorithms::algorithm& which, const schedules::shape& s) {
  std::vector<schedules::schedule> made;
  for (rank_id me = 0; me < s.size; ++me) made.push_back(algorithms::build(which, s, me));
  return made;
}

/// One shape, or one for each arity where the algorithm takes one.
inline std::vector<schedules::shape> shapes_of(const algorithms::algorithm& which, rank_id size) {
  if (!which.takes_arity) return {{.size = size}};
  std::vector<schedules::shape> made;
  for (const int arity : {2, 3, 4, 7}) made.push_back({.size = size, .arity = arity});
  return made;
}

/// shapes_of, with every root in `roots` where the algorithm has one, and several numbers of pieces where it cuts.
inline std::vector<schedules::shape> rooted_shapes_of(const algorithms::algorithm& which, rank_id size,
                                                      const std::set<rank_id>& roots) {
  std::vector<schedules::shape> made;
  for (const schedules::shape& s : shapes_of(which, size)) {
    for (const int pieces : which.takes_pieces ? std::vector{1, 2, 3, 8} : std::vector{s.pieces}) {
      for (const rank_id root : has_root(which.what) ? roots : std::set<rank_id>{0}) {
        made.push_back({.size = size, .root = root, .arity = s.arity, .pieces = pieces});
      }
    }
  }
  return made;
}

inline std::set<rank_id> every_root(rank_id size) {
  std::set<rank_id> roots;
  for (rank_id root = 0; root < size; ++root) roots.insert(root);
  return roots;
}

/// What the engine runs is tried with every number of ranks; the rest, which has more shapes, with all up to 20 and
/// with those around powers of two and multiples of eight.
inline bool is_worth_trying(const algorithms::algorithm& which, rank_id size) {
  const bool runs = which.what == collective::all_reduce || which.what == collective::barrier;
  return runs || size <= 20 || size % 8 <= 1 || size % 32 == 31;
}

/// The ends, a neighbor of one, and the middle.
inline std::set<rank_id> some_roots(rank_id size) { return {0, std::min(1, size - 1), size / 2, size - 1}; }

}  // namespace tutti::test
