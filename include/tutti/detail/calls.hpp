// SPDX-License-Identifier: BSL-1.0
// What the templates of all collectives share: from ranges and values to a call, started or run.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <ranges>
#include <source_location>
#include <span>
#include <type_traits>
#include <utility>

#include "tutti/communicator.hpp"
#include "tutti/core/make_reducer.hpp"
#include "tutti/core/type_identity.hpp"
#include "tutti/detail/group.hpp"
#include "tutti/future.hpp"
#include "tutti/options.hpp"

namespace tutti::detail {

template <class T>
struct is_span : std::false_type {};
template <class T, std::size_t Extent>
struct is_span<std::span<T, Extent>> : std::true_type {};

/// What the value forms take.
template <class T>
concept one_value = !is_span<T>::value && !std::is_same_v<T, in_place_marker>;

/// What the span forms take: elements side by side in memory.
template <class R>
concept elements = std::ranges::contiguous_range<R> && std::ranges::sized_range<R>;

template <class R>
using element_of = std::ranges::range_value_t<R>;

template <class In, class Out>
struct call_between {
  using element = element_of<Out>;
  static_assert(std::is_same_v<element_of<In>, element>, "tutti: in and out have different element types");
  static_assert(!std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<Out>>>,
                "tutti: out cannot be written");
};
/// The element type of a call from one range to another.
template <class In, class Out>
using element_between = typename call_between<In, Out>::element;

/// Tells an operator from what else may stand at its place.
template <class Op>
concept an_operator = !std::is_same_v<Op, options> && !std::is_same_v<Op, std::source_location>;

constexpr std::int32_t root_of(root_site_arg root) noexcept {
  if (root.value == root_site_arg::by_default) return 0;
  constexpr std::int64_t least = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>(std::clamp(root.value, least, most));
}

/// The elements of a call on this rank. `part`: of each part of the data, which is one vector, or a block for each
/// rank.
template <class T>
struct data_of {
  std::span<const T> in;
  std::span<T> out;
  std::size_t part;
};

/// This rank's among equal blocks, one for each rank.
template <class T>
std::span<T> block_of(std::span<T> all, const communicator& comm) {
  const std::size_t part = all.size() / static_cast<std::size_t>(comm.size());
  return all.subspan(static_cast<std::size_t>(comm.rank()) * part, part);
}

template <class T>
core::call describe(collective what, const data_of<T>& data, std::int32_t root, std::source_location where) {
  static_assert(alignof(T) <= core::operation::largest_alignment,
                "tutti: elements of this call are aligned to 64 bytes at most");
  core::call made;
  made.what = what;
  made.type = core::datatype_of<T>();
  made.input = data.in.data();
  made.output = data.out.data();
  made.count = data.part;
  made.input_count = data.in.size();
  made.output_count = data.out.size();
  made.root = root;
  made.where = where;
  return made;
}

/// An operator, and the value that a scan starts from.
template <class T, class Op>
struct seeded_operator {
  core::bound_operator<T, Op> bound;
  T init;
};

/// Started with the caller's buffers.
inline future<void> start(core::group& on, const core::call& made, const options& wishes) {
  auto operation = core::new_operation(on);
  core::start(on, made, wishes, operation, true);
  return future<void>(std::move(operation));
}

template <class T, class Op>
future<void> start(core::group& on, core::call made, Op op, const options& wishes) {
  auto operation = core::new_operation(on);
  made.combine = operation->hold_operator(core::bound_operator<T, Op>(std::move(op))).view();
  core::start(on, made, wishes, operation, true);
  return future<void>(std::move(operation));
}

template <class T, class Op>
void run(core::group& on, core::call made, Op op, const options& wishes) {
  core::bound_operator<T, Op> bound(std::move(op));
  made.combine = bound.view();
  core::run(on, made, wishes);
}

}  // namespace tutti::detail
