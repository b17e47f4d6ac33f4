// SPDX-License-Identifier: BSL-1.0
// Memory for elements of any type that a call may have.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace tutti {

/// The largest that the public headers let through.
inline constexpr std::align_val_t element_alignment{64};

struct aligned_delete {
  void operator()(std::byte* memory) const noexcept { ::operator delete(memory, element_alignment); }
};
using aligned_bytes = std::unique_ptr<std::byte, aligned_delete>;

/// Not initialized. Null if there is no memory; without bytes, too, it has an address.
inline aligned_bytes allocate_aligned(std::size_t bytes) noexcept {
  return aligned_bytes(static_cast<std::byte*>(::operator new(bytes, element_alignment, std::nothrow)));
}

}  // namespace tutti
