// SPDX-License-Identifier: BSL-1.0
// Threads of one rank wake each other: peers ring for what they publish, and nobody but the thread that ends an
// operation knows of its end.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <thread>

#include "algorithms/registry.hpp"
#include "support/site_team.hpp"
#include "tutti/core/make_reducer.hpp"

namespace tutti {
namespace {

/// Its fold runs `inside`, if there is one, on the thread that executes the call.
core::reducer interrupted_by(std::function<void()>& inside) {
  core::reducer made;
  made.fold = [](void* state, void* target, const void* const* sources, std::size_t source_count,
                 std::size_t) noexcept {
    if (const auto& run = *static_cast<std::function<void()>*>(state)) run();
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < source_count; ++i) sum += *static_cast<const std::int64_t*>(sources[i]);
    *static_cast<std::int64_t*>(target) = sum;
    return true;
  };
  made.state = &inside;
  made.name = "interrupted sum";
  return made;
}

/// One operation of one site.
struct started {
  started(engine::site& at, const engine::prepared* plan, std::int64_t value, std::function<void()> inside = {})
      : in(value), interruption(std::move(inside)), work(at.new_operation()) {
    core::call call;
    call.what = collective::all_reduce;
    call.type = core::datatype_of<std::int64_t>();
    call.combine = interrupted_by(interruption);
    call.input = &in;
    call.output = &out;
    call.count = call.output_count = 1;
    at.start(call, {plan, 0, "a test"}, *work);
  }
  std::int64_t in;
  std::int64_t out = 0;
  std::function<void()> interruption;
  engine::intrusive<engine::operation> work;
};

const engine::prepared* direct_plan(engine::site& at) {
  const auto* which = algorithms::find("all_reduce/direct");
  return at.keep(engine::prepare(std::string(which->id), which->what, 2, which->shape,
                                 algorithms::build(*which, {at.size(), 0, 2}, at.rank())));
}

TEST(wake_up, whoever_ends_an_operation_rings_for_the_other_threads_of_its_rank) {
  test::site_team team(2);
  engine::site& here = team.at(0);
  engine::site& peer = team.at(1);
  const auto* const plan = direct_plan(here);
  const auto* const peers_plan = direct_plan(peer);

  std::optional<started> second;
  std::jthread waiter;
  std::uint32_t rings = 0;
  // While this thread executes the first operation, another one goes to sleep for the second.
  started first(here, plan, 1, [&] {
    waiter = std::jthread([&] { here.wait_for(*second->work, core::completion::time_point::max()); });
    while (team.bell().sleepers.load() == 0) std::this_thread::yield();
    team.bell().sleepers.fetch_add(1);  // one that stays asleep
    rings = team.bell().rings.load();
  });
  second.emplace(here, plan, 10);
  const started peers_first(peer, peers_plan, 2);
  here.poll();

  EXPECT_EQ(first.out, 3);
  EXPECT_FALSE(second->work->ready());
  EXPECT_NE(team.bell().rings.load(), rings);

  team.bell().sleepers.fetch_sub(1);
  const started peers_second(peer, peers_plan, 20);
  waiter.join();
  EXPECT_EQ(second->out, 30);
}

}  // namespace
}  // namespace tutti
