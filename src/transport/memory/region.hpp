// SPDX-License-Identifier: BSL-1.0
// A piece of memory that all ranks of a job can map: address space is cheap and taken at once, physical
// memory is reserved step by step and before its first use, so that a shortage is an error and no SIGBUS.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/descriptor.hpp"
#include "base/ids.hpp"
#include "base/status.hpp"

namespace tutti::memory {

/// Move-only owner of one mapping. The first `prefix_bytes` bytes are the region's own; what follows is
/// the user's, zeroed. Offsets, not addresses, are what ranks exchange: each maps it where it likes.
/// Thread safety: all const members and commit() may be called from any thread and any process.
class region {
 public:
  static constexpr byte_count prefix_bytes = 64;
  static constexpr byte_count smallest_capacity = 64 * 1024;

  /// Memory of this process alone (ranks are threads).
  /// Errors: bad_argument if capacity is below smallest_capacity, no_space if it cannot be mapped.
  static result<region> create_private(byte_count capacity);

  /// Memory to be passed to other processes by fd(): a sealed memfd of mode 0600, in no file system.
  /// Errors as create_private.
  static result<region> create_shared(byte_count capacity);

  /// Maps what another process created by create_shared. Takes over the descriptor.
  /// Errors: launch_failed if it is not a region of this library and version owned by this user.
  static result<region> attach(descriptor memory);

  region(region&& other) noexcept;
  region& operator=(region&& other) noexcept;
  ~region();

  std::byte* data() const noexcept { return data_; }
  byte_count capacity() const noexcept { return capacity_; }
  byte_count committed() const noexcept;

  /// The descriptor to hand to other processes, -1 for private memory. Stays owned by the region, which
  /// needs it to reserve more.
  int fd() const noexcept { return memory_.get(); }

  /// Reserves everything below offset + bytes. Memory above has no backing and must not be touched.
  /// Errors: no_space, naming what was needed, the limit and the setting. Complexity: one load if reserved.
  status commit(byte_count offset, byte_count bytes) const;

  /// The object at an offset below committed().
  template <class T>
  T* at(byte_count offset) const noexcept {
    return reinterpret_cast<T*>(data_ + offset);
  }

 private:
  region(std::byte* data, byte_count capacity, descriptor memory) noexcept;

  std::byte* data_ = nullptr;
  byte_count capacity_ = 0;
  descriptor memory_;
};

}  // namespace tutti::memory
