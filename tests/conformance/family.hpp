// SPDX-License-Identifier: BSL-1.0
// The collectives that move blocks, and the scans, in all their forms: every algorithm x root x count x in place x
// blocking x segments, each rank judging its own memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/registry.hpp"
#include "conformance/verdict.hpp"
#include "support/share.hpp"
#include "tutti/tutti.hpp"

namespace tutti::conformance {

class family {
 public:
  explicit family(communicator comm) : comm_(std::move(comm)) {}

  verdict run() {
    for (const auto& which : algorithms::all()) {
      if (which.what == collective::barrier || which.what == collective::all_reduce) continue;
      for (const rank_id root : roots(which.what)) call_by(which, root);
    }
    for (const rank_id root : roots(collective::broadcast)) call_with_values(root);
    return verdict_;
  }

 private:
  using order = schedules::operand_order;

  std::set<rank_id> roots(collective what) const {
    const rank_id last = comm_.size() - 1;
    if (!has_root(what)) return {0};
    if (last > 8) return {0, 1, last / 2, last};
    std::set<rank_id> all;
    for (rank_id r = 0; r <= last; ++r) all.insert(r);
    return all;
  }

  void call_by(const algorithms::algorithm& which, rank_id root) {
    const auto P = static_cast<std::uint64_t>(comm_.size());
    options wishes{.algorithm = which.id};
    for (const int variant : which.takes_arity || which.takes_pieces ? std::vector{2, 3} : std::vector{2}) {
      if (which.takes_arity) wishes.arity = variant;
      if (which.takes_pieces) wishes.pieces = variant == 2 ? 8 : 3;
      const bool in_parts = schedules::assignment::parts(which.what, comm_.size()) > 1;
      // More than fits between two ranks at once, of the larger elements.
      const std::uint64_t long_count = (in_parts ? 6'001 : 20'001) / (P > 8 ? 4 : 1);
      const bool many = P > 5;  // whose cases take long: in place whole, elsewhere cut
      for (const std::uint64_t count : std::set<std::uint64_t>{0, 1, P - 1, P + 1, 101, long_count}) {
        const bool large = count > 1000;
        if (large && (root != comm_.size() / 2 || variant != 2) && has_root(which.what)) continue;
        for (const bool in_place : {false, true}) {
          for (const bool cut : {false, true}) {
            if ((large || many) && in_place == cut) continue;  // in two of the four forms
            wishes.segment_bytes = !cut ? 0 : large ? 4'096 : 64;
            const test::occasion on{which.what, comm_.size(), root, count, in_place, verdict_.cases % 3};
            call_kinds(which, on, (verdict_.cases / 3) % 2 == 0, wishes);
          }
        }
      }
    }
  }

  void call_kinds(const algorithms::algorithm& which, const test::occasion& on, bool blocking, const options& wishes) {
    if (!has_operator(on.what) && on.count > 1000) {
      call<test::affine_maps<test::composition>>(on, blocking, wishes);
    } else if (!has_operator(on.what)) {
      call<test::tallies>(on, blocking, wishes);
    } else if (which.order == order::any) {
      call<test::tallies>(on, blocking, wishes);
    } else {
      call<test::affine_maps<test::doubtful_composition>>(on, blocking, wishes);
      call<test::affine_maps<test::composition>>(on, !blocking, wishes);
      if (which.order == order::left_fold) call<test::left_folds>(on, blocking, wishes);
    }
  }

  template <class Kind>
  void call(const test::occasion& on, bool blocking, const options& wishes) {
    ++verdict_.cases;
    test::share<Kind> mine(on, comm_.rank());
    if (blocking) {
      issue<Kind>(on, mine, wishes, launch::sync);
    } else {
      issue<Kind>(on, mine, wishes);
    }
    judge(on, Kind::name, wishes, mine.complaint());
    if (on.what != collective::exclusive_scan) return;
    ++verdict_.cases;
    const auto start = Kind::contribution(77, 5, on.salt);
    test::share<Kind> seeded(on, comm_.rank());
    const auto in = on.in_place ? std::span<const typename Kind::element>(seeded.output()) : seeded.input();
    if (blocking) {
      exclusive_scan(launch::sync, comm_, in, seeded.output(), start, Kind::combine(), wishes);
    } else {
      exclusive_scan(comm_, in, seeded.output(), start, Kind::combine(), wishes).get();
    }
    judge(on, Kind::name, wishes, seeded.complaint(start));
  }

