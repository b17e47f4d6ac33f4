// SPDX-License-Identifier: BSL-1.0
#include "engine/pending_sites.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "engine/site.hpp"

namespace tutti::engine {

void pending_sites::add(std::shared_ptr<site> busy) {
  const std::lock_guard lock(mutex_);
  if (std::find(sites_.begin(), sites_.end(), busy) != sites_.end()) return;
  sites_.push_back(std::move(busy));
  count_.store(sites_.size(), std::memory_order_relaxed);
  work_.notify_one();
}

void pending_sites::remove(const site& idle) {
  std::shared_ptr<site> last;  // destroyed after the lock is gone
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(sites_.begin(), sites_.end(), [&](const auto& s) { return s.get() == &idle; });
  if (found == sites_.end()) return;
  last = std::move(*found);
  sites_.erase(found);
  count_.store(sites_.size(), std::memory_order_relaxed);
}

void pending_sites::poll(const site* except) {
  if (!any()) return;
  std::vector<std::shared_ptr<site>> now;
  {
    const std::lock_guard lock(mutex_);
    now = sites_;
  }
  for (const auto& s : now) {
    if (s.get() != except) s->poll();
  }
}

bool pending_sites::wait_for_work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  work_.wait(lock, stop, [this] { return !sites_.empty(); });
  return !stop.stop_requested();
}

bool pending_sites::drain(std::chrono::steady_clock::time_point until) {
  while (any()) {
    poll(nullptr);
    if (!any()) return true;
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::yield();
  }
  return true;
}

}  // namespace tutti::engine
