// SPDX-License-Identifier: BSL-1.0
// inclusive_scan: rank r gets the combination of what ranks 0 to r have.
//
// Operators not declared commutative combine in rank order; see operators.hpp for what an operator may be.
// Calls of all ranks must agree in root, element type, count, algorithm and options; otherwise all of them fail
// with mismatch, nobody hangs. A call returns, or its future is ready, once every rank has entered it.
// Errors: mismatch, bad_argument, unknown_name, not_applicable, rank_lost, no_space, operator_failed. All of them reach
// every rank that takes part, through the future or from the blocking form; inputs are never written. Span forms: the
// ranges must stay valid until the future is ready or dropped; dropping it before makes the operation go on with copies
// of its own, and leaves the output undefined.
#pragma once

#include <cstddef>
#include <ranges>
#include <source_location>
#include <span>
#include <utility>

#include "tutti/detail/calls.hpp"
#include "tutti/detail/values.hpp"
#include "tutti/operators.hpp"

namespace tutti {

namespace detail {

template <class In, class Out>
core::call inclusive_scan_call(const communicator&, In& in, Out& out, std::source_location where) {
  using T = element_between<In, Out>;
  const std::span<const T> mine(in);
  return describe<T>(collective::inclusive_scan, {mine, std::span<T>(out), mine.size()}, 0, where);
}

template <class InOut>
core::call inclusive_scan_in_place_call(const communicator& comm, InOut& both, std::source_location where) {
  return inclusive_scan_call(comm, both, both, where);
}

}  // namespace detail

/// One value from each rank. The operation owns all it needs: the future may be dropped.
template <class T, class Op>
  requires detail::one_value<T>
future<T> inclusive_scan(const communicator& comm, T value, Op op, const options& wishes = {},
                         std::source_location where = std::source_location::current()) {
  detail::owning<T> own(comm.group(), 1, 1);
  detail::put_value(own.in.data(), value);
  const auto made = detail::describe<T>(collective::inclusive_scan, {own.in, own.out, 1}, 0, where);
  return detail::start_owning<T>(comm.group(), std::move(own), made, std::move(op), wishes);
}

template <class T, class Op>
  requires detail::one_value<T>
T inclusive_scan(launch::sync_policy, const communicator& comm, const T& value, Op op, const options& wishes = {},
                 std::source_location where = std::source_location::current()) {
  detail::result_room<T> room;
  const auto made = detail::describe<T>(collective::inclusive_scan, {{&value, 1}, room.span(), 1}, 0, where);
  detail::run<T>(comm.group(), made, std::move(op), wishes);
  return room.value();
}

/// Elementwise on vectors of equal length on all ranks; `in` and `out` are equal or do not overlap.
template <detail::elements In, detail::elements Out, class Op>
future<void> inclusive_scan(const communicator& comm, In&& in, Out&& out, Op op, const options& wishes = {},
                            std::source_location where = std::source_location::current()) {
  return detail::start<detail::element_of<Out>>(comm.group(), detail::inclusive_scan_call(comm, in, out, where),
                                                std::move(op), wishes);
}

template <detail::elements In, detail::elements Out, class Op>
void inclusive_scan(launch::sync_policy, const communicator& comm, In&& in, Out&& out, Op op,
                    const options& wishes = {}, std::source_location where = std::source_location::current()) {
  detail::run<detail::element_of<Out>>(comm.group(), detail::inclusive_scan_call(comm, in, out, where), std::move(op),
                                       wishes);
}

/// `both` is input and output.
template <detail::elements InOut, class Op>
future<void> inclusive_scan(const communicator& comm, in_place_marker, InOut&& both, Op op, const options& wishes = {},
                            std::source_location where = std::source_location::current()) {
  return detail::start<detail::element_of<InOut>>(comm.group(), detail::inclusive_scan_in_place_call(comm, both, where),
                                                  std::move(op), wishes);
}

template <detail::elements InOut, class Op>
void inclusive_scan(launch::sync_policy, const communicator& comm, in_place_marker, InOut&& both, Op op,
                    const options& wishes = {}, std::source_location where = std::source_location::current()) {
  detail::run<detail::element_of<InOut>>(comm.group(), detail::inclusive_scan_in_place_call(comm, both, where),
                                         std::move(op), wishes);
}

}  // namespace tutti
