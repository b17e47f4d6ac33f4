// SPDX-License-Identifier: BSL-1.0
// broadcast: every rank gets what the root has.
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

#include "tutti/detail/calls.hpp"
#include "tutti/detail/values.hpp"

namespace tutti {

/// Every rank passes a value and gets the root's. The operation owns all it needs: the future may be dropped.
template <class T>
  requires detail::one_value<T>
future<T> broadcast(const communicator& comm, T value, root_site_arg root = {}, const options& wishes = {},
                    std::source_location where = std::source_location::current()) {
  detail::owning<T> own(comm.group(), 1, 1);
  detail::put_value(own.in.data(), value);
  const std::int32_t from = detail::root_of(root);
  const std::size_t ins = comm.rank() == from ? 1 : 0;
  const auto made = detail::describe<T>(collective::broadcast, {own.in.first(ins), own.out, 1}, from, where);
  return detail::start_owning<T>(comm.group(), std::move(own), made, wishes);
}

/// As above, complete on return.
template <class T>
  requires detail::one_value<T>
T broadcast(launch::sync_policy, const communicator& comm, const T& value, root_site_arg root = {},
            const options& wishes = {}, std::source_location where = std::source_location::current()) {
  detail::result_room<T> room;
  const std::int32_t from = detail::root_of(root);
  const std::size_t ins = comm.rank() == from ? 1 : 0;
  core::run(comm.group(), detail::describe<T>(collective::broadcast, {{&value, ins}, room.span(), 1}, from, where),
            wishes);
  return room.value();
}

/// The root's half: the caller is the root, and gets its value back.
template <class T>
  requires detail::one_value<T>
future<T> broadcast_to(const communicator& comm, T value, const options& wishes = {},
                       std::source_location where = std::source_location::current()) {
  return broadcast(comm, std::move(value), root_site_arg(comm.rank()), wishes, where);
}

template <class T>
  requires detail::one_value<T>
T broadcast_to(launch::sync_policy policy, const communicator& comm, const T& value, const options& wishes = {},
               std::source_location where = std::source_location::current()) {
  return broadcast(policy, comm, value, root_site_arg(comm.rank()), wishes, where);
}

/// The half of the others. Errors beside: bad_argument if the caller is the root.
template <class T>
future<T> broadcast_from(const communicator& comm, root_site_arg root = {}, const options& wishes = {},
                         std::source_location where = std::source_location::current()) {
  detail::owning<T> own(comm.group(), 0, 1);
  const auto made = detail::describe<T>(collective::broadcast, {own.in, own.out, 1}, detail::root_of(root), where);
  return detail::start_owning<T>(comm.group(), std::move(own), made, wishes);
}

template <class T>
T broadcast_from(launch::sync_policy, const communicator& comm, root_site_arg root = {}, const options& wishes = {},
                 std::source_location where = std::source_location::current()) {
  detail::result_room<T> room;
  core::run(comm.group(),
            detail::describe<T>(collective::broadcast, {{}, room.span(), 1}, detail::root_of(root), where), wishes);
  return room.value();
}

namespace detail {

template <class T, std::size_t Extent>
core::call broadcast_call(const communicator& comm, std::span<T, Extent> both, root_site_arg root,
                          std::source_location where) {
  const std::int32_t from = root_of(root);
  const std::span<const T> in = comm.rank() == from ? std::span<const T>(both) : std::span<const T>();
  return describe<T>(collective::broadcast, {in, both, both.size()}, from, where);
}

}  // namespace detail

/// The root's elements replace those of the others; equally many on all ranks.
template <class T, std::size_t Extent>
future<void> broadcast(const communicator& comm, std::span<T, Extent> both, root_site_arg root = {},
                       const options& wishes = {}, std::source_location where = std::source_location::current()) {
  return detail::start(comm.group(), detail::broadcast_call(comm, both, root, where), wishes);
}

template <class T, std::size_t Extent>
void broadcast(launch::sync_policy, const communicator& comm, std::span<T, Extent> both, root_site_arg root = {},
               const options& wishes = {}, std::source_location where = std::source_location::current()) {
  core::run(comm.group(), detail::broadcast_call(comm, both, root, where), wishes);
}

}  // namespace tutti
