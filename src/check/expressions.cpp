// SPDX-License-Identifier: BSL-1.0
#include "check/expressions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace tutti::check {
namespace {

constexpr std::uint64_t most_leaves = std::uint64_t{1} << 32;
constexpr std::uint64_t most_leaves_printed = 32;

}  // namespace

expressions::expressions(rank_id size, std::int32_t blocks) : blocks_(blocks) {
  nodes_.reserve(static_cast<std::size_t>(size) * static_cast<std::size_t>(blocks) * 2);
  for (rank_id rank = 0; rank < size; ++rank) {
    for (std::int32_t block = 0; block < blocks; ++block) nodes_.push_back({undefined, undefined, rank, block, 1});
  }
}

expression expressions::leaf(rank_id rank, std::int32_t block) const {
  return static_cast<expression>(rank) * static_cast<expression>(blocks_) + static_cast<expression>(block);
}

expression expressions::combine(expression left, expression right) {
  const auto next = static_cast<expression>(nodes_.size());
  const auto [at, fresh] = combined_.try_emplace(std::uint64_t{left} << 32 | right, next);
  if (fresh) {
    const std::uint64_t leaves = std::min(most_leaves, nodes_[left].leaves + nodes_[right].leaves);
    const std::int32_t block = nodes_[left].block == nodes_[right].block ? nodes_[left].block : -1;
    nodes_.push_back({left, right, -1, block, leaves});
  }
  return at->second;
}

std::vector<rank_id> expressions::leaves(expression e) const {
  std::vector<rank_id> found;
  std::vector<expression> open{e};
  while (!open.empty()) {
    const expression next = open.back();
    open.pop_back();
    if (is_leaf(next)) {
      found.push_back(nodes_[next].rank);
    } else {
      open.push_back(nodes_[next].right);
      open.push_back(nodes_[next].left);
    }
  }
  return found;
}

std::string expressions::text(expression e) const {
  if (is_leaf(e)) return fmt::format("x{}", nodes_[e].rank);
  if (nodes_[e].leaves > most_leaves_printed) return fmt::format("({} contributions)", nodes_[e].leaves);
  return fmt::format("({} op {})", text(nodes_[e].left), text(nodes_[e].right));
}

}  // namespace tutti::check
