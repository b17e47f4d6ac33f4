// SPDX-License-Identifier: BSL-1.0
// reduce/dual_root: pieces climb two binary trees, of the ranks below and of those above the root, and meet there.
//
// Each side is a binary tree of consecutive ranks in post-order: a rank follows its two subtrees, the left one first,
// so that a rank folds left subtree, right subtree and itself in this order. Pieces follow each other up the trees.
//
// Shape    n = pieces blocks. Any P >= 1, any root, any count, in place at the root.
// Cost     about 2 (n + log2 P) rounds through one port, in which a rank sends 1 vector and receives 2:
//          2 (n + log2 P)(alpha + beta M/n).
// Order    rank order. Scratch  two pieces for each subtree, and two of staging where a rank folds.
// Source   Traeff, "A Doubly-pipelined, Dual-root Reduction-to-all Algorithm and Implementation", 2021,
//          arXiv:2109.12626: post-order trees, here with the root between them.
#include <vector>

#include "algorithms/rank_arithmetic.hpp"
#include "schedule/builder.hpp"

namespace tutti::algorithms::reduce {

using namespace schedules;

namespace {

/// A rank's neighbors in its tree; -1: none.
struct place {
  rank_id parent = -1;
  rank_id left = -1;
  rank_id right = -1;
};

/// Descends from a side's top to `me`: ranks first .. end-1, of which the last is the top.
place descend(rank_id me, rank_id first, rank_id end, rank_id parent) {
  while (true) {
    const rank_id top = end - 1;
    const rank_id middle = first + (top - first) / 2;
    if (me == top) return {parent, middle > first ? middle - 1 : -1, top > middle ? top - 1 : -1};
    parent = top;
    if (me < middle) {
      end = middle;
    } else {
      first = middle;
      end = top;
    }
  }
}

place place_of(rank_id me, const shape& s) {
  if (me < s.root) return descend(me, 0, s.root, s.root);
  if (me > s.root) return descend(me, s.root + 1, s.size, s.root);
  return {-1, s.root > 0 ? s.root - 1 : -1, s.root + 1 < s.size ? s.size - 1 : -1};
}

}  // namespace

void dual_root(builder& b, const shape& s, rank_id me) {
  if (s.size == 1) return b.copy(input(0, s.pieces), output(0, s.pieces));
  const place at = place_of(me, s);
  for (std::int32_t piece = 0; piece < s.pieces; ++piece) {
    const std::int32_t turn = piece % 2;
    std::vector<slice> operands;
    b.stage("reduce piece", piece);
    const auto take = [&](rank_id child, std::int32_t slot) {
      if (child < 0) return;
      b.receive(scratch(slot + turn, piece), child);
      operands.push_back(scratch(slot + turn, piece));
    };
    take(at.left, 0);
    if (me == s.root) operands.push_back(input(piece));
    take(at.right, at.left < 0 ? 0 : 2);
    if (me != s.root) operands.push_back(input(piece));
    if (me == s.root) {
      b.reduce(output(piece), operands);
    } else if (operands.size() == 1) {
      b.send(input(piece), at.parent);
    } else {
      b.reduce(operands.front(), operands);
      b.send(operands.front(), at.parent);
    }
  }
}

}  // namespace tutti::algorithms::reduce
