// SPDX-License-Identifier: BSL-1.0
#include "tutti/world.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "api/context.hpp"
#include "api/group_state.hpp"
#include "api/settings.hpp"

namespace tutti {
namespace {

constexpr std::string_view everyone_name = "/tutti/world";

template <class T>
T value_or_throw(result<T> outcome) {
  if (!outcome) throw error(outcome.why().code, outcome.why().text);
  return std::move(outcome).value();
}

}  // namespace

struct world::state {
  std::shared_ptr<worlds::membership> member;
  std::shared_ptr<core::context> here;
  tutti::communicator everyone;
};

world::world(int&, char**&, world_options wishes) : world(wishes) {}

world::world(world_options wishes) : state_(std::make_unique<state>()) {
  if (core::context::current())
    throw error(errc::invalid_state, "this process already has a world; make one, in main()");
  const auto set = value_or_throw(core::read_settings());
  state_->member = std::make_shared<worlds::membership>(value_or_throw(worlds::join_job()));
  auto& member = *state_->member;
  state_->here =
      std::make_shared<core::context>(state_->member, member.job(), member.names(), member.rank(), set.drain);
  if (!core::context::install_for_process(state_->here))
    throw error(errc::invalid_state, "this process already has a world");
  try {
    state_->everyone = tutti::communicator(core::join_group(state_->here, everyone_name, member.size(), member.rank()));
    if (wishes.progress_thread || set.progress_thread) state_->here->start_progress_thread();
  } catch (...) {
    core::context::remove_from_process();
    throw;
  }
}

world::~world() {
  core::context::remove_from_process();
  if (!state_->here->is_mine()) return;
  const bool unwinding = std::uncaught_exceptions() > 0;
  const bool complete = unwinding ? !state_->here->pending().any() : state_->here->drain();
  state_->here->stop_progress_thread();
  if (unwinding) {
    state_->member->depart({memory::rank_state::failed, 1, 0, "an exception left its main function"});
  } else if (!complete) {
    state_->member->depart({memory::rank_state::failed, 0, 0, "it ended with operations in flight"});
  } else {
    state_->member->depart({});
  }
}

int world::rank() const noexcept { return state_->member->rank(); }
int world::size() const noexcept { return state_->member->size(); }
const std::string& world::origin() const noexcept { return state_->member->origin(); }
communicator world::communicator() const { return state_->everyone; }

namespace {

/// A job whose ranks are threads, shared by all of them.
struct thread_job {
  memory::job job;
  worlds::directory names;
};

std::shared_ptr<thread_job> make_thread_job(int sites) {
  auto job = value_or_throw(worlds::create_job(sites, false));
  auto names = value_or_throw(worlds::directory::open(job));
  auto made = std::make_shared<thread_job>(thread_job{std::move(job), names});
  made->names = value_or_throw(worlds::directory::open(made->job));
  return made;
}

/// One thread's life as a rank.
std::exception_ptr live(const std::shared_ptr<thread_job>& job, rank_id rank,
                        const std::function<void(communicator)>& fn, const core::settings& set) {
  const auto leave_badly = [&](const std::string& text) {
    job->job.leave(rank, {memory::rank_state::failed, 1, 0, "threw: " + text});
    return std::current_exception();
  };
  try {
    if (auto announced = job->job.announce(rank); !announced) throw error(announced.why().code, announced.why().text);
    auto here = std::make_shared<core::context>(job, job->job, job->names, rank, set.drain);
    const core::context::binding bound(here);
    communicator everyone(core::join_group(here, everyone_name, job->job.size(), rank));
    if (set.progress_thread) here->start_progress_thread();
    std::exception_ptr thrown;
    try {
      fn(everyone);
      if (!here->drain()) throw error(errc::invalid_state, "a rank ended with operations in flight");
    } catch (...) {
      thrown = std::current_exception();
    }
    here->stop_progress_thread();
    if (thrown) std::rethrow_exception(thrown);
    job->job.leave(rank, {});
    return nullptr;
  } catch (const std::exception& e) {
    return leave_badly(e.what());
  } catch (...) {
    return leave_badly("something that is no std::exception");
  }
}

}  // namespace

void run_threads(int sites, const std::function<void(communicator)>& fn, world_options wishes) {
  if (sites < 1 || sites > memory::largest_job) {
    throw error(errc::bad_argument,
                fmt::format("run_threads: {} sites; from 1 to {} are served", sites, memory::largest_job));
  }
  auto set = value_or_throw(core::read_settings());
  set.progress_thread |= wishes.progress_thread;
  const auto job = make_thread_job(sites);
  std::vector<std::exception_ptr> thrown(static_cast<std::size_t>(sites));
  {
    std::vector<std::jthread> threads;
    threads.reserve(thrown.size());
    for (rank_id rank = 0; rank < sites; ++rank) {
      threads.emplace_back([&, rank] { thrown[static_cast<std::size_t>(rank)] = live(job, rank, fn, set); });
    }
  }
  // What a peer's end did to others explains less than what ended the peer.
  std::exception_ptr consequence;
  for (const auto& one : thrown) {
    if (!one) continue;
    try {
      std::rethrow_exception(one);
    } catch (const error& e) {
      if (e.code() != errc::rank_lost) throw;
      if (!consequence) consequence = one;
    }
  }
  if (consequence) std::rethrow_exception(consequence);
}

}  // namespace tutti
