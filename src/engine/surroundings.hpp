// SPDX-License-Identifier: BSL-1.0
// What an execution needs of its site.
#pragma once

#include <cstddef>
#include <vector>

#include "base/ids.hpp"
#include "engine/activity.hpp"
#include "transport/port.hpp"

namespace tutti::engine {

struct surroundings {
  port& transport;
  const board& lines;
  stage& shared;
  std::vector<peer_stage>& peer_stages;  ///< by site
  std::vector<std::byte>& scratch;       ///< kept between calls
  std::vector<const void*>& sources;     ///< room for one pointer per site
  rank_id me;
  rank_id size;
};

/// The largest vector, in bytes, that travels inside the line itself.
inline constexpr std::size_t fits_line = line_payload_bytes;

/// Looks at the lines of sites that were not yet seen to enter; true once all have. Notes a mismatch.
inline bool all_arrived(const surroundings& at, activity& a) noexcept {
  while (a.arrived < at.size) {
    if (a.arrived != at.me) {
      if (!at.lines.entered(a.arrived, a.generation)) return false;
      if (at.lines.signature(a.arrived, a.generation) != a.signature) a.mismatch = true;
    }
    ++a.arrived;
  }
  return true;
}

/// At least `bytes` bytes of the site's scratch memory, aligned to a cache line.
std::byte* aligned_scratch(surroundings& at, std::size_t bytes);

/// A call whose vector fits a line, or that has none: one line each, one fold.
progress exchange_line(surroundings& at, activity& a);

/// pattern::exchange for longer vectors: whole pieces staged in shared memory, each folded by everyone.
progress exchange_staged(surroundings& at, activity& a);

/// pattern::exchange_slices: of each piece, every site folds its slice and hands out the result.
progress exchange_slices(surroundings& at, activity& a);

/// Any schedule, over the port.
progress exchange_stepwise(surroundings& at, activity& a);

/// Whether the call cannot go on before that site has done something more. True where that is not known.
bool awaits(const surroundings& at, const activity& a, rank_id site) noexcept;
/// The part of awaits() that asks for staged pieces.
bool awaits_piece(const surroundings& at, const activity& a, rank_id site) noexcept;

/// How a call is cut into pieces: equal on all sites, for it looks only at the call and the decision.
void cut_into_pieces(activity& a, rank_id size) noexcept;

/// Makes sure that each stage slot has room for `bytes`. The slots outgrown are kept until nobody can
/// still read them (see site::retire_stage).
status reserve_stage(surroundings& at, byte_count bytes);

}  // namespace tutti::engine
