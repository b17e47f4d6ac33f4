// SPDX-License-Identifier: BSL-1.0
#include "schedule/hazards.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tutti::schedules {

void hazards::split_at(std::int32_t place) {
  auto next = stretches_.lower_bound(place);
  if (next == stretches_.begin()) return;
  auto before = std::prev(next);
  if (before->second.end <= place) return;
  stretch rest = before->second;
  before->second.end = place;
  stretches_.emplace_hint(next, place, std::move(rest));
}

void hazards::read(std::int32_t begin, std::int32_t end, std::uint32_t reader, std::vector<std::uint32_t>& after) {
  split_at(begin);
  split_at(end);
  auto at = stretches_.lower_bound(begin);
  for (std::int32_t place = begin; place < end; ++at) {
    if (at == stretches_.end() || at->first > place) {  // a gap: never touched before
      const std::int32_t gap_end = at == stretches_.end() ? end : std::min(end, at->first);
      at = stretches_.emplace_hint(at, place, stretch{gap_end, nobody, {}});
    }
    stretch& here = at->second;
    if (here.writer != nobody) after.push_back(here.writer);
    if (here.readers.empty() || here.readers.back() != reader) here.readers.push_back(reader);
    place = here.end;
  }
}

void hazards::write(std::int32_t begin, std::int32_t end, std::uint32_t writer, std::vector<std::uint32_t>& after) {
  split_at(begin);
  split_at(end);
  const auto first = stretches_.lower_bound(begin);
  auto last = first;
  for (; last != stretches_.end() && last->first < end; ++last) {
    const stretch& here = last->second;
    const auto others = [&](std::uint32_t step) { return step != writer; };
    std::copy_if(here.readers.begin(), here.readers.end(), std::back_inserter(after), others);
    // Every reader waits for the last writer itself, so the writer matters only where nobody read.
    if (here.readers.empty() && here.writer != nobody && here.writer != writer) after.push_back(here.writer);
  }
  stretches_.erase(first, last);
  stretches_.emplace(begin, stretch{end, writer, {}});
}

}  // namespace tutti::schedules
