// SPDX-License-Identifier: BSL-1.0
// The port of sites that share memory: threads of one process, or processes of one machine. They differ
// only in where the job's region comes from.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "transport/memory/channel.hpp"
#include "transport/memory/job.hpp"
#include "transport/port.hpp"

namespace tutti::memory {

/// What the names' keeper knows of the other sites of a communicator.
struct site_facts {
  std::function<rank_id(rank_id site)> occupant;  ///< world rank, -1 until the site has joined
  std::function<bool(rank_id site)> has_left;     ///< the site has given the communicator up
  std::function<std::optional<failure>()> clash;  ///< someone joined in contradiction
};

class memory_port final : public port {
 public:
  /// `block`: offset of board::bytes_for(sites) zeroed bytes in the job's memory. `job` outlives the port.
  memory_port(const job& in, byte_count block, rank_id sites, rank_id me, site_facts facts);
  ~memory_port() override;
  memory_port(const memory_port&) = delete;
  memory_port& operator=(const memory_port&) = delete;

  result<std::int64_t> send(rank_id to, int lane, const message_header& header,
                            std::span<const std::byte> rest) override;
  bool front(rank_id from, int lane, fragment& oldest) override;
  void pop(rank_id from, int lane) override;
  board& lines() noexcept override { return lines_; }
  result<std::uint64_t> allocate_shared(byte_count bytes) override;
  void release_shared(std::uint64_t offset, byte_count bytes) noexcept override;
  std::byte* shared(std::uint64_t offset) const noexcept override { return job_->memory().data() + offset; }
  void note_stage(std::uint64_t offset, byte_count bytes) noexcept override;
  int competitors() const override;
  site_presence whereabouts(rank_id site) override;
  status standing() override;

 private:
  std::optional<channel> incoming(rank_id from) const noexcept;
  void confirm_one_in_turn();
  status seats_can_be_filled();

  const job* job_;
  board lines_;
  std::size_t fragment_bytes_;
  site_facts facts_;
  std::int64_t confirmed_at_ = 0;    ///< coarse milliseconds
  bool hopeless_ = false;            ///< an empty seat keeps everyone waiting only while somebody may still take it
  rank_id outsider_asked_ = 0;       ///< rank of the world that was asked after while seats are empty
  rank_id last_confirmed_ = 0;       ///< distance of the site that was asked after
  std::vector<std::uint64_t> made_;  ///< offsets of this site's outgoing channels, by destination
};

/// Frees the channels and stages that `sites` sites left behind in a communicator's block. To be called once nobody
/// uses the communicator any more, just before its block is released.
void release_leftovers(const job& in, byte_count block, rank_id sites) noexcept;

}  // namespace tutti::memory
