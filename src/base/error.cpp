// SPDX-License-Identifier: BSL-1.0
#include "tutti/core/error.hpp"

#include "tutti/core/collective.hpp"

namespace tutti {

const char* to_string(errc code) noexcept {
  switch (code) {
    case errc::success: return "success";
    case errc::bad_argument: return "bad_argument";
    case errc::not_applicable: return "not_applicable";
    case errc::unknown_name: return "unknown_name";
    case errc::mismatch: return "mismatch";
    case errc::operator_failed: return "operator_failed";
    case errc::rank_lost: return "rank_lost";
    case errc::no_space: return "no_space";
    case errc::concurrent_use: return "concurrent_use";
    case errc::name_clash: return "name_clash";
    case errc::launch_failed: return "launch_failed";
    case errc::invalid_state: return "invalid_state";
    case errc::internal: return "internal";
  }
  return "unknown";
}

const char* to_string(collective what) noexcept {
  switch (what) {
    case collective::all_reduce: return "all_reduce";
    case collective::barrier: return "barrier";
    case collective::broadcast: return "broadcast";
    case collective::gather: return "gather";
    case collective::scatter: return "scatter";
    case collective::reduce: return "reduce";
    case collective::all_gather: return "all_gather";
    case collective::all_to_all: return "all_to_all";
    case collective::reduce_scatter: return "reduce_scatter";
    case collective::inclusive_scan: return "inclusive_scan";
    case collective::exclusive_scan: return "exclusive_scan";
  }
  return "unknown";
}

}  // namespace tutti
