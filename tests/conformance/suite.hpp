// SPDX-License-Identifier: BSL-1.0
// The conformance suite of all_reduce and barrier: one list of cases, to be run by every rank of any world. Ranks run
// the same cases in the same order and each judges its own results; ranks must agree bit for bit, which they check by
// reducing a hash of what they hold.
#pragma once

#include <fmt/format.h>

#include <sched.h>

#include <atomic>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/registry.hpp"
#include "conformance/verdict.hpp"
#include "support/kinds.hpp"
#include "tutti/core/type_identity.hpp"
#include "tutti/tutti.hpp"

namespace tutti::conformance {

inline constexpr int barrier_rounds = 40;

/// Zeroed, and shared by all ranks: how many have come to each barrier of each algorithm.
struct attendance {
  static constexpr int most_barriers = 4096;
  std::atomic<std::uint32_t> arrived[most_barriers];
};

/// How one case makes its call.
struct shape_of_call {
  std::string_view algorithm;
  int arity = 2;
  std::uint64_t count = 0;
  bool in_place = false;
  std::uint64_t segment_bytes = 0;
  bool blocking = false;
};

class suite {
 public:
  suite(communicator comm, attendance& shared) : comm_(std::move(comm)), shared_(&shared) {}

  verdict run() {
    for (const auto& which : algorithms::all()) {
      if (which.what == collective::barrier) {
        hold_barriers(which);
      } else if (which.what == collective::all_reduce) {
        reduce_by(which);
      }
    }
    return verdict_;
  }

 private:
  using order = schedules::operand_order;

  /// An algorithm that keeps a stricter order serves operators with weaker needs.
  static bool serves(order kept, order needed) {
    const auto strictness = [](order o) { return o == order::any ? 0 : o == order::rank ? 1 : 2; };
    return strictness(kept) >= strictness(needed);
  }

  void reduce_by(const algorithms::algorithm& which) {
    const auto P = static_cast<std::uint64_t>(comm_.size());
    for (const int arity : which.takes_arity ? std::vector{2, 3} : std::vector{2}) {
      for (const std::uint64_t count : std::set<std::uint64_t>{0, 1, P - 1, P, P + 1, 2 * P + 3, 101, 40'001}) {
        for (const bool in_place : {false, true}) {
          for (const bool cut : {false, true}) {
            const bool large = count > 1000;
            const std::uint64_t segment = !cut ? 0 : large ? 16'384 : 64;
            for (const bool blocking : {false, true}) {
              if (large && blocking != (in_place == cut)) continue;  // long ones in one form each
              reduce_all_kinds(which, {which.id, arity, count, in_place, segment, blocking});
            }
          }
        }
      }
      reduce_values(which, arity);
    }
  }

  void reduce_all_kinds(const algorithms::algorithm& which, const shape_of_call& how) {
    if (serves(which.order, order::rank)) {
      if (how.count % 2 == 0) {
        reduce<test::affine_maps<test::composition>>(which, how);
      } else {
        reduce<test::affine_maps<test::doubtful_composition>>(which, how);
      }
    } else {
      reduce<test::tallies>(which, how);
    }
    if (serves(which.order, order::left_fold)) reduce<test::left_folds>(which, how);
    reduce<test::real_sums>(which, how);
  }

  /// The naive answer, remembered for each salt.
  template <class Kind>
  const std::vector<typename Kind::element>& expected(std::uint64_t count, std::uint64_t salt) {
    static thread_local std::map<std::tuple<int, std::uint64_t, std::uint64_t>, std::vector<typename Kind::element>>
        all;
    auto& known = all[{comm_.size(), count, salt}];
    auto combine = Kind::combine();
    for (std::uint64_t i = known.size(); i < count; ++i) {
      auto folded = Kind::contribution(0, i, salt);
      for (std::uint64_t r = 1; r < static_cast<std::uint64_t>(comm_.size()); ++r) {
        folded = combine_two(combine, folded, Kind::contribution(r, i, salt));
      }
      known.push_back(folded);
    }
    return known;
  }
  template <class Op, class T>
  static T combine_two(Op& op, const T& a, const T& b) {
    return op(a, b);
  }

  template <class Kind>
  void reduce(const algorithms::algorithm& which, const shape_of_call& how) {
    using element = typename Kind::element;
    const std::uint64_t salt = verdict_.cases++ % 3;
    std::vector<element> in;
    for (std::uint64_t i = 0; i < how.count; ++i) {
      in.push_back(Kind::contribution(static_cast<std::uint64_t>(comm_.rank()), i, salt));
    }
    std::vector<element> out(how.in_place ? in : std::vector<element>(how.count));
    if (!how.in_place && !out.empty()) std::memset(static_cast<void*>(out.data()), 0xA5, out.size() * sizeof(element));
    const std::vector<element> before = in;
    const options wishes{.algorithm = how.algorithm, .segment_bytes = how.segment_bytes, .arity = how.arity};
    if (how.in_place) {
      if (how.blocking) {
        all_reduce(launch::sync, comm_, in_place, out, Kind::combine(), wishes);
      } else {
        all_reduce(comm_, in_place, out, Kind::combine(), wishes).get();
      }
    } else if (how.blocking) {
      all_reduce(launch::sync, comm_, std::as_const(in), out, Kind::combine(), wishes);
    } else {
      all_reduce(comm_, std::as_const(in), out, Kind::combine(), wishes).get();
    }
    if (!same_bytes(in, before)) note(how, Kind::name, "an input was written");
    if (Kind::is_exact || which.order == order::left_fold)
      compare(how, Kind::name, out, expected<Kind>(how.count, salt));
    if (!Kind::is_exact) compare_with_others(how, Kind::name, out);
  }

  void reduce_values(const algorithms::algorithm& which, int arity) {
    for (const bool blocking : {false, true}) {
      const shape_of_call how{which.id, arity, 1, false, 0, blocking};
      const options wishes{.algorithm = which.id, .arity = arity};
      const std::uint64_t salt = verdict_.cases++ % 3;
      const auto mine = test::tallies::contribution(static_cast<std::uint64_t>(comm_.rank()), 0, salt);
      std::vector<test::tally> got;
      if (blocking) {
        got.push_back(all_reduce(launch::sync, comm_, mine, test::tallies::combine(), wishes));
      } else {
        got.push_back(all_reduce(comm_, mine, test::tallies::combine(), wishes).get());
      }
      compare(how, "one value", got, expected<test::tallies>(1, salt));
    }
  }

  template <class T>
  static bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
  }

