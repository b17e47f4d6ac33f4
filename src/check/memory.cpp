// SPDX-License-Identifier: BSL-1.0
#include "check/memory.hpp"

#include <algorithm>
#include <cstddef>

namespace tutti::check {

using schedules::buffer;
using schedules::slice;

memory::memory(const schedules::schedule& s, const expressions& symbols, const schedules::holding& input, bool in_place)
    : in_place_(in_place),
      input_(static_cast<std::size_t>(s.blocks), undefined),
      staging_(static_cast<std::size_t>(s.staging_end), undefined) {
  for (std::int32_t i = 0; i < input.blocks(); ++i) {
    input_[static_cast<std::size_t>(input.block(i))] = symbols.leaf(s.me, input.block(i));
  }
  output_ = in_place ? input_ : std::vector<expression>(input_.size(), undefined);
}

std::vector<expression> memory::read(const slice& from) const {
  const auto first = static_cast<std::size_t>(from.first);
  const auto count = static_cast<std::size_t>(from.count);
  if (from.where != buffer::scratch) {
    const bool is_output = from.where == buffer::output || in_place_;
    const auto& values = from.where == buffer::staging ? staging_ : is_output ? output_ : input_;
    const auto part = std::span(values).subspan(first, count);
    return {part.begin(), part.end()};
  }
  std::vector<expression> found(count, undefined);
  if (const auto at = scratch_.find({from.at, from.first}); at != scratch_.end()) {
    std::copy_n(at->second.begin(), std::min(count, at->second.size()), found.begin());
  }
  return found;
}

void memory::write(const slice& target, std::span<const expression> values) {
  if (target.where == buffer::scratch) return write_scratch(target, values);
  auto& written = target.where == buffer::staging ? staging_ : output_;
  std::copy(values.begin(), values.end(), written.begin() + target.first);
}

void memory::write_scratch(const slice& target, std::span<const expression> values) {
  for (auto& [other, held] : scratch_) {
    if (other == view{target.at, target.first}) continue;
    const std::int32_t at = other.first;
    if (at >= target.at + target.count || target.at >= at + static_cast<std::int32_t>(held.size())) continue;
    // Block i of the other view starts at slot at + i or, when blocks before it are small, earlier.
    const auto spared = static_cast<std::ptrdiff_t>(std::max(0, target.at - at));
    std::fill(held.begin() + spared, held.end(), undefined);
  }
  auto& mine = scratch_[{target.at, target.first}];
  if (mine.size() < values.size()) mine.resize(values.size(), undefined);
  std::copy(values.begin(), values.end(), mine.begin());
}

}  // namespace tutti::check
