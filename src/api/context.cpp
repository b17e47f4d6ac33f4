// SPDX-License-Identifier: BSL-1.0
#include "api/context.hpp"

#include <pthread.h>

#include <chrono>
#include <mutex>
#include <utility>

namespace tutti::core {
namespace {

using namespace std::chrono_literals;

std::atomic<bool> forked{false};

struct process_wide {
  process_wide() {
    pthread_atfork(nullptr, nullptr, [] { forked.store(true, std::memory_order_relaxed); });
  }
  std::mutex mutex;
  std::shared_ptr<context> everyone;
};

process_wide& process() {
  static process_wide* const only = new process_wide;  // outlives every static object that may hold a communicator
  return *only;
}

thread_local std::shared_ptr<context> here;

}  // namespace

context::context(std::shared_ptr<const void> keeper, const memory::job& job, const worlds::directory& names,
                 rank_id rank, std::chrono::duration<double> drain_time)
    : keeper_(std::move(keeper)), job_(&job), names_(&names), rank_(rank), drain_time_(drain_time) {
  process();
}

bool context::is_mine() const noexcept { return !forked.load(std::memory_order_relaxed); }

void context::start_progress_thread() {
  progress_ = std::jthread([this](const std::stop_token& stop) {
    int idle = 0;
    while (pending_.wait_for_work(stop)) {
      pending_.poll(nullptr);
      // A peer may need this core; after a while it is not worth holding it.
      if (++idle % 64 == 0) {
        std::this_thread::sleep_for(50us);
      } else {
        std::this_thread::yield();
      }
    }
  });
}

void context::stop_progress_thread() {
  if (!progress_.joinable()) return;
  progress_.request_stop();
  progress_.join();
}

bool context::drain() {
  const auto until =
      std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(drain_time_);
  return pending_.drain(until);
}

std::shared_ptr<context> context::current() {
  if (here) return here;
  const std::lock_guard lock(process().mutex);
  return process().everyone;
}

bool context::install_for_process(std::shared_ptr<context> everyone) {
  const std::lock_guard lock(process().mutex);
  if (process().everyone) return false;
  process().everyone = std::move(everyone);
  return true;
}

void context::remove_from_process() {
  const std::lock_guard lock(process().mutex);
  process().everyone.reset();
}

context::binding::binding(std::shared_ptr<context> bound) { here = std::move(bound); }
context::binding::~binding() { here.reset(); }

}  // namespace tutti::core
