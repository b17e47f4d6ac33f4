// SPDX-License-Identifier: BSL-1.0
#include "check/recognise.hpp"

#include <algorithm>
#include <vector>

namespace tutti::check {
namespace {

using namespace schedules;

/// The steps of a schedule taken apart by kind, in program order.
struct parts {
  std::vector<const step*> sends, receives, reduces, copies;
};

parts take_apart(const schedule& plan) {
  parts p;
  for (const step& s : plan.steps) {
    switch (s.kind) {
      case step_kind::send: p.sends.push_back(&s); break;
      case step_kind::receive: p.receives.push_back(&s); break;
      case step_kind::reduce: p.reduces.push_back(&s); break;
      case step_kind::copy: p.copies.push_back(&s); break;
    }
  }
  return p;
}

/// `peers` are all ranks but me, each once, in any order.
bool everyone_else(std::vector<rank_id> peers, rank_id me, rank_id size) {
  std::sort(peers.begin(), peers.end());
  rank_id next = 0;
  for (const rank_id peer : peers) {
    if (next == me) ++next;
    if (peer != next++) return false;
  }
  return peers.size() + 1 == static_cast<std::size_t>(size);
}

bool to_everyone_else(const schedule& plan, const step& s) {
  const auto peers = plan.peers_of(s);
  return everyone_else({peers.begin(), peers.end()}, plan.me, plan.size);
}

/// Receives of `what` from everyone else, each into scratch; who[r] is where rank r's lies.
bool one_from_everyone(const schedule& plan, const std::vector<const step*>& receives, slice what,
                       std::vector<slice>& who) {
  std::vector<rank_id> peers;
  who.assign(static_cast<std::size_t>(plan.size), what);
  for (const step* s : receives) {
    const rank_id from = plan.peers_of(*s).front();
    if (s->target.where != buffer::scratch || s->target.first != what.first || s->target.count != what.count)
      return false;
    peers.push_back(from);
    who[static_cast<std::size_t>(from)] = s->target;
  }
  return everyone_else(std::move(peers), plan.me, plan.size);
}

bool folds_in_rank_order(const schedule& plan, const step& reduce, slice target, const std::vector<slice>& who) {
  const auto operands = plan.operands_of(reduce);
  return reduce.target == target && std::equal(operands.begin(), operands.end(), who.begin(), who.end());
}

bool is_exchange(const schedule& plan, const parts& p) {
  if (p.sends.size() != 1 || p.reduces.size() != 1 || !p.copies.empty()) return false;
  if (p.sends[0]->target != input(0, plan.blocks) || !to_everyone_else(plan, *p.sends[0])) return false;
  std::vector<slice> who;
  return one_from_everyone(plan, p.receives, input(0, plan.blocks), who) &&
         folds_in_rank_order(plan, *p.reduces[0], output(0, plan.blocks), who);
}

bool is_exchange_slices(const schedule& plan, const parts& p) {
  const auto others = static_cast<std::size_t>(plan.size) - 1;
  if (plan.blocks != plan.size || others == 0) return false;
  if (p.sends.size() != others + 1 || p.receives.size() != 2 * others || p.reduces.size() != 1 || !p.copies.empty()) {
    return false;
  }
  std::vector<rank_id> scattered;
  for (std::size_t i = 0; i < others; ++i) {
    const auto peers = plan.peers_of(*p.sends[i]);
    if (peers.size() != 1 || p.sends[i]->target != input(peers.front())) return false;
    scattered.push_back(peers.front());
  }
  if (!everyone_else(scattered, plan.me, plan.size)) return false;
  const step& gather_send = *p.sends.back();
  if (gather_send.target != output(plan.me) || !to_everyone_else(plan, gather_send)) return false;
  const std::vector<const step*> contributions(p.receives.begin(),
                                               p.receives.begin() + static_cast<std::ptrdiff_t>(others));
  std::vector<slice> who;
  if (!one_from_everyone(plan, contributions, input(plan.me), who)) return false;
  if (!folds_in_rank_order(plan, *p.reduces[0], output(plan.me), who)) return false;
  std::vector<rank_id> gathered;
  for (std::size_t i = others; i < p.receives.size(); ++i) {
    const rank_id from = plan.peers_of(*p.receives[i]).front();
    if (p.receives[i]->target != output(from)) return false;
    gathered.push_back(from);
  }
  return everyone_else(std::move(gathered), plan.me, plan.size);
}

/// A barrier in one round: a word to everyone, a word from everyone.
bool is_token_exchange(const schedule& plan, const parts& p) {
  if (!p.reduces.empty() || !p.copies.empty() || p.sends.empty()) return false;
  std::vector<rank_id> told, heard;
  for (const step* s : p.sends) {
    const auto peers = plan.peers_of(*s);
    told.insert(told.end(), peers.begin(), peers.end());
    // A word that waits for another one belongs to a later round.
    for (const std::uint32_t before : plan.after_of(*s)) {
      if (plan.steps[before].kind == step_kind::receive) return false;
    }
  }
  for (const step* s : p.receives) heard.push_back(plan.peers_of(*s).front());
  return everyone_else(std::move(told), plan.me, plan.size) && everyone_else(std::move(heard), plan.me, plan.size);
}

}  // namespace

pattern recognise(const schedule& plan, bool moves_nothing) {
  const parts p = take_apart(plan);
  const auto is_one_slice = [](const step* message) { return message->operands.count == 0; };
  if (!std::all_of(p.sends.begin(), p.sends.end(), is_one_slice)) return pattern::stepwise;
  if (moves_nothing) return is_token_exchange(plan, p) ? pattern::exchange : pattern::stepwise;
  if (plan.size > 1 && is_exchange(plan, p)) return pattern::exchange;
  return is_exchange_slices(plan, p) ? pattern::exchange_slices : pattern::stepwise;
}

}  // namespace tutti::check
