// SPDX-License-Identifier: BSL-1.0
// The lines of one communicator in memory that all its sites map: "publish a line, read all lines".
//
// Invariants
//  1. A line has one writer, its site; everybody else only reads it.
//  2. `epoch` only grows: 2g once the site has entered generation g, 2g+1 once it also agrees that g
//     succeeded (only where a call may still fail after its data has moved).
//  3. What a site publishes for g lies in its line g % 2. It is overwritten at g+2, and a site enters g+2
//     only after it has seen every peer in g+1, that is, done with reading g. So nothing is ever reset and
//     no departure phase is needed.
//  4. `counters` hold (generation << 24 | number), so they too only grow.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "base/doorbell.hpp"
#include "base/ids.hpp"
#include "tutti/core/error.hpp"

namespace tutti {

inline constexpr std::size_t line_payload_bytes = 48;
inline constexpr std::size_t line_payload_alignment = 16;

/// One cache line: when a peer sees the epoch, it has all the rest.
struct alignas(cache_line_bytes) site_line {
  std::atomic<std::uint64_t> epoch;
  std::uint32_t signature;
  alignas(line_payload_alignment) std::byte payload[line_payload_bytes];
};
static_assert(sizeof(site_line) == cache_line_bytes);

/// The lines of a site's even and odd generations.
struct alignas(2 * cache_line_bytes) site_lines {
  site_line of_parity[2];
};

/// How far a site is inside a call whose data moves in pieces.
struct alignas(2 * cache_line_bytes) site_counters {
  std::atomic<std::uint64_t> staged;   ///< pieces of its input that peers may read
  std::atomic<std::uint64_t> reduced;  ///< pieces of its result that peers may read
  // For whoever leaves the communicator last:
  std::atomic<std::uint64_t> stage_offset;  ///< of the site's staging memory, 0: none
  std::atomic<std::uint64_t> stage_bytes;
  std::atomic<std::int32_t> core;  ///< where it was last seen waiting, plus one; 0: it never had to
};

/// What a site has to say about a failed generation.
struct alignas(2 * cache_line_bytes) site_record {
  static constexpr std::size_t text_bytes = 464;

  std::atomic<std::uint64_t> generation;  ///< it speaks for this generation and all before
  std::atomic<std::uint64_t> read;        ///< it has read everyone's record of this generation
  errc code;                              ///< success: the site itself has nothing to complain of
  std::uint16_t call_bytes;               ///< text: first the call, then the complaint
  std::uint16_t complaint_bytes;
  char text[text_bytes];
};

/// Where pair channels from one site to another lie, 0 until the sender has made one.
using channel_offset = std::atomic<std::uint64_t>;

struct alignas(2 * cache_line_bytes) board_head {
  std::atomic<std::uint64_t> alarm;  ///< the latest generation known to have failed
  doorbell bell;
};

class board {
 public:
  /// Bytes that a communicator of `sites` sites needs, zeroed.
  static constexpr byte_count bytes_for(rank_id sites) noexcept {
    const auto p = static_cast<byte_count>(sites);
    return sizeof(board_head) + p * (sizeof(site_lines) + sizeof(site_counters) + sizeof(site_record)) +
           p * p * sizeof(channel_offset);
  }

  board(std::byte* memory, rank_id sites, rank_id me) noexcept
      : head_(reinterpret_cast<board_head*>(memory)),
        lines_(reinterpret_cast<site_lines*>(head_ + 1)),
        counters_(reinterpret_cast<site_counters*>(lines_ + sites)),
        records_(reinterpret_cast<site_record*>(counters_ + sites)),
        channels_(reinterpret_cast<channel_offset*>(records_ + sites)),
        sites_(sites),
        me_(me) {}

