// SPDX-License-Identifier: BSL-1.0
// Which piece of a broadcast over a circulant graph arrives where in which round (broadcast/circulant).
#pragma once

#include <vector>

#include "base/ids.hpp"

namespace tutti::algorithms {

/// Ranks are told by their distance from the root to the right. Pure; size >= 2, pieces >= 1.
class circulant_pieces {
 public:
  static constexpr int none = -1;

  circulant_pieces(rank_id size, int pieces);

  /// ceil(log2 size), and how far each of them reaches.
  int skips() const { return static_cast<int>(skips_.size()) - 1; }
  rank_id skip(int k) const { return skips_[static_cast<std::size_t>(k)]; }

  int rounds() const { return pieces_ - 1 + skips(); }
  /// Which skip the messages of a round take, to the right.
  int skip_in(int round) const { return (round + idle()) % skips(); }

  /// The piece that arrives in each round, or none. Every piece arrives once. O(log^2 size + rounds).
  std::vector<int> arrivals(rank_id distance) const;

 private:
  /// So many of the first skips() rounds would have nothing to do, and are left out.
  int idle() const { return (skips() - rounds() % skips()) % skips(); }
  int base_of(rank_id distance) const;

  std::vector<rank_id> skips_;  // the last is the size, each other the larger half of the next
  int pieces_;
};

}  // namespace tutti::algorithms
