// SPDX-License-Identifier: BSL-1.0
// all_to_all: every rank has a block for every rank, and gets one from each: the transpose.
//
// Calls of all ranks must agree in root, element type, count, algorithm and options; otherwise all of them fail
// with mismatch, nobody hangs. A call returns, or its future is ready, once every rank has entered it.
// Errors: mismatch, bad_argument, unknown_name, not_applicable, rank_lost, no_space. All of them reach every rank that
// takes part, through the future or from the blocking form; inputs are never written.
// Span forms: the ranges must stay valid until the future is ready or dropped; dropping it before makes the operation
// go on with copies of its own, and leaves the output undefined.
#pragma once

#include <cstddef>
#include <ranges>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

#include "tutti/detail/calls.hpp"
#include "tutti/detail/values.hpp"

namespace tutti {

namespace detail {

template <class T>
core::call all_to_all_call(const communicator& comm, std::span<const T> in, std::span<T> out,
                           std::source_location where) {
  return describe<T>(collective::all_to_all, {in, out, in.size() / static_cast<std::size_t>(comm.size())}, 0, where);
}

template <class In, class Out>
core::call all_to_all_call(const communicator& comm, In& in, Out& out, std::source_location where) {
  using T = element_between<In, Out>;
  return all_to_all_call<T>(comm, std::span<const T>(in), std::span<T>(out), where);
}

}  // namespace detail

/// One value for each rank, values[r] for rank r; result[r] is what rank r had for this one. The operation owns all it
/// needs: the future may be dropped.
template <class T>
future<std::vector<T>> all_to_all(const communicator& comm, const std::vector<T>& values, const options& wishes = {},
                                  std::source_location where = std::source_location::current()) {
  detail::owning<T> own(comm.group(), values.size(), static_cast<std::size_t>(comm.size()));
  detail::put_values(own.in, values);
  const auto made = detail::describe<T>(collective::all_to_all, {own.in, own.out, 1}, 0, where);
  return detail::start_owning<std::vector<T>>(comm.group(), std::move(own), made, wishes);
}

template <class T>
std::vector<T> all_to_all(launch::sync_policy, const communicator& comm, const std::vector<T>& values,
                          const options& wishes = {}, std::source_location where = std::source_location::current()) {
  return all_to_all(comm, values, wishes, where).get();
}

/// Block r of `in` goes to rank r; block r of `out` came from rank r. Both fall into as many equal blocks as there are
/// ranks, and do not overlap.
template <detail::elements In, detail::elements Out>
future<void> all_to_all(const communicator& comm, In&& in, Out&& out, const options& wishes = {},
                        std::source_location where = std::source_location::current()) {
  return detail::start(comm.group(), detail::all_to_all_call(comm, in, out, where), wishes);
}

template <detail::elements In, detail::elements Out>
void all_to_all(launch::sync_policy, const communicator& comm, In&& in, Out&& out, const options& wishes = {},
                std::source_location where = std::source_location::current()) {
  core::run(comm.group(), detail::all_to_all_call(comm, in, out, where), wishes);
}

/// `both` is input and output; the operation works from a copy of it.
template <detail::elements InOut>
future<void> all_to_all(const communicator& comm, in_place_marker, InOut&& both, const options& wishes = {},
                        std::source_location where = std::source_location::current()) {
  using T = detail::element_of<InOut>;
  const std::span<T> out(both);
  detail::owning<T> own(comm.group(), out.size(), 0);
  if (!out.empty()) std::memcpy(static_cast<void*>(own.in.data()), out.data(), out.size_bytes());
  const auto made = detail::all_to_all_call<T>(comm, own.in, out, where);
  core::start(comm.group(), made, wishes, own.operation, true);
  return future<void>(std::move(own.operation));
}

template <detail::elements InOut>
void all_to_all(launch::sync_policy, const communicator& comm, in_place_marker, InOut&& both,
                const options& wishes = {}, std::source_location where = std::source_location::current()) {
  all_to_all(comm, in_place, both, wishes, where).get();
}

}  // namespace tutti
