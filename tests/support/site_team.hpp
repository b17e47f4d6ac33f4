// SPDX-License-Identifier: BSL-1.0
// The engine's sites of one communicator on threads of this process, without names, world or API around them.
#pragma once

#include <cstdlib>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "engine/pending_sites.hpp"
#include "engine/site.hpp"
#include "transport/memory/memory_port.hpp"

namespace tutti::test {

class site_team {
 public:
  explicit site_team(rank_id size) : job_(make_job(size)), pending_(static_cast<std::size_t>(size)) {
    const byte_count block = job_.blocks().allocate(board::bytes_for(size)).value();
    bell_ = &board(job_.memory().data() + block, size, 0).bell();
    const memory::site_facts facts{[](rank_id site) { return site; }, [](rank_id) { return false; },
                                   [] { return std::nullopt; }};
    for (rank_id me = 0; me < size; ++me) {
      if (!job_.announce(me)) std::abort();
      auto port = std::make_unique<memory::memory_port>(job_, block, size, me, facts);
      sites_.push_back(std::make_shared<engine::site>(std::move(port), "team", me, size, size,
                                                      pending_[static_cast<std::size_t>(me)]));
    }
  }

  engine::site& at(rank_id site) { return *sites_[static_cast<std::size_t>(site)]; }
  /// Where the team sleeps.
  doorbell& bell() { return *bell_; }

  /// Runs `body` for every site, each on a thread of its own.
  void each(const std::function<void(engine::site&)>& body) {
    std::vector<std::jthread> threads;
    for (const auto& one : sites_) threads.emplace_back([&body, &one] { body(*one); });
  }

 private:
  static memory::job make_job(rank_id size) {
    constexpr byte_count address_space = byte_count{256} << 20;
    return memory::job::create(memory::region::create_private(address_space).value(), size).value();
  }

  memory::job job_;
  doorbell* bell_ = nullptr;
  std::vector<engine::pending_sites> pending_;
  std::vector<std::shared_ptr<engine::site>> sites_;
};

}  // namespace tutti::test
