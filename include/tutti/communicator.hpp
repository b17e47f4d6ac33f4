// SPDX-License-Identifier: BSL-1.0
// A group of ranks that call operations together, found by name.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "tutti/core/error.hpp"
#include "tutti/core/statistics.hpp"

namespace tutti {

namespace core {
class group;
}

namespace detail {
template <class Tag>
struct site_argument {
  static constexpr std::int64_t by_default = -1;
  constexpr site_argument() = default;
  constexpr explicit site_argument(std::int64_t v) : value(v) {}
  std::int64_t value = by_default;
};
}  // namespace detail

/// How many sites take part; by default all ranks of the world.
using num_sites_arg = detail::site_argument<struct num_sites_tag>;
/// Which of them the caller is; by default its rank in the world.
using this_site_arg = detail::site_argument<struct this_site_tag>;
/// Which of them plays a part of its own in a call; by default site 0.
using root_site_arg = detail::site_argument<struct root_site_tag>;

/// A handle; copies name the same communicator. Calls on one communicator are made by one thread at a time
/// and are matched across ranks by their order; different communicators are independent. The communicator
/// ends on this rank when the last handle and the last operation in flight are gone; ending it never waits.
class communicator {
 public:
  communicator() = default;
  explicit communicator(std::shared_ptr<core::group> group) noexcept : group_(std::move(group)) {}

  bool valid() const noexcept { return group_ != nullptr; }
  /// This site's index. Errors (these and the following): invalid_state if not valid().
  int rank() const;
  int size() const;
  const std::string& name() const;
  /// What happened so far on this rank. Thread safe.
  tutti::statistics statistics() const;

  core::group& group() const;

 private:
  std::shared_ptr<core::group> group_;
};

/// Joins the communicator `basename`, never waiting for the others. When all sites have joined, the next
/// creation of the same name makes a new communicator, so a fast rank cannot meet an old one. Collective
/// only in this: each site 0 .. num_sites-1 must be taken by one rank. Thread safe.
/// Errors: bad_argument (empty or too long name, num_sites outside 1 .. world size, this_site outside
/// 0 .. num_sites-1), name_clash (the name is being used with another size, or the site is taken; the ranks
/// already there learn it in their next call), no_space, invalid_state (no world).
communicator create_communicator(std::string_view basename, num_sites_arg num_sites = {}, this_site_arg this_site = {});

}  // namespace tutti
