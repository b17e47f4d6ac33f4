// SPDX-License-Identifier: BSL-1.0
// scatter: every rank gets its own block of what the root has.
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
core::call scatter_call(const communicator& comm, In& in, Out& out, root_site_arg root, std::source_location where) {
  using T = element_between<In, Out>;
  const std::int32_t from = root_of(root);
  const std::span<T> mine(out);
  return describe<T>(collective::scatter,
                     {comm.rank() == from ? std::span<const T>(in) : std::span<const T>(), mine, mine.size()}, from,
                     where);
}

template <class InOut>
core::call scatter_in_place_call(const communicator& comm, InOut& both, root_site_arg root,
                                 std::source_location where) {
  using T = element_of<InOut>;
  const std::int32_t from = root_of(root);
  const std::span<T> all(both);
  if (comm.rank() != from) return describe<T>(collective::scatter, {{}, all, all.size()}, from, where);
  const std::span<T> mine = block_of(all, comm);
  return describe<T>(collective::scatter, {all, mine, mine.size()}, from, where);
}

}  // namespace detail

/// The root passes one value for each rank, values[r] for rank r; what the others pass is not looked at. The operation
/// owns all it needs: the future may be dropped.
template <class T>
future<T> scatter(const communicator& comm, const std::vector<T>& values, root_site_arg root = {},
                  const options& wishes = {}, std::source_location where = std::source_location::current()) {
  const std::int32_t from = detail::root_of(root);
  detail::owning<T> own(comm.group(), comm.rank() == from ? values.size() : 0, 1);
  if (comm.rank() == from) detail::put_values(own.in, values);
  const auto made = detail::describe<T>(collective::scatter, {own.in, own.out, 1}, from, where);
  return detail::start_owning<T>(comm.group(), std::move(own), made, wishes);
}

template <class T>
T scatter(launch::sync_policy, const communicator& comm, const std::vector<T>& values, root_site_arg root = {},
          const options& wishes = {}, std::source_location where = std::source_location::current()) {
  return scatter(comm, values, root, wishes, where).get();
}

/// The root's half: the caller is the root.
template <class T>
future<T> scatter_to(const communicator& comm, const std::vector<T>& values, const options& wishes = {},
                     std::source_location where = std::source_location::current()) {
  return scatter(comm, values, root_site_arg(comm.rank()), wishes, where);
}

template <class T>
T scatter_to(launch::sync_policy, const communicator& comm, const std::vector<T>& values, const options& wishes = {},
             std::source_location where = std::source_location::current()) {
  return scatter(comm, values, root_site_arg(comm.rank()), wishes, where).get();
}

/// The half of the others. Errors beside: bad_argument if the caller is the root.
template <class T>
future<T> scatter_from(const communicator& comm, root_site_arg root = {}, const options& wishes = {},
                       std::source_location where = std::source_location::current()) {
  detail::owning<T> own(comm.group(), 0, 1);
  const auto made = detail::describe<T>(collective::scatter, {own.in, own.out, 1}, detail::root_of(root), where);
  return detail::start_owning<T>(comm.group(), std::move(own), made, wishes);
}

template <class T>
T scatter_from(launch::sync_policy, const communicator& comm, root_site_arg root = {}, const options& wishes = {},
               std::source_location where = std::source_location::current()) {
  detail::result_room<T> room;
  core::run(comm.group(), detail::describe<T>(collective::scatter, {{}, room.span(), 1}, detail::root_of(root), where),
            wishes);
  return room.value();
}

/// `out` is block r of the root's `in` on rank r, and has equally many elements on all ranks. Elsewhere `in` is not
/// looked at.
template <detail::elements In, detail::elements Out>
future<void> scatter(const communicator& comm, In&& in, Out&& out, root_site_arg root = {}, const options& wishes = {},
                     std::source_location where = std::source_location::current()) {
  return detail::start(comm.group(), detail::scatter_call(comm, in, out, root, where), wishes);
}

template <detail::elements In, detail::elements Out>
void scatter(launch::sync_policy, const communicator& comm, In&& in, Out&& out, root_site_arg root = {},
             const options& wishes = {}, std::source_location where = std::source_location::current()) {
  core::run(comm.group(), detail::scatter_call(comm, in, out, root, where), wishes);
}

/// On the root `both` is the input, whose own block is also its output; elsewhere the output.
template <detail::elements InOut>
future<void> scatter(const communicator& comm, in_place_marker, InOut&& both, root_site_arg root = {},
                     const options& wishes = {}, std::source_location where = std::source_location::current()) {
  return detail::start(comm.group(), detail::scatter_in_place_call(comm, both, root, where), wishes);
}

template <detail::elements InOut>
void scatter(launch::sync_policy, const communicator& comm, in_place_marker, InOut&& both, root_site_arg root = {},
             const options& wishes = {}, std::source_location where = std::source_location::current()) {
  core::run(comm.group(), detail::scatter_in_place_call(comm, both, root, where), wishes);
}

}  // namespace tutti
