// SPDX-License-Identifier: BSL-1.0
#include "tutti/barrier.hpp"

#include "tutti/detail/group.hpp"

namespace tutti {
namespace {

core::call barrier_call(std::source_location where) {
  core::call made;
  made.what = collective::barrier;
  made.where = where;
  return made;
}

}  // namespace

future<void> barrier(const communicator& comm, const options& wishes, std::source_location where) {
  auto operation = core::new_operation(comm.group());
  core::start(comm.group(), barrier_call(where), wishes, operation, false);
  return future<void>(std::move(operation));
}

void barrier(launch::sync_policy, const communicator& comm, const options& wishes, std::source_location where) {
  core::run(comm.group(), barrier_call(where), wishes);
}

}  // namespace tutti
