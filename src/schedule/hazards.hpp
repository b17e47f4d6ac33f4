// SPDX-License-Identifier: BSL-1.0
// Who wrote and who has read each stretch of one line of places, so that the next access knows what it
// must wait for. Stretches are intervals: an access costs O(log n) plus the stretches it touches.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace tutti::schedules {

class hazards {
 public:
  /// Step `reader` reads [begin, end): appends to `after` the steps that wrote it.
  void read(std::int32_t begin, std::int32_t end, std::uint32_t reader, std::vector<std::uint32_t>& after);

  /// Step `writer` writes [begin, end): appends to `after` those that read it since it was last written,
  /// or, where none did, its last writer. A step may read before it writes; it never waits for itself.
  void write(std::int32_t begin, std::int32_t end, std::uint32_t writer, std::vector<std::uint32_t>& after);

 private:
  static constexpr std::uint32_t nobody = UINT32_MAX;

  struct stretch {
    std::int32_t end = 0;
    std::uint32_t writer = nobody;
    std::vector<std::uint32_t> readers;  ///< since `writer`
  };
  using stretches = std::map<std::int32_t, stretch>;  ///< by first place; disjoint

  void split_at(std::int32_t place);

  stretches stretches_;
};

}  // namespace tutti::schedules
