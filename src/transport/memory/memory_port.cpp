// SPDX-License-Identifier: BSL-1.0
#include "transport/memory/memory_port.hpp"

#include <fmt/format.h>

#include <time.h>

#include <algorithm>
#include <utility>

namespace tutti::memory {
namespace {

std::string end_of(const peer_view& view) {
  if (view.signal != 0) return fmt::format("(process {}) was killed by signal {}", view.pid, view.signal);
  if (!view.text.empty()) return fmt::format("(process {}) ended ({})", view.pid, view.text);
  if (view.state == rank_state::left) return fmt::format("(process {}) ended", view.pid);
  if (view.state == rank_state::dead) return fmt::format("(process {}) died", view.pid);
  return fmt::format("(process {}) ended with exit code {}", view.pid, view.exit_code);
}

}  // namespace

memory_port::memory_port(const job& in, byte_count block, rank_id sites, rank_id me, site_facts facts)
    : job_(&in),
      lines_(in.memory().data() + block, sites, me),
      fragment_bytes_(channel::fragment_bytes(sites)),
      facts_(std::move(facts)),
      made_(static_cast<std::size_t>(sites), 0) {}

memory_port::~memory_port() = default;

result<std::int64_t> memory_port::send(rank_id to, int lane, const message_header& header,
                                       std::span<const std::byte> rest) {
  std::uint64_t& offset = made_[static_cast<std::size_t>(to)];
  if (offset == 0) {
    auto made = allocate_shared(channel::bytes_for(fragment_bytes_));
    if (!made) return std::move(made).why();
    offset = made.value();
    lines_.channel(lines_.me(), to).store(offset, std::memory_order_release);
  }
  return channel(shared(offset), fragment_bytes_).push(lane, header, rest);
}

std::optional<channel> memory_port::incoming(rank_id from) const noexcept {
  const std::uint64_t offset = lines_.channel(from, lines_.me()).load(std::memory_order_acquire);
  if (offset == 0) return std::nullopt;
  return channel(shared(offset), fragment_bytes_);
}

bool memory_port::front(rank_id from, int lane, fragment& oldest) {
  const auto in = incoming(from);
  return in && in->front(lane, oldest);
}

void memory_port::pop(rank_id from, int lane) {
  if (const auto in = incoming(from)) in->pop(lane);
}

result<std::uint64_t> memory_port::allocate_shared(byte_count bytes) { return job_->blocks().allocate(bytes); }

void memory_port::release_shared(std::uint64_t offset, byte_count bytes) noexcept {
  job_->blocks().release(offset, bytes);
}

void memory_port::note_stage(std::uint64_t offset, byte_count bytes) noexcept {
  site_counters& own = lines_.counters(lines_.me());
  own.stage_bytes.store(bytes, std::memory_order_relaxed);
  own.stage_offset.store(offset, std::memory_order_release);
}

int memory_port::competitors() const { return job_->competitors(facts_.occupant(lines_.me())); }

/// Asking the kernel after a process costs many microseconds, so each site asks after one peer at a time, and the
/// less often the more sites there are. All write to one table: together they soon have asked after everyone.
void memory_port::confirm_one_in_turn() {
  const rank_id sites = static_cast<rank_id>(made_.size());
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  const std::int64_t milliseconds = std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
  if (milliseconds - confirmed_at_ < 4 + sites / 8) return;
  confirmed_at_ = milliseconds;
  hopeless_ = hopeless_ || !standing();
  last_confirmed_ = last_confirmed_ % std::max(1, sites - 1) + 1;  // a distance, so that sites ask after different ones
  const rank_id world_rank = facts_.occupant((lines_.me() + last_confirmed_) % sites);
  if (world_rank >= 0) job_->confirm(world_rank);
}

site_presence memory_port::whereabouts(rank_id site) {
  confirm_one_in_turn();
  const rank_id world_rank = facts_.occupant(site);
  if (world_rank < 0) {
    if (!hopeless_) return {};
    return {presence::lost, "has not joined this communicator, and never can"};
  }
  const peer_view view = job_->look(world_rank);
  if (!view.ended()) {
    if (!facts_.has_left(site)) return {};
    return {presence::left, "has given up its place in this communicator"};
  }
  return {view.state == rank_state::left ? presence::left : presence::lost, end_of(view)};
}

status memory_port::standing() {
  if (auto why = facts_.clash()) return *std::move(why);
  return seats_can_be_filled();
}

/// A rank takes one seat, so those that live and have none must be as many as the seats that are empty.
status memory_port::seats_can_be_filled() {
  std::vector<bool> seated(static_cast<std::size_t>(job_->size()), false);
  std::vector<rank_id> empty;
  for (rank_id site = 0; site < static_cast<rank_id>(made_.size()); ++site) {
    const rank_id world_rank = facts_.occupant(site);
    if (world_rank < 0) {
      empty.push_back(site);
    } else {
      seated[static_cast<std::size_t>(world_rank)] = true;
    }
  }
  if (empty.empty()) return {};
  outsider_asked_ = (outsider_asked_ + 1) % job_->size();
  if (!seated[static_cast<std::size_t>(outsider_asked_)]) job_->confirm(outsider_asked_);
  std::size_t living = 0;
  std::string ended;
  for (rank_id rank = 0; rank < job_->size(); ++rank) {
    if (seated[static_cast<std::size_t>(rank)]) continue;
    if (const peer_view view = job_->look(rank); view.ended()) {
      ended += fmt::format("{}rank {} {}", ended.empty() ? "" : "; ", rank, end_of(view));
    } else {
      ++living;
    }
  }
  if (living >= empty.size()) return {};
  return failure{errc::rank_lost, fmt::format("of {} sites {} {} empty, and too few ranks are left to take them: {}",
                                              made_.size(), fmt::join(empty, ", "), empty.size() == 1 ? "is" : "are",
                                              ended.empty() ? "each has a site already" : ended)};
}

void release_leftovers(const job& in, byte_count block, rank_id sites) noexcept {
  const board lines(in.memory().data() + block, sites, 0);
  const byte_count bytes = channel::bytes_for(channel::fragment_bytes(sites));
  for (rank_id from = 0; from < sites; ++from) {
    const site_counters& counters = lines.counters(from);
    const std::uint64_t stage = counters.stage_offset.load(std::memory_order_acquire);
    if (stage != 0) in.blocks().release(stage, counters.stage_bytes.load(std::memory_order_relaxed));
    for (rank_id to = 0; to < sites; ++to) {
      const std::uint64_t offset = lines.channel(from, to).load(std::memory_order_acquire);
      if (offset != 0) in.blocks().release(offset, bytes);
    }
  }
}

}  // namespace tutti::memory
