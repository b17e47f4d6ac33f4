// SPDX-License-Identifier: BSL-1.0
// Names and 64-bit identities of types, so that two ranks can notice that they speak of different ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <typeinfo>

#include "tutti/core/call.hpp"

namespace tutti::core {

/// FNV-1a, 64 bits, continuing from `seed`. Source: Fowler, Noll, Vo; draft-eastlake-fnv.
constexpr std::uint64_t hash_text(std::string_view text, std::uint64_t seed = 0xcbf29ce484222325U) noexcept {
  for (const char c : text) seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return seed;
}

/// One more number in a hash.
constexpr std::uint64_t hash_number(std::uint64_t number, std::uint64_t seed) noexcept {
  for (int byte = 0; byte < 8; ++byte) seed = (seed ^ (number >> (8 * byte) & 0xffU)) * 0x100000001b3U;
  return seed;
}

namespace detail {

template <class T>
constexpr const char* decorated_name() noexcept {
  return __PRETTY_FUNCTION__;
}

struct decoration {
  std::size_t before;
  std::size_t after;
};

/// How much of the decorated name surrounds the type, learned from a type whose spelling is known.
constexpr decoration measure_decoration() noexcept {
  const std::string_view probe = decorated_name<double>();
  const std::size_t before = probe.find("double");
  return {before, probe.size() - before - 6};
}

}  // namespace detail

/// The type as the compiler spells it: "double", "std::complex<float>", "tutti::bfloat16", "my_app::cell".
template <class T>
constexpr std::string_view type_name() noexcept {
  constexpr detail::decoration around = detail::measure_decoration();
  std::string_view name = detail::decorated_name<T>();
  name.remove_prefix(around.before);
  name.remove_suffix(around.after);
  return name;
}

/// Equal for equal types in programs built by one compiler. A constant, except for closure types: GCC spells
/// all closures of a function alike, so their mangled names, hashed at first use, tell them apart. Types of
/// the same name in the unnamed namespaces of two files cannot be told apart.
template <class T>
constexpr std::uint64_t type_identity() noexcept {
  constexpr std::uint64_t by_name = hash_text(type_name<T>());
#if defined(__GXX_RTTI)
  if constexpr (type_name<T>().find("<lambda") != std::string_view::npos) {
    struct mangled {
      static std::uint64_t hash() noexcept {
        static const std::uint64_t once = hash_text(typeid(T).name(), by_name);
        return once;
      }
    };
    return mangled::hash();
  } else {
    return by_name;
  }
#else
  return by_name;
#endif
}

/// What the library must know of an element type. Its size is part of the identity, so that two builds of one
/// program that disagree on a struct's layout are noticed.
template <class T>
constexpr datatype datatype_of() noexcept {
  static_assert(std::is_trivially_copyable_v<T>,
                "tutti: elements of this call must be trivially copyable; values of any other type come with the "
                "collectives for serialized values");
  return {sizeof(T), hash_number(sizeof(T), type_identity<T>()), type_name<T>()};
}

}  // namespace tutti::core
