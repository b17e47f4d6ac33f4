// SPDX-License-Identifier: BSL-1.0
// The execution of any schedule, step by step over a port. The vector is cut into segments; the schedule runs
// over as many segments at once as there are lanes, each on a lane of its own, which makes a pipeline of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/aligned_bytes.hpp"
#include "engine/placement.hpp"
#include "engine/prepared.hpp"
#include "engine/surroundings.hpp"

namespace tutti::engine {

/// One segment's way through the schedule.
class segment_run {
 public:
  void begin(const activity& a, int lane, const placement& segment);

  /// Executes what is ready until nothing moves. Failed: `why` tells, or the operator threw (success).
  progress advance(surroundings& at, activity& a, failure& why);

  bool busy() const noexcept { return open_ != 0; }
  void reset() noexcept { open_ = 0; }

 private:
  enum class outcome : std::uint8_t { waiting, complete, failed };

  outcome execute(surroundings& at, activity& a, std::uint32_t index, failure& why);
  outcome send(surroundings& at, activity& a, std::uint32_t index, failure& why);
  outcome receive(surroundings& at, activity& a, std::uint32_t index, failure& why);
  bool accept(surroundings& at, activity& a, std::uint32_t index, const fragment& part);
  bool fold_arriving(surroundings& at, activity& a, std::uint32_t reduce, const schedules::slice& arriving,
                     std::span<const std::byte> bytes, std::uint64_t done_bytes);
  std::uint64_t message_bytes(const schedules::step& s) const noexcept;
  std::span<std::byte> rest_of_slice(const schedules::step& s, std::uint64_t moved) const noexcept;
  bool combine(surroundings& at, activity& a, std::uint32_t index);
  void complete(std::uint32_t index);

  const prepared* plan_ = nullptr;
  placement where_;
  int lane_ = 0;
  std::size_t width_ = 1;
  std::uint32_t open_ = 0;  ///< steps not yet complete
  std::vector<std::uint32_t> waits_for_;
  std::vector<std::uint32_t> ready_;
  std::vector<std::uint64_t> moved_;       ///< receive: bytes that came
  std::vector<std::uint64_t> peer_moved_;  ///< parallel to plan.peers: bytes sent to each
  std::vector<std::uint8_t> streaming_;    ///< receive: 0 undecided, 1 into scratch, 2 straight into the reduce
};

class stepwise_run {
 public:
  /// False: the operator threw.
  bool seed(activity& a);
  progress advance(surroundings& at, activity& a);
  void begin(surroundings& at, activity& a);

 private:
  void begin_segment(activity& a, int lane);

  segment_run lanes_[lanes_per_pair];
  std::byte* temporary_[lanes_per_pair] = {};  ///< scratch, then staging
  aligned_bytes seeded_;
  std::uint64_t scratch_bytes_ = 0;  ///< of a lane, in whole cache lines
  std::uint64_t segment_elements_ = 0;
  std::uint64_t segments_ = 0;
  std::uint64_t begun_ = 0;
};

}  // namespace tutti::engine
