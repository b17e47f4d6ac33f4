// SPDX-License-Identifier: BSL-1.0
// A call in flight, as far as the thin templates see it: room for the operator and for small values, so that
// it owns all it needs.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "tutti/core/completion.hpp"

namespace tutti::core {

class operation : public completion {
 public:
  static constexpr std::size_t room_bytes = 64;
  static constexpr std::size_t largest_alignment = 64;

  /// Moves the bound operator in; it lives until the operation is complete and released.
  template <class Bound>
  Bound& hold_operator(Bound&& bound) {
    using held = std::remove_cvref_t<Bound>;
    void* place = operator_room_.data();
    if constexpr (sizeof(held) > room_bytes || alignof(held) > alignof(std::max_align_t)) {
      large_operator_ = std::make_unique<large<held>>(std::forward<Bound>(bound));
      place = &static_cast<large<held>&>(*large_operator_).value;
    } else {
      ::new (place) held(std::forward<Bound>(bound));
      if constexpr (!std::is_trivially_destructible_v<held>) {
        destroy_ = [](void* at) noexcept { static_cast<held*>(at)->~held(); };
      }
    }
    held_ = place;
    return *static_cast<held*>(place);
  }

  struct value_rooms {
    std::byte* input;
    std::byte* output;
  };

  /// Room for values that go in and values that come out, aligned to largest_alignment; lives until the next call or
  /// the end of the operation.
  value_rooms make_rooms(std::size_t input_bytes, std::size_t output_bytes) {
    result_bytes_ = output_bytes;
    if (input_bytes <= room_bytes && output_bytes <= room_bytes) {
      results_ = value_room_.data() + room_bytes;
      return {value_room_.data(), results_};
    }
    const std::size_t needed = units(input_bytes) + units(output_bytes);
    if (large_units_ < needed) {
      large_room_ = std::make_unique_for_overwrite<unit[]>(needed);
      large_units_ = needed;
    }
    results_ = reinterpret_cast<std::byte*>(large_room_.get() + units(input_bytes));
    return {reinterpret_cast<std::byte*>(large_room_.get()), results_};
  }
  /// What came out.
  std::span<const std::byte> results() const noexcept { return {results_, result_bytes_}; }

 protected:
  void drop_operator() noexcept {
    if (destroy_ != nullptr) destroy_(held_);
    destroy_ = nullptr;
    held_ = nullptr;
    large_operator_.reset();
  }
  ~operation() override { drop_operator(); }

 private:
  struct any_operator {
    virtual ~any_operator() = default;
  };
  template <class Held>
  struct large final : any_operator {
    explicit large(Held&& from) : value(std::move(from)) {}
    Held value;
  };

  struct alignas(largest_alignment) unit {
    std::byte bytes[largest_alignment];
  };

  static constexpr std::size_t units(std::size_t bytes) { return (bytes + sizeof(unit) - 1) / sizeof(unit); }

  alignas(std::max_align_t) std::array<std::byte, room_bytes> operator_room_;
  alignas(largest_alignment) std::array<std::byte, 2 * room_bytes> value_room_;
  std::unique_ptr<unit[]> large_room_;
  std::size_t large_units_ = 0;
  std::byte* results_ = nullptr;
  std::size_t result_bytes_ = 0;
  std::unique_ptr<any_operator> large_operator_;
  void* held_ = nullptr;
  void (*destroy_)(void*) noexcept = nullptr;
};

}  // namespace tutti::core