  template <class T>
  void compare(const shape_of_call& how, const char* kind, const std::vector<T>& got, const std::vector<T>& wanted) {
    if (same_bytes(got, wanted)) return;
    std::size_t i = 0;
    while (i < got.size() && std::memcmp(&got[i], &wanted[i], sizeof(T)) == 0) ++i;
    note(how, kind, fmt::format("element {} is wrong", i));
  }

  /// Every rank holds the same bits.
  template <class T>
  void compare_with_others(const shape_of_call& how, const char* kind, const std::vector<T>& got) {
    const std::uint64_t mine = core::hash_text({reinterpret_cast<const char*>(got.data()), got.size() * sizeof(T)});
    const std::uint64_t extremes[2] = {mine, ~mine};
    std::uint64_t least[2];
    all_reduce(launch::sync, comm_, extremes, least, tutti::min{});
    if (least[0] != ~least[1]) note(how, kind, "the ranks hold different bits");
  }

  void note(const shape_of_call& how, const char* kind, const std::string& what) {
    conformance::note(
        verdict_, fmt::format("rank {} of {}: {} arity {}, {} {}{}, segments of {} bytes, {}: {}", comm_.rank(),
                              comm_.size(), how.algorithm, how.arity, how.count, kind, how.in_place ? " in place" : "",
                              how.segment_bytes, how.blocking ? "blocking" : "with a future", what));
  }

  /// No rank leaves a barrier before all have come.
  void hold_barriers(const algorithms::algorithm& which) {
    const auto everyone = static_cast<std::uint32_t>(comm_.size());
    for (int round = 0; round < barrier_rounds; ++round) {
      ++verdict_.cases;
      const bool blocking = round % 2 == 0;
      auto& arrived = shared_->arrived[next_barrier_++];
      if (round % comm_.size() == comm_.rank()) {  // someone is late, each in turn
        for (int i = 0; i < 20; ++i) sched_yield();
      }
      arrived.fetch_add(1, std::memory_order_relaxed);
      if (blocking) {
        barrier(launch::sync, comm_, {.algorithm = which.id});
      } else {
        barrier(comm_, {.algorithm = which.id}).get();
      }
      const std::uint32_t seen = arrived.load(std::memory_order_relaxed);
      if (seen == everyone) continue;
      note({which.id, 2, 0, false, 0, blocking}, "barrier", fmt::format("left when {} had arrived", seen));
    }
  }

  communicator comm_;
  attendance* shared_;
  verdict verdict_;
  int next_barrier_ = 0;
};

}  // namespace tutti::conformance
