// SPDX-License-Identifier: BSL-1.0
#include "kernels/copy.hpp"

#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace tutti::kernels {

void copy_bytes(void* target, const void* source, std::size_t bytes) noexcept {
  if (bytes != 0) std::memcpy(target, source, bytes);
}

void copy_bytes_streaming(void* target, const void* source, std::size_t bytes) noexcept {
#if defined(__SSE2__)
  constexpr std::size_t line = 64;
  auto* to = static_cast<std::byte*>(target);
  const auto* from = static_cast<const std::byte*>(source);
  const std::size_t to_line = (line - reinterpret_cast<std::uintptr_t>(to) % line) % line;
  const std::size_t head = to_line < bytes ? to_line : bytes;
  copy_bytes(to, from, head);
  to += head;
  from += head;
  bytes -= head;
  for (; bytes >= line; bytes -= line, to += line, from += line) {
    for (std::size_t part = 0; part < line; part += sizeof(__m128i)) {
      const __m128i value = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + part));
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + part), value);
    }
  }
  copy_bytes(to, from, bytes);
  _mm_sfence();  // streaming stores are not ordered by a release store
#else
  copy_bytes(target, source, bytes);
#endif
}

}  // namespace tutti::kernels
