// SPDX-License-Identifier: BSL-1.0
#include "bench/costs.hpp"

#include <algorithm>

#include "schedule/block_lengths.hpp"
#include "selection.hpp"

namespace tutti::benching {

result<price::ledger> ledger_of(const plan& what, const row& of) {
  const auto all = tools::build_all_ranks(
      *of.serves.which, {.size = what.ranks, .root = what.root, .arity = what.arity, .pieces = what.pieces});
  const std::int32_t parts = schedules::assignment::parts(what.what, what.ranks);
  return price::count(all, schedules::block_lengths(of.bytes / sizeof(element), parts, all.front().blocks),
                      sizeof(element));
}

const row& reference_of(const findings& found, const row& of) {
  return *std::find_if(found.rows.begin(), found.rows.end(),
                       [&](const row& one) { return one.bytes == of.bytes && one.dirty == of.dirty; });
}

}  // namespace tutti::benching
