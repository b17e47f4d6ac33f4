// SPDX-License-Identifier: BSL-1.0
#include "engine/failing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "engine/call_text.hpp"

namespace tutti::engine {
namespace {

constexpr std::uint64_t for_all_time = std::numeric_limits<std::uint64_t>::max();

std::string_view call_of(const site_record& r) { return {r.text, r.call_bytes}; }
std::string_view complaint_of(const site_record& r) { return {r.text + r.call_bytes, r.complaint_bytes}; }

void write(site_record& record, std::uint64_t generation, const std::string& call, const failure& complaint) {
  const std::size_t call_bytes = std::min(call.size(), site_record::text_bytes / 2);
  const std::size_t complaint_bytes = std::min(complaint.text.size(), site_record::text_bytes - call_bytes);
  record.code = complaint.code;
  record.call_bytes = static_cast<std::uint16_t>(call_bytes);
  record.complaint_bytes = static_cast<std::uint16_t>(complaint_bytes);
  std::memcpy(record.text, call.data(), call_bytes);
  std::memcpy(record.text + call_bytes, complaint.text.data(), complaint_bytes);
  record.generation.store(generation, std::memory_order_release);
}

/// Everyone has read what our record says now, so it may be written again.
bool record_is_free(surroundings& at, std::uint64_t spoken_for) {
  for (rank_id s = 0; s < at.size; ++s) {
    if (s == at.me || at.lines.record(s).read.load(std::memory_order_acquire) >= spoken_for) continue;
    if (at.lines.record(s).generation.load(std::memory_order_acquire) == for_all_time) continue;
    if (at.transport.whereabouts(s).where == presence::here) return false;
  }
  return true;
}

void raise(surroundings& at, std::uint64_t generation) {
  auto& alarm = at.lines.alarm();
  std::uint64_t known = alarm.load(std::memory_order_relaxed);
  while (known < generation && !alarm.compare_exchange_weak(known, generation, std::memory_order_acq_rel)) {
  }
  at.lines.ring();
}

/// "ranks 0, 2 and 3", "rank 1".
std::string ranks_text(const std::vector<rank_id>& ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (i > 0) text += i + 1 == ranks.size() ? " and " : ", ";
    text += fmt::format("{}", ranks[i]);
  }
  return text;
}

/// Every different call with the ranks that made it, the first rank's call first.
std::string calls_text(const std::vector<const site_record*>& records) {
  std::vector<std::pair<std::string_view, std::vector<rank_id>>> calls;
  for (rank_id s = 0; s < static_cast<rank_id>(records.size()); ++s) {
    if (records[static_cast<std::size_t>(s)] == nullptr) continue;
    const std::string_view call = call_of(*records[static_cast<std::size_t>(s)]);
    const auto known = std::find_if(calls.begin(), calls.end(), [&](const auto& c) { return c.first == call; });
    if (known == calls.end()) {
      calls.push_back({call, {s}});
    } else {
      known->second.push_back(s);
    }
  }
  std::string text;
  for (const auto& [call, ranks] : calls) {
    if (!text.empty()) text += "; ";
    text += fmt::format("{} called {}", ranks_text(ranks), call);
  }
  return text;
}

/// The weight of a cause: what explains the others wins, then the lowest rank.
int weight(errc code) {
  switch (code) {
    case errc::success: return 0;
    case errc::mismatch: return 1;
    case errc::rank_lost: return 3;
    default: return 2;
  }
}

failure compose(const activity& a, const std::vector<const site_record*>& records) {
  const site_record* cause = nullptr;
  rank_id cause_rank = 0;
  for (rank_id s = 0; s < static_cast<rank_id>(records.size()); ++s) {
    const site_record* r = records[static_cast<std::size_t>(s)];
    if (r != nullptr && r->code != errc::success && (cause == nullptr || weight(r->code) > weight(cause->code))) {
      cause = r;
      cause_rank = s;
    }
  }
  if (cause == nullptr || cause->code == errc::mismatch) {
    return {errc::mismatch,
            fmt::format("call {}: the ranks disagree: {}. Make the same call, with the same count, type, "
                        "operator, root and options, on every rank",
                        a.generation, calls_text(records))};
  }
  if (cause->code == errc::rank_lost) {
    return {cause->code, fmt::format("call {}, {}: {}", a.generation, call_of(*cause), complaint_of(*cause))};
  }
  return {cause->code, fmt::format("call {}: on rank {}, in {}: {}", a.generation, cause_rank, call_of(*cause),
                                   complaint_of(*cause))};
}

std::string text_of(const std::exception_ptr& thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const std::exception& e) {
    return fmt::format("the operator threw: {}", e.what());
  } catch (...) {
    return "the operator threw something that is no std::exception";
  }
  return "the operator failed without an exception";
}

