// SPDX-License-Identifier: BSL-1.0
// What a communicator handle points to.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "api/context.hpp"
#include "engine/site.hpp"
#include "select/choose.hpp"
#include "tutti/detail/group.hpp"

namespace tutti::core {

class group {
 public:
  group(std::shared_ptr<context> in, std::shared_ptr<engine::site> site);

  engine::site& site() const noexcept { return *site_; }
  context& where() const noexcept { return *context_; }

  /// Checks a call and finds the plan that serves it. Thread safe.
  result<engine::decision> decide(const call& wanted, const options& wishes);

 private:
  result<const engine::prepared*> plan_for(const algorithms::algorithm& which, const schedules::shape& wanted);

  std::shared_ptr<context> context_;  // before the site: outlives it
  std::shared_ptr<engine::site> site_;
  std::mutex mutex_;
  /// By algorithm, root, arity and pieces; what an algorithm does not take is as usual.
  std::map<std::tuple<const algorithms::algorithm*, rank_id, int, int>, const engine::prepared*> plans_;
  std::vector<std::atomic<const engine::prepared*>> usual_;  ///< by place in the registry, usual shape
};

/// Joins a communicator in a context. Errors as create_communicator.
std::shared_ptr<group> join_group(const std::shared_ptr<context>& in, std::string_view name, std::int64_t sites,
                                  std::int64_t site);

}  // namespace tutti::core
