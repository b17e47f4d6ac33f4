// SPDX-License-Identifier: BSL-1.0
#include "dirty_buffers.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>

namespace peers {
namespace {

constexpr std::size_t line_doubles = 8;

/// A whole number from 1 to 2^20 that differs from element to element, call to call and round to round.
double element(std::size_t index, std::uint64_t salt) {
  const auto mixed = static_cast<std::uint32_t>(index) * 2654435761U + static_cast<std::uint32_t>(salt) * 2246822519U;
  return static_cast<double>(static_cast<std::int32_t>(mixed >> 12) + 1);
}

std::uint64_t salt_of(std::uint64_t round, int call) { return round * 4099 + static_cast<std::uint64_t>(call); }

/// Powers of 3: a sum of them tells which rank was counted how often. Sums stay below 2^53, so they are exact.
double weight(int rank) { return std::pow(3.0, rank); }

}  // namespace

dirty_buffers::dirty_buffers(int calls, std::size_t count)
    : count_(count),
      stride_((count + line_doubles - 1) / line_doubles * line_doubles),
      storage_(2 * static_cast<std::size_t>(calls) * stride_ + 2 * line_doubles) {
  void* first = storage_.data();
  std::size_t room = storage_.size() * sizeof(double);
  inputs_ = static_cast<double*>(std::align(line_doubles * sizeof(double), sizeof(double), first, room));
  outputs_ = inputs_ + static_cast<std::size_t>(calls) * stride_;
}

void dirty_buffers::rewrite(int calls, int rank, std::uint64_t round) {
  const double mine = weight(rank);
  for (int call = 0; call < calls; ++call) {
    double* const in = inputs_ + static_cast<std::size_t>(call) * stride_;
    const std::uint64_t salt = salt_of(round, call);
    for (std::size_t i = 0; i < count_; ++i) in[i] = mine * element(i, salt);
  }
}

std::string dirty_buffers::first_wrong(int calls, int size, std::uint64_t round) const {
  double all = 0;
  for (int rank = 0; rank < size; ++rank) all += weight(rank);
  for (int call = 0; call < calls; ++call) {
    const double* const out = outputs_ + static_cast<std::size_t>(call) * stride_;
    const std::uint64_t salt = salt_of(round, call);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < count_; ++i) wrong += out[i] != all * element(i, salt) ? 1 : 0;
    for (std::size_t i = 0; wrong != 0 && i < count_; ++i) {
      if (out[i] == all * element(i, salt)) continue;
      return fmt::format("element {} of {} is {} instead of {} ({} wrong, call {} of the batch)", i, count_, out[i],
                         all * element(i, salt), wrong, call);
    }
  }
  return {};
}

}  // namespace peers
