// SPDX-License-Identifier: BSL-1.0
// A call in flight, as far as the thin templates see it: room for the operator and for small values, so that
// it owns all it needs.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <new>
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

  /// Room for a value that goes in and one that comes out, each of `bytes` bytes, aligned to largest_alignment.
  std::byte* input_room(std::size_t bytes) { return rooms(bytes); }
  std::byte* output_room(std::size_t bytes) { return rooms(bytes) + spacing(bytes); }

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
  static constexpr std::size_t spacing(std::size_t bytes) { return units(bytes) * sizeof(unit); }
  std::byte* rooms(std::size_t bytes) {
    if (bytes <= room_bytes) return value_room_.data();
    if (large_rooms_ < bytes) {
      large_room_ = std::make_unique_for_overwrite<unit[]>(2 * units(bytes));
      large_rooms_ = bytes;
    }
    return large_room_[0].bytes;
  }

  alignas(std::max_align_t) std::array<std::byte, room_bytes> operator_room_;
  alignas(largest_alignment) std::array<std::byte, 2 * room_bytes> value_room_;
  std::unique_ptr<unit[]> large_room_;
  std::size_t large_rooms_ = 0;
  std::unique_ptr<any_operator> large_operator_;
  void* held_ = nullptr;
  void (*destroy_)(void*) noexcept = nullptr;
};

}  // namespace tutti::core
