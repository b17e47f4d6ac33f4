// SPDX-License-Identifier: BSL-1.0
// The collective operations by name.
#pragma once

#include <cstdint>

namespace tutti {

enum class collective : std::uint8_t {
  all_reduce,
  barrier,
  broadcast,
  gather,
  scatter,
  reduce,
  all_gather,
  all_to_all,
  reduce_scatter,
  inclusive_scan,
  exclusive_scan
};

/// "all_reduce", "barrier", ..
const char* to_string(collective what) noexcept;

/// Whether one rank plays a part of its own, so that a call names it.
constexpr bool has_root(collective what) noexcept {
  return what == collective::broadcast || what == collective::gather || what == collective::scatter ||
         what == collective::reduce;
}

/// Whether an operator combines the contributions of several ranks.
constexpr bool has_operator(collective what) noexcept {
  return what == collective::all_reduce || what == collective::reduce || what == collective::reduce_scatter ||
         what == collective::inclusive_scan || what == collective::exclusive_scan;
}

}  // namespace tutti
