// SPDX-License-Identifier: BSL-1.0
// Wishes of the caller. They must be equal on all ranks, like every other argument that steers a call.
#pragma once

#include <cstdint>
#include <string_view>

namespace tutti {

struct options {
  /// Forces an algorithm by its id, e.g. "all_reduce/ring" (see `tutti list`); empty: the library chooses.
  /// Errors: unknown_name; not_applicable where the operator's properties forbid it.
  std::string_view algorithm = {};
  /// Cuts long vectors into pieces of this many bytes, of which several are on their way at once; 0: the
  /// library chooses. On shared memory a piece is at most 256 KiB, of all_reduce/sliced 1 MiB.
  std::uint64_t segment_bytes = 0;
  /// Group size of hierarchical algorithms, at least 2.
  int arity = 2;
  /// Into how many pieces broadcast/circulant and reduce/dual_root cut the vector, 1 to 4096.
  int pieces = 8;
};

namespace launch {
struct sync_policy {};
/// First argument of the forms that return when the operation is complete.
inline constexpr sync_policy sync{};
}  // namespace launch

struct in_place_marker {};
/// Says that one span is both input and output.
inline constexpr in_place_marker in_place{};

}  // namespace tutti
