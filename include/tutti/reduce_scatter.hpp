// SPDX-License-Identifier: BSL-1.0
// reduce_scatter: the combination of what all ranks have, of which every rank gets its own block.
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
#include <vector>

#include "tutti/detail/calls.hpp"
#include "tutti/detail/values.hpp"
#include "tutti/operators.hpp"

namespace tutti {

namespace detail {

template <class In, class Out>
core::call reduce_scatter_call(const communicator&, In& in, Out& out, std::source_location where) {
  using T = element_between<In, Out>;
  const std::span<T> mine(out);
  return describe<T>(collective::reduce_scatter, {std::span<const T>(in), mine, mine.size()}, 0, where);
}

template <class InOut>
core::call reduce_scatter_in_place_call(const communicator& comm, InOut& both, std::source_location where) {
  using T = element_of<InOut>;
  const std::span<T> all(both);
  const std::span<T> mine = block_of(all, comm);
  return describe<T>(collective::reduce_scatter, {all, mine, mine.size()}, 0, where);
}

}  // namespace detail

/// One value for each rank; rank r gets the combination of all values[r]. The operation owns all it needs: the future
/// may be dropped.
template <class T, class Op>
future<T> reduce_scatter(const communicator& comm, const std::vector<T>& values, Op op, const options& wishes = {},
                         std::source_location where = std::source_location::current()) {
  detail::owning<T> own(comm.group(), values.size(), 1);
  detail::put_values(own.in, values);
  const auto made = detail::describe<T>(collective::reduce_scatter, {own.in, own.out, 1}, 0, where);
  return detail::start_owning<T>(comm.group(), std::move(own), made, std::move(op), wishes);
}

template <class T, class Op>
T reduce_scatter(launch::sync_policy, const communicator& comm, const std::vector<T>& values, Op op,
                 const options& wishes = {}, std::source_location where = std::source_location::current()) {
  return reduce_scatter(comm, values, std::move(op), wishes, where).get();
}

/// `in` falls into as many equal blocks as there are ranks; `out` on rank r is the elementwise combination of all
/// blocks r.
template <detail::elements In, detail::elements Out, class Op>
future<void> reduce_scatter(const communicator& comm, In&& in, Out&& out, Op op, const options& wishes = {},
                            std::source_location where = std::source_location::current()) {
  return detail::start<detail::element_of<Out>>(comm.group(), detail::reduce_scatter_call(comm, in, out, where),
                                                std::move(op), wishes);
}

template <detail::elements In, detail::elements Out, class Op>
void reduce_scatter(launch::sync_policy, const communicator& comm, In&& in, Out&& out, Op op,
                    const options& wishes = {}, std::source_location where = std::source_location::current()) {
  detail::run<detail::element_of<Out>>(comm.group(), detail::reduce_scatter_call(comm, in, out, where), std::move(op),
                                       wishes);
}

/// `both` is the input, and this rank's block of it the output.
template <detail::elements InOut, class Op>
future<void> reduce_scatter(const communicator& comm, in_place_marker, InOut&& both, Op op, const options& wishes = {},
                            std::source_location where = std::source_location::current()) {
  return detail::start<detail::element_of<InOut>>(comm.group(), detail::reduce_scatter_in_place_call(comm, both, where),
                                                  std::move(op), wishes);
}

template <detail::elements InOut, class Op>
void reduce_scatter(launch::sync_policy, const communicator& comm, in_place_marker, InOut&& both, Op op,
                    const options& wishes = {}, std::source_location where = std::source_location::current()) {
  detail::run<detail::element_of<InOut>>(comm.group(), detail::reduce_scatter_in_place_call(comm, both, where),
                                         std::move(op), wishes);
}

}  // namespace tutti
