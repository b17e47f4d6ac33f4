// SPDX-License-Identifier: BSL-1.0
// Whom a blocked call waits for: asked before a rank gives its core away.
#include "base/cores.hpp"
#include "engine/site.hpp"
#include "engine/surroundings.hpp"

namespace tutti::engine {

bool awaits(const surroundings& at, const activity& a, rank_id site) noexcept {
  if (a.now == phase::agreeing) return !at.lines.agreed(site, a.generation);
  if (a.arrived != at.size) return !at.lines.entered(site, a.generation);
  if (a.now != phase::moving || a.how.plan->fused == pattern::stepwise) return true;
  return awaits_piece(at, a, site);
}

bool site::core_is_needed(const activity& a) noexcept {
  const board& lines = around().lines;
  const int core = current_core();
  lines.note_core(core);
  for (rank_id s = 0; s < size_; ++s) {
    if (s != me_ && lines.may_want_core(s, core) && awaits(around(), a, s)) return true;
  }
  return false;
}

}  // namespace tutti::engine
