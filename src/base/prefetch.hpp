// SPDX-License-Identifier: BSL-1.0
// Asking for memory before it is needed.
#pragma once

#include <cstddef>

#include "base/ids.hpp"

namespace tutti {

/// Asks for the cache lines of a range that this thread will write and others have read: taking them back costs a hop
/// each, which is free while we wait anyway. A hint without any other effect.
inline void prefetch_for_writing(const void* memory, std::size_t bytes) noexcept {
  const auto* const begin = static_cast<const std::byte*>(memory);
  for (std::size_t at = 0; at < bytes; at += cache_line_bytes) {
#if defined(__x86_64__)
    // The compiler's builtin gives a prefetch for reading unless it may assume more than the baseline, although every
    // 64 bit processor takes this one.
    asm volatile("prefetchw %0" : : "m"(begin[at]));
#else
    __builtin_prefetch(begin + at, 1);
#endif
  }
}

}  // namespace tutti
