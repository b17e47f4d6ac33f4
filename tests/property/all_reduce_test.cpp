// SPDX-License-Identifier: BSL-1.0
// Every all_reduce schedule, executed with real data in one thread, against a naive fold.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iostream>
#include <set>
#include <vector>

#include "algorithms/registry.hpp"
#include "support/interpreter.hpp"

namespace tutti {
namespace {

using algorithms::operand_order;
using element = std::array<std::uint64_t, 4>;
using vector = std::vector<element>;

constexpr element untouched{0xdead, 0xbeef, 0xdead, 0xbeef};

element contribution(std::uint64_t rank, std::uint64_t index) {
  element e{};
  for (std::uint64_t i = 0; i < e.size(); ++i) {
    e[i] = (rank * 1'000'003 + index * 8 + i + 1) * 0x9e3779b97f4a7c15u;
    e[i] ^= e[i] >> 29;
  }
  return e;
}

/// The weakest operator that each order promises to serve, all exact in 64 bits.
element combine(operand_order order, const element& a, const element& b) {
  switch (order) {
    case operand_order::any:  // commutative: addition
      return {a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]};
    case operand_order::rank:  // associative only: product of 2x2 matrices
      return {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2],
              a[2] * b[1] + a[3] * b[3]};
    case operand_order::left_fold:  // neither
      return {3 * a[0] + b[1], 5 * a[1] + b[0], 7 * a[2] - b[3], (a[3] ^ (a[3] >> 7)) - 11 * b[2]};
  }
  return untouched;
}

/// The memory of all ranks.
struct memory {
  using payload = vector;

  operand_order order;
  element_count count;
  bool in_place;
  std::vector<vector> inputs, outputs, scratches;

  element* place(std::size_t r, const schedules::schedule& schedule, const schedules::slice& at) {
    const schedules::block_layout layout(count, schedule.blocks);
    if (at.where == schedules::buffer::scratch) {
      return scratches[r].data() + static_cast<element_count>(at.at) * layout.largest();
    }
    vector& vector_of = at.where == schedules::buffer::input && !in_place ? inputs[r] : outputs[r];
    return vector_of.data() + layout.offset(at.first);
  }
  element_count elements(const schedules::schedule& schedule, const schedules::slice& at) const {
    return schedules::block_layout(count, schedule.blocks).elements(at.first, at.count);
  }
  payload send(std::size_t r, const schedules::schedule& schedule, const schedules::step& s) {
    const element* from = place(r, schedule, s.target);
    return {from, from + elements(schedule, s.target)};
  }
  bool receive(std::size_t r, const schedules::schedule& schedule, const schedules::step& s, const payload& what) {
    std::copy(what.begin(), what.end(), place(r, schedule, s.target));
    return what.size() == elements(schedule, s.target);
  }
  void local(std::size_t r, const schedules::schedule& schedule, const schedules::step& s) {
    const auto operands = schedule.operands_of(s);
    const element_count length = elements(schedule, s.target);
    for (element_count i = 0; i < length; ++i) {
      element folded = place(r, schedule, operands[0])[i];
      for (const auto& next : operands.subspan(1)) folded = combine(order, folded, place(r, schedule, next)[i]);
      place(r, schedule, s.target)[i] = folded;
    }
  }
};

struct one_case {
  const algorithms::algorithm* which;
  schedules::shape shape;
  element_count count;
  bool in_place;
  tests::preference first;
};

memory fresh(const one_case& c, const std::vector<schedules::schedule>& ranks) {
  memory m{c.which->order, c.count, c.in_place, {}, {}, {}};
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    vector& input = m.inputs.emplace_back();
    for (element_count i = 0; i < c.count; ++i) input.push_back(contribution(r, i));
    m.outputs.push_back(c.in_place ? input : vector(c.count, untouched));
    const auto slots = static_cast<element_count>(ranks[r].scratch_slots);
    m.scratches.emplace_back(slots * schedules::block_layout(c.count, ranks[r].blocks).largest(), untouched);
  }
  return m;
}

/// Empty, or what is wrong.
std::string failure_of(const one_case& c, const std::vector<schedules::schedule>& ranks, const vector& expected) {
  memory m = fresh(c, ranks);
  const std::vector<vector> before = m.inputs;
  if (const std::string why = tests::interpret(ranks, m, c.first); !why.empty()) return why;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    if (m.outputs[r] != expected) return "wrong result on rank " + std::to_string(r);
  }
  return m.inputs == before ? "" : "an input was written";
}

vector naive(operand_order order, rank_id size, element_count count) {
  vector result;
  for (element_count i = 0; i < count; ++i) {
    element folded = contribution(0, i);
    for (rank_id r = 1; r < size; ++r) folded = combine(order, folded, contribution(static_cast<std::uint64_t>(r), i));
    result.push_back(folded);
  }
  return result;
}

std::size_t run_all(const algorithms::algorithm& which, const schedules::shape& shape) {
  std::vector<schedules::schedule> ranks;
  for (rank_id r = 0; r < shape.size; ++r) ranks.push_back(algorithms::build(which, shape, r));
  const auto P = static_cast<element_count>(shape.size);
  std::size_t cases = 0;
  for (const element_count count :
       std::set<element_count>{0, 1, P - 1, P, P + 1, 2 * P + 3, P < 20 ? 509 : 2 * P + 3}) {
    const vector expected = naive(which.order, shape.size, count);
    for (const bool in_place : {false, true}) {
      for (const auto first : {tests::preference::earliest_step, tests::preference::latest_step}) {
        // The order of execution does not depend on the data: both orders at one count, else one of them.
        if (count != P + 1 && in_place != (first == tests::preference::latest_step)) continue;
        ++cases;
        EXPECT_EQ(failure_of({&which, shape, count, in_place, first}, ranks, expected), "")
            << which.id << " P=" << shape.size << " arity=" << shape.arity << " count=" << count
            << " in place=" << in_place;
      }
    }
  }
  return cases;
}

TEST(all_reduce, every_algorithm_gives_every_rank_the_fold) {
  std::size_t cases = 0;
  for (const auto& which : algorithms::all()) {
    if (which.what != collective::all_reduce) continue;
    for (const int arity : which.takes_arity ? std::vector{2, 3, 4, 16} : std::vector{2}) {
      for (rank_id size = 1; size <= 17; ++size) cases += run_all(which, {size, 0, arity});
      for (const rank_id size : {32, 33, 64}) cases += run_all(which, {size, 0, arity});
    }
  }
  std::cout << cases << " cases\n";
  EXPECT_GT(cases, 0u);
}

TEST(all_reduce, a_schedule_without_its_dependencies_is_caught) {
  std::size_t cases = 0;
  for (const auto& which : algorithms::all()) {
    if (which.what != collective::all_reduce) continue;
    std::vector<schedules::schedule> ranks;
    for (rank_id r = 0; r < 7; ++r) {
      ranks.push_back(algorithms::build(which, {7, 0, 2}, r));
      for (schedules::step& s : ranks.back().steps) s.after = {};
    }
    ++cases;
    const one_case c{&which, {7, 0, 2}, 15, false, tests::preference::latest_step};
    EXPECT_NE(failure_of(c, ranks, naive(which.order, c.shape.size, c.count)), "") << which.id;
  }
  EXPECT_GT(cases, 0u);
}

}  // namespace
}  // namespace tutti
