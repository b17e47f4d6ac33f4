// SPDX-License-Identifier: BSL-1.0
#include "world/directory.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <new>

#include "transport/memory/robust_mutex.hpp"

namespace tutti::worlds {
namespace {

constexpr std::size_t bucket_count = 1024;

struct site_line {
  std::atomic<rank_id> world_rank;
  std::atomic<std::uint32_t> left;
};

}  // namespace

enum class clash_kind : std::uint32_t { none, sites, block_bytes, site_taken };

/// The lists are changed by one store each, so a holder of the mutex that dies leaves whole lists.
struct directory_state {
  memory::robust_mutex mutex;
  std::atomic<std::uint64_t> next_number;
  std::atomic<std::uint64_t> live;
  std::array<std::atomic<byte_count>, bucket_count> first;  ///< oldest incarnation first
};

/// Followed in memory by the site lines and the name.
struct directory_entry {
  std::atomic<byte_count> next;
  std::uint64_t number;
  byte_count bytes;  ///< of this entry
  byte_count block_offset;
  byte_count block_bytes;
  rank_id sites;
  std::uint32_t name_bytes;
  std::atomic<clash_kind> clash;
  // Written before `clash`: the intruder's wishes, and the rank it contradicts.
  rank_id second_rank;
  rank_id second_sites;
  rank_id second_site;
  rank_id first_rank;
  byte_count second_block_bytes;

