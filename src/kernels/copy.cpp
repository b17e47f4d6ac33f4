// SPDX-License-Identifier: BSL-1.0
#include "kernels/copy.hpp"

#include <cstring>

namespace tutti::kernels {

void copy_bytes(void* target, const void* source, std::size_t bytes) noexcept {
  if (bytes != 0) std::memcpy(target, source, bytes);
}

}  // namespace tutti::kernels