  rank_id sites() const noexcept { return sites_; }
  rank_id me() const noexcept { return me_; }
  doorbell& bell() const noexcept { return head_->bell; }
  std::atomic<std::uint64_t>& alarm() const noexcept { return head_->alarm; }
  site_record& record(rank_id site) const noexcept { return records_[site]; }
  site_counters& counters(rank_id site) const noexcept { return counters_[site]; }
  /// Says that this site waits on that core.
  void note_core(int core) const noexcept {
    std::atomic<std::int32_t>& noted = counters_[me_].core;
    if (noted.load(std::memory_order_relaxed) != core + 1) noted.store(core + 1, std::memory_order_relaxed);
  }
  /// Whether a site may want that core when it goes on. A hint: it may have moved since.
  bool may_want_core(rank_id site, int core) const noexcept {
    const std::int32_t noted = counters_[site].core.load(std::memory_order_relaxed);
    return noted == 0 || noted == core + 1;
  }
  channel_offset& channel(rank_id from, rank_id to) const noexcept {
    return channels_[static_cast<std::size_t>(from) * static_cast<std::size_t>(sites_) + static_cast<std::size_t>(to)];
  }

  /// Whether this site's publications carry their own fence (see doorbell.hpp): for sites that do not spin.
  void fence_publications(bool fenced) noexcept {
    if (fenced == fenced_) return;
    fenced_ = fenced;
    head_->bell.unfenced.fetch_add(fenced ? ~std::uint32_t{0} : 1, std::memory_order_seq_cst);
  }

  /// To be called after each publication other than publish() and agree(), which do so themselves.
  void ring() const noexcept {
    order_publication(fenced_);
    if (head_->bell.sleepers.load(std::memory_order_relaxed) != 0) [[unlikely]]
      ring_sleepers(head_->bell);
  }

  /// Enters generation g with up to line_payload_bytes of payload.
  void publish(std::uint64_t g, std::uint32_t signature, const void* payload, std::size_t bytes) const noexcept {
    site_line& line = line_of(me_, g);
    line.signature = signature;
    if (bytes == sizeof(std::uint64_t)) {
      std::memcpy(line.payload, payload, sizeof(std::uint64_t));
    } else if (bytes != 0) {
      std::memcpy(line.payload, payload, bytes);
    }
    line.epoch.store(2 * g, std::memory_order_release);
    ring_if_complete(2 * g);
  }

  /// Agrees that generation g, already entered, has succeeded here.
  void agree(std::uint64_t g) const noexcept {
    line_of(me_, g).epoch.store(2 * g + 1, std::memory_order_release);
    ring_if_complete(2 * g + 1);
  }

  bool entered(rank_id site, std::uint64_t g) const noexcept {
    return line_of(site, g).epoch.load(std::memory_order_acquire) >= 2 * g;
  }
  bool agreed(rank_id site, std::uint64_t g) const noexcept {
    return line_of(site, g).epoch.load(std::memory_order_acquire) > 2 * g;
  }
  /// The generation that a site has entered last.
  std::uint64_t generation_of(rank_id site) const noexcept {
    const site_lines& both = lines_[site];
    return std::max(both.of_parity[0].epoch.load(std::memory_order_acquire),
                    both.of_parity[1].epoch.load(std::memory_order_acquire)) /
           2;
  }

  /// Only for a site that has entered g, by a site that has not yet entered g+2.
  std::uint32_t signature(rank_id site, std::uint64_t g) const noexcept { return line_of(site, g).signature; }
  /// Aligned to line_payload_alignment.
  const std::byte* payload(rank_id site, std::uint64_t g) const noexcept { return line_of(site, g).payload; }

 private:
  site_line& line_of(rank_id site, std::uint64_t g) const noexcept { return lines_[site].of_parity[g & 1]; }

  /// Sleepers wait for all sites, so only the last one to come needs to wake them.
  void ring_if_complete(std::uint64_t epoch) const noexcept {
    order_publication(fenced_);
    if (head_->bell.sleepers.load(std::memory_order_relaxed) != 0) [[unlikely]]
      wake_if_complete(epoch);
  }
  void wake_if_complete(std::uint64_t epoch) const noexcept;

  board_head* head_;
  site_lines* lines_;
  site_counters* counters_;
  site_record* records_;
  channel_offset* channels_;
  rank_id sites_;
  rank_id me_;
  bool fenced_ = true;
};

}  // namespace tutti
