// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace tutti::engine {

/// Fills `to` with `count` copies of the element of `width` bytes at `from`.
inline void repeat(const void* from, std::size_t width, void* to, std::size_t count) noexcept {
  const std::size_t bytes = width * count;
  if (bytes == 0) return;
  auto* const out = static_cast<std::byte*>(to);
  std::memcpy(out, from, width);
  for (std::size_t filled = width; filled < bytes;) {
    const std::size_t more = std::min(filled, bytes - filled);
    std::memcpy(out + filled, out, more);
    filled += more;
  }
}

}  // namespace tutti::engine
