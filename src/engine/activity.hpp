// SPDX-License-Identifier: BSL-1.0
// One call on its way through one site. advance() moves it on as far as it goes without waiting; it is
// called by whoever holds the site, so nothing here is shared between threads.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>

#include "base/status.hpp"
#include "engine/prepared.hpp"
#include "transport/port.hpp"
#include "tutti/core/call.hpp"

namespace tutti::engine {

class stepwise_run;

/// Which schedule serves a call, in pieces of how many bytes, and why.
struct decision {
  const prepared* plan = nullptr;
  std::uint64_t segment_bytes = 0;  ///< 0: the engine's own choice
  const char* reason = "";
};

enum class progress : std::uint8_t { blocked, done, failed };

/// Memory that this site shares with its peers to stage data in: four slots used in turn, so that a slot is
/// written again only after everyone has passed the point that proves it read (see staged.hpp).
struct stage {
  static constexpr std::uint64_t slots = 4;

  std::uint64_t offset = 0;  ///< in the transport's shared memory, 0: none yet
  byte_count slot_bytes = 0;
  std::uint64_t next_slot = 0;  ///< counts all slots ever used
  std::uint64_t retired_offset = 0;
  byte_count retired_slot_bytes = 0;
};

/// Where a peer's slots are, as its line told last.
struct peer_stage {
  std::uint64_t offset = 0;
  byte_count slot_bytes = 0;
  const std::byte* slots = nullptr;
};

enum class phase : std::uint8_t {
  moving,     ///< the schedule runs
  arriving,   ///< it has ended; the signatures of all sites are still to be compared
  agreeing,   ///< a call that may fail late waits until nobody did
  speaking,   ///< failed: this site's record waits until peers have read the previous one
  listening,  ///< failed: waits for everyone's record
  over,
};

struct activity {
  activity();
  ~activity();
  activity(const activity&) = delete;
  activity& operator=(const activity&) = delete;

  core::call call;
  decision how;
  std::uint64_t generation = 0;
  std::uint32_t signature = 0;
  phase now = phase::over;
  rank_id arrived = 0;    ///< sites below this one were seen to have entered, with the same signature
  rank_id agreed = 0;     ///< sites below this one were seen to agree
  bool entered = false;   ///< our own line is out
  bool mismatch = false;  ///< some site's signature differs
  // Staged execution.
  std::uint64_t pieces = 0;
  std::uint64_t piece_elements = 0;
  std::uint64_t staged = 0;
  std::uint64_t reduced = 0;
  std::uint64_t finished = 0;
  rank_id peer = 0;              ///< next peer to look at in the current wait
  std::uint64_t first_slot = 0;  ///< stage::next_slot when the call entered
  std::uint64_t slots_used = 0;  ///< by a call that has moved its data
  std::unique_ptr<stepwise_run> steps;
  // Failure.
  failure complaint{errc::success, {}};  ///< this site's own, success: none
  failure why{errc::success, {}};        ///< what everyone is told
  std::exception_ptr thrown;             ///< what the operator threw on this rank
  std::chrono::steady_clock::time_point moving_since{};
};

}  // namespace tutti::engine
