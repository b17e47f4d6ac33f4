// SPDX-License-Identifier: BSL-1.0
// The schedules of all ranks, and the shapes worth trying for a number of ranks.
#pragma once

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

}  // namespace tutti::test
