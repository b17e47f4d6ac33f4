// SPDX-License-Identifier: BSL-1.0
// all_gather: every rank gets what every rank has, in rank order.
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

template <class In, class Out>
core::call all_gather_call(const communicator&, In& in, Out& out, std::source_location where) {
  using T = element_between<In, Out>;
  const std::span<const T> mine(in);
  return describe<T>(collective::all_gather, {mine, std::span<T>(out), mine.size()}, 0, where);
}

template <class InOut>
core::call all_gather_in_place_call(const communicator& comm, InOut& both, std::source_location where) {
  using T = element_of<InOut>;
  const std::span<T> all(both);
  const std::span<T> mine = block_of(all, comm);
  return describe<T>(collective::all_gather, {mine, all, mine.size()}, 0, where);
}

}  // namespace detail

/// One value from each rank; result[r] is that of rank r. The operation owns all it needs: the future may be dropped.
template <class T>
  requires detail::one_value<T>
future<std::vector<T>> all_gather(const communicator& comm, T value, const options& wishes = {},
                                  std::source_location where = std::source_location::current()) {
  detail::owning<T> own(comm.group(), 1, static_cast<std::size_t>(comm.size()));
  detail::put_value(own.in.data(), value);
  const auto made = detail::describe<T>(collective::all_gather, {own.in, own.out, 1}, 0, where);
  return detail::start_owning<std::vector<T>>(comm.group(), std::move(own), made, wishes);
}

template <class T>
  requires detail::one_value<T>
std::vector<T> all_gather(launch::sync_policy, const communicator& comm, T value, const options& wishes = {},
                          std::source_location where = std::source_location::current()) {
  return all_gather(comm, std::move(value), wishes, where).get();
}

/// Block r of `out` is rank r's `in`, which has equally many elements on all ranks.
template <detail::elements In, detail::elements Out>
future<void> all_gather(const communicator& comm, In&& in, Out&& out, const options& wishes = {},
                        std::source_location where = std::source_location::current()) {
  return detail::start(comm.group(), detail::all_gather_call(comm, in, out, where), wishes);
}

template <detail::elements In, detail::elements Out>
void all_gather(launch::sync_policy, const communicator& comm, In&& in, Out&& out, const options& wishes = {},
                std::source_location where = std::source_location::current()) {
  core::run(comm.group(), detail::all_gather_call(comm, in, out, where), wishes);
}

/// `both` is the output; its block r is the input of rank r.
template <detail::elements InOut>
future<void> all_gather(const communicator& comm, in_place_marker, InOut&& both, const options& wishes = {},
                        std::source_location where = std::source_location::current()) {
  return detail::start(comm.group(), detail::all_gather_in_place_call(comm, both, where), wishes);
}

template <detail::elements InOut>
void all_gather(launch::sync_policy, const communicator& comm, in_place_marker, InOut&& both,
                const options& wishes = {}, std::source_location where = std::source_location::current()) {
  core::run(comm.group(), detail::all_gather_in_place_call(comm, both, where), wishes);
}

}  // namespace tutti