/// Throws away what calls up to `generation` left in our channels, so that their senders have room again.
void drain(surroundings& at, std::uint64_t generation) {
  for (rank_id s = 0; s < at.size; ++s) {
    if (s == at.me) continue;
    for (int lane = 0; lane < lanes_per_pair; ++lane) {
      fragment part;
      while (at.transport.front(s, lane, part) && part.header.generation <= generation) at.transport.pop(s, lane);
    }
  }
}

}  // namespace

void begin_failure(surroundings& at, activity& a) {
  if (a.complaint.code == errc::success && a.mismatch) a.complaint.code = errc::mismatch;
  if (a.complaint.code == errc::success) {
    const auto& combine = a.call.combine;
    a.thrown = combine.take_exception != nullptr ? combine.take_exception(combine.state) : nullptr;
    // Others may have complained of the same call first.
    const bool alone = at.lines.alarm().load(std::memory_order_acquire) < a.generation;
    if (a.thrown || alone) a.complaint = {errc::operator_failed, text_of(a.thrown)};
  }
  if (!a.entered) {
    // Others may wait for our line alone: it must come, and must not look like a good call.
    constexpr std::uint32_t refused = 1;
    at.lines.publish(a.generation, refused, nullptr, 0);
    a.entered = true;
  }
  a.now = phase::speaking;
}

progress advance_failure(surroundings& at, activity& a, std::uint64_t& spoken_for) {
  if (a.now == phase::speaking) {
    if (!record_is_free(at, spoken_for)) return progress::blocked;
    write(at.lines.record(at.me), a.generation, describe(a.call, a.how), a.complaint);
    spoken_for = a.generation;
    raise(at, a.generation);
    a.now = phase::listening;
  }
  std::vector<const site_record*> records(static_cast<std::size_t>(at.size), nullptr);
  for (rank_id s = 0; s < at.size; ++s) {
    const site_record& record = at.lines.record(s);
    std::uint64_t spoken = record.generation.load(std::memory_order_acquire);
    if (spoken < a.generation) {
      if (at.transport.whereabouts(s).where == presence::here) return progress::blocked;
      spoken = record.generation.load(std::memory_order_acquire);  // it may have spoken and gone in between
    }
    // One that speaks for a later call has ended this one well.
    if (spoken == a.generation || spoken == for_all_time) records[static_cast<std::size_t>(s)] = &record;
  }
  a.why = compose(a, records);
  drain(at, a.generation);
  at.lines.record(at.me).read.store(a.generation, std::memory_order_release);
  at.lines.ring();
  return progress::done;
}

bool was_failed(const surroundings& at, std::uint64_t generation) {
  for (rank_id s = 0; s < at.size; ++s) {
    // The record stays until everyone, this site included, has read it.
    if (at.lines.record(s).generation.load(std::memory_order_acquire) == generation) return true;
  }
  return false;
}

bool answer_alarm(surroundings& at, std::uint64_t alarm, std::uint64_t& spoken_for) {
  if (!record_is_free(at, spoken_for)) return false;
  write(at.lines.record(at.me), alarm, "(completed)", {errc::success, {}});
  spoken_for = alarm;
  at.lines.record(at.me).read.store(alarm, std::memory_order_release);
  at.lines.ring();
  return true;
}

void retire(surroundings& at, std::uint64_t& spoken_for) {
  if (spoken_for == for_all_time) return;
  spoken_for = for_all_time;
  site_record& record = at.lines.record(at.me);
  record.read.store(for_all_time, std::memory_order_release);
  record.generation.store(for_all_time, std::memory_order_release);
  at.lines.ring();
}

status find_the_gone(surroundings& at, const activity& a) {
  if (auto fit = at.transport.standing(); !fit) return fit;
  for (rank_id s = 0; s < at.size; ++s) {
    if (s == at.me) continue;
    const site_presence now = at.transport.whereabouts(s);
    if (now.where == presence::here) continue;
    // What it did before it went is in memory: a site that went in good order after it had entered has done
    // its part, and one that is past this call as well.
    const bool entered = at.lines.entered(s, a.generation);
    if (entered && now.where == presence::left) continue;
    if (at.lines.generation_of(s) > a.generation) continue;
    return failure{errc::rank_lost, fmt::format("rank {} {} {}", s, now.how,
                                                entered ? "in the middle of this call" : "before it made this call")};
  }
  return {};
}

}  // namespace tutti::engine
