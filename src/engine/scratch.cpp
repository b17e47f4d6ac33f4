// SPDX-License-Identifier: BSL-1.0
#include <memory>

#include "engine/surroundings.hpp"

namespace tutti::engine {

std::byte* aligned_scratch(surroundings& at, std::size_t bytes) {
  if (at.scratch.size() < bytes + cache_line_bytes) at.scratch.resize(bytes + cache_line_bytes);
  void* first = at.scratch.data();
  std::size_t space = at.scratch.size();
  return static_cast<std::byte*>(std::align(cache_line_bytes, bytes, first, space));
}

}  // namespace tutti::engine
