// SPDX-License-Identifier: BSL-1.0
// exclusive_scan: rank r gets the combination of what the ranks below r have, after a value to start from if one is
// given.
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
core::call exclusive_scan_call(const communicator&, In& in, Out& out, std::source_location where) {
  using T = element_between<In, Out>;
  const std::span<const T> mine(in);
  return describe<T>(collective::exclusive_scan, {mine, std::span<T>(out), mine.size()}, 0, where);
}

template <class InOut>
core::call exclusive_scan_in_place_call(const communicator& comm, InOut& both, std::source_location where) {
  return exclusive_scan_call(comm, both, both, where);
}

}  // namespace detail

/// One value from each rank; rank 0, below which nobody is, gets T(). The operation owns all it needs: the future may
/// be dropped.
template <class T, class Op>
  requires detail::one_value<T> && detail::an_operator<Op>
future<T> exclusive_scan(const communicator& comm, T value, Op op, const options& wishes = {},
                         std::source_location where = std::source_location::current()) {
  detail::owning<T> own(comm.group(), 1, 1);
  detail::put_value(own.in.data(), value);
  detail::put_value(own.out.data(), T());
  const auto made = detail::describe<T>(collective::exclusive_scan, {own.in, own.out, 1}, 0, where);
  return detail::start_owning<T>(comm.group(), std::move(own), made, std::move(op), wishes);
}

template <class T, class Op>
  requires detail::one_value<T> && detail::an_operator<Op>
T exclusive_scan(launch::sync_policy, const communicator& comm, const T& value, Op op, const options& wishes = {},
                 std::source_location where = std::source_location::current()) {
  detail::result_room<T> room;
  detail::put_value(room.span().data(), T());
  const auto made = detail::describe<T>(collective::exclusive_scan, {{&value, 1}, room.span(), 1}, 0, where);
  detail::run<T>(comm.group(), made, std::move(op), wishes);
  return room.value();
}

/// Starts from `init`: rank 0 gets it, rank r its combination with the values of the ranks below. All ranks pass one;
/// that of rank 0 counts. (A value that is itself a range is passed as a span of one, or without init.)
template <class T, class Init, class Op>
  requires detail::one_value<T> && (!detail::elements<T>) && detail::an_operator<Op> && std::constructible_from<T, Init>
future<T> exclusive_scan(const communicator& comm, T value, Init init, Op op, const options& wishes = {},
                         std::source_location where = std::source_location::current()) {
  detail::owning<T> own(comm.group(), 1, 1);
  detail::put_value(own.in.data(), value);
  auto made = detail::describe<T>(collective::exclusive_scan, {own.in, own.out, 1}, 0, where);
  auto& seeded = own.operation->hold_operator(
      detail::seeded_operator<T, Op>{core::bound_operator<T, Op>(std::move(op)), static_cast<T>(std::move(init))});
  made.combine = seeded.bound.view();
  made.init = &seeded.init;
  return detail::start_owning<T>(comm.group(), std::move(own), made, wishes);
}

template <class T, class Init, class Op>
  requires detail::one_value<T> && (!detail::elements<T>) && detail::an_operator<Op> && std::constructible_from<T, Init>
T exclusive_scan(launch::sync_policy, const communicator& comm, const T& value, Init init, Op op,
                 const options& wishes = {}, std::source_location where = std::source_location::current()) {
  detail::result_room<T> room;
  auto made = detail::describe<T>(collective::exclusive_scan, {{&value, 1}, room.span(), 1}, 0, where);
  const auto first = static_cast<T>(std::move(init));
  made.init = &first;
  detail::run<T>(comm.group(), made, std::move(op), wishes);
  return room.value();
}

/// Elementwise on vectors of equal length on all ranks; `in` and `out` are equal or do not overlap. On rank 0 `out` is
/// left as it is.
template <detail::elements In, detail::elements Out, class Op>
  requires detail::an_operator<Op>
future<void> exclusive_scan(const communicator& comm, In&& in, Out&& out, Op op, const options& wishes = {},
                            std::source_location where = std::source_location::current()) {
  return detail::start<detail::element_of<Out>>(comm.group(), detail::exclusive_scan_call(comm, in, out, where),
                                                std::move(op), wishes);
}

template <detail::elements In, detail::elements Out, class Op>
  requires detail::an_operator<Op>
void exclusive_scan(launch::sync_policy, const communicator& comm, In&& in, Out&& out, Op op,
                    const options& wishes = {}, std::source_location where = std::source_location::current()) {
  detail::run<detail::element_of<Out>>(comm.group(), detail::exclusive_scan_call(comm, in, out, where), std::move(op),
                                       wishes);
}

/// `both` is input and output.
template <detail::elements InOut, class Op>
  requires detail::an_operator<Op>
future<void> exclusive_scan(const communicator& comm, in_place_marker, InOut&& both, Op op, const options& wishes = {},
                            std::source_location where = std::source_location::current()) {
  return detail::start<detail::element_of<InOut>>(comm.group(), detail::exclusive_scan_in_place_call(comm, both, where),
                                                  std::move(op), wishes);
}

template <detail::elements InOut, class Op>
  requires detail::an_operator<Op>
void exclusive_scan(launch::sync_policy, const communicator& comm, in_place_marker, InOut&& both, Op op,
                    const options& wishes = {}, std::source_location where = std::source_location::current()) {
  detail::run<detail::element_of<InOut>>(comm.group(), detail::exclusive_scan_in_place_call(comm, both, where),
                                         std::move(op), wishes);
}

/// Starts from `init`, an element that is combined with each element: `out` on rank 0 is filled with it. All ranks pass
/// one; that of rank 0 counts.
template <detail::elements In, detail::elements Out, class Init, class Op>
  requires detail::an_operator<Op> && std::constructible_from<detail::element_of<Out>, Init>
future<void> exclusive_scan(const communicator& comm, In&& in, Out&& out, Init init, Op op, const options& wishes = {},
                            std::source_location where = std::source_location::current()) {
  using T = detail::element_of<Out>;
  auto made = detail::exclusive_scan_call(comm, in, out, where);
  auto operation = core::new_operation(comm.group());
  auto& seeded = operation->hold_operator(
      detail::seeded_operator<T, Op>{core::bound_operator<T, Op>(std::move(op)), static_cast<T>(std::move(init))});
  made.combine = seeded.bound.view();
  made.init = &seeded.init;
  core::start(comm.group(), made, wishes, operation, true);
  return future<void>(std::move(operation));
}

template <detail::elements In, detail::elements Out, class Init, class Op>
  requires detail::an_operator<Op> && std::constructible_from<detail::element_of<Out>, Init>
void exclusive_scan(launch::sync_policy, const communicator& comm, In&& in, Out&& out, Init init, Op op,
                    const options& wishes = {}, std::source_location where = std::source_location::current()) {
  using T = detail::element_of<Out>;
  auto made = detail::exclusive_scan_call(comm, in, out, where);
  const auto first = static_cast<T>(std::move(init));
  made.init = &first;
  detail::run<T>(comm.group(), made, std::move(op), wishes);
}

}  // namespace tutti
