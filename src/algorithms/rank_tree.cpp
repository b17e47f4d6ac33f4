// SPDX-License-Identifier: BSL-1.0
#include "algorithms/rank_tree.hpp"

namespace tutti::algorithms {

std::int64_t rank_tree::smallest_power() const {
  std::int64_t power = 1;
  while (power < size_) power *= arity_;
  return power;
}

/// A node that may hold up to `capacity` ranks; its groups are the largest power below its size.
rank_tree::node rank_tree::split_from(node n, std::int64_t capacity) const {
  if (how_ == splitting::balanced || n.size == 1) return n;
  n.step = capacity / arity_;
  while (n.step >= n.size) n.step /= arity_;
  return n;
}

rank_id rank_tree::groups(const node& n) const {
  if (how_ == splitting::aligned) return static_cast<rank_id>(divide_up<std::int64_t>(n.size, n.step));
  return std::min<rank_id>(arity_, n.size);
}

rank_tree::node rank_tree::group(const node& n, rank_id number) const {
  if (how_ == splitting::aligned) {
    const auto begin = static_cast<rank_id>(number * n.step);
    const auto size = static_cast<rank_id>(std::min<std::int64_t>(n.step, n.size - begin));
    return split_from({n.first + begin, size, n.level + 1, 0}, n.step);
  }
  const rank_id small = n.size / groups(n);
  const rank_id larger = n.size % groups(n);
  return {n.first + number * small + std::min(number, larger), small + (number < larger ? 1 : 0), n.level + 1, 0};
}

rank_id rank_tree::number_of(const node& n, rank_id member) const {
  const rank_id offset = member - n.first;
  if (how_ == splitting::aligned) return static_cast<rank_id>(offset / n.step);
  const rank_id small = n.size / groups(n);
  const rank_id larger = n.size % groups(n);
  const rank_id in_larger = larger * (small + 1);
  return offset < in_larger ? offset / (small + 1) : (offset - in_larger) / small + larger;
}

std::vector<rank_tree::node> rank_tree::path(rank_id member) const {
  std::vector<node> nodes;
  for (node n = top(); n.size > 1; n = group(n, number_of(n, member))) nodes.push_back(n);
  return nodes;
}

std::vector<rank_id> rank_tree::followers(const node& n) const {
  std::vector<rank_id> list;
  const rank_id own = number_of(n, leader(n));
  for (rank_id number = 0; number < groups(n); ++number) {
    if (number != own) list.push_back(leader(group(n, number)));
  }
  return list;
}

void rank_tree::stage(schedules::builder& b, std::string_view verb, const node& n) const {
  std::string label(verb);
  label += how_ == splitting::aligned ? " distance" : " level";
  b.stage(label, how_ == splitting::aligned ? n.step : n.level);
}

}  // namespace tutti::algorithms
