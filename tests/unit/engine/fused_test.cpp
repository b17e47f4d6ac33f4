// SPDX-License-Identifier: BSL-1.0
// A fused execution is an execution of its schedule: what it folds, in which order and where, is what the
// schedule says and what the step-by-step execution of the same schedule does, and so are the bits.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <map>

#include "algorithms/registry.hpp"
#include "support/kinds.hpp"
#include "support/site_team.hpp"
#include "tutti/core/make_reducer.hpp"
#include "tutti/half.hpp"

namespace tutti {
namespace {

using schedules::pattern;

struct how {
  const algorithms::algorithm* which;
  bool fused;
  std::uint64_t segment_bytes;
};

/// Runs one call by a schedule, fused or step by step.
void run(engine::site& at, const core::call& call, const how& by) {
  const schedules::shape shape{at.size(), 0, 2};
  const pattern form = by.fused ? by.which->shape : pattern::stepwise;
  const auto* plan = at.keep(engine::prepare(std::string(by.which->id), by.which->what, 2, form,
                                             algorithms::build(*by.which, shape, at.rank())));
  engine::call_failure why;
  EXPECT_TRUE(at.run(call, {plan, by.segment_bytes, "a test"}, why)) << why.why.text;
}

template <class T>
core::call make_call(const core::reducer& combine, const std::vector<T>& in, std::vector<T>& out) {
  core::call made;
  made.what = collective::all_reduce;
  made.type = core::datatype_of<T>();
  made.combine = combine;
  made.input = in.data();
  made.output = out.data();
  made.count = made.output_count = in.size();
  return made;
}

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

const std::vector<const algorithms::algorithm*>& with_fused_form() {
  static const auto found = [] {
    std::vector<const algorithms::algorithm*> made;
    for (const auto& which : algorithms::all()) {
      if (which.shape != pattern::stepwise && which.what == collective::all_reduce) made.push_back(&which);
    }
    return made;
  }();
  return found;
}

// What is folded.

struct marked {
  std::int32_t origin;  ///< the rank that contributed it, -1 once folded
  std::int32_t index;
};

/// For each element that was folded: the origins of the operands of every fold, in order.
using trace = std::map<std::int32_t, std::vector<std::vector<std::int32_t>>>;

bool recording_fold(void* state, void* target, const void* const* sources, std::size_t source_count,
                    std::size_t count) noexcept {
  auto& seen = *static_cast<trace*>(state);
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::int32_t> origins;
    const auto index = static_cast<const marked*>(sources[0])[i].index;
    for (std::size_t s = 0; s < source_count; ++s) {
      const marked operand = static_cast<const marked*>(sources[s])[i];
      origins.push_back(operand.index == index ? operand.origin : -2);
    }
    seen[index].push_back(origins);
    static_cast<marked*>(target)[i] = {-1, index};
  }
  return true;
}

/// What one rank folds according to its schedule, whose operands are contributions or what was received of them.
trace by_schedule(const algorithms::algorithm& which, rank_id size, rank_id me, std::uint64_t count,
                  std::uint64_t segment) {
  const auto plan = algorithms::build(which, {size, 0, 2}, me);
  std::map<std::int32_t, rank_id> source_of_slot;
  trace expected;
  for (const auto& s : plan.steps) {
    if (s.kind == schedules::step_kind::receive && s.target.where == schedules::buffer::scratch) {
      source_of_slot[s.target.at] = plan.peers_of(s).front();
    }
    if (s.kind != schedules::step_kind::reduce) continue;
    std::vector<std::int32_t> origins;
    for (const auto& operand : plan.operands_of(s)) {
      origins.push_back(operand.where == schedules::buffer::input ? me : source_of_slot.at(operand.at));
    }
    for (std::uint64_t first = 0; first < count; first += segment) {
      const schedules::block_layout layout(std::min(segment, count - first), plan.blocks);
      const auto begin = first + layout.offset(s.target.first);
      for (std::uint64_t i = 0; i < layout.elements(s.target.first, s.target.count); ++i) {
        expected[static_cast<std::int32_t>(begin + i)].push_back(origins);
      }
    }
  }
  return expected;
}

TEST(fused, folds_what_the_schedule_says) {
  std::size_t cases = 0;
  for (const auto* which : with_fused_form()) {
    for (const rank_id size : {2, 3, 5, 8}) {
      test::site_team team(size);
      for (const std::size_t count : {1, 3, 7, 8, 500, 1'001}) {
        for (const std::uint64_t segment : {count, std::size_t{100}}) {
          ++cases;
          team.each([&](engine::site& at) {
            for (const bool fused : {true, false}) {
              std::vector<marked> in, out(count);
              for (std::size_t i = 0; i < count; ++i) in.push_back({at.rank(), static_cast<std::int32_t>(i)});
              trace seen;
              core::reducer recorder;
              recorder.fold = &recording_fold;
              recorder.state = &seen;
              recorder.name = "recorder";
              run(at, make_call(recorder, in, out), {which, fused, segment * sizeof(marked)});
              EXPECT_EQ(seen, by_schedule(*which, size, at.rank(), count, segment))
                  << which->id << " P=" << size << " rank " << at.rank() << " count=" << count << " fused=" << fused;
            }
          });
        }
      }
    }
  }
  EXPECT_GT(cases, 0u);
}

// Which bits come out.

template <class T, class Op, class Make>
void expect_equal_bits(Op op, Make make) {
  std::size_t cases = 0;
  for (const auto* which : with_fused_form()) {
    for (const rank_id size : {2, 3, 6}) {
      test::site_team team(size);
      for (const std::size_t count : {0, 1, 2, 7, 13, 29, 1'001, 20'001}) {
        for (const std::uint64_t segment_bytes : {0, 4'096}) {
          ++cases;
          team.each([&](engine::site& at) {
            std::vector<T> in;
            for (std::size_t i = 0; i < count; ++i) in.push_back(make(static_cast<std::uint64_t>(at.rank()), i));
            std::vector<T> fused(count), stepwise(count);
            std::vector<T> in_place = in;
            core::bound_operator<T, Op> bound(op);
            run(at, make_call(bound.view(), in, fused), {which, true, segment_bytes});
            run(at, make_call(bound.view(), in, stepwise), {which, false, segment_bytes});
            run(at, make_call(bound.view(), in_place, in_place), {which, true, segment_bytes});
            EXPECT_TRUE(same_bytes(fused, stepwise)) << which->id << " P=" << size << " count=" << count;
            EXPECT_TRUE(same_bytes(in_place, stepwise))
                << which->id << " P=" << size << " count=" << count << " in place";
          });
        }
      }
    }
  }
  EXPECT_GT(cases, 0u);
}

double real(std::uint64_t rank, std::uint64_t index) { return test::real_sums::contribution(rank, index, 0); }

TEST(fused, gives_the_bits_of_the_schedule_for_double) { expect_equal_bits<double>(std::plus<>{}, real); }
TEST(fused, gives_the_bits_of_the_schedule_for_float) {
  expect_equal_bits<float>(std::multiplies<>{}, [](auto rank, auto index) {
    return 1.0F + static_cast<float>(real(rank, index)) * 0x1p-54F;
  });
}
TEST(fused, gives_the_bits_of_the_schedule_for_half) {
  expect_equal_bits<half>(std::plus<>{},
                          [](auto rank, auto index) { return half(static_cast<float>(real(rank, index) * 0x1p-45)); });
}
TEST(fused, gives_the_bits_of_the_schedule_for_user_types) {
  using maps = test::affine_maps<test::doubtful_composition>;
  expect_equal_bits<test::affine>(test::doubtful_composition{},
                                  [](auto rank, auto index) { return maps::contribution(rank, index, 0); });
  using test::tallies;
  expect_equal_bits<test::tally>(tallies::combine(),
                                 [](auto rank, auto index) { return tallies::contribution(rank, index, 0); });
}

TEST(fused, barrier_holds_as_its_schedule_does) {
  const auto* direct = algorithms::find("barrier/direct");
  ASSERT_NE(direct->shape, pattern::stepwise);
  for (const rank_id size : {2, 3, 5, 8}) {
    test::site_team team(size);
    std::vector<std::atomic<rank_id>> arrived(200);
    team.each([&](engine::site& at) {
      core::call call;
      for (auto& here : arrived) {
        ++here;
        run(at, call, {direct, (&here - arrived.data()) % 3 != 0, 0});
        EXPECT_EQ(here.load(), size);
      }
    });
  }
}

}  // namespace
}  // namespace tutti
