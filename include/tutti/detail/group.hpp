// SPDX-License-Identifier: BSL-1.0
// The door between the thin templates and the library.
#pragma once

#include "tutti/communicator.hpp"
#include "tutti/core/call.hpp"
#include "tutti/core/operation.hpp"
#include "tutti/options.hpp"

namespace tutti::core {

/// Runs a call to its end. Throws tutti::error, or on the rank whose operator threw, that exception.
void run(group& on, const call& call, const options& wishes);

/// An operation for start().
intrusive<operation> new_operation(group& on);

/// Starts a call. `borrows`: the call reads or writes memory of the caller until it is complete.
void start(group& on, const call& call, const options& wishes, const intrusive<operation>& into, bool borrows);

}  // namespace tutti::core
