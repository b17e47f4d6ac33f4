// SPDX-License-Identifier: BSL-1.0
// reduce: the root gets the combination of what all ranks have.
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
core::call reduce_call(const communicator& comm, In& in, Out& out, root_site_arg root, std::source_location where) {
  using T = element_between<In, Out>;
  const std::int32_t to = root_of(root);
  const std::span<const T> mine(in);
  return describe<T>(collective::reduce, {mine, comm.rank() == to ? std::span<T>(out) : std::span<T>(), mine.size()},
                     to, where);
}

template <class InOut>
core::call reduce_in_place_call(const communicator& comm, InOut& both, root_site_arg root, std::source_location where) {
  return reduce_call(comm, both, both, root, where);
}

}  // namespace detail

/// One value from each rank. The root gets the combination, the others their own value back. The operation owns all it
/// needs: the future may be dropped.
template <class T, class Op>
  requires detail::one_value<T>
future<T> reduce(const communicator& comm, T value, Op op, root_site_arg root = {}, const options& wishes = {},
                 std::source_location where = std::source_location::current()) {
  detail::owning<T> own(comm.group(), 1, 1);
  detail::put_value(own.in.data(), value);
  detail::put_value(own.out.data(), value);
  const std::int32_t to = detail::root_of(root);
  const auto made =
      detail::describe<T>(collective::reduce, {own.in, comm.rank() == to ? own.out : std::span<T>(), 1}, to, where);
  return detail::start_owning<T>(comm.group(), std::move(own), made, std::move(op), wishes);
}

template <class T, class Op>
  requires detail::one_value<T>
T reduce(launch::sync_policy, const communicator& comm, const T& value, Op op, root_site_arg root = {},
         const options& wishes = {}, std::source_location where = std::source_location::current()) {
  detail::result_room<T> room;
  detail::put_value(room.span().data(), value);
  const std::int32_t to = detail::root_of(root);
  const detail::data_of<T> data{{&value, 1}, comm.rank() == to ? room.span() : std::span<T>(), 1};
  detail::run<T>(comm.group(), detail::describe<T>(collective::reduce, data, to, where), std::move(op), wishes);
  return room.value();
}

/// The root's half: the caller is the root.
template <class T, class Op>
  requires detail::one_value<T>
future<T> reduce_here(const communicator& comm, T value, Op op, const options& wishes = {},
                      std::source_location where = std::source_location::current()) {
  return reduce(comm, std::move(value), std::move(op), root_site_arg(comm.rank()), wishes, where);
}

template <class T, class Op>
  requires detail::one_value<T>
T reduce_here(launch::sync_policy policy, const communicator& comm, const T& value, Op op, const options& wishes = {},
              std::source_location where = std::source_location::current()) {
  return reduce(policy, comm, value, std::move(op), root_site_arg(comm.rank()), wishes, where);
}

/// The half of the others, which combine on the root's behalf. Errors beside: bad_argument if the caller is the root.
template <class T, class Op>
  requires detail::one_value<T>
future<void> reduce_there(const communicator& comm, T value, Op op, root_site_arg root = {}, const options& wishes = {},
                          std::source_location where = std::source_location::current()) {
  detail::owning<T> own(comm.group(), 1, 0);
  detail::put_value(own.in.data(), value);
  const auto made = detail::describe<T>(collective::reduce, {own.in, own.out, 1}, detail::root_of(root), where);
  return detail::start_owning<void>(comm.group(), std::move(own), made, std::move(op), wishes);
}

template <class T, class Op>
  requires detail::one_value<T>
void reduce_there(launch::sync_policy, const communicator& comm, const T& value, Op op, root_site_arg root = {},
                  const options& wishes = {}, std::source_location where = std::source_location::current()) {
  const auto made = detail::describe<T>(collective::reduce, {{&value, 1}, {}, 1}, detail::root_of(root), where);
  detail::run<T>(comm.group(), made, std::move(op), wishes);
}

/// Elementwise on vectors of equal length on all ranks. On the root `in` and `out` are equal or do not overlap;
/// elsewhere `out` is not looked at.
template <detail::elements In, detail::elements Out, class Op>
future<void> reduce(const communicator& comm, In&& in, Out&& out, Op op, root_site_arg root = {},
                    const options& wishes = {}, std::source_location where = std::source_location::current()) {
  return detail::start<detail::element_of<Out>>(comm.group(), detail::reduce_call(comm, in, out, root, where),
                                                std::move(op), wishes);
}

template <detail::elements In, detail::elements Out, class Op>
void reduce(launch::sync_policy, const communicator& comm, In&& in, Out&& out, Op op, root_site_arg root = {},
            const options& wishes = {}, std::source_location where = std::source_location::current()) {
  detail::run<detail::element_of<Out>>(comm.group(), detail::reduce_call(comm, in, out, root, where), std::move(op),
                                       wishes);
}

/// `both` is the input, and on the root the output too.
template <detail::elements InOut, class Op>
future<void> reduce(const communicator& comm, in_place_marker, InOut&& both, Op op, root_site_arg root = {},
                    const options& wishes = {}, std::source_location where = std::source_location::current()) {
  return detail::start<detail::element_of<InOut>>(comm.group(), detail::reduce_in_place_call(comm, both, root, where),
                                                  std::move(op), wishes);
}

template <detail::elements InOut, class Op>
void reduce(launch::sync_policy, const communicator& comm, in_place_marker, InOut&& both, Op op,
            root_site_arg root = {}, const options& wishes = {},
            std::source_location where = std::source_location::current()) {
  detail::run<detail::element_of<InOut>>(comm.group(), detail::reduce_in_place_call(comm, both, root, where),
                                         std::move(op), wishes);
}

}  // namespace tutti
