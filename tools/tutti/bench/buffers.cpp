// SPDX-License-Identifier: BSL-1.0
#include "bench/buffers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "tutti/all_reduce.hpp"
#include "tutti/barrier.hpp"

namespace tutti::benching {
namespace {

constexpr element distance_of_elements = 1e-6;

}  // namespace

buffers::buffers(const plan& of, rank_id rank, byte_count bytes)
    : plan_(&of), rank_(rank), count_(static_cast<std::size_t>(bytes / sizeof(element))) {}

void buffers::reserve(int calls) {
  while (pairs_.size() < static_cast<std::size_t>(calls)) {
    pair& made = pairs_.emplace_back();
    made.in.resize(count_);
    if (!plan_->in_place) made.out.resize(count_);
    fill(made.in);
  }
}

/// Unlike for every rank and index, as in the article whose protocol this is.
element buffers::input(std::size_t index) const noexcept {
  return static_cast<element>(rank_ + 1) + distance_of_elements * static_cast<element>(index);
}

element buffers::expected(std::size_t index) const noexcept {
  const auto ranks = static_cast<element>(plan_->ranks);
  return ranks * (ranks + 1) / 2 + ranks * (distance_of_elements * static_cast<element>(index));
}

void buffers::fill(std::vector<element>& vector) const noexcept {
  for (std::size_t i = 0; i < count_; ++i) vector[i] = input(i);
}

void buffers::prepare(int calls, bool dirty) {
  for (int call = 0; call < calls; ++call) {
    auto& out = pairs_[static_cast<std::size_t>(call)].out;
    std::fill(out.begin(), out.end(), std::numeric_limits<element>::quiet_NaN());
  }
  if (!dirty) return;
  for (int call = 0; call < calls; ++call) fill(pairs_[static_cast<std::size_t>(call)].in);
}

void buffers::run(int call, const communicator& comm, const options& wishes) {
  if (!plan_->moves_data()) {
    barrier(tutti::launch::sync, comm, wishes);
    return;
  }
  pair& mine = pairs_[static_cast<std::size_t>(call)];
  if (plan_->in_place) {
    all_reduce(tutti::launch::sync, comm, in_place, mine.in, std::plus{}, wishes);
  } else {
    all_reduce(tutti::launch::sync, comm, mine.in, mine.out, std::plus{}, wishes);
  }
}

std::string buffers::first_error(int calls) const {
  // Inputs and sums are each rounded by half a unit in the last place, in whatever order they are combined.
  const element tolerance = (plan_->ranks + 2) * std::numeric_limits<element>::epsilon();
  for (int call = 0; call < calls; ++call) {
    const pair& mine = pairs_[static_cast<std::size_t>(call)];
    const std::vector<element>& result = plan_->in_place ? mine.in : mine.out;
    for (std::size_t i = 0; i < count_; ++i) {
      const element wanted = expected(i);
      if (std::abs(result[i] - wanted) <= tolerance * wanted) continue;
      return fmt::format("rank {}, index {}: got {:.17g}, wanted {:.17g}", rank_, i, result[i], wanted);
    }
  }
  return {};
}

}  // namespace tutti::benching
