// SPDX-License-Identifier: BSL-1.0
#include <cstring>

#include "engine/surroundings.hpp"

namespace tutti::engine {

progress exchange_line(surroundings& at, activity& a) {
  const std::size_t bytes = a.call.count * a.call.type.bytes;
  if (!a.entered) {
    at.lines.publish(a.generation, a.signature, a.call.input, bytes);
    a.entered = true;
  }
  if (!all_arrived(at, a)) return progress::blocked;
  if (a.mismatch) return progress::failed;
  if (bytes == 0) return progress::done;
  // Elements that may want more than the alignment of a line's payload are copied; P of them may not fit the stack.
  const bool copied = a.call.type.bytes % (2 * line_payload_alignment) == 0;
  std::byte* const rooms = copied ? aligned_scratch(at, static_cast<std::size_t>(at.size) * cache_line_bytes) : nullptr;
  for (rank_id s = 0; s < at.size; ++s) {
    const auto index = static_cast<std::size_t>(s);
    const std::byte* const theirs = at.lines.payload(s, a.generation);
    at.sources[index] = s == at.me ? a.call.input
                        : copied   ? std::memcpy(rooms + index * cache_line_bytes, theirs, bytes)
                                   : theirs;
  }
  const bool worked = a.call.combine.fold(a.call.combine.state, a.call.output, at.sources.data(),
                                          static_cast<std::size_t>(at.size), a.call.count);
  return worked ? progress::done : progress::failed;
}

}  // namespace tutti::engine