  /// One call in its form from and to ranges, or in place; `sync` is launch::sync or nothing.
  template <class Kind, class... Sync>
  void issue(const test::occasion& on, test::share<Kind>& mine, const options& wishes, Sync... sync) {
    const auto in = mine.input();
    const auto out = mine.output();
    const auto both = mine.both();
    const root_site_arg root(on.root);
    const auto op = Kind::combine();
    const auto done = [](auto&&... ended) { (ended.get(), ...); };
    const auto each = [&](auto between, auto in_one_place) {
      if constexpr (sizeof...(Sync) == 0) {
        done(on.in_place ? in_one_place() : between());
      } else {
        on.in_place ? in_one_place() : between();
      }
    };
    switch (on.what) {
      case collective::broadcast: {
        const std::span whole = comm_.rank() == on.root && !on.in_place ? copy_to(in, out) : out;
        each([&] { return broadcast(sync..., comm_, whole, root, wishes); },
             [&] { return broadcast(sync..., comm_, whole, root, wishes); });
        break;
      }
      case collective::gather:
        each([&] { return gather(sync..., comm_, in, out, root, wishes); },
             [&] {
               return gather(sync..., comm_, in_place, comm_.rank() == on.root ? both : writable(in), root, wishes);
             });
        break;
      case collective::scatter:
        each([&] { return scatter(sync..., comm_, in, out, root, wishes); },
             [&] { return scatter(sync..., comm_, in_place, both, root, wishes); });
        break;
      case collective::reduce:
        each([&] { return reduce(sync..., comm_, in, out, op, root, wishes); },
             [&] {
               return reduce(sync..., comm_, in_place, comm_.rank() == on.root ? both : writable(in), op, root, wishes);
             });
        break;
      case collective::all_gather:
        each([&] { return all_gather(sync..., comm_, in, out, wishes); },
             [&] { return all_gather(sync..., comm_, in_place, both, wishes); });
        break;
      case collective::all_to_all:
        each([&] { return all_to_all(sync..., comm_, in, out, wishes); },
             [&] { return all_to_all(sync..., comm_, in_place, both, wishes); });
        break;
      case collective::reduce_scatter:
        each([&] { return reduce_scatter(sync..., comm_, in, out, op, wishes); },
             [&] { return reduce_scatter(sync..., comm_, in_place, both, op, wishes); });
        break;
      case collective::inclusive_scan:
        each([&] { return inclusive_scan(sync..., comm_, in, out, op, wishes); },
             [&] { return inclusive_scan(sync..., comm_, in_place, both, op, wishes); });
        break;
      case collective::exclusive_scan:
        each([&] { return exclusive_scan(sync..., comm_, in, out, op, wishes); },
             [&] { return exclusive_scan(sync..., comm_, in_place, both, op, wishes); });
        break;
      case collective::all_reduce:
      case collective::barrier: break;
    }
  }

  template <class T>
  static std::span<T> copy_to(std::span<const T> from, std::span<T> to) {
    if (!from.empty()) std::memcpy(static_cast<void*>(to.data()), from.data(), from.size_bytes());
    return to;
  }
  template <class T>
  static std::span<T> writable(std::span<const T> in) {
    return {const_cast<T*>(in.data()), in.size()};
  }

  /// The forms that take and give values, whole and in halves.
  void call_with_values(rank_id root);

  void judge(const test::occasion& on, const char* kind, const options& wishes,
             const std::optional<std::string>& complaint) {
    if (!complaint) return;
    note(verdict_, fmt::format("rank {} of {}: {} root {} arity {} pieces {}, {} {}{}, segments of {} bytes: {}",
                               comm_.rank(), comm_.size(), wishes.algorithm, on.root, wishes.arity, wishes.pieces,
                               on.count, kind, on.in_place ? " in place" : "", wishes.segment_bytes, *complaint));
  }
  void judge_value(const char* form, rank_id root, bool right) {
    ++verdict_.cases;
    if (!right) note(verdict_, fmt::format("rank {} of {}: {}, root {}", comm_.rank(), comm_.size(), form, root));
  }

