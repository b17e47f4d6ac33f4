// SPDX-License-Identifier: BSL-1.0
// Names to communicators, in the job's shared memory.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids.hpp"
#include "base/status.hpp"
#include "transport/memory/job.hpp"

namespace tutti::worlds {

inline constexpr std::size_t longest_name = 1023;

struct directory_state;
struct directory_entry;

/// One site of one communicator as handed out by directory::join. A plain value; valid until
/// directory::leave. Reading is lock-free and may be done by any thread.
struct seat {
  std::uint64_t number = 0;     ///< unique in the job, equal for all sites of the communicator; never 0
  byte_count block_offset = 0;  ///< of the communicator's block in the job's memory, zeroed by the first joiner
  byte_count block_bytes = 0;
  rank_id sites = 0;
  rank_id site = 0;
  rank_id world_rank = 0;
  std::string name;

  /// World rank of a site, -1 until it has joined.
  rank_id occupant(rank_id of_site) const noexcept;
  /// The site has called leave(). Whether its process lives is the job's business.
  bool has_left(rank_id of_site) const noexcept;

  directory_entry* entry = nullptr;  ///< for the directory
};

/// A handle: cheap to copy, keeps the job mapped. The k-th join of a name by one rank belongs to the
/// same incarnation as every other rank's k-th join of that name, so names may be used again at once,
/// and fast ranks may run ahead. Thread safety: any thread, any process of the job.
class directory {
 public:
  /// Lays out the shared state of a fresh job, before the job is shared. Errors: no_space.
  static result<directory> create(const memory::job& in);

  /// The directory that create() made. Errors: launch_failed if there is none.
  static result<directory> open(const memory::job& in);

  /// Takes a site of the communicator `name`; never waits for the others. The first joiner reserves the
  /// block. Errors: bad_argument (name empty or longer than longest_name, sites outside [1, world size],
  /// site outside [0, sites)); name_clash if an open incarnation has other sites or block size, or the
  /// site is taken: the ranks already in it learn by clash(); no_space naming limit and number of
  /// communicators. Complexity: O(sites + length of name).
  result<seat> join(std::string_view name, rank_id sites, rank_id site, rank_id world_rank,
                    byte_count block_bytes) const;

  /// Why this communicator can never be complete, if someone joined it in contradiction.
  /// Complexity: one load if there is none.
  std::optional<failure> clash(const seat& of) const;

  /// Gives the site up; the last one frees the communicator. A site whose process has ended counts as
  /// given up. A second call does nothing.
  /// `last` is called before the communicator's block is released, by whoever leaves last.
  void leave(const seat& of,
             const std::function<void(byte_count block_offset, rank_id sites)>& last = {}) const noexcept;

  /// Communicators in memory. Complexity: one load.
  std::uint64_t live() const noexcept;

 private:
  directory(const memory::job& in, directory_state& state) noexcept : job_(in), state_(&state) {}

  result<directory_entry*> make_entry(const seat& wanted, std::atomic<byte_count>& link) const;
  result<seat> take(directory_entry& entry, seat wanted) const;
  bool all_gone(const directory_entry& entry) const noexcept;
  void recount() const noexcept;
  std::atomic<byte_count>& bucket(std::string_view name) const noexcept;
  directory_entry* at(byte_count offset) const noexcept;

  memory::job job_;
  directory_state* state_;
};

}  // namespace tutti::worlds
