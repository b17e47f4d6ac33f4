// SPDX-License-Identifier: BSL-1.0
#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <utility>

#include "api/check_call.hpp"
#include "api/group_state.hpp"
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

}  // namespace

group::group(std::shared_ptr<context> in, std::shared_ptr<engine::site> site)
    : context_(std::move(in)), site_(std::move(site)), usual_(algorithms::all().size()) {}

result<engine::decision> group::decide(const call& wanted, const options& wishes) {
  if (auto fit = check_call(wanted, site_->size(), site_->rank()); !fit) return std::move(fit).why();
  if (auto fit = check_options(wishes); !fit) return std::move(fit).why();
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
  schedules::shape shape{.size = site_->size()};
  if (has_root(wanted.what)) shape.root = wanted.root;
  if (chosen.which->takes_arity) shape.arity = wishes.arity;
  if (chosen.which->takes_pieces) shape.pieces = wishes.pieces;
  auto plan = plan_for(*chosen.which, shape);
  if (!plan) return std::move(plan).why();
  return engine::decision{plan.value(), wishes.segment_bytes, chosen.reason};
}

result<const engine::prepared*> group::plan_for(const algorithms::algorithm& which, const schedules::shape& wanted) {
  const schedules::shape usual{.size = wanted.size};
  const bool is_usual = wanted.root == usual.root && wanted.arity == usual.arity && wanted.pieces == usual.pieces;
  auto& place = usual_[static_cast<std::size_t>(&which - algorithms::all().data())];
  if (is_usual) {
    if (const auto* plan = place.load(std::memory_order_acquire)) return plan;
  }
  const std::lock_guard lock(mutex_);
  const engine::prepared*& plan = plans_[{&which, wanted.root, wanted.arity, wanted.pieces}];
  if (plan == nullptr) {
    const std::uint64_t variant =
        (static_cast<std::uint64_t>(wanted.arity) << 32) | static_cast<std::uint32_t>(wanted.pieces);
    auto made = engine::prepare(std::string(which.id), which.what, variant, which.shape,
                                algorithms::build(which, wanted, site_->rank()));
    if (wanted.arity != usual.arity) made.shape = fmt::format(" with arity {}", wanted.arity);
    if (wanted.pieces != usual.pieces) made.shape = fmt::format(" in {} pieces", wanted.pieces);
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
