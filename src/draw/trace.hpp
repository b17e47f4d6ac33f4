// SPDX-License-Identifier: BSL-1.0
// What every rank's vector looks like after each stage of a collective.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/status.hpp"
#include "schedule/schedule.hpp"
#include "tutti/core/collective.hpp"

namespace tutti::draw {

/// One rank at one moment.
struct cell {
  /// What the rank holds, as a call in place leaves it: in the first frame its input, in the last its output, in
  /// between both and what it keeps for others, in the order of blocks (all_to_all: its output alone).
  /// barrier: the ranks that this one knows to have arrived, ascending.
  std::vector<double> values;
  /// Whether a value still counts: no rank holds one that includes strictly more ranks' contributions. Of scans
  /// and of what is not combined, everything counts.
  std::vector<bool> owned;
  std::vector<bool> defined;  ///< false: nothing was written there yet, or ever
  bool holds = true;          ///< false: the rank has no buffer to show
};

/// All ranks after one stage; the first frame is the state at the start.
struct frame {
  std::string stage;
  std::vector<cell> ranks;
};

/// A message that `to` had received when `frame` (an index) was taken.
struct arrow {
  std::size_t frame = 0;
  rank_id from = 0;
  rank_id to = 0;
  schedules::slice what;
};

struct trace {
  collective what = collective::barrier;
  std::vector<frame> frames;
  std::vector<arrow> arrows;
};

inline constexpr rank_id most_ranks_drawn = 64;

/// Moves the inputs and adds them up, stage by stage. `inputs[r]` is what rank r's input holds (empty for a barrier
/// and where it has none), with equally many elements for each part.
/// Stages of different ranks are merged by label in an order that all ranks agree with; where a rank runs
/// ahead of a stage that it depends on, its step is shown in the later one.
/// Precondition: accepted by check::prove.
/// Errors: bad_argument (no or too many ranks, inputs do not fit), internal (messages unmatched or a deadlock).
/// Thread safe. O(frames * ranks^2 * elements + steps).
result<trace> follow(collective what, std::span<const schedules::schedule> schedules,
                     std::span<const std::vector<double>> inputs, rank_id root = 0);

/// "[10 9 ? 4]", or "?" for a rank that holds nothing.
std::string text_of(const cell& c);

/// A block of lines for each frame, a line for each rank, with what the rank owns where that is not all.
std::string text_of(const trace& t);

/// A self-contained picture: a row for each rank, a column for each frame, an arrow for each message; values
/// that no longer count are gray.
std::string svg_of(const trace& t, const std::string& title);

}  // namespace tutti::draw
