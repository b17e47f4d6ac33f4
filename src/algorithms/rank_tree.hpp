// SPDX-License-Identifier: BSL-1.0
// Trees of contiguous groups of ranks, for any root. A node of ranks splits into groups, each group into smaller
// ones, down to single ranks. The leader of a node is the root if that is one of its ranks, else its first rank;
// data passes between the leader of a node and the leaders of its groups. Groups are contiguous and whole, so
// rank order survives and the blocks of a group are consecutive, whichever rank is the root.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/checked.hpp"
#include "schedule/builder.hpp"

namespace tutti::algorithms {

enum class splitting : std::uint8_t {
  balanced,  ///< min(arity, n) groups whose sizes differ by at most one, the first n % arity the larger
  aligned,   ///< groups of arity^k ranks, the last one what is left: k-nomial trees, binomial for arity 2
};

class rank_tree {
 public:
  struct node {
    rank_id first = 0;
    rank_id size = 1;
    int level = 0;          ///< 0 at the top
    std::int64_t step = 0;  ///< aligned: the size of its groups

    rank_id end() const { return first + size; }
    bool contains(rank_id rank) const { return first <= rank && rank < end(); }
    friend bool operator==(const node&, const node&) = default;
  };

  rank_tree(rank_id size, rank_id root, int arity, splitting how)
      : size_(size), root_(root), arity_(arity), how_(how) {}

  node top() const { return split_from({0, size_, 0, 0}, smallest_power()); }
  rank_id leader(const node& n) const { return n.contains(root_) ? root_ : n.first; }
  /// Precondition for these: n.size > 1.
  rank_id groups(const node& n) const;
  node group(const node& n, rank_id number) const;
  rank_id number_of(const node& n, rank_id member) const;

  /// The nodes of more than one rank that contain `member`, from the top on.
  std::vector<node> path(rank_id member) const;
  /// Leaders of all groups of `n` but the leader's own, in rank order.
  std::vector<rank_id> followers(const node& n) const;

  /// Names the stage in which data passes between the leaders of a node's groups.
  void stage(schedules::builder& b, std::string_view verb, const node& n) const;

 private:
  std::int64_t smallest_power() const;
  node split_from(node n, std::int64_t capacity) const;

  rank_id size_;
  rank_id root_;
  int arity_;
  splitting how_;
};

// Stated costs. One-port rounds, and messages or parts of the rank that has most, for trees in which every leader
// sends to its followers in rank order, larger nodes first.

/// Rounds of a broadcast of whole vectors; a reduction takes as many.
double tree_rounds(const rank_tree& tree);
/// Messages that the busiest rank exchanges with its leader and its followers.
double tree_messages(const rank_tree& tree);
/// Messages that a rank sends to its followers, at most.
double tree_fan_out(const rank_tree& tree);
/// Ranks of the largest group that a rank other than the root leads; 0 if there is none of more than one.
double tree_largest_led(const rank_tree& tree);

}  // namespace tutti::algorithms
