// SPDX-License-Identifier: BSL-1.0
// The contract of a transport: one site's end of one communicator.
//
//  1. Between two sites, and on each lane apart, fragments arrive whole, once and in the order sent.
//  2. Lanes are independent: a full lane never holds up another, so an operation that is free of deadlock
//     with no buffering at all stays so on any number of lanes at once.
//  3. Nothing here blocks. send() takes what there is room for; front() shows what has come.
//  4. A port belongs to one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/ids.hpp"
#include "base/status.hpp"
#include "transport/board.hpp"

namespace tutti {

inline constexpr int lanes_per_pair = 2;

/// Travels with every fragment: which call it belongs to, and what the whole message is.
struct message_header {
  std::uint64_t generation = 0;
  std::uint64_t message_bytes = 0;  ///< of the whole message, whatever the fragment
  std::uint32_t signature = 0;      ///< of the sender's call
  std::uint32_t ordinal = 0;        ///< of the message among all of the sender's to this peer in this call
};

struct fragment {
  message_header header;
  std::span<const std::byte> bytes;  ///< valid until pop()
};

enum class presence : std::uint8_t {
  here,  ///< lives, or has not come yet
  left,  ///< has given up its place in good order
  lost,  ///< its process is gone or has failed
};

struct site_presence {
  presence where = presence::here;
  std::string how;  ///< "(process 17) was killed by signal 9"
};

class port {
 public:
  virtual ~port() = default;

  /// Offers the rest of a message; the number of bytes taken, a prefix, or -1 for "no room now". A message
  /// without bytes is taken whole with 0. Errors: no_space if a channel cannot be made.
  virtual result<std::int64_t> send(rank_id to, int lane, const message_header& header,
                                    std::span<const std::byte> rest) = 0;

  /// The oldest fragment that has come from a site on a lane and was not popped.
  virtual bool front(rank_id from, int lane, fragment& oldest) = 0;
  virtual void pop(rank_id from, int lane) = 0;

  /// The communicator's lines in memory that all its sites share.
  virtual board& lines() noexcept = 0;

  /// Memory of at least `bytes` bytes that every site can read under the returned offset, and its end.
  virtual result<std::uint64_t> allocate_shared(byte_count bytes) = 0;
  virtual void release_shared(std::uint64_t offset, byte_count bytes) noexcept = 0;
  virtual std::byte* shared(std::uint64_t offset) const noexcept = 0;
  /// Shared memory to be released with the communicator, in place of what was noted before.
  virtual void note_stage(std::uint64_t offset, byte_count bytes) noexcept = 0;

  /// How many ranks of this machine, this one included, may run on the cores that this one may use.
  virtual int competitors() const = 0;

  /// Where a site is, for long waits only: may ask the kernel.
  virtual site_presence whereabouts(rank_id site) = 0;
  /// Why this communicator can never be complete, if so.
  virtual status standing() = 0;
};

}  // namespace tutti
