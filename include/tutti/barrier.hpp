// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <source_location>

#include "tutti/communicator.hpp"
#include "tutti/future.hpp"
#include "tutti/options.hpp"

namespace tutti {

/// Complete on no rank before every rank has called it. Orders the participants, nothing else: it does not
/// flush files, devices or memory outside the language's memory model.
/// Errors: mismatch, rank_lost, unknown_name (see error.hpp).
future<void> barrier(const communicator& comm, const options& wishes = {},
                     std::source_location where = std::source_location::current());
void barrier(launch::sync_policy, const communicator& comm, const options& wishes = {},
             std::source_location where = std::source_location::current());

}  // namespace tutti
