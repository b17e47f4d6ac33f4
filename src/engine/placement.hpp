// SPDX-License-Identifier: BSL-1.0
// Where the blocks of a call lie in this rank's memory, and how long they are.
#pragma once

#include <cstddef>
#include <cstdint>

#include "schedule/assignment.hpp"
#include "schedule/block_lengths.hpp"
#include "schedule/schedule.hpp"
#include "tutti/core/call.hpp"

namespace tutti::engine {

/// Of a whole call, or of a segment of one whose data is a single part. Refers to the call, whose buffers may be
/// exchanged for copies meanwhile.
class placement {
 public:
  placement() = default;
  /// Elements first .. first+count-1 of the part; where there are several parts, first is 0 and count a part's length.
  placement(const core::call& call, const schedules::schedule& plan, std::uint64_t first, std::uint64_t count);

  /// Temporary memory that the segment needs.
  std::uint64_t scratch_bytes(const schedules::schedule& plan) const noexcept;
  std::uint64_t staging_bytes(const schedules::schedule& plan) const noexcept;
  void use(std::byte* scratch, std::byte* staging) noexcept {
    scratch_ = scratch;
    staging_ = staging;
  }

  std::uint64_t elements(const schedules::slice& s) const noexcept { return lengths_.elements(s.first, s.count); }
  std::uint64_t bytes(const schedules::slice& s) const noexcept { return elements(s) * width_; }
  std::byte* locate(const schedules::slice& s) const noexcept;

 private:
  schedules::block_lengths lengths_{0, 1, 1};
  schedules::holding input_held_;
  schedules::holding output_held_;
  const core::call* call_ = nullptr;
  std::uint64_t before_ = 0;  ///< bytes of both buffers before the segment
  std::byte* scratch_ = nullptr;
  std::byte* staging_ = nullptr;
  std::int32_t staging_first_ = 0;
  std::uint64_t width_ = 1;
};

}  // namespace tutti::engine
