// SPDX-License-Identifier: BSL-1.0
// Values as symbols: what a block holds, and in which way it was combined.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/ids.hpp"

namespace tutti::check {

/// Two values have the same bits for every input and operator exactly if they have the same id.
using expression = std::uint32_t;
inline constexpr expression undefined = std::numeric_limits<expression>::max();

/// Trees of "leaf: rank r's block b" and "a op b", each distinct tree stored once. Not thread safe.
class expressions {
 public:
  /// Precondition: size * blocks is far below 2^32.
  expressions(rank_id size, std::int32_t blocks);

  expression leaf(rank_id rank, std::int32_t block) const;
  expression combine(expression left, expression right);

  /// Contributions in the tree, counted with repetitions; stops counting at 2^32.
  std::uint64_t leaf_count(expression e) const { return is_leaf(e) ? 1 : tree_of(e).leaves; }
  /// The block that all leaves belong to, or -1 if they differ.
  std::int32_t block(expression e) const {
    return is_leaf(e) ? static_cast<std::int32_t>(e % blocks_) : tree_of(e).block;
  }
  /// The ranks of the leaves from left to right. O(leaf_count).
  std::vector<rank_id> leaves(expression e) const;
  /// "((x0 op x1) op x2)"; a tree of many leaves is cut short.
  std::string text(expression e) const;

 private:
  struct tree {
    expression left;
    expression right;
    std::int32_t block;
    std::uint64_t leaves;
  };
  // Leaves are numbered, not stored; trees follow them.
  bool is_leaf(expression e) const { return e < leaves_; }
  rank_id rank(expression leaf) const { return static_cast<rank_id>(leaf / blocks_); }
  const tree& tree_of(expression e) const { return trees_[e - leaves_]; }

  expression blocks_;
  expression leaves_;
  std::vector<tree> trees_;
  std::unordered_map<std::uint64_t, expression> combined_;  // by left and right
};

}  // namespace tutti::check
