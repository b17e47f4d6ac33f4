// SPDX-License-Identifier: BSL-1.0
// gather: the root gets what every rank has, in rank order.
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
core::call gather_call(const communicator& comm, In& in, Out& out, root_site_arg root, std::source_location where) {
  using T = element_between<In, Out>;
  const std::int32_t to = root_of(root);
  const std::span<const T> mine(in);
  return describe<T>(collective::gather, {mine, comm.rank() == to ? std::span<T>(out) : std::span<T>(), mine.size()},
                     to, where);
}

template <class InOut>
core::call gather_in_place_call(const communicator& comm, InOut& both, root_site_arg root, std::source_location where) {
  using T = element_of<InOut>;
  const std::int32_t to = root_of(root);
  const std::span<T> all(both);
  if (comm.rank() != to) return describe<T>(collective::gather, {all, {}, all.size()}, to, where);
  const std::span<T> mine = block_of(all, comm);
  return describe<T>(collective::gather, {mine, all, mine.size()}, to, where);
}

}  // namespace detail

/// One value from each rank; the root gets all, result[r] from rank r, the others an empty vector. The operation owns
/// all it needs: the future may be dropped.
template <class T>
  requires detail::one_value<T>
future<std::vector<T>> gather(const communicator& comm, T value, root_site_arg root = {}, const options& wishes = {},
                              std::source_location where = std::source_location::current()) {
  const std::int32_t to = detail::root_of(root);
  detail::owning<T> own(comm.group(), 1, comm.rank() == to ? static_cast<std::size_t>(comm.size()) : 0);
  detail::put_value(own.in.data(), value);
  const auto made = detail::describe<T>(collective::gather, {own.in, own.out, 1}, to, where);
  return detail::start_owning<std::vector<T>>(comm.group(), std::move(own), made, wishes);
}

template <class T>
  requires detail::one_value<T>
std::vector<T> gather(launch::sync_policy, const communicator& comm, T value, root_site_arg root = {},
                      const options& wishes = {}, std::source_location where = std::source_location::current()) {
  return gather(comm, std::move(value), root, wishes, where).get();
}

/// The root's half: the caller is the root.
template <class T>
  requires detail::one_value<T>
future<std::vector<T>> gather_here(const communicator& comm, T value, const options& wishes = {},
                                   std::source_location where = std::source_location::current()) {
  return gather(comm, std::move(value), root_site_arg(comm.rank()), wishes, where);
}

template <class T>
  requires detail::one_value<T>
std::vector<T> gather_here(launch::sync_policy, const communicator& comm, T value, const options& wishes = {},
                           std::source_location where = std::source_location::current()) {
  return gather(comm, std::move(value), root_site_arg(comm.rank()), wishes, where).get();
}

/// The half of the others. Errors beside: bad_argument if the caller is the root.
template <class T>
  requires detail::one_value<T>
future<void> gather_there(const communicator& comm, T value, root_site_arg root = {}, const options& wishes = {},
                          std::source_location where = std::source_location::current()) {
  detail::owning<T> own(comm.group(), 1, 0);
  detail::put_value(own.in.data(), value);
  const auto made = detail::describe<T>(collective::gather, {own.in, own.out, 1}, detail::root_of(root), where);
  return detail::start_owning<void>(comm.group(), std::move(own), made, wishes);
}

template <class T>
  requires detail::one_value<T>
void gather_there(launch::sync_policy, const communicator& comm, const T& value, root_site_arg root = {},
                  const options& wishes = {}, std::source_location where = std::source_location::current()) {
  core::run(comm.group(), detail::describe<T>(collective::gather, {{&value, 1}, {}, 1}, detail::root_of(root), where),
            wishes);
}

/// Block r of `out` on the root is rank r's `in`; `in` has equally many elements on all ranks. Elsewhere `out` is not
/// looked at.
template <detail::elements In, detail::elements Out>
future<void> gather(const communicator& comm, In&& in, Out&& out, root_site_arg root = {}, const options& wishes = {},
                    std::source_location where = std::source_location::current()) {
  return detail::start(comm.group(), detail::gather_call(comm, in, out, root, where), wishes);
}

template <detail::elements In, detail::elements Out>
void gather(launch::sync_policy, const communicator& comm, In&& in, Out&& out, root_site_arg root = {},
            const options& wishes = {}, std::source_location where = std::source_location::current()) {
  core::run(comm.group(), detail::gather_call(comm, in, out, root, where), wishes);
}

/// On the root `both` is the output, with the root's own block at its place; elsewhere the input.
template <detail::elements InOut>
future<void> gather(const communicator& comm, in_place_marker, InOut&& both, root_site_arg root = {},
                    const options& wishes = {}, std::source_location where = std::source_location::current()) {
  return detail::start(comm.group(), detail::gather_in_place_call(comm, both, root, where), wishes);
}

template <detail::elements InOut>
void gather(launch::sync_policy, const communicator& comm, in_place_marker, InOut&& both, root_site_arg root = {},
            const options& wishes = {}, std::source_location where = std::source_location::current()) {
  core::run(comm.group(), detail::gather_in_place_call(comm, both, root, where), wishes);
}

}  // namespace tutti
