// SPDX-License-Identifier: BSL-1.0
// Mixing of words into signatures. Not cryptographic: it guards against accidents, not attackers.
#pragma once

#include <cstdint>

namespace tutti {

/// Every bit of `word` and of `seed` reaches every bit of the result (the finalizer of splitmix64,
/// Steele, Lea, Flood, OOPSLA 2014, doi:10.1145/2660193.2660195).
constexpr std::uint64_t mix(std::uint64_t seed, std::uint64_t word) noexcept {
  std::uint64_t z = seed + 0x9e3779b97f4a7c15U + word * 0xd1342543de82ef95U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

}  // namespace tutti
