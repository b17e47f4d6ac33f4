// SPDX-License-Identifier: BSL-1.0
#include "schedule/assignment.hpp"

namespace tutti::schedules {
namespace {

constexpr holding row(std::int32_t first, std::int32_t count) { return {first, count, count, count == 0 ? 0 : 1}; }

}  // namespace

holding assignment::input(rank_id me) const {
  switch (what_) {
    case collective::gather:
    case collective::all_gather: return row(me * per_part_, per_part_);
    case collective::broadcast:
    case collective::scatter: return me == root_ ? row(0, blocks_) : holding{};
    case collective::all_to_all: return row(me * size_ * per_part_, size_ * per_part_);
    case collective::all_reduce:
    case collective::barrier:
    case collective::reduce:
    case collective::reduce_scatter:
    case collective::inclusive_scan:
    case collective::exclusive_scan: return row(0, blocks_);
  }
  return {};
}

holding assignment::output(rank_id me) const {
  switch (what_) {
    case collective::scatter:
    case collective::reduce_scatter: return row(me * per_part_, per_part_);
    case collective::gather:
    case collective::reduce: return me == root_ ? row(0, blocks_) : holding{};
    case collective::all_to_all: return {me * per_part_, per_part_, size_ * per_part_, size_};
    case collective::all_reduce:
    case collective::barrier:
    case collective::broadcast:
    case collective::all_gather:
    case collective::inclusive_scan:
    case collective::exclusive_scan: return row(0, blocks_);
  }
  return {};
}

rank_range assignment::contributors(rank_id me, std::int32_t block) const {
  const auto only = [](rank_id rank) { return rank_range{rank, rank + 1}; };
  switch (what_) {
    case collective::broadcast:
    case collective::scatter: return only(root_);
    case collective::gather:
    case collective::all_gather: return only(block / per_part_);
    case collective::all_to_all: return only(block / per_part_ / size_);
    case collective::inclusive_scan: return {0, me + 1};
    case collective::exclusive_scan: return {0, me};
    case collective::all_reduce:
    case collective::barrier:
    case collective::reduce:
    case collective::reduce_scatter: return {0, size_};
  }
  return {};
}

}  // namespace tutti::schedules
