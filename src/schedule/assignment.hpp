// SPDX-License-Identifier: BSL-1.0
// Who holds what: how a collective numbers its data as blocks, and which of them each rank has in its input
// and must have in its output. docs/decisions/0005-blocks-of-every-collective.md gives the reasons.
//
// A block has one number on all ranks, so the two ends of a message, the operands of a reduce and both sides
// of a copy name the same blocks. With k = blocks / parts:
//   all_reduce, broadcast, reduce, scans   one part: the vector. Everyone's input and output (broadcast: input
//                                          at the root; reduce: output at the root) is the whole of it.
//   gather, all_gather                     P parts; part r, blocks rk .. rk+k-1, is rank r's input. The output,
//                                          at the root or everywhere, is all of them.
//   scatter, reduce_scatter                P parts; the input, at the root or everywhere, is all of them; part
//                                          r is rank r's output.
//   all_to_all                             P * P parts; part rP + q is what rank r has for rank q. Rank r's
//                                          input is row r, its output column r.
//   barrier                                one block of no elements.
#pragma once

#include <cstdint>
#include <limits>

#include "schedule/schedule.hpp"
#include "tutti/core/collective.hpp"

namespace tutti::schedules {

/// `runs` times `run` consecutive blocks, each run `stride` blocks after the one before; in memory they lie back
/// to back.
struct holding {
  std::int32_t first = 0;
  std::int32_t run = 0;
  std::int32_t stride = 0;
  std::int32_t runs = 0;

  constexpr std::int32_t blocks() const { return run * runs; }
  /// Whether blocks block .. block+count-1 are held and lie back to back. count >= 1.
  constexpr bool holds(std::int32_t block, std::int32_t count) const {
    if (block < first || blocks() == 0) return false;
    const std::int32_t begin = block - first;
    if (runs == 1) return begin + std::int64_t{count} <= run;
    return begin / stride < runs && begin % stride + std::int64_t{count} <= run;
  }
  /// The i-th block held, 0 <= i < blocks().
  constexpr std::int32_t block(std::int32_t i) const { return first + i / run * stride + i % run; }
};

/// Ranks first .. end-1.
struct rank_range {
  rank_id first = 0;
  rank_id end = 0;

  friend bool operator==(const rank_range&, const rank_range&) = default;
};

/// How many ranks' blocks 32 bits can number, in one block for each part.
constexpr rank_id most_ranks(collective what) {
  return what == collective::all_to_all ? 46340 : std::numeric_limits<rank_id>::max();
}

class assignment {
 public:
  /// 0 <= root < size (ignored by collectives without a root); `blocks` is a multiple of parts(what, size).
  constexpr assignment(collective what, rank_id size, rank_id root, std::int32_t blocks)
      : what_(what), size_(size), root_(root), blocks_(blocks), per_part_(blocks / parts(what, size)) {}

  /// Into how many parts, each with a count of its own, the data falls. size <= most_ranks(what).
  static constexpr std::int32_t parts(collective what, rank_id size) {
    switch (what) {
      case collective::gather:
      case collective::all_gather:
      case collective::scatter:
      case collective::reduce_scatter: return size;
      case collective::all_to_all: return size * size;
      default: return 1;
    }
  }

  constexpr std::int32_t blocks_per_part() const { return per_part_; }
  holding input(rank_id me) const;
  holding output(rank_id me) const;

  /// Whose contributions block `block` of rank me's output combines, in rank order; a single rank: it is that
  /// rank's block as it was. None: the result is undefined (exclusive_scan on rank 0).
  rank_range contributors(rank_id me, std::int32_t block) const;

  /// Whether input and output may be the same memory, block by block.
  constexpr bool may_be_in_place() const { return what_ != collective::all_to_all; }

 private:
  collective what_;
  rank_id size_;
  rank_id root_;
  std::int32_t blocks_;
  std::int32_t per_part_;
};

}  // namespace tutti::schedules