  site_line* lines() noexcept { return reinterpret_cast<site_line*>(this + 1); }
  const site_line* lines() const noexcept { return reinterpret_cast<const site_line*>(this + 1); }
  char* name_begin() noexcept { return reinterpret_cast<char*>(lines() + sites); }
  std::string_view name() const noexcept { return {reinterpret_cast<const char*>(lines() + sites), name_bytes}; }
  rank_id occupant(rank_id site) const noexcept { return lines()[site].world_rank.load(std::memory_order_acquire); }
};

namespace {

bool holds(const directory_entry& entry, rank_id world_rank) noexcept {
  for (rank_id site = 0; site < entry.sites; ++site) {
    if (entry.occupant(site) == world_rank) return true;
  }
  return false;
}

bool complete(const directory_entry& entry) noexcept { return !holds(entry, -1); }

rank_id first_member(const directory_entry& entry) noexcept {
  for (rank_id site = 0; site < entry.sites; ++site) {
    if (entry.occupant(site) >= 0) return entry.occupant(site);
  }
  return -1;
}

clash_kind contradiction(const directory_entry& entry, const seat& wanted) noexcept {
  if (entry.sites != wanted.sites) return clash_kind::sites;
  if (entry.block_bytes != wanted.block_bytes) return clash_kind::block_bytes;
  if (entry.occupant(wanted.site) >= 0) return clash_kind::site_taken;
  return clash_kind::none;
}

void mark_clash(directory_entry& entry, const seat& wanted, clash_kind kind) noexcept {
  entry.second_rank = wanted.world_rank;
  entry.second_sites = wanted.sites;
  entry.second_site = wanted.site;
  entry.second_block_bytes = wanted.block_bytes;
  entry.first_rank = kind == clash_kind::site_taken ? entry.occupant(wanted.site) : first_member(entry);
  entry.clash.store(kind, std::memory_order_release);
}

std::string shown(std::string_view name) {
  constexpr std::size_t enough = 100;
  return name.size() <= enough ? std::string(name) : fmt::format("{}..", name.substr(0, enough));
}

std::optional<failure> describe_clash(const directory_entry& entry) {
  const std::string name = shown(entry.name());
  switch (entry.clash.load(std::memory_order_acquire)) {
    case clash_kind::none: return std::nullopt;
    case clash_kind::sites:
      return failure{
          errc::name_clash,
          fmt::format("communicator '{}': world rank {} created it with {} sites, world rank {} joined it with "
                      "{} sites (as site {}); use the same number of sites, or another name",
                      name, entry.first_rank, entry.sites, entry.second_rank, entry.second_sites, entry.second_site)};
    case clash_kind::block_bytes:
      return failure{
          errc::name_clash,
          fmt::format("communicator '{}': world rank {} created it with {} bytes of shared memory, world rank "
                      "{} asked for {} bytes; give all ranks the same TUTTI_ settings and library version",
                      name, entry.first_rank, entry.block_bytes, entry.second_rank, entry.second_block_bytes)};
    case clash_kind::site_taken:
      return failure{errc::name_clash,
                     fmt::format("communicator '{}' of {} sites: site {} belongs to world rank {}, and world rank {} "
                                 "claimed it too; give each rank its own this_site_arg, or use another name",
                                 name, entry.sites, entry.second_site, entry.first_rank, entry.second_rank)};
  }
  return std::nullopt;
}

status check_arguments(const seat& wanted, rank_id world_size) {
  const auto bad = [](std::string text) { return failure{errc::bad_argument, std::move(text)}; };
  if (wanted.name.empty()) return bad("create_communicator: the name is empty; give the communicator a name");
  if (wanted.name.size() > longest_name) {
    return bad(fmt::format("create_communicator: the name '{}' has {} bytes; at most {} are allowed",
                           shown(wanted.name), wanted.name.size(), longest_name));
  }
  if (wanted.sites < 1 || wanted.sites > world_size) {
    return bad(fmt::format("communicator '{}': num_sites_arg is {}; must be 1 to {}, the number of ranks in this world",
                           shown(wanted.name), wanted.sites, world_size));
  }
  if (wanted.site < 0 || wanted.site >= wanted.sites) {
    return bad(fmt::format("communicator '{}': this_site_arg is {}; must be 0 to {} for {} sites", shown(wanted.name),
                           wanted.site, wanted.sites - 1, wanted.sites));
  }
  if (wanted.world_rank < 0 || wanted.world_rank >= world_size) {
    return bad(fmt::format("communicator '{}': world rank {}; must be 0 to {}", shown(wanted.name), wanted.world_rank,
                           world_size - 1));
  }
  return {};
}

}  // namespace

rank_id seat::occupant(rank_id of_site) const noexcept { return entry->occupant(of_site); }

bool seat::has_left(rank_id of_site) const noexcept {
  return entry->lines()[of_site].left.load(std::memory_order_acquire) != 0;
}

result<directory> directory::create(const memory::job& in) {
  auto place = in.blocks().allocate(sizeof(directory_state));
  if (!place) return std::move(place).why();
  auto* state = new (in.memory().data() + place.value()) directory_state{};
  state->mutex.initialize();
  state->next_number.store(1, std::memory_order_relaxed);
  in.root().store(place.value(), std::memory_order_release);
  return directory(in, *state);
}

result<directory> directory::open(const memory::job& in) {
  const byte_count place = in.root().load(std::memory_order_acquire);
  if (place == 0) return failure{errc::launch_failed, "the job's memory holds no directory of communicators"};
  return directory(in, *in.memory().at<directory_state>(place));
}

directory_entry* directory::at(byte_count offset) const noexcept {
  return offset == 0 ? nullptr : job_.memory().at<directory_entry>(offset);
}

std::atomic<byte_count>& directory::bucket(std::string_view name) const noexcept {
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a; equal in all processes, unlike std::hash
  for (const char letter : name) hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211u;
  return state_->first[(hash ^ (hash >> 32)) % bucket_count];
}

result<seat> directory::join(std::string_view name, rank_id sites, rank_id site, rank_id world_rank,
                             byte_count block_bytes) const {
  seat wanted{.number = 0,
              .block_offset = 0,
              .block_bytes = block_bytes,
              .sites = sites,
              .site = site,
              .world_rank = world_rank,
              .name = std::string(name)};
  if (status valid = check_arguments(wanted, job_.size()); !valid) return std::move(valid).why();
  const memory::robust_lock lock(state_->mutex);
  if (lock.recovered()) recount();
  std::atomic<byte_count>* link = &bucket(name);
  while (directory_entry* entry = at(link->load(std::memory_order_acquire))) {
    if (entry->name() == name && !complete(*entry) && !holds(*entry, world_rank))
      return take(*entry, std::move(wanted));
    link = &entry->next;
  }
  auto made = make_entry(wanted, *link);
  if (!made) return std::move(made).why();
  return take(*made.value(), std::move(wanted));
}

result<seat> directory::take(directory_entry& entry, seat wanted) const {
  if (entry.clash.load(std::memory_order_acquire) == clash_kind::none) {
    if (const auto kind = contradiction(entry, wanted); kind != clash_kind::none) mark_clash(entry, wanted, kind);
  }
  if (auto why = describe_clash(entry)) {
    job_.raise_alarm();  // those inside may be waiting for this rank
    return *std::move(why);
  }
  wanted.number = entry.number;
  wanted.block_offset = entry.block_offset;
  wanted.entry = &entry;
  entry.lines()[wanted.site].world_rank.store(wanted.world_rank, std::memory_order_release);
  return wanted;
}

result<directory_entry*> directory::make_entry(const seat& wanted, std::atomic<byte_count>& link) const {
  const auto arena = job_.blocks();
  const byte_count bytes =
      sizeof(directory_entry) + static_cast<byte_count>(wanted.sites) * sizeof(site_line) + wanted.name.size();
  const auto no_room = [&](const failure& why) {
    return failure{why.code, fmt::format("communicator '{}' of {} sites cannot be created while {} others live: {}",
                                         shown(wanted.name), wanted.sites, live(), why.text)};
  };
  auto block = arena.allocate(wanted.block_bytes);
  if (!block) return no_room(block.why());
  auto place = arena.allocate(bytes);
  if (!place) {
    arena.release(block.value(), wanted.block_bytes);
    return no_room(place.why());
  }
  auto* entry = new (job_.memory().data() + place.value()) directory_entry{};
  entry->number = state_->next_number.fetch_add(1, std::memory_order_relaxed);
  entry->bytes = bytes;
  entry->block_offset = block.value();
  entry->block_bytes = wanted.block_bytes;
  entry->sites = wanted.sites;
  entry->name_bytes = static_cast<std::uint32_t>(wanted.name.size());
  for (rank_id site = 0; site < wanted.sites; ++site) new (entry->lines() + site) site_line{-1, 0};
  std::memcpy(entry->name_begin(), wanted.name.data(), wanted.name.size());
  link.store(place.value(), std::memory_order_release);
  state_->live.fetch_add(1, std::memory_order_relaxed);
  return entry;
}

std::optional<failure> directory::clash(const seat& of) const { return describe_clash(*of.entry); }

bool directory::all_gone(const directory_entry& entry) const noexcept {
  const bool clashed = entry.clash.load(std::memory_order_acquire) != clash_kind::none;
  for (rank_id site = 0; site < entry.sites; ++site) {
    const rank_id occupant = entry.occupant(site);
    if (occupant < 0) {
      if (!clashed) return false;
    } else if (entry.lines()[site].left.load(std::memory_order_acquire) == 0) {
      const auto state = job_.state(occupant);
      if (state == memory::rank_state::absent || state == memory::rank_state::running) return false;
    }
  }
  return true;
}

void directory::leave(const seat& of, const std::function<void(byte_count, rank_id)>& last) const noexcept {
  const memory::robust_lock lock(state_->mutex);
  if (lock.recovered()) recount();
  std::atomic<byte_count>* link = &bucket(of.name);
  directory_entry* entry = at(link->load(std::memory_order_acquire));
  while (entry != nullptr && entry->number != of.number) {
    link = &entry->next;
    entry = at(link->load(std::memory_order_acquire));
  }
  if (entry == nullptr) return;  // left before, and freed
  entry->lines()[of.site].left.store(1, std::memory_order_release);
  if (!all_gone(*entry)) return;
  const byte_count place = link->load(std::memory_order_relaxed);
  link->store(entry->next.load(std::memory_order_relaxed), std::memory_order_release);
  state_->live.fetch_sub(1, std::memory_order_relaxed);
  const byte_count block = entry->block_offset;
  const byte_count block_bytes = entry->block_bytes;
  if (last) last(block, entry->sites);
  const auto arena = job_.blocks();
  arena.release(place, entry->bytes);
  arena.release(block, block_bytes);
}

void directory::recount() const noexcept {
  std::uint64_t found = 0;
  for (const auto& first : state_->first) {
    for (auto* entry = at(first.load(std::memory_order_acquire)); entry != nullptr;
         entry = at(entry->next.load(std::memory_order_acquire))) {
      ++found;
    }
  }
  state_->live.store(found, std::memory_order_relaxed);
}

std::uint64_t directory::live() const noexcept { return state_->live.load(std::memory_order_relaxed); }

}  // namespace tutti::worlds
