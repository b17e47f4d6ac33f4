// SPDX-License-Identifier: BSL-1.0
#include "check/expressions.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tutti::check {
namespace {

constexpr std::uint64_t most_leaves = std::uint64_t{1} << 32;
constexpr std::uint64_t most_leaves_printed = 32;

}  // namespace

expressions::expressions(rank_id size, std::int32_t blocks)
    : blocks_(static_cast<expression>(blocks)), leaves_(static_cast<expression>(size) * blocks_) {}

expression expressions::leaf(rank_id rank, std::int32_t block) const {
  return static_cast<expression>(rank) * blocks_ + static_cast<expression>(block);
}

expression expressions::combine(expression left, expression right) {
  const auto next = leaves_ + static_cast<expression>(trees_.size());
  const auto [at, fresh] = combined_.try_emplace(std::uint64_t{left} << 32 | right, next);
  if (fresh) {
    const std::uint64_t leaves = std::min(most_leaves, leaf_count(left) + leaf_count(right));
    trees_.push_back({left, right, block(left) == block(right) ? block(left) : -1, leaves});
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
      found.push_back(rank(next));
    } else {
      open.push_back(tree_of(next).right);
      open.push_back(tree_of(next).left);
    }
  }
  return found;
}

std::string expressions::text(expression e) const {
  if (is_leaf(e)) return fmt::format("x{}", rank(e));
  if (leaf_count(e) > most_leaves_printed) return fmt::format("({} contributions)", leaf_count(e));
  return fmt::format("({} op {})", text(tree_of(e).left), text(tree_of(e).right));
}

}  // namespace tutti::check
