// SPDX-License-Identifier: BSL-1.0
#include "bench/buffers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "tutti/core/make_reducer.hpp"
#include "tutti/core/type_identity.hpp"
#include "tutti/detail/group.hpp"

namespace tutti::benching {
namespace {

constexpr element distance_of_elements = 1e-6;

/// Unlike for every rank and index in all the data, as in the article whose protocol this is. Of ranks first .. end-1.
element sum_of(const schedules::rank_range& from, std::size_t index) noexcept {
  const auto first = static_cast<element>(from.first);
  const auto end = static_cast<element>(from.end);
  return (end * (end + 1) - first * (first + 1)) / 2 +
         (end - first) * (distance_of_elements * static_cast<element>(index));
}

}  // namespace

buffers::buffers(const plan& of, rank_id rank, byte_count bytes)
    : plan_(&of),
      rank_(rank),
      count_(static_cast<std::size_t>(bytes / sizeof(element))),
      who_(of.what, of.ranks, of.root, schedules::assignment::parts(of.what, of.ranks)),
      in_(who_.input(rank)),
      out_(who_.output(rank)) {}

std::size_t buffers::elements_of(const schedules::holding& held) const noexcept {
  return static_cast<std::size_t>(held.blocks()) * count_;
}

bool buffers::one_place() const noexcept { return plan_->in_place && in_.blocks() != 0 && out_.blocks() != 0; }

element* buffers::input_of(pair& of) const noexcept {
  if (!one_place() || out_.blocks() < in_.blocks()) return of.in.data();
  return of.out.data() + static_cast<std::size_t>(in_.first - out_.first) * count_;
}

element* buffers::output_of(pair& of) const noexcept {
  if (!one_place() || out_.blocks() >= in_.blocks()) return of.out.data();
  return of.in.data() + static_cast<std::size_t>(out_.first - in_.first) * count_;
}

void buffers::reserve(int calls) {
  while (pairs_.size() < static_cast<std::size_t>(calls)) {
    pair& made = pairs_.emplace_back();
    const bool into_output = one_place() && out_.blocks() >= in_.blocks();
    if (!into_output) made.in.resize(elements_of(in_));
    if (!one_place() || into_output) made.out.resize(elements_of(out_));
    fill(made);
  }
}

void buffers::fill(pair& of) const noexcept {
  element* next = input_of(of);
  for (std::int32_t i = 0; i < in_.blocks(); ++i) {
    const std::size_t begin = static_cast<std::size_t>(in_.block(i)) * count_;
    for (std::size_t e = 0; e < count_; ++e) *next++ = sum_of({rank_, rank_ + 1}, begin + e);
  }
}

void buffers::prepare(int calls, bool dirty) {
  for (int call = 0; call < calls; ++call) {
    auto& out = pairs_[static_cast<std::size_t>(call)].out;
    std::fill(out.begin(), out.end(), std::numeric_limits<element>::quiet_NaN());
  }
  if (!dirty) return;
  for (int call = 0; call < calls; ++call) fill(pairs_[static_cast<std::size_t>(call)]);
}

void buffers::run(int call, const communicator& comm, const options& wishes) {
  pair& mine = pairs_[static_cast<std::size_t>(call)];
  core::bound_operator<element, std::plus<>> op(std::plus<>{});
  core::call made;
  made.what = plan_->what;
  made.root = plan_->root;
  if (plan_->moves_data()) {
    made.type = core::datatype_of<element>();
    if (has_operator(made.what)) made.combine = op.view();
    made.input = input_of(mine);
    made.output = output_of(mine);
    made.count = count_;
    made.input_count = elements_of(in_);
    made.output_count = elements_of(out_);
  }
  core::run(comm.group(), made, wishes);
}

std::string buffers::first_error(int calls) {
  if (!plan_->moves_data()) return {};
  // Inputs and sums are each rounded by half a unit in the last place, in whatever order they are combined.
  const element tolerance = (plan_->ranks + 2) * std::numeric_limits<element>::epsilon();
  for (int call = 0; call < calls; ++call) {
    const element* next = output_of(pairs_[static_cast<std::size_t>(call)]);
    std::size_t index = 0;
    for (std::int32_t i = 0; i < out_.blocks(); ++i) {
      const schedules::rank_range from = who_.contributors(rank_, out_.block(i));
      const std::size_t begin = static_cast<std::size_t>(out_.block(i)) * count_;
      for (std::size_t e = 0; e < count_; ++e, ++next, ++index) {
        const element wanted = sum_of(from, begin + e);
        if (from.first == from.end || std::abs(*next - wanted) <= tolerance * wanted) continue;
        return fmt::format("rank {}, index {}: got {:.17g}, wanted {:.17g}", rank_, index, *next, wanted);
      }
    }
  }
  return {};
}

}  // namespace tutti::benching
