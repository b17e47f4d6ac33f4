// SPDX-License-Identifier: BSL-1.0
// Every schedule of every collective that moves data, executed with real memory in one thread, against what the
// collective is defined to give: every root, uneven counts, in place, steps in different orders.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <set>
#include <vector>

#include "algorithms/registry.hpp"
#include "schedule/assignment.hpp"
#include "schedule/block_lengths.hpp"
#include "support/all_ranks.hpp"
#include "support/interpreter.hpp"

namespace tutti {
namespace {

using algorithms::operand_order;
using schedules::assignment;
using schedules::block_lengths;
using schedules::buffer;
using element = std::uint64_t;
using vector = std::vector<element>;

constexpr element untouched = 0xdeadbeefdeadbeef;

/// Unique by rank and by place among all blocks of all ranks.
element contribution(rank_id rank, element_count place) {
  element e = (static_cast<element>(rank) * 1'000'003 + place + 1) * 0x9e3779b97f4a7c15u;
  return e ^ e >> 29;
}

/// The weakest operator that each order promises to serve; for `rank` an affine map packed into one word, whose
/// composition is associative but not commutative.
element combine(operand_order order, element a, element b) {
  constexpr element half = 0xffffffff;
  switch (order) {
    case operand_order::any: return a + b;
    case operand_order::rank: {
      const element scale = (a >> 32 | 1) * (b >> 32 | 1) & half;
      const element shift = ((a & half) * (b >> 32 | 1) + (b & half)) & half;
      return scale << 32 | shift;
    }
    case operand_order::left_fold: return 3 * a - (b ^ b >> 7);
  }
  return untouched;
}

/// One call: its lengths and the memory of all ranks, each buffer exactly as large as what it holds.
struct memory {
  using payload = vector;

  const algorithms::algorithm* which;
  const assignment* who;
  const block_lengths* lengths;
  bool in_place;
  std::vector<vector> inputs, outputs, stagings, scratches;

  element* place(std::size_t r, const schedules::schedule& plan, const schedules::slice& at) {
    const auto me = static_cast<rank_id>(r);
    switch (at.where) {
      case buffer::input:
        if (in_place && who->output(me).holds(at.first, at.count)) break;
        return inputs[r].data() + lengths->offset(who->input(me), at.first);
      case buffer::staging:
        return stagings[r].data() + (lengths->before(at.first) - lengths->before(plan.staging_first));
      case buffer::scratch: return scratches[r].data() + static_cast<element_count>(at.at) * lengths->largest();
      case buffer::output: break;
    }
    return outputs[r].data() + lengths->offset(who->output(me), at.first);
  }
  element_count count(const schedules::slice& at) const { return lengths->elements(at.first, at.count); }

