// SPDX-License-Identifier: BSL-1.0
// How a site executes one call.
#include "engine/site.hpp"

#include <fmt/format.h>

#include <cstring>
#include <new>
#include <utility>

#include "base/hash.hpp"
#include "engine/failing.hpp"
#include "engine/pending_sites.hpp"
#include "engine/repeat.hpp"

namespace tutti::engine {
namespace {

constexpr std::uint64_t clocked_bytes = 16'384;

/// Lines are compared by this word. 0 is an unwritten line, 1 a refused call.
std::uint32_t signature_of(const core::call& call, const decision& how) noexcept {
  std::uint64_t word = call.type.identity ^ (call.combine.identity + 0x9e3779b97f4a7c15U);
  word = mix(word, call.count);
  word = mix(word, (static_cast<std::uint64_t>(how.plan->identity) << 32) | static_cast<std::uint32_t>(call.root));
  word = mix(word, how.segment_bytes ^ (static_cast<std::uint64_t>(call.what) << 56));
  const auto folded = static_cast<std::uint32_t>(word ^ (word >> 32));
  return folded < 2 ? folded + 2 : folded;
}

}  // namespace

site::site(std::unique_ptr<port> transport, std::string name, rank_id me, rank_id size, int ranks_here,
           pending_sites& others)
    : port_(std::move(transport)),
      name_(std::move(name)),
      me_(me),
      size_(size),
      others_(others),
      ranks_here_(ranks_here),
      learned_(ranks_here),
      peer_stages_(static_cast<std::size_t>(size)),
      sources_(static_cast<std::size_t>(size)) {
  around_ = std::make_unique<surroundings>(
      surroundings{*port_, port_->lines(), stage_, peer_stages_, scratch_, sources_, me_, size_});
  port_->lines().fence_publications(!learned_.spins());
  spare_.store(new operation, std::memory_order_relaxed);
}

site::~site() {
  port_->lines().fence_publications(true);
  const intrusive<operation> spare(spare_.load(std::memory_order_relaxed));
  for (operation* spent : pool_) {
    intrusive<operation> last(spent);
  }
}

void site::begin(activity& a, const core::call& call, const decision& how) {
  a.call = call;
  a.how = how;
  a.generation = ++generation_;
  a.now = phase::moving;
  a.arrived = 0;
  a.agreed = 0;
  a.entered = false;
  a.mismatch = false;
  a.pieces = a.staged = a.reduced = a.finished = 0;
  a.peer = 0;
  a.slots_used = 0;
  a.complaint.code = errc::success;
  a.thrown = nullptr;
  if (how.plan != nullptr) a.signature = signature_of(call, how);
  if (misused_.load(std::memory_order_relaxed)) [[unlikely]] {
    a.complaint = {
        errc::concurrent_use,
        fmt::format("two threads of rank {} issued calls on communicator '{}' at the same time, so their order "
                    "is not defined; give each thread a communicator of its own",
                    me_, name_)};
  }
  if (call.count * call.type.bytes >= clocked_bytes) a.moving_since = std::chrono::steady_clock::now();
}

/// Alone there is nobody to ask: the result is the contribution, and the operator is not called.
progress site::run_local(const activity& a) noexcept {
  if (a.complaint.code != errc::success) return progress::failed;
  const std::size_t bytes = a.call.output_count * a.call.type.bytes;
  if (a.call.what == collective::exclusive_scan) {  // undefined without a value to start from
    if (a.call.init != nullptr) repeat(a.call.init, a.call.type.bytes, a.call.output, a.call.output_count);
  } else if (bytes != 0 && a.call.input != a.call.output) {
    std::memcpy(a.call.output, a.call.input, bytes);
  }
  return progress::done;
}

progress site::move_data(activity& a) {
  if (a.complaint.code != errc::success) [[unlikely]]
    return progress::failed;
  try {
    switch (a.how.plan->fused) {
      case pattern::exchange:
        if (a.call.count * a.call.type.bytes <= fits_line) return exchange_line(around(), a);
        return exchange_staged(around(), a);
      case pattern::exchange_slices:
        if (a.call.count == 0) return exchange_line(around(), a);
        return exchange_slices(around(), a);
      case pattern::stepwise: return exchange_stepwise(around(), a);
    }
  } catch (const std::bad_alloc&) {
    a.complaint = {errc::no_space, fmt::format("rank {} has no memory left for scratch buffers", me_)};
  }
  return progress::failed;
}

/// Others may have seen a call fail: ours, one that ended well here, or one that we have not come to yet. True if it
/// was ours.
bool site::heed_alarm(activity& a) {
  const std::uint64_t alarm = around().lines.alarm().load(std::memory_order_acquire);
  if (alarm == a.generation || (alarm > a.generation && was_failed(around(), a.generation))) {
    begin_failure(around(), a);
    return true;
  }
  if (alarm < a.generation && alarm > spoken_for_) answer_alarm(around(), alarm, spoken_for_);
  return false;
}

progress site::advance(activity& a) {
  if (a.now == phase::moving && broken_.code != errc::success) [[unlikely]] {
    // Issued before the communicator broke. Our last record answers for it; nobody waits for another.
    a.why = broken_;
    a.now = phase::over;
    return progress::failed;
  }
  for (;;) {
    switch (a.now) {
      case phase::moving: {
        progress moved = move_data(a);
        if (moved == progress::done) {
          a.now = phase::arriving;
          break;
        }
        if (moved == progress::blocked) {
          // The fused executions have just looked.
          const bool looks_late = a.how.plan->fused == pattern::stepwise && a.arrived != size_;
          if (looks_late && all_arrived(around(), a) && a.mismatch) moved = progress::failed;
          if (moved == progress::blocked && !heed_alarm(a)) return moved;
        }
        if (moved == progress::failed) begin_failure(around(), a);
        break;
      }
      case phase::arriving:
        if (!all_arrived(around(), a)) {
          if (!heed_alarm(a)) return progress::blocked;
        } else if (a.mismatch) {
          begin_failure(around(), a);
        } else if (!a.call.combine.may_throw) {
          a.now = phase::over;
          return progress::done;
        } else {
          around().lines.agree(a.generation);
          a.now = phase::agreeing;
        }
        break;
      case phase::agreeing:
        while (a.agreed < size_ && (a.agreed == me_ || around().lines.agreed(a.agreed, a.generation))) ++a.agreed;
        if (a.agreed == size_) {
          a.now = phase::over;
          return progress::done;
        }
        if (!heed_alarm(a)) return progress::blocked;
        break;
      case phase::speaking:
      case phase::listening:
        if (advance_failure(around(), a, spoken_for_) == progress::blocked) return progress::blocked;
        a.now = phase::over;
        return progress::failed;
      case phase::over: return progress::failed;
    }
  }
}

/// A wait has become long: has someone gone without whom it cannot end?
progress site::look_after_peers(activity& a) {
  const auto failing = [&a] { return a.now == phase::speaking || a.now == phase::listening; };
  if (failing()) return advance(a);
  status well = find_the_gone(around(), a);
  if (well) return progress::blocked;
  // What it did before it went is in memory, and may be all that the call still needs.
  const progress last = advance(a);
  if (last != progress::blocked || failing()) return last;
  a.complaint = std::move(well).why();
  begin_failure(around(), a);
  return advance(a);
}

/// Peers ring; a sleep ends by itself only to look after them and after this rank's other communicators. Many
/// ranks that wake up without cause would fill the cores.
std::chrono::nanoseconds site::longest_sleep(bool not_alone) const noexcept {
  constexpr int ranks_that_may_wake_often = 32;
  return not_alone ? wait::shared_sleep : wait::longest_sleep * (1 + size_ / ranks_that_may_wake_often);
}

progress site::wait_out(activity& a) {
  progress p = advance(a);
  if (p != progress::blocked) return p;
  wait w(learned_);
  // Most waits of a rank with a core of its own end within a hop: look at nothing but the lines.
  while (a.arrived != size_ && w.spin()) {
    if (all_arrived(around(), a)) p = advance(a);
  }
  if (p != progress::blocked) {
    tally_.add_looks(w.looks());
    return p;
  }
  std::chrono::nanoseconds late{0};
  bool everyone_here = false;
  const auto note_arrival = [&] {
    if (everyone_here || !all_arrived(around(), a)) return;
    everyone_here = true;
    late = w.long_time();
    tally_.add_looks(w.looks());
  };
  const auto go_on = [&] {
    note_arrival();  // first, for once everyone is here the call may go on for long
    return (p = advance(a)) != progress::blocked;
  };
  note_arrival();
  while (p == progress::blocked) {
    const bool not_alone = others_.any();
    if (not_alone) others_.poll(this);
    const auto needs_core = [&] { return not_alone || core_is_needed(a); };
    if (w.pause(port_->lines().bell(), needs_core, go_on, longest_sleep(not_alone))) break;
    if (w.tick() && patience_is_over()) {
      p = look_after_peers(a);
    } else {
      go_on();
    }
  }
  note_arrival();
  tally_.add_lateness(late);
  return p;
}

void site::finish(activity& a, progress end) {
  count(a, end);
  if (tally_.calls() == 1 && size_ > 1) settle_waiting();
  if (stage_.retired_offset != 0) {  // everyone has entered this call, so nobody reads what the last one used
    port_->release_shared(stage_.retired_offset, stage::slots * stage_.retired_slot_bytes);
    stage_.retired_offset = 0;
  }
  if (end == progress::failed && a.why.code == errc::no_space && stage_.offset != 0) {
    // Some site found no room. All are past the call's data; what this site took for it may be what the next call
    // needs.
    port_->release_shared(stage_.offset, stage::slots * stage_.slot_bytes);
    port_->note_stage(0, 0);
    stage_ = {0, 0, stage_.next_slot, 0, 0};
  }
  // The next call goes on behind the slots of one that ended well, and takes those of one that failed again: a
  // failure is everyone's, so all sites go on counting alike.
  if (end == progress::done) stage_.next_slot += a.slots_used;
  if (end != progress::failed || broken_.code != errc::success) return;
  switch (a.why.code) {
    case errc::rank_lost:
    case errc::concurrent_use:
    case errc::name_clash:
    case errc::internal:
      broken_ = a.why;
      retire(around(), spoken_for_);
      break;
    default: break;
  }
}

/// Everyone is here now, so it is known who shares a core with whom.
void site::settle_waiting() {
  learned_.learn_competitors(port_->competitors(), ranks_here_);
  port_->lines().fence_publications(!learned_.spins());
}

void site::count(const activity& a, progress end) {
  const std::uint64_t bytes = a.call.count * a.call.type.bytes;
  std::chrono::duration<double> inside{0};
  if (bytes >= clocked_bytes) inside = std::chrono::steady_clock::now() - a.moving_since;
  tally_.add_call(a.how, bytes, end == progress::failed, inside);
}

}  // namespace tutti::engine
