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

#include <cstddef>
#include <cstring>
#include <ranges>
#include <source_location>
#include <span>
#include <type_traits>
#include <utility>

#include "tutti/communicator.hpp"
#include "tutti/core/make_reducer.hpp"
#include "tutti/detail/group.hpp"
#include "tutti/future.hpp"
#include "tutti/operators.hpp"
#include "tutti/options.hpp"

namespace tutti {

namespace detail {

template <class T>
struct is_span : std::false_type {};
template <class T, std::size_t Extent>
struct is_span<std::span<T, Extent>> : std::true_type {};

/// What the value form takes.
template <class T>
concept one_value = !is_span<T>::value && !std::is_same_v<T, in_place_marker>;

/// What the span forms take: elements side by side in memory.
template <class R>
concept elements = std::ranges::contiguous_range<R> && std::ranges::sized_range<R>;

template <class T>
constexpr void require_usual_alignment() noexcept {
  static_assert(alignof(T) <= core::operation::largest_alignment,
                "tutti: elements of this call are aligned to 64 bytes at most");
}

template <class T>
core::call all_reduce_call(const core::reducer& combine, const T* in, std::size_t in_count, T* out,
                           std::size_t out_count, std::source_location where) {
  require_usual_alignment<T>();
  core::call made;
  made.what = collective::all_reduce;
  made.type = core::datatype_of<T>();
  made.combine = combine;
  made.input = in;
  made.output = out;
  made.count = in_count;
  made.output_count = out_count;
  made.where = where;
  return made;
}

template <class T, class Op>
future<void> start_all_reduce(core::group& on, const T* in, std::size_t in_count, T* out, std::size_t out_count, Op op,
                              const options& wishes, std::source_location where) {
  auto operation = core::new_operation(on);
  auto& bound = operation->hold_operator(core::bound_operator<T, Op>(std::move(op)));
  core::start(on, all_reduce_call(bound.view(), in, in_count, out, out_count, where), wishes, operation, true);
  return future<void>(std::move(operation));
}

template <class T, class Op>
void run_all_reduce(core::group& on, const T* in, std::size_t in_count, T* out, std::size_t out_count, Op op,
                    const options& wishes, std::source_location where) {
  core::bound_operator<T, Op> bound(std::move(op));
  core::run(on, all_reduce_call(bound.view(), in, in_count, out, out_count, where), wishes);
}

}  // namespace detail

/// One value from each rank, one value to each. The operation owns all it needs: the future may be dropped.
template <class T, class Op>
  requires detail::one_value<T>
future<T> all_reduce(const communicator& comm, T value, Op op, const options& wishes = {},
                     std::source_location where = std::source_location::current()) {
  core::group& on = comm.group();
  auto operation = core::new_operation(on);
  auto& bound = operation->hold_operator(core::bound_operator<T, Op>(std::move(op)));
  std::byte* const in = operation->input_room(sizeof(T));
  std::byte* const out = operation->output_room(sizeof(T));
  std::memcpy(in, &value, sizeof(T));
  core::start(
      on, detail::all_reduce_call(bound.view(), reinterpret_cast<const T*>(in), 1, reinterpret_cast<T*>(out), 1, where),
      wishes, operation, false);
  return future<T>(std::move(operation), [](core::completion& done) {
    return detail::read_value<T>(static_cast<core::operation&>(done).output_room(sizeof(T)));
  });
}

/// As above, complete on return.
template <class T, class Op>
  requires detail::one_value<T>
T all_reduce(launch::sync_policy, const communicator& comm, const T& value, Op op, const options& wishes = {},
             std::source_location where = std::source_location::current()) {
  alignas(T) std::byte result[sizeof(T)];
  detail::run_all_reduce(comm.group(), &value, 1, reinterpret_cast<T*>(result), 1, std::move(op), wishes, where);
  return detail::read_value<T>(result);
}

/// Elementwise on vectors of equal length on all ranks; `in` and `out` are equal or do not overlap. Both must
/// stay valid until the future is ready or dropped: dropping it before makes the operation go on with copies
/// of its own, and leaves `out` undefined.
template <detail::elements In, detail::elements Out, class Op>
future<void> all_reduce(const communicator& comm, In&& in, Out&& out, Op op, const options& wishes = {},
                        std::source_location where = std::source_location::current()) {
  using T = std::ranges::range_value_t<Out>;
  static_assert(std::is_same_v<T, std::ranges::range_value_t<In>>,
                "all_reduce: in and out have different element types");
  return detail::start_all_reduce<T>(comm.group(), std::ranges::data(in), std::ranges::size(in), std::ranges::data(out),
                                     std::ranges::size(out), std::move(op), wishes, where);
}

template <detail::elements In, detail::elements Out, class Op>
void all_reduce(launch::sync_policy, const communicator& comm, In&& in, Out&& out, Op op, const options& wishes = {},
                std::source_location where = std::source_location::current()) {
  using T = std::ranges::range_value_t<Out>;
  static_assert(std::is_same_v<T, std::ranges::range_value_t<In>>,
                "all_reduce: in and out have different element types");
  detail::run_all_reduce<T>(comm.group(), std::ranges::data(in), std::ranges::size(in), std::ranges::data(out),
                            std::ranges::size(out), std::move(op), wishes, where);
}

/// The vector is input and output. After an error its contents are undefined.
template <detail::elements InOut, class Op>
future<void> all_reduce(const communicator& comm, in_place_marker, InOut&& both, Op op, const options& wishes = {},
                        std::source_location where = std::source_location::current()) {
  return all_reduce(comm, both, both, std::move(op), wishes, where);
}

template <detail::elements InOut, class Op>
void all_reduce(launch::sync_policy policy, const communicator& comm, in_place_marker, InOut&& both, Op op,
                const options& wishes = {}, std::source_location where = std::source_location::current()) {
  all_reduce(policy, comm, both, both, std::move(op), wishes, where);
}

}  // namespace tutti
