// SPDX-License-Identifier: BSL-1.0
#include "algorithms/circulant_pieces.hpp"

#include <algorithm>
#include <cstdint>

#include "algorithms/rank_arithmetic.hpp"

namespace tutti::algorithms {
namespace {

constexpr int no_entry = -1;

/// Which skip comes last on the way of the piece that arrives in each of the first q rounds at a rank of a given
/// distance: found depth first over sums of skips, largest first.
class search {
 public:
  /// `base` is the least skip in the greedy sum that gives `distance`.
  search(rank_id distance, int base, const std::vector<rank_id>& skips)
      : skips_(skips),
        rounds_(static_cast<int>(skips.size()) - 1),
        goal_(std::int64_t{skips.back()} + distance),
        next_(skips.size(), no_entry),
        before_(skips.size(), no_entry) {
    int first = no_entry;
    int last = no_entry;
    for (int e = rounds_; e >= 0; --e) {
      if (e == base) continue;
      (last == no_entry ? first : at(next_, last)) = e;
      at(before_, e) = last;
      last = e;
    }
    extend(0, 2 * std::int64_t{skips.back()}, first);
  }
  const std::vector<int>& found() const { return found_; }

 private:
  static int& at(std::vector<int>& list, int e) { return list[static_cast<std::size_t>(e)]; }
  std::int64_t skip(int e) const { return skips_[static_cast<std::size_t>(e)]; }
  int round() const { return static_cast<int>(found_.size()); }

  /// Adds skips from `e` on to `sum`, each new sum below `least`; returns the least that was used.
  std::int64_t extend(std::int64_t sum, std::int64_t least, int e) {
    for (; e != no_entry && round() < rounds_; e = at(next_, e)) {
      const std::int64_t longer = sum + skip(e);
      if (longer > goal_ - skip(round()) || longer >= least) continue;
      if (longer <= goal_ - skip(round() + 1)) {
        least = extend(longer, least, e);
        if (round() >= rounds_) return least;
      }
      if (sum > goal_ - skip(round() + 1)) return least;
      least = longer;
      found_.push_back(e);
      if (at(before_, e) != no_entry) at(next_, at(before_, e)) = at(next_, e);
      if (at(next_, e) != no_entry) at(before_, at(next_, e)) = at(before_, e);
    }
    return least;
  }

  const std::vector<rank_id>& skips_;
  int rounds_;
  std::int64_t goal_;
  std::vector<int> next_;  // skips not used yet, descending: a list
  std::vector<int> before_;
  std::vector<int> found_;
};

}  // namespace

circulant_pieces::circulant_pieces(rank_id size, int pieces)
    : skips_(static_cast<std::size_t>(log2_up(size)) + 1, size), pieces_(pieces) {
  for (std::size_t k = skips_.size() - 1; k-- > 0;) skips_[k] = divide_up(skips_[k + 1], 2);
}

/// The least skip in the greedy sum of skips that gives `distance`; the number of skips for 0.
int circulant_pieces::base_of(rank_id distance) const {
  for (int k = skips(); k-- > 0;) {
    if (distance == skip(k)) return k;
    if (distance > skip(k)) distance -= skip(k);
  }
  return skips();
}

std::vector<int> circulant_pieces::arrivals(rank_id distance) const {
  std::vector<int> made(static_cast<std::size_t>(rounds()), none);
  if (distance == 0) return made;
  const int base = base_of(distance);
  const search ways(distance, base, skips_);
  bool has_last = false;
  for (int round = idle(); round < idle() + rounds(); ++round) {
    const int way = ways.found()[static_cast<std::size_t>(round % skips())];
    const int first = (way == skips() ? base : way - skips()) - idle();
    const int piece = std::min(first + round / skips() * skips(), pieces_ - 1);
    const bool is_last = piece == pieces_ - 1;
    if (piece >= 0 && !(is_last && has_last)) made[static_cast<std::size_t>(round - idle())] = piece;
    has_last = has_last || (piece >= 0 && is_last);
  }
  return made;
}

}  // namespace tutti::algorithms
