// SPDX-License-Identifier: BSL-1.0
// One rank's buffers, holding symbols.
#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "check/expressions.hpp"
#include "schedule/assignment.hpp"
#include "schedule/schedule.hpp"

namespace tutti::check {

/// Not thread safe. Preconditions: slices fit the schedule; the input is not written.
class memory {
 public:
  /// `input` is what the rank's input holds.
  memory(const schedules::schedule& s, const expressions& symbols, const schedules::holding& input, bool in_place);

  /// What the blocks of `from` hold; `undefined` where nothing was written.
  std::vector<expression> read(const schedules::slice& from) const;
  void write(const schedules::slice& target, std::span<const expression> values);

 private:
  // Where block b lies in scratch depends on the slot and the first block of the slice it was written
  // through, because blocks are packed from the slot's start and need not be equal in size.
  using view = std::pair<std::int32_t, std::int32_t>;  // slot, first block

  void write_scratch(const schedules::slice& target, std::span<const expression> values);

  bool in_place_;
  std::vector<expression> input_;
  std::vector<expression> output_;
  std::vector<expression> staging_;
  std::map<view, std::vector<expression>> scratch_;
};

}  // namespace tutti::check