  communicator comm_;
  verdict verdict_;
};

inline void family::call_with_values(rank_id root) {
  const int me = comm_.rank();
  const int P = comm_.size();
  const root_site_arg at(root);
  const bool is_root = me == root;
  const auto value = [](int rank, int index = 0) { return 1'000 * rank + 7 * index + 3; };
  std::vector<int> mine;
  std::vector<int> of_all;
  std::vector<int> for_me;
  int below = 0;
  for (int r = 0; r < P; ++r) {
    mine.push_back(value(me, r));
    of_all.push_back(value(r));
    for_me.push_back(value(r, me));
    if (r < me) below += value(r);
  }
  int sum = 0;
  for (const int one : of_all) sum += one;
  int sum_for_me = 0;
  for (const int one : for_me) sum_for_me += one;
  const std::vector<int> none;

  judge_value("broadcast", root, broadcast(comm_, value(me), at).get() == value(root));
  judge_value("broadcast, blocking", root, broadcast(launch::sync, comm_, value(me), at) == value(root));
  judge_value("broadcast halves", root,
              (is_root ? broadcast_to(comm_, value(me)) : broadcast_from<int>(comm_, at)).get() == value(root));
  judge_value("broadcast halves, blocking", root,
              (is_root ? broadcast_to(launch::sync, comm_, value(me)) : broadcast_from<int>(launch::sync, comm_, at)) ==
                  value(root));
  judge_value("gather", root, gather(comm_, value(me), at).get() == (is_root ? of_all : none));
  judge_value("gather, blocking", root, gather(launch::sync, comm_, value(me), at) == (is_root ? of_all : none));
  if (is_root) {
    judge_value("gather_here", root, gather_here(comm_, value(me)).get() == of_all);
    judge_value("gather_here, blocking", root, gather_here(launch::sync, comm_, value(me)) == of_all);
  } else {
    gather_there(comm_, value(me), at).get();
    gather_there(launch::sync, comm_, value(me), at);
    verdict_.cases += 2;
  }
  const std::vector<int> given = is_root ? mine : none;
  judge_value("scatter", root, scatter(comm_, given, at).get() == value(root, me));
  judge_value("scatter, blocking", root, scatter(launch::sync, comm_, given, at) == value(root, me));
  judge_value("scatter halves", root,
              (is_root ? scatter_to(comm_, mine) : scatter_from<int>(comm_, at)).get() == value(root, me));
  judge_value("scatter halves, blocking", root,
              (is_root ? scatter_to(launch::sync, comm_, mine) : scatter_from<int>(launch::sync, comm_, at)) ==
                  value(root, me));
  judge_value("reduce", root, reduce(comm_, value(me), std::plus{}, at).get() == (is_root ? sum : value(me)));
  judge_value("reduce, blocking", root,
              reduce(launch::sync, comm_, value(me), std::plus{}, at) == (is_root ? sum : value(me)));
  if (is_root) {
    judge_value("reduce_here", root, reduce_here(comm_, value(me), std::plus{}).get() == sum);
    judge_value("reduce_here, blocking", root, reduce_here(launch::sync, comm_, value(me), std::plus{}) == sum);
  } else {
    reduce_there(comm_, value(me), std::plus{}, at).get();
    reduce_there(launch::sync, comm_, value(me), std::plus{}, at);
    verdict_.cases += 2;
  }
  judge_value("all_gather", root, all_gather(comm_, value(me)).get() == of_all);
  judge_value("all_gather, blocking", root, all_gather(launch::sync, comm_, value(me)) == of_all);
  std::vector<bool> bits;
  for (int r = 0; r < P; ++r) bits.push_back(r % 3 == root % 3);
  judge_value("all_gather of bool", root, all_gather(comm_, me % 3 == root % 3).get() == bits);
  judge_value("all_to_all", root, all_to_all(comm_, mine).get() == for_me);
  judge_value("all_to_all, blocking", root, all_to_all(launch::sync, comm_, mine) == for_me);
  judge_value("all_to_all of bool", root,
              all_to_all(comm_, bits).get() == std::vector<bool>(bits.size(), bits[static_cast<std::size_t>(me)]));
  judge_value("reduce_scatter", root, reduce_scatter(comm_, mine, std::plus{}).get() == sum_for_me);
  judge_value("reduce_scatter, blocking", root, reduce_scatter(launch::sync, comm_, mine, std::plus{}) == sum_for_me);
  judge_value("inclusive_scan", root, inclusive_scan(comm_, value(me), std::plus{}).get() == below + value(me));
  judge_value("inclusive_scan, blocking", root,
              inclusive_scan(launch::sync, comm_, value(me), std::plus{}) == below + value(me));
  judge_value("exclusive_scan", root, exclusive_scan(comm_, value(me), std::plus{}).get() == below);
  judge_value("exclusive_scan, blocking", root, exclusive_scan(launch::sync, comm_, value(me), std::plus{}) == below);
  judge_value("exclusive_scan from a value", root,
              exclusive_scan(comm_, 1.0 * value(me), 40, std::plus{}).get() == 40.0 + below);
  judge_value("exclusive_scan from a value, blocking", root,
              exclusive_scan(launch::sync, comm_, 1.0 * value(me), 40, std::plus{}) == 40.0 + below);
}

}  // namespace tutti::conformance
