// SPDX-License-Identifier: BSL-1.0
#include "tutti/communicator.hpp"

#include "api/group_state.hpp"
#include "tutti/future.hpp"

namespace tutti {

core::group& communicator::group() const {
  if (!group_)
    throw error(errc::invalid_state, "this communicator handle is empty; make one with create_communicator()");
  return *group_;
}

int communicator::rank() const { return group().site().rank(); }
int communicator::size() const { return group().site().size(); }
const std::string& communicator::name() const { return group().site().name(); }
statistics communicator::statistics() const { return group().site().report(); }

communicator create_communicator(std::string_view basename, num_sites_arg num_sites, this_site_arg this_site) {
  const auto here = core::context::current();
  if (!here) {
    throw error(errc::invalid_state,
                "there is no world yet: make a tutti::world in main(), or call this inside tutti::run_threads()");
  }
  if (!here->is_mine()) throw error(errc::invalid_state, "a process forked from a rank has no part in its world");
  return communicator(core::join_group(here, basename, num_sites.value, this_site.value));
}

void detail::throw_no_state() {
  throw error(errc::invalid_state,
              "this future is empty: it was never given an operation, or its result was already taken");
}

}  // namespace tutti
