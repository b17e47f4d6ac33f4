// SPDX-License-Identifier: BSL-1.0
// all_reduce: every rank contributes a value or a vector, every rank gets the combination of all.
//
// The result has the same bits on every rank, and from run to run for the same ranks, algorithm and count.
// Operators not declared commutative combine in rank order; see operators.hpp for what an operator may be.
// An operator runs on whichever thread moves its call on: the caller's, one that waits on the future or on another
// of this rank's, or the progress thread; never on two at once for one call.
// Errors: mismatch if the ranks' calls differ, operator_failed if an operator threw (the rank where it did
// gets its own exception), bad_argument, unknown_name, not_applicable, rank_lost, no_space. All of them reach
// every rank, through the future or from the blocking form; inputs are never written.
#pragma once

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
core::call all_reduce_call(const communicator&, In& in, Out& out, std::source_location where) {
  using T = element_between<In, Out>;
  const std::span<const T> mine(in);
  return describe<T>(collective::all_reduce, {mine, std::span<T>(out), mine.size()}, 0, where);
}

template <class InOut>
core::call all_reduce_in_place_call(const communicator& comm, InOut& both, std::source_location where) {
  return all_reduce_call(comm, both, both, where);
}

}  // namespace detail

/// One value from each rank, one value to each. The operation owns all it needs: the future may be dropped.
template <class T, class Op>
  requires detail::one_value<T>
future<T> all_reduce(const communicator& comm, T value, Op op, const options& wishes = {},
                     std::source_location where = std::source_location::current()) {
  detail::owning<T> own(comm.group(), 1, 1);
  detail::put_value(own.in.data(), value);
  const auto made = detail::describe<T>(collective::all_reduce, {own.in, own.out, 1}, 0, where);
  return detail::start_owning<T>(comm.group(), std::move(own), made, std::move(op), wishes);
}

/// As above, complete on return.
template <class T, class Op>
  requires detail::one_value<T>
T all_reduce(launch::sync_policy, const communicator& comm, const T& value, Op op, const options& wishes = {},
             std::source_location where = std::source_location::current()) {
  detail::result_room<T> room;
  const auto made = detail::describe<T>(collective::all_reduce, {{&value, 1}, room.span(), 1}, 0, where);
  detail::run<T>(comm.group(), made, std::move(op), wishes);
  return room.value();
}

/// Elementwise on vectors of equal length on all ranks; `in` and `out` are equal or do not overlap. Both must
/// stay valid until the future is ready or dropped: dropping it before makes the operation go on with copies
/// of its own, and leaves `out` undefined.
template <detail::elements In, detail::elements Out, class Op>
future<void> all_reduce(const communicator& comm, In&& in, Out&& out, Op op, const options& wishes = {},
                        std::source_location where = std::source_location::current()) {
  return detail::start<detail::element_of<Out>>(comm.group(), detail::all_reduce_call(comm, in, out, where),
                                                std::move(op), wishes);
}

template <detail::elements In, detail::elements Out, class Op>
void all_reduce(launch::sync_policy, const communicator& comm, In&& in, Out&& out, Op op, const options& wishes = {},
                std::source_location where = std::source_location::current()) {
  detail::run<detail::element_of<Out>>(comm.group(), detail::all_reduce_call(comm, in, out, where), std::move(op),
                                       wishes);
}

/// The vector is input and output. After an error its contents are undefined.
template <detail::elements InOut, class Op>
future<void> all_reduce(const communicator& comm, in_place_marker, InOut&& both, Op op, const options& wishes = {},
                        std::source_location where = std::source_location::current()) {
  return detail::start<detail::element_of<InOut>>(comm.group(), detail::all_reduce_in_place_call(comm, both, where),
                                                  std::move(op), wishes);
}

template <detail::elements InOut, class Op>
void all_reduce(launch::sync_policy, const communicator& comm, in_place_marker, InOut&& both, Op op,
                const options& wishes = {}, std::source_location where = std::source_location::current()) {
  detail::run<detail::element_of<InOut>>(comm.group(), detail::all_reduce_in_place_call(comm, both, where),
                                         std::move(op), wishes);
}

}  // namespace tutti
