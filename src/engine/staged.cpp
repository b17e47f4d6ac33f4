// SPDX-License-Identifier: BSL-1.0
// Fused executions over staging memory. A site copies a piece of its input into a slot that its peers read,
// and while they do, copies the next. Why four slots used in turn are enough, with slot numbers that go on
// from call to call:
//   exchange         Piece k+1 is staged after piece k-1 was folded, for which every peer had staged its
//                    piece k-1, after it had folded its piece k-3. So the slot of k-3 is free for k+1.
//   exchange_slices  takes two slots a piece, input and result. Piece k+1 is staged after the results of
//                    piece k-1 were collected from everyone, so all had read its input; a result of piece k is
//                    written once everyone has staged k, and so has collected the results of k-2.
//   between calls    After a call peers may still read its last two slots, never the two before them. Those are
//                    used first, and no third before everyone was seen to have entered the call.
#include <algorithm>
#include <bit>
#include <cstring>

#include "base/checked.hpp"
#include "base/prefetch.hpp"
#include "engine/site.hpp"
#include "engine/surroundings.hpp"
#include "kernels/copy.hpp"

namespace tutti::engine {
namespace {

constexpr std::uint64_t smallest_slot_bytes = 4096;
/// Pieces of which the next is likely to be as long, and its slot worth asking for in advance.
constexpr std::uint64_t short_piece_bytes = 4096;
constexpr std::uint64_t most_pieces = std::uint64_t{1} << 22;

struct extent {
  std::uint64_t first;
  std::uint64_t count;
};

extent piece(const activity& a, std::uint64_t k) noexcept {
  const std::uint64_t first = k * a.piece_elements;
  return {first, std::min(a.piece_elements, a.call.count - first)};
}

extent slice_of(extent whole, rank_id part, rank_id parts) noexcept {
  const schedules::block_layout layout(whole.count, parts);
  return {layout.offset(part), layout.elements(part, 1)};
}

const std::byte* input_at(const activity& a, std::uint64_t element) noexcept {
  return static_cast<const std::byte*>(a.call.input) + element * a.call.type.bytes;
}
std::byte* output_at(const activity& a, std::uint64_t element) noexcept {
  return static_cast<std::byte*>(a.call.output) + element * a.call.type.bytes;
}

/// What a line carries while data is staged: where the site's slots are.
struct stage_notice {
  std::uint64_t offset;
  std::uint64_t slot_bytes;
};

std::byte* own_slot(const surroundings& at, std::uint64_t number) noexcept {
  return at.transport.shared(at.shared.offset) + (number % stage::slots) * at.shared.slot_bytes;
}

/// The address comes from what was known before, and is only compared with the peer's line: so the core can begin to
/// fetch the data before the line is here.
const std::byte* slot_of(const surroundings& at, const activity& a, rank_id site, std::uint64_t number) noexcept {
  stage_notice notice;
  std::memcpy(&notice, at.lines.payload(site, a.generation), sizeof notice);
  peer_stage& known = at.peer_stages[static_cast<std::size_t>(site)];
  if (known.offset != notice.offset || known.slot_bytes != notice.slot_bytes) [[unlikely]] {
    known = {notice.offset, notice.slot_bytes, at.transport.shared(notice.offset)};
  }
  return known.slots + (number % stage::slots) * known.slot_bytes;
}

std::uint64_t count_word(const activity& a, std::uint64_t pieces) noexcept { return (a.generation << 24) | pieces; }

/// Tells that pieces below `pieces` are staged; the first time that is also the entry.
void tell_staged(const surroundings& at, activity& a, std::uint64_t pieces) noexcept {
  a.staged = pieces;
  if (a.entered) {
    at.lines.counters(at.me).staged.store(count_word(a, pieces), std::memory_order_release);
    at.lines.ring();
    return;
  }
  const stage_notice notice{at.shared.offset, at.shared.slot_bytes};
  at.lines.publish(a.generation, a.signature, &notice, sizeof notice);
  a.entered = true;
}

/// Everyone has staged piece k.
bool everyone_staged(const surroundings& at, activity& a, std::uint64_t k) noexcept {
  if (k == 0) return all_arrived(at, a);
  for (; a.peer < at.size; ++a.peer) {
    if (a.peer == at.me) continue;
    if (at.lines.counters(a.peer).staged.load(std::memory_order_acquire) < count_word(a, k + 1)) return false;
  }
  a.peer = 0;
  return true;
}

bool fold(surroundings& at, const activity& a, std::byte* target, std::uint64_t count) {
  return a.call.combine.fold(a.call.combine.state, target, at.sources.data(), static_cast<std::size_t>(at.size), count);
}

void stage_whole(surroundings& at, activity& a) {
  const extent p = piece(a, a.staged);
  kernels::copy_bytes(own_slot(at, a.first_slot + a.staged), input_at(a, p.first), p.count * a.call.type.bytes);
  tell_staged(at, a, a.staged + 1);
  const std::uint64_t bytes = p.count * a.call.type.bytes;
  if (bytes <= short_piece_bytes) prefetch_for_writing(own_slot(at, a.first_slot + a.staged), bytes);
}

/// All slices but our own, which only we read.
void stage_slices(surroundings& at, activity& a) {
  const std::size_t width = a.call.type.bytes;
  const extent p = piece(a, a.staged);
  const extent own = slice_of(p, at.me, at.size);
  std::byte* const slot = own_slot(at, a.first_slot + 2 * a.staged);
  kernels::copy_bytes(slot, input_at(a, p.first), own.first * width);
  const std::uint64_t after = own.first + own.count;
  kernels::copy_bytes(slot + after * width, input_at(a, p.first + after), (p.count - after) * width);
  tell_staged(at, a, a.staged + 1);
}

bool fold_slice(surroundings& at, activity& a) {
  const std::uint64_t k = a.reduced;
  const std::size_t width = a.call.type.bytes;
  const extent p = piece(a, k);
  const extent own = slice_of(p, at.me, at.size);
  for (rank_id s = 0; s < at.size; ++s) {
    at.sources[static_cast<std::size_t>(s)] =
        s == at.me ? input_at(a, p.first + own.first) : slot_of(at, a, s, a.first_slot + 2 * k) + own.first * width;
  }
  std::byte* const result = own_slot(at, a.first_slot + 2 * k + 1);
  if (!fold(at, a, result, own.count)) return false;
  at.lines.counters(at.me).reduced.store(count_word(a, k + 1), std::memory_order_release);
  at.lines.ring();
  kernels::copy_bytes(output_at(a, p.first + own.first), result, own.count * width);
  a.reduced = k + 1;
  return true;
}

/// Takes the others' results of piece a.finished as they come; true once all are here.
bool collect_slices(surroundings& at, activity& a) {
  const extent p = piece(a, a.finished);
  for (; a.peer < at.size; ++a.peer) {
    if (a.peer == at.me) continue;
    if (at.lines.counters(a.peer).reduced.load(std::memory_order_acquire) < count_word(a, a.finished + 1)) return false;
    const extent theirs = slice_of(p, a.peer, at.size);
    kernels::copy_bytes(output_at(a, p.first + theirs.first), slot_of(at, a, a.peer, a.first_slot + 2 * a.finished + 1),
                        theirs.count * a.call.type.bytes);
  }
  a.peer = 0;
  ++a.finished;
  return true;
}

/// The call has moved its data here; it may still fail elsewhere.
progress leave(activity& a, std::uint64_t slots_used) {
  a.slots_used = slots_used;
  return progress::done;
}

progress refuse(activity& a, failure why) {
  a.complaint = std::move(why);
  return progress::failed;
}

/// A whole piece that everyone reads should stay in the caches; where each site reads a slice of it, fewer turns on
/// shared cores count for more. Four slots of every site must fit the job's memory.
std::uint64_t largest_piece_bytes(pattern fused, rank_id size) noexcept {
  constexpr std::uint64_t cached = std::uint64_t{256} << 10;
  if (size > 64) return cached / 4;
  return fused == pattern::exchange_slices && size <= 16 ? 4 * cached : cached;
}

}  // namespace

bool awaits_piece(const surroundings& at, const activity& a, rank_id site) noexcept {
  const site_counters& theirs = at.lines.counters(site);
  const bool for_result = a.how.plan->fused == pattern::exchange_slices && a.reduced != a.finished;
  const auto& told = for_result ? theirs.reduced : theirs.staged;
  return told.load(std::memory_order_relaxed) < count_word(a, a.finished + 1);
}

void cut_into_pieces(activity& a, rank_id size) noexcept {
  const std::uint64_t width = a.call.type.bytes;
  const std::uint64_t total = a.call.count * width;
  const std::uint64_t limit = largest_piece_bytes(a.how.plan->fused, size);
  std::uint64_t bytes = a.how.segment_bytes == 0 ? limit : std::min(a.how.segment_bytes, limit);
  bytes = std::max(bytes, total / most_pieces + 1);
  a.piece_elements = std::max<std::uint64_t>(1, bytes / width);
  a.pieces = divide_up(a.call.count, a.piece_elements);
}

status reserve_stage(surroundings& at, byte_count bytes) {
  stage& s = at.shared;
  if (s.slot_bytes >= bytes) return {};
  const byte_count slot_bytes = std::max(std::bit_ceil(bytes), smallest_slot_bytes);
  auto made = at.transport.allocate_shared(stage::slots * slot_bytes);
  if (!made) return std::move(made).why();
  s.retired_offset = s.offset;
  s.retired_slot_bytes = s.slot_bytes;
  s.offset = made.value();
  s.slot_bytes = slot_bytes;
  at.transport.note_stage(s.offset, stage::slots * slot_bytes);
  return {};
}

progress exchange_staged(surroundings& at, activity& a) {
  if (!a.entered) {
    cut_into_pieces(a, at.size);
    a.first_slot = at.shared.next_slot;
    if (auto room = reserve_stage(at, std::min(a.piece_elements, a.call.count) * a.call.type.bytes); !room) {
      return refuse(a, std::move(room).why());
    }
  }
  for (;;) {
    while (a.staged < a.pieces && a.staged <= a.finished + 1) stage_whole(at, a);
    if (!everyone_staged(at, a, a.finished)) return progress::blocked;
    if (a.mismatch) return progress::failed;
    const extent p = piece(a, a.finished);
    for (rank_id s = 0; s < at.size; ++s) {
      at.sources[static_cast<std::size_t>(s)] =
          s == at.me ? input_at(a, p.first) : slot_of(at, a, s, a.first_slot + a.finished);
    }
    if (!fold(at, a, output_at(a, p.first), p.count)) return progress::failed;
    if (++a.finished == a.pieces) return leave(a, a.pieces);
  }
}

progress exchange_slices(surroundings& at, activity& a) {
  if (!a.entered) {
    cut_into_pieces(a, at.size);
    a.first_slot = at.shared.next_slot;
    if (auto room = reserve_stage(at, std::min(a.piece_elements, a.call.count) * a.call.type.bytes); !room) {
      return refuse(a, std::move(room).why());
    }
    stage_slices(at, a);
  }
  for (;;) {
    if (a.reduced == a.finished) {
      if (a.reduced == 0 && !all_arrived(at, a)) return progress::blocked;
      if (a.mismatch) return progress::failed;
      if (a.staged < a.pieces && a.staged == a.finished + 1) stage_slices(at, a);
      if (!everyone_staged(at, a, a.reduced)) return progress::blocked;
      if (!fold_slice(at, a)) return progress::failed;
    }
    if (!collect_slices(at, a)) return progress::blocked;
    if (a.finished == a.pieces) return leave(a, 2 * a.pieces);
  }
}

}  // namespace tutti::engine
