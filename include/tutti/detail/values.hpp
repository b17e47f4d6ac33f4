// SPDX-License-Identifier: BSL-1.0
// The value forms: operations that own the values that go in and those that come out.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "tutti/detail/calls.hpp"

namespace tutti::detail {

/// An operation and its rooms.
template <class T>
struct owning {
  core::intrusive<core::operation> operation;
  std::span<T> in;
  std::span<T> out;

  owning(core::group& on, std::size_t in_count, std::size_t out_count) : operation(core::new_operation(on)) {
    const auto rooms = operation->make_rooms(in_count * sizeof(T), out_count * sizeof(T));
    in = {reinterpret_cast<T*>(rooms.input), in_count};
    out = {reinterpret_cast<T*>(rooms.output), out_count};
  }
};

template <class T>
void put_value(T* place, const T& value) noexcept {
  std::memcpy(static_cast<void*>(place), &value, sizeof(T));
}

template <class T>
void put_values(std::span<T> places, const std::vector<T>& values) {
  if constexpr (std::is_same_v<T, bool>) {
    for (std::size_t i = 0; i < values.size(); ++i) places[i] = values[i];
  } else if (!values.empty()) {
    std::memcpy(static_cast<void*>(places.data()), values.data(), values.size() * sizeof(T));
  }
}

template <class T>
T take_value(core::completion& done) {
  return read_value<T>(static_cast<core::operation&>(done).results().data());
}

template <class T>
std::vector<T> take_values(core::completion& done) {
  const auto results = static_cast<core::operation&>(done).results();
  std::vector<T> values;
  values.reserve(results.size() / sizeof(T));
  for (std::size_t at = 0; at < results.size(); at += sizeof(T)) values.push_back(read_value<T>(results.data() + at));
  return values;
}

/// Starts what owns its values, and says how its result is read.
template <class Result, class T>
future<Result> start_owning(core::group& on, owning<T> own, const core::call& made, const options& wishes) {
  core::start(on, made, wishes, own.operation, false);
  if constexpr (std::is_void_v<Result>) {
    return future<void>(std::move(own.operation));
  } else if constexpr (std::is_same_v<Result, T>) {
    return future<T>(std::move(own.operation), &take_value<T>);
  } else {
    return future<Result>(std::move(own.operation), &take_values<T>);
  }
}

template <class Result, class T, class Op>
future<Result> start_owning(core::group& on, owning<T> own, core::call made, Op op, const options& wishes) {
  made.combine = own.operation->hold_operator(core::bound_operator<T, Op>(std::move(op))).view();
  return start_owning<Result>(on, std::move(own), made, wishes);
}

/// Room for one result of a call that runs at once; T may have no default constructor.
template <class T>
struct result_room {
  alignas(T) std::byte bytes[sizeof(T)];

  std::span<T> span() noexcept { return {reinterpret_cast<T*>(bytes), 1}; }
  T value() const { return read_value<T>(bytes); }
};

}  // namespace tutti::detail
