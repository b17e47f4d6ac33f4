// SPDX-License-Identifier: BSL-1.0
#include "engine/stepwise.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "base/checked.hpp"
#include "engine/repeat.hpp"

namespace tutti::engine {
namespace {

using namespace schedules;

/// Without a wish of the caller: long enough that a fragment's overhead is small, short enough to pipeline.
constexpr std::uint64_t usual_segment_bytes = std::uint64_t{128} << 10;
constexpr std::uint64_t most_segments = std::uint64_t{1} << 30;

bool starts_from_value(const core::call& call, rank_id me) noexcept { return call.init != nullptr && me == 0; }

}  // namespace

/// What rank 0 contributes to a scan that starts from a value: that value combined with its own.
bool stepwise_run::seed(activity& a) {
  const std::size_t width = a.call.type.bytes;
  const std::size_t bytes = a.call.count * width;
  if (bytes == 0) return true;
  seeded_ = allocate_aligned(bytes);
  if (seeded_ == nullptr) throw std::bad_alloc();
  repeat(a.call.init, width, seeded_.get(), a.call.count);
  const void* const sources[] = {seeded_.get(), a.call.input};
  a.call.input = seeded_.get();
  return a.call.combine.fold(a.call.combine.state, seeded_.get(), sources, 2, a.call.count);
}

void stepwise_run::begin(surroundings& at, activity& a) {
  const std::uint64_t width = a.call.type.bytes;
  const auto blocks = static_cast<std::uint64_t>(a.how.plan->plan.blocks);
  const std::uint64_t total = a.call.count * width;
  // A block below a cache line would spend its time on headers.
  std::uint64_t bytes =
      a.how.segment_bytes != 0 ? a.how.segment_bytes : std::max(usual_segment_bytes, blocks * cache_line_bytes * 16);
  bytes = std::max(bytes, total / most_segments + 1);
  segment_elements_ = width == 0 ? 1 : std::max<std::uint64_t>(1, bytes / width);
  // A segment of data in several parts would lie in pieces; such messages are cut by the channels alone.
  if (assignment::parts(a.call.what, at.size) > 1) segment_elements_ = std::max<std::uint64_t>(1, a.call.count);
  segments_ = std::max<std::uint64_t>(1, divide_up(a.call.count, segment_elements_));
  begun_ = 0;
  const schedule& plan = a.how.plan->plan;
  const placement largest(a.call, plan, 0, std::min(segment_elements_, a.call.count));
  const auto whole_lines = [](std::uint64_t size) {
    return divide_up<std::uint64_t>(size, cache_line_bytes) * cache_line_bytes;
  };
  scratch_bytes_ = whole_lines(largest.scratch_bytes(plan));
  const std::uint64_t per_lane = scratch_bytes_ + whole_lines(largest.staging_bytes(plan));
  const auto lanes = std::min<std::uint64_t>(segments_, lanes_per_pair);
  std::byte* const temporary = aligned_scratch(at, per_lane * lanes);
  for (auto& lane : lanes_) lane.reset();  // a call that failed may have left one open
  for (int lane = 0; lane < static_cast<int>(lanes); ++lane) {
    temporary_[lane] = temporary + static_cast<std::uint64_t>(lane) * per_lane;
    begin_segment(a, lane);
  }
}

/// The next segment whose turn it is on this lane, if there is one: lane = segment number % lanes.
void stepwise_run::begin_segment(activity& a, int lane) {
  if (begun_ == segments_ || static_cast<int>(begun_ % lanes_per_pair) != lane) return;
  const std::uint64_t first = begun_ * segment_elements_;
  placement segment(a.call, a.how.plan->plan, first, std::min(segment_elements_, a.call.count - first));
  segment.use(temporary_[lane], temporary_[lane] + scratch_bytes_);
  lanes_[lane].begin(a, lane, segment);
  ++begun_;
}

progress stepwise_run::advance(surroundings& at, activity& a) {
  for (bool moved = true; moved;) {
    moved = false;
    bool busy = false;
    for (int lane = 0; lane < lanes_per_pair; ++lane) {
      if (!lanes_[lane].busy()) continue;
      failure why{errc::success, {}};
      const progress p = lanes_[lane].advance(at, a, why);
      if (p == progress::failed) {
        if (why.code != errc::success) a.complaint = std::move(why);
        return p;
      }
      if (p == progress::done) {
        // Segments end in order on each lane; a lane that is ahead waits for its turn.
        for (int next = 0; next < lanes_per_pair; ++next) {
          if (!lanes_[next].busy()) begin_segment(a, next);
        }
        moved = true;
      }
      busy = busy || lanes_[lane].busy();
    }
    if (!busy && begun_ == segments_) {
      const bool all_over = std::none_of(std::begin(lanes_), std::end(lanes_), [](const auto& l) { return l.busy(); });
      if (all_over) return progress::done;
    }
  }
  return progress::blocked;
}

void segment_run::begin(const activity& a, int lane, const placement& segment) {
  plan_ = a.how.plan;
  const schedule& plan = plan_->plan;
  where_ = segment;
  lane_ = lane;
  width_ = a.call.type.bytes;
  open_ = static_cast<std::uint32_t>(plan.steps.size());
  waits_for_.resize(plan.steps.size());
  moved_.assign(plan.steps.size(), 0);
  streaming_.assign(plan.steps.size(), 0);
  peer_moved_.assign(plan.peers.size(), 0);
  ready_.clear();
  for (std::uint32_t i = 0; i < plan.steps.size(); ++i) {
    waits_for_[i] = plan_->steps[i].waits_for;
    if (waits_for_[i] == 0) ready_.push_back(i);
  }
}

std::uint64_t segment_run::message_bytes(const step& s) const noexcept {
  std::uint64_t bytes = 0;
  for_each_part(plan_->plan, s, [&](const slice& part) { bytes += where_.bytes(part); });
  return bytes;
}

/// What is left of the slice in which byte `moved` of a message lies; a fragment never holds parts of two.
std::span<std::byte> segment_run::rest_of_slice(const step& s, std::uint64_t moved) const noexcept {
  std::span<std::byte> rest;
  std::uint64_t before = 0;
  for_each_part(plan_->plan, s, [&](const slice& part) {
    const std::uint64_t bytes = where_.bytes(part);
    if (rest.empty() && moved >= before && moved < before + bytes)
      rest = {where_.locate(part) + (moved - before), bytes - (moved - before)};
    before += bytes;
  });
  return rest;
}

progress segment_run::advance(surroundings& at, activity& a, failure& why) {
  for (std::size_t i = 0; i < ready_.size();) {
    const std::uint32_t index = ready_[i];
    switch (execute(at, a, index, why)) {
      case outcome::failed: return progress::failed;
      case outcome::waiting: ++i; break;
      case outcome::complete:
        ready_.erase(ready_.begin() + static_cast<std::ptrdiff_t>(i));
        complete(index);
        i = 0;  // what this made ready may go first, and its room may serve an older step
        break;
    }
  }
  return open_ == 0 ? progress::done : progress::blocked;
}

void segment_run::complete(std::uint32_t index) {
  --open_;
  const step_plan& s = plan_->steps[index];
  for (std::uint32_t k = 0; k < s.successor_count; ++k) {
    const std::uint32_t next = plan_->successors[s.first_successor + k];
    if (--waits_for_[next] == 0) ready_.push_back(next);
  }
}

segment_run::outcome segment_run::execute(surroundings& at, activity& a, std::uint32_t index, failure& why) {
  const step& s = plan_->plan.steps[index];
  switch (s.kind) {
    case step_kind::send: return send(at, a, index, why);
    case step_kind::receive: return receive(at, a, index, why);
    case step_kind::reduce: return combine(at, a, index) ? outcome::complete : outcome::failed;
    case step_kind::copy: {
      const slice& from = plan_->plan.operands_of(s).front();
      const std::byte* const source = where_.locate(from);
      std::byte* const target = where_.locate(s.target);
      if (source != target) std::memmove(target, source, where_.bytes(from));
      return outcome::complete;
    }
  }
  return outcome::failed;
}

segment_run::outcome segment_run::send(surroundings& at, activity& a, std::uint32_t index, failure& why) {
  constexpr std::uint64_t sent_whole = ~std::uint64_t{0};
  const step& s = plan_->plan.steps[index];
  const std::uint64_t bytes = message_bytes(s);
  bool whole = true;
  for (std::uint32_t k = s.peers.begin; k < s.peers.begin + s.peers.count; ++k) {
    std::uint64_t& moved = peer_moved_[k];
    while (moved != sent_whole) {
      const message_header header{a.generation, bytes, a.signature, plan_->ordinals[k]};
      auto taken = at.transport.send(plan_->plan.peers[k], lane_, header, rest_of_slice(s, moved));
      if (!taken) {
        why = std::move(taken).why();
        return outcome::failed;
      }
      if (taken.value() < 0) break;
      at.lines.ring();
      moved += static_cast<std::uint64_t>(taken.value());
      if (moved == bytes) moved = sent_whole;
    }
    whole = whole && moved == sent_whole;
  }
  return whole ? outcome::complete : outcome::waiting;
}

segment_run::outcome segment_run::receive(surroundings& at, activity& a, std::uint32_t index, failure& why) {
  const step& s = plan_->plan.steps[index];
  const rank_id from = plan_->plan.peers_of(s).front();
  const std::uint64_t bytes = message_bytes(s);
  for (fragment part; at.transport.front(from, lane_, part);) {
    if (part.header.generation > a.generation) return outcome::waiting;
    if (part.header.generation < a.generation) {  // left over from a call that failed
      at.transport.pop(from, lane_);
      continue;
    }
    if (part.header.signature != a.signature) {
      a.mismatch = true;
      return outcome::failed;
    }
    if (part.header.message_bytes != bytes || part.header.ordinal != plan_->ordinals[s.peers.begin] ||
        part.bytes.size() > rest_of_slice(s, moved_[index]).size()) {
      why = {errc::internal, "a message does not fit the step of " + plan_->id + " that receives it"};
      return outcome::failed;
    }
    const bool worked = accept(at, a, index, part);
    moved_[index] += part.bytes.size();
    at.transport.pop(from, lane_);
    at.lines.ring();
    if (!worked) return outcome::failed;
    if (moved_[index] == bytes) return outcome::complete;
  }
  return outcome::waiting;
}

/// Takes a fragment: into its place, or, if only its reduce waits for it, straight through the operator.
bool segment_run::accept(surroundings& at, activity& a, std::uint32_t index, const fragment& part) {
  constexpr std::uint8_t to_memory = 1;
  constexpr std::uint8_t through_operator = 2;
  const step& s = plan_->plan.steps[index];
  const std::int32_t reduce = plan_->steps[index].streams_into;
  if (streaming_[index] == 0) {
    const bool alone = reduce >= 0 && waits_for_[static_cast<std::uint32_t>(reduce)] == 1;
    // A message in several fragments must not cut an element in two.
    const bool whole_elements = part.bytes.size() == part.header.message_bytes || part.bytes.size() % width_ == 0;
    streaming_[index] = alone && whole_elements ? through_operator : to_memory;
  }
  if (part.bytes.empty()) return true;
  if (streaming_[index] == to_memory) {
    std::memcpy(rest_of_slice(s, moved_[index]).data(), part.bytes.data(), part.bytes.size());
    return true;
  }
  return fold_arriving(at, a, static_cast<std::uint32_t>(reduce), s.target, part.bytes, moved_[index]);
}

bool segment_run::fold_arriving(surroundings& at, activity& a, std::uint32_t reduce, const slice& arriving,
                                std::span<const std::byte> bytes, std::uint64_t done_bytes) {
  const step& s = plan_->plan.steps[reduce];
  const auto operands = plan_->plan.operands_of(s);
  if (at.sources.size() < operands.size()) at.sources.resize(operands.size());
  for (std::size_t i = 0; i < operands.size(); ++i) {
    at.sources[i] = operands[i] == arriving ? bytes.data() : where_.locate(operands[i]) + done_bytes;
  }
  streaming_[reduce] = 1;  // nothing is left to do for it
  return a.call.combine.fold(a.call.combine.state, where_.locate(s.target) + done_bytes, at.sources.data(),
                             operands.size(), bytes.size() / width_);
}

bool segment_run::combine(surroundings& at, activity& a, std::uint32_t index) {
  if (streaming_[index] != 0) return true;
  const step& s = plan_->plan.steps[index];
  const auto operands = plan_->plan.operands_of(s);
  const std::uint64_t count = where_.elements(s.target);
  if (count == 0) return true;
  if (at.sources.size() < operands.size()) at.sources.resize(operands.size());
  for (std::size_t i = 0; i < operands.size(); ++i) at.sources[i] = where_.locate(operands[i]);
  return a.call.combine.fold(a.call.combine.state, where_.locate(s.target), at.sources.data(), operands.size(), count);
}

progress exchange_stepwise(surroundings& at, activity& a) {
  if (!a.entered) {
    at.lines.publish(a.generation, a.signature, nullptr, 0);
    a.entered = true;
    if (!a.steps) a.steps = std::make_unique<stepwise_run>();
    if (starts_from_value(a.call, at.me) && !a.steps->seed(a)) return progress::failed;
    a.steps->begin(at, a);
  }
  const progress p = a.steps->advance(at, a);
  if (p == progress::done && starts_from_value(a.call, at.me))
    repeat(a.call.init, a.call.type.bytes, static_cast<std::byte*>(a.call.output), a.call.count);
  return p;
}

}  // namespace tutti::engine
