// SPDX-License-Identifier: BSL-1.0
#include "algorithms/stated_costs.hpp"

#include <algorithm>

#include "algorithms/circulant_pieces.hpp"
#include "algorithms/rank_arithmetic.hpp"
#include "algorithms/rank_tree.hpp"

namespace tutti::algorithms {
namespace {

using node = rank_tree::node;

/// The largest group that a rank leads, the top for the root.
node led_by(const rank_tree& tree, rank_id rank) {
  for (const node& n : tree.path(rank)) {
    if (rank == tree.leader(n)) return n;
  }
  return {rank, 1, 0, 0};
}

/// When the last rank of a side's tree has folded one piece: its children's pieces come one after the other.
double folded_after(rank_id ranks) {
  if (ranks <= 1) return 0;
  const rank_id left = (ranks - 1) / 2;
  const rank_id right = ranks - 1 - left;
  if (left == 0) return folded_after(right) + 1;
  return std::max(folded_after(left) + 1, folded_after(right)) + 1;  // the right one is as large or larger
}

double groups_of(rank_id size, int arity) { return std::min<rank_id>(arity, size); }

}  // namespace

volumes scatter_all_gather_volumes(rank_id size, rank_id root) {
  const rank_tree tree(size, root, 2, splitting::aligned);
  volumes most;
  for (rank_id rank = 0; rank < size; ++rank) {
    // All blocks of the own group leave in the scatter but one; the ring brings the neighbor all that it lacks.
    const double sent = led_by(tree, rank).size - 1 + size - led_by(tree, around(rank, 1, size)).size;
    most.sent = std::max(most.sent, sent);
    most.busiest = std::max(most.busiest, sent + (rank == root ? 0 : size));
  }
  return most;
}

double circulant_broadcast_busiest(rank_id size, int pieces) {
  const circulant_pieces plan(size, pieces);
  std::vector<int> messages(static_cast<std::size_t>(size), pieces);  // by distance from the root
  messages[0] = 0;
  for (rank_id distance = 1; distance < size; ++distance) {
    const std::vector<int> arriving = plan.arrivals(distance);
    for (int round = 0; round < plan.rounds(); ++round) {
      if (arriving[static_cast<std::size_t>(round)] == circulant_pieces::none) continue;
      ++messages[static_cast<std::size_t>(around(distance, -plan.skip(plan.skip_in(round)), size))];
    }
  }
  return *std::max_element(messages.begin(), messages.end());
}

double rabenseifner_busiest(rank_id size, rank_id root) {
  if (size == 1) return 0;
  const rank_id actors = power_of_two_within(size);
  const rank_id pairs = size - actors;
  const rank_id target = root < 2 * pairs ? root / 2 : root - pairs;
  // The target receives most, and as much as the one that hands it the last half sends and receives.
  double most = 3 - 3.0 / actors;
  for (rank_id actor = 0; actor < pairs; ++actor) {
    const auto apart = static_cast<rank_id>(std::bit_floor(static_cast<std::uint32_t>(actor ^ target)));
    most = std::max(most, 3 - 3.0 / actors + 1.0 / std::max<rank_id>(1, apart));
  }
  return most;
}

double dual_root_rounds(rank_id size, rank_id root, int pieces) {
  const rank_id smaller = std::min(root, size - 1 - root);
  const rank_id larger = std::max(root, size - 1 - root);
  if (larger == 0) return 0;
  const double later = smaller > 0 || larger > 2 ? 2 : 1;  // rounds between two pieces
  const double first =
      smaller == 0 ? folded_after(larger) + 1 : std::max(folded_after(smaller) + 1, folded_after(larger)) + 1;
  return first + later * (pieces - 1);
}

double dual_root_busiest(rank_id size, rank_id root) {
  const rank_id larger = std::max(root, size - 1 - root);
  if (larger > 2) return 3;
  return std::min(2, size - 1);
}

double dual_root_temporary(rank_id size, rank_id root, int pieces) {
  const rank_id smaller = std::min(root, size - 1 - root);
  const rank_id larger = std::max(root, size - 1 - root);
  if (larger == 0) return 0;
  const double slots = std::min(2, pieces) + (smaller > 0 || larger > 2 ? 2 : 0);
  return slots / pieces;
}

volumes hierarchical_all_to_all_volumes(rank_id size, int arity) {
  const rank_tree tree(size, 0, arity, splitting::balanced);
  const double all = size;
  volumes most;
  for (rank_id rank = 0; rank < size && size > 1; ++rank) {
    const std::vector<node> path = tree.path(rank);
    node led{rank, 1, 0, 0};
    bool is_top = false;
    double handed_down = 0;
    for (std::size_t level = path.size(); level-- > 0;) {
      const node mine = tree.group(path[level], tree.number_of(path[level], rank));
      if (mine.first != rank) break;
      led = mine;
      is_top = level == 0;
      if (is_top || path[level].first != rank) continue;
      for (rank_id number = 1; number < tree.groups(path[level]); ++number) {
        const double group = tree.group(path[level], number).size;
        handed_down += group * (all - group);
      }
    }
    const double group = led.size;
    const double outward = is_top ? group * (all - group) : group * all;
    most.sent = std::max(most.sent, outward + handed_down);
    most.busiest = std::max(most.busiest, outward + handed_down + (group - 1) * all + group * (all - group));
    if (led.size == 1) continue;
    const double first = rank > 0 ? rank + 1 : all;
    const double end = led.end() < size ? (all - 1) * all + led.end() : all * all;
    most.temporary = std::max(most.temporary, end - first);
  }
  return most;
}

double hierarchical_scan_rounds(rank_id size, int arity) {
  if (size == 1) return 0;
  const rank_tree tree(size, 0, arity, splitting::balanced);
  const node top = tree.top();
  double most = 0;
  for (rank_id number = 1; number < tree.groups(top); ++number) {
    most = std::max(most, number + hierarchical_fan_in(tree.group(top, number).size, arity) + 0.0);
  }
  return hierarchical_fan_in(tree.group(top, 0).size, arity) + most;
}

double hierarchical_scan_temporary(rank_id size, int arity) {
  if (size == 1) return 0;
  const rank_tree tree(size, 0, arity, splitting::balanced);
  const node top = tree.top();
  double most = hierarchical_fan_in(size, arity) - 1;
  for (rank_id number = 1; number < tree.groups(top); ++number) {
    const int followers = hierarchical_fan_in(tree.group(top, number).size, arity);
    const int sums = followers - (followers > 0 && number + 1 == groups_of(size, arity) ? 1 : 0);
    most = std::max(most, sums + std::min(2, followers) + 1.0);
  }
  return most;
}

double doubling_scan_busiest(rank_id size) {
  double most = 0;
  int received = 1;
  for (rank_id rank = 1; rank < size; rank *= 2, ++received) {
    most = std::max(most, received + log2_up(size - rank) + 0.0);
  }
  return most;
}

double sweep_rounds(rank_id size) {
  return log2_of_actors(size) + std::bit_width(static_cast<std::uint32_t>(size / 3));
}

}  // namespace tutti::algorithms
