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
/// ranks and hold them equal to this for every P in 1..64 and every root. Bytes are in units of one part
/// (schedule/assignment.hpp): the vector; for gather, scatter, all_gather and reduce_scatter what one rank
/// contributes or gets; for all_to_all what one rank has for one other. Exact when the blocks of a part divide its
/// element count.
struct stated_cost {
  double rounds = 0;     ///< messages on the critical path, each rank sending one and receiving one at a time
  double sent = 0;       ///< parts sent by the rank that sends most
  double busiest = 0;    ///< parts sent plus received by the busiest rank
  double temporary = 0;  ///< parts of scratch and staging on the rank that holds most
};

/// Which lengths a rank must know in a call in which every part has a count of its own.
enum class knowledge : std::uint8_t {
  own,  ///< of the blocks in its input and its output
  all,  ///< of all parts: it handles blocks that pass between others
};

struct algorithm {
  collective what;
  std::string_view name;     ///< "ring"
  std::string_view id;       ///< "all_reduce/ring"
  std::string_view summary;  ///< one line for people
  operand_order order;
  bool takes_arity;
  bool takes_pieces;
  schedules::pattern shape;  ///< what a transport may execute fused
  knowledge counts;
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
