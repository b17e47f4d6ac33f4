// SPDX-License-Identifier: BSL-1.0
#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <utility>

#include "api/group_state.hpp"
#include "base/checked.hpp"
#include "transport/memory/memory_port.hpp"

namespace tutti::core {
namespace {

/// Gives the seat up when the port goes.
struct seat_holder {
  seat_holder(std::shared_ptr<context> where, worlds::seat taken) : in(std::move(where)), seat(std::move(taken)) {}
  seat_holder(const seat_holder&) = delete;
  seat_holder& operator=(const seat_holder&) = delete;
  ~seat_holder() {
    if (!in->is_mine()) return;
    in->names().leave(seat,
                      [this](byte_count block, rank_id sites) { memory::release_leftovers(in->job(), block, sites); });
  }

  std::shared_ptr<context> in;
  worlds::seat seat;
};

failure bad_argument(std::string text) { return {errc::bad_argument, std::move(text)}; }

/// What every span call promises.
status check_buffers(const call& wanted, std::string_view what) {
  if (wanted.count != wanted.output_count) {
    return bad_argument(fmt::format("{}: the input has {} elements and the output {}; they must be equal", what,
                                    wanted.count, wanted.output_count));
  }
  const auto bytes = checked_multiply<std::uint64_t>(wanted.count, wanted.type.bytes);
  if (!bytes || *bytes > std::numeric_limits<std::uint64_t>::max() / 2) {
    return bad_argument(fmt::format("{}: {} x {} bytes do not fit 63 bits", what, wanted.count, wanted.type.bytes));
  }
  if (*bytes == 0) return {};
  if (wanted.input == nullptr || wanted.output == nullptr) {
    return bad_argument(fmt::format("{}: {} elements at a null pointer", what, wanted.count));
  }
  const auto in = reinterpret_cast<std::uintptr_t>(wanted.input);
  const auto out = reinterpret_cast<std::uintptr_t>(wanted.output);
  if (in != out && in < out + *bytes && out < in + *bytes) {
    return bad_argument(
        fmt::format("{}: input and output overlap in part; they must be the same memory or apart", what));
  }
  return {};
}

}  // namespace

group::group(std::shared_ptr<context> in, std::shared_ptr<engine::site> site)
    : context_(std::move(in)), site_(std::move(site)), usual_(algorithms::all().size()) {}

result<engine::decision> group::decide(const call& wanted, const options& wishes) {
  if (wanted.what != collective::barrier) {
    if (auto fit = check_buffers(wanted, to_string(wanted.what)); !fit) return std::move(fit).why();
  }
  if (wishes.arity < 2) return bad_argument(fmt::format("options: arity is {}; it must be at least 2", wishes.arity));
  const select::facts facts{wanted.what, site_->size(), wanted.count * wanted.type.bytes, wanted.combine.commutative,
                            wanted.combine.associative};
  select::choice chosen;
  if (wishes.algorithm.empty()) {
    chosen = select::choose(facts);
  } else {
    auto forced = select::force(wishes.algorithm, facts);
    if (!forced) return std::move(forced).why();
    chosen = forced.value();
  }
  auto plan = plan_for(*chosen.which, wishes.arity);
  if (!plan) return std::move(plan).why();
  return engine::decision{plan.value(), wishes.segment_bytes, chosen.reason};
}

result<const engine::prepared*> group::plan_for(const algorithms::algorithm& which, int arity) {
  const options usual;
  const bool is_usual = arity == usual.arity || !which.takes_arity;
  auto& place = usual_[static_cast<std::size_t>(&which - algorithms::all().data())];
  if (is_usual) {
    if (const auto* plan = place.load(std::memory_order_acquire)) return plan;
  }
  const int shaping = which.takes_arity ? arity : usual.arity;
  const std::lock_guard lock(mutex_);
  const engine::prepared*& plan = plans_[{&which, shaping}];
  if (plan == nullptr) {
    const schedules::shape shape{site_->size(), 0, shaping};
    auto made = engine::prepare(std::string(which.id), which.what, static_cast<std::uint64_t>(shaping), which.shape,
                                algorithms::build(which, shape, site_->rank()));
    if (!is_usual) made.shape = fmt::format(" with arity {}", shaping);
    plan = site_->keep(std::move(made));
  }
  if (is_usual) place.store(plan, std::memory_order_release);
  return plan;
}

std::shared_ptr<group> join_group(const std::shared_ptr<context>& in, std::string_view name, std::int64_t sites,
                                  std::int64_t site) {
  constexpr std::int64_t least = std::numeric_limits<rank_id>::min();
  constexpr std::int64_t most = std::numeric_limits<rank_id>::max();
  const rank_id site_count =
      sites == num_sites_arg::by_default ? in->size() : static_cast<rank_id>(std::clamp(sites, least, most));
  const rank_id me =
      site == this_site_arg::by_default ? in->rank() : static_cast<rank_id>(std::clamp(site, least, most));
  const byte_count block = site_count >= 1 && site_count <= in->size() ? board::bytes_for(site_count) : 0;
  auto joined = in->names().join(name, site_count, me, in->rank(), block);
  if (!joined) throw error(joined.why().code, joined.why().text);
  auto held = std::make_shared<seat_holder>(in, std::move(joined).value());
  memory::site_facts facts{[held](rank_id of) { return held->seat.occupant(of); },
                           [held](rank_id of) { return held->seat.has_left(of); },
                           [held] { return held->in->names().clash(held->seat); }};
  auto port =
      std::make_unique<memory::memory_port>(in->job(), held->seat.block_offset, site_count, me, std::move(facts));
  auto made =
      std::make_shared<engine::site>(std::move(port), std::string(name), me, site_count, in->size(), in->pending());
  return std::make_shared<group>(in, std::move(made));
}

void run(group& on, const call& call, const options& wishes) {
  engine::call_failure failed;
  if (!on.where().is_mine())
    throw error(errc::invalid_state, "a process forked from a rank has no part in its communicators");
  auto decision = on.decide(call, wishes);
  if (decision) {
    if (on.site().run(call, decision.value(), failed)) return;
  } else {
    failed.why = on.site().run_refused(call, std::move(decision).why());
  }
  if (failed.thrown) std::rethrow_exception(failed.thrown);
  throw error(failed.why.code, fmt::format("communicator '{}': {}", on.site().name(), failed.why.text));
}

intrusive<operation> new_operation(group& on) { return on.site().new_operation(); }

void start(group& on, const call& call, const options& wishes, const intrusive<operation>& into, bool borrows) {
  auto& mine = static_cast<engine::operation&>(*into);
  if (borrows) mine.borrow();
  if (!on.where().is_mine())
    throw error(errc::invalid_state, "a process forked from a rank has no part in its communicators");
  auto decision = on.decide(call, wishes);
  if (decision) {
    on.site().start(call, decision.value(), mine);
  } else {
    on.site().start_refused(call, std::move(decision).why(), mine);
  }
}

}  // namespace tutti::core
