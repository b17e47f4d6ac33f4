// SPDX-License-Identifier: BSL-1.0
#include <map>
#include <set>

#include "algorithms/rank_tree.hpp"

namespace tutti::algorithms {
namespace {

using node = rank_tree::node;

/// What a group without the root costs depends on its size alone.
class costs {
 public:
  explicit costs(const rank_tree& tree) : tree_(tree) { visit(tree.top()); }

  double rounds(const node& n) {
    if (n.size == 1) return 0;
    const bool has_root = n.contains(tree_.leader(tree_.top()));
    if (const auto known = rounds_.find(n.size); !has_root && known != rounds_.end()) return known->second;
    const rank_id own = tree_.number_of(n, tree_.leader(n));
    double position = 0;
    double most = 0;
    for (rank_id number = 0; number < tree_.groups(n); ++number) {
      if (number != own) most = std::max(most, ++position + rounds(tree_.group(n, number)));
    }
    most = std::max(most, position + rounds(tree_.group(n, own)));
    if (!has_root) rounds_[n.size] = most;
    return most;
  }

  /// By every leader: its followers, and whether it has a leader itself.
  template <class F>
  void for_each_leader(const F& f) const {
    f(followers(tree_.top()), 0);
    for (const node& n : led_) f(followers(n), 1);
  }
  double largest_led() const {
    rank_id most = 0;
    for (const node& n : led_) most = std::max(most, n.size);
    return most;
  }

 private:
  /// Of all groups led by others than the root, one of each size.
  void visit(const node& n) {
    if (n.size == 1) return;
    const rank_id own = tree_.number_of(n, tree_.leader(n));
    for (rank_id number = 0; number < tree_.groups(n); ++number) {
      const node g = tree_.group(n, number);
      if (number == own && n.contains(tree_.leader(tree_.top()))) {
        visit(g);
      } else if (sizes_.insert(g.size).second) {
        led_.push_back(g);
        visit(g);
      }
    }
  }

  double followers(node n) const {
    double count = 0;
    while (n.size > 1) {
      count += tree_.groups(n) - 1;
      n = tree_.group(n, tree_.number_of(n, tree_.leader(n)));
    }
    return count;
  }

  const rank_tree& tree_;
  std::set<rank_id> sizes_;
  std::vector<node> led_;
  std::map<rank_id, double> rounds_;
};

}  // namespace

double tree_rounds(const rank_tree& tree) { return costs(tree).rounds(tree.top()); }

double tree_messages(const rank_tree& tree) {
  double most = 0;
  costs(tree).for_each_leader([&](double followers, double leaders) { most = std::max(most, followers + leaders); });
  return most;
}

double tree_fan_out(const rank_tree& tree) {
  double most = 0;
  costs(tree).for_each_leader([&](double followers, double) { most = std::max(most, followers); });
  return most;
}

double tree_largest_led(const rank_tree& tree) { return costs(tree).largest_led(); }

}  // namespace tutti::algorithms
