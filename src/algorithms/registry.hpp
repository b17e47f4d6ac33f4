// SPDX-License-Identifier: BSL-1.0
// The list of algorithms. One file and one line in registry.def each; that line is also the name on
// the command line, the row in the manual, the entry in the test matrix and the benchmark candidate.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/status.hpp"
#include "schedule/builder.hpp"
#include "schedule/operand_order.hpp"
#include "schedule/pattern.hpp"
#include "tutti/core/collective.hpp"

namespace tutti::algorithms {

using schedules::operand_order;

/// What the registry line claims, as functions of the shape. The tests count the built schedules of all
/// ranks and hold them equal to this for every P in 1..64. Bytes are in units of the vector's M bytes,
/// exact when the block count divides the element count.
struct stated_cost {
  double rounds = 0;     ///< messages on the critical path, each rank sending one and receiving one at a time
  double sent = 0;       ///< vectors sent by the rank that sends most
  double busiest = 0;    ///< vectors sent plus received by the busiest rank
  double temporary = 0;  ///< vectors of scratch on the rank that holds most
};

struct algorithm {
  collective what;
  std::string_view name;     ///< "ring"
  std::string_view id;       ///< "all_reduce/ring"
  std::string_view summary;  ///< one line for people
  operand_order order;
  bool takes_arity;
  schedules::pattern shape;  ///< what a transport may execute fused
  std::int32_t (*blocks)(const schedules::shape&);
  void (*build)(schedules::builder&, const schedules::shape&, rank_id me);
  stated_cost (*cost)(const schedules::shape&);
};

/// Every algorithm, in the order of registry.def.
std::span<const algorithm> all();

/// By id ("all_reduce/ring"), or nullptr.
const algorithm* find(std::string_view id);

/// By id, or errc::unknown_name with the nearest id and the list.
result<const algorithm*> require(std::string_view id);

/// One rank's schedule. Pure; costs O(own steps).
schedules::schedule build(const algorithm& which, const schedules::shape& s, rank_id me);

}  // namespace tutti::algorithms
