// SPDX-License-Identifier: BSL-1.0
// The engine runs every registered schedule: each rank gets what the collective owes it, and nothing else is written.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "algorithms/registry.hpp"
#include "support/kinds.hpp"
#include "support/share.hpp"
#include "support/site_team.hpp"
#include "tutti/core/make_reducer.hpp"

namespace tutti {
namespace {

using schedules::assignment;
using test::occasion;

template <class Kind>
void play(test::site_team& team, const algorithms::algorithm& which, const occasion& on,
          std::vector<std::string>& complaints) {
  using element = typename Kind::element;
  team.each([&](engine::site& at) {
    core::bound_operator<element, decltype(Kind::combine())> op{Kind::combine()};
    const schedules::shape shape{on.size, on.root, 3, 4};
    const auto* plan = at.keep(engine::prepare(std::string(which.id), which.what, static_cast<std::uint64_t>(on.root),
                                               which.shape, algorithms::build(which, shape, at.rank())));
    test::share<Kind> mine(on, at.rank());
    core::call call;
    call.what = which.what;
    call.type = core::datatype_of<element>();
    call.combine = op.view();
    call.root = on.root;
    call.count = on.count;
    call.input = mine.input().data();
    call.output = mine.output().data();
    call.input_count = mine.input().size();
    call.output_count = mine.output().size();
    engine::call_failure why;
    const bool well = at.run(call, {plan, on.count > 1000 ? 2048U : 0U, "a test"}, why);
    complaints[static_cast<std::size_t>(at.rank())] = well ? mine.complaint().value_or("") : why.why.text;
  });
}

class every_algorithm : public testing::TestWithParam<const algorithms::algorithm*> {};

TEST_P(every_algorithm, gives_each_rank_what_is_owed_to_it) {
  const algorithms::algorithm& which = *GetParam();
  const bool reorders = which.order == algorithms::operand_order::any;
  for (const rank_id size : {1, 2, 3, 5, 8}) {
    test::site_team team(size);
    for (const rank_id root : has_root(which.what) ? std::set<rank_id>{0, size / 2, size - 1} : std::set<rank_id>{0}) {
      for (const std::uint64_t count : {0, 1, static_cast<int>(size) + 1, 1500}) {
        for (const bool in_place : {false, true}) {
          if (in_place && which.what == collective::all_to_all) continue;  // not the engine's: the caller keeps a copy
          const occasion on{which.what, size, root, count, in_place};
          std::vector<std::string> complaints(static_cast<std::size_t>(size));
          if (reorders) {
            play<test::tallies>(team, which, on, complaints);
          } else {
            play<test::affine_maps<test::composition>>(team, which, on, complaints);
          }
          for (const std::string& complaint : complaints) {
            ASSERT_EQ(complaint, "") << which.id << ", " << size << " ranks, root " << root << ", count " << count
                                     << (in_place ? ", in place" : "");
          }
        }
      }
    }
  }
}

std::vector<const algorithms::algorithm*> algorithms_with_data() {
  std::vector<const algorithms::algorithm*> found;
  for (const auto& one : algorithms::all()) {
    if (one.what != collective::barrier) found.push_back(&one);
  }
  return found;
}

INSTANTIATE_TEST_SUITE_P(registry, every_algorithm, testing::ValuesIn(algorithms_with_data()), [](const auto& one) {
  std::string name(one.param->id);
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
});

}  // namespace
}  // namespace tutti
