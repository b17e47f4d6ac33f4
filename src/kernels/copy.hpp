// SPDX-License-Identifier: BSL-1.0
// Copying bytes.
#pragma once

#include <cstddef>

namespace tutti::kernels {

/// Copies `bytes` bytes; the ranges do not overlap. Pointers may be null if bytes is 0.
void copy_bytes(void* target, const void* source, std::size_t bytes) noexcept;

}  // namespace tutti::kernels