  payload send(std::size_t r, const schedules::schedule& plan, const schedules::step& s) {
    payload made;
    for_each_part(plan, s, [&](const schedules::slice& part) {
      const element* const from = place(r, plan, part);
      made.insert(made.end(), from, from + count(part));
    });
    return made;
  }
  bool receive(std::size_t r, const schedules::schedule& plan, const schedules::step& s, const payload& what) {
    auto next = what.begin();
    bool fits = true;
    for_each_part(plan, s, [&](const schedules::slice& part) {
      const auto length = static_cast<std::ptrdiff_t>(count(part));
      fits = fits && what.end() - next >= length;
      if (!fits) return;
      std::copy_n(next, length, place(r, plan, part));
      next += length;
    });
    return fits && next == what.end();
  }
  void local(std::size_t r, const schedules::schedule& plan, const schedules::step& s) {
    const auto operands = plan.operands_of(s);
    for (element_count i = 0; i < count(s.target); ++i) {
      element folded = place(r, plan, operands[0])[i];
      for (const auto& next : operands.subspan(1)) folded = combine(which->order, folded, place(r, plan, next)[i]);
      place(r, plan, s.target)[i] = folded;
    }
  }
};

struct one_case {
  const algorithms::algorithm* which;
  schedules::shape shape;
  bool in_place;
  tests::preference first;
};

void fill(const schedules::holding& held, const block_lengths& lengths, rank_id me, vector& into) {
  for (std::int32_t i = 0; i < held.blocks(); ++i) {
    const std::int32_t block = held.block(i);
    for (element_count e = lengths.before(block); e < lengths.before(block + 1); ++e) {
      into.push_back(contribution(me, e));
    }
  }
}

memory fresh(const one_case& c, const assignment& who, const block_lengths& lengths,
             const std::vector<schedules::schedule>& ranks) {
  memory m{c.which, &who, &lengths, c.in_place, {}, {}, {}, {}};
  for (const schedules::schedule& plan : ranks) {
    const schedules::holding in = who.input(plan.me);
    const schedules::holding out = who.output(plan.me);
    vector& input = m.inputs.emplace_back();
    fill(in, lengths, plan.me, input);
    vector& output = m.outputs.emplace_back(lengths.total(out), untouched);
    for (std::int32_t i = 0; c.in_place && i < out.blocks(); ++i) {  // what both hold is one memory
      const std::int32_t block = out.block(i);
      if (!in.holds(block, 1)) continue;
      std::copy_n(input.begin() + static_cast<std::ptrdiff_t>(lengths.offset(in, block)), lengths.elements(block, 1),
                  output.begin() + static_cast<std::ptrdiff_t>(lengths.offset(out, block)));
    }
    m.stagings.emplace_back(lengths.elements(plan.staging_first, plan.staging_end - plan.staging_first), untouched);
    m.scratches.emplace_back(static_cast<element_count>(plan.scratch_slots) * lengths.largest(), untouched);
  }
  return m;
}

/// Empty, or what is wrong.
std::string failure_of(const one_case& c, const block_lengths& lengths, const std::vector<schedules::schedule>& ranks) {
  const assignment who(c.which->what, c.shape.size, c.shape.root, ranks.front().blocks);
  memory m = fresh(c, who, lengths, ranks);
  const std::vector<vector> before = m.inputs;
  if (const std::string why = tests::interpret(ranks, m, c.first); !why.empty()) return why;
  for (const schedules::schedule& plan : ranks) {
    const schedules::holding out = who.output(plan.me);
    for (std::int32_t i = 0; i < out.blocks(); ++i) {
      const std::int32_t block = out.block(i);
      const auto [first, end] = who.contributors(plan.me, block);
      if (first == end) continue;
      const vector& result = m.outputs[static_cast<std::size_t>(plan.me)];
      for (element_count e = 0; e < lengths.elements(block, 1); ++e) {
        element expected = contribution(first, lengths.before(block) + e);
        for (rank_id r = first + 1; r < end; ++r) {
          expected = combine(c.which->order, expected, contribution(r, lengths.before(block) + e));
        }
        if (result[lengths.offset(out, block) + e] != expected) {
          return fmt::format("wrong result on rank {} in block {}", plan.me, block);
        }
      }
    }
  }
  return m.inputs == before ? "" : "an input was written";
}

std::size_t run_counts(const algorithms::algorithm& which, const schedules::shape& shape) {
  const auto ranks = test::all_ranks(which, shape);
  const std::int32_t parts = assignment::parts(which.what, shape.size);
  const std::int32_t blocks = ranks.front().blocks;
  std::vector<block_lengths> calls;
  const auto per_part = static_cast<element_count>(blocks / parts);
  for (const element_count count : std::set<element_count>{0, 1, per_part + 1, 2 * per_part + 3}) {
    calls.emplace_back(count, parts, blocks);
  }
  if (parts > 1) {
    std::vector<element_count> table;
    for (std::int32_t part = 0; part < parts; ++part) table.push_back(static_cast<element_count>(part * 7 % 5));
    calls.emplace_back(table, blocks);
  }
  std::size_t cases = 0;
  for (const block_lengths& lengths : calls) {
    for (const bool in_place : {false, true}) {
      if (in_place && which.what == collective::all_to_all) continue;
      const auto first = in_place ? tests::preference::latest_step : tests::preference::earliest_step;
      ++cases;
      EXPECT_EQ(failure_of({&which, shape, in_place, first}, lengths, ranks), "")
          << which.id << " P=" << shape.size << " root=" << shape.root << " arity=" << shape.arity
          << " pieces=" << shape.pieces << " elements=" << lengths.before(blocks) << " in place=" << in_place;
    }
  }
  return cases;
}

TEST(every_collective, gives_every_rank_what_it_promises) {
  std::size_t cases = 0;
  for (const auto& which : algorithms::all()) {
    if (which.what == collective::barrier) continue;
    for (const rank_id size : {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 17, 33}) {
      for (const auto& shape : test::rooted_shapes_of(which, size, test::some_roots(size))) {
        cases += run_counts(which, shape);
      }
    }
  }
  std::cout << cases << " cases\n";
  EXPECT_GT(cases, 0u);
}

/// What a rank must know of the lengths is stated in the registry: where that is "own", it names nothing else.
TEST(every_collective, names_only_its_own_blocks_where_it_says_so) {
  std::size_t others = 0;
  for (const auto& which : algorithms::all()) {
    bool named_others = false;
    for (const rank_id size : {2, 3, 8, 13}) {
      for (const auto& shape : test::rooted_shapes_of(which, size, test::some_roots(size))) {
        for (const auto& plan : test::all_ranks(which, shape)) {
          const assignment who(which.what, size, shape.root, plan.blocks);
          const auto is_own = [&](const schedules::slice& named) {
            return who.input(plan.me).holds(named.first, named.count) ||
                   who.output(plan.me).holds(named.first, named.count);
          };
          for (const auto& step : plan.steps) {
            for_each_part(plan, step,
                          [&](const schedules::slice& named) { named_others = named_others || !is_own(named); });
          }
        }
      }
    }
    EXPECT_EQ(named_others, which.counts == algorithms::knowledge::all) << which.id;
    others += named_others ? 1 : 0;
  }
  EXPECT_GT(others, 0u);
}

}  // namespace
}  // namespace tutti
