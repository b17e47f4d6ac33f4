// SPDX-License-Identifier: BSL-1.0
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "check/describe.hpp"
#include "check/structure.hpp"

namespace tutti::check {

using schedules::schedule;
using schedules::slice;
using schedules::step;
using schedules::step_kind;

namespace {

/// For each step the set of steps that are certainly complete when it starts.
class ancestors {
 public:
  explicit ancestors(const schedule& s) : words_((s.steps.size() + 63) / 64), bits_(words_ * s.steps.size()) {
    for (std::uint32_t i = 0; i < s.steps.size(); ++i) {
      for (const std::uint32_t earlier : s.after_of(s.steps[i])) {
        for (std::size_t w = 0; w < words_; ++w) bits_[i * words_ + w] |= bits_[earlier * words_ + w];
        bits_[i * words_ + earlier / 64] |= std::uint64_t{1} << (earlier % 64);
      }
    }
  }
  bool has(std::uint32_t earlier, std::uint32_t later) const {
    return (bits_[later * words_ + earlier / 64] >> (earlier % 64) & 1U) != 0;
  }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

/// Who used one block of the vector, or one slot of scratch, so far.
struct usage {
  std::optional<std::uint32_t> writer;
  std::vector<std::uint32_t> readers;  // since then
};

class race_finder {
 public:
  explicit race_finder(const schedule& s)
      : schedule_(s),
        before_(s),
        vector_(static_cast<std::size_t>(s.blocks)),
        staging_(static_cast<std::size_t>(s.staging_end)),
        scratch_(static_cast<std::size_t>(s.scratch_slots)) {}

  std::optional<std::string> run() {
    for (std::uint32_t i = 0; i < schedule_.steps.size() && !race_; ++i) {
      const step& what = schedule_.steps[i];
      const bool receives = what.kind == step_kind::receive;
      for (const slice& operand : schedule_.operands_of(what)) receives ? write(operand, i) : read(operand, i);
      what.kind == step_kind::send ? read(what.target, i) : write(what.target, i);
    }
    return race_;
  }

 private:
  std::span<usage> places(const slice& what) {
    using schedules::buffer;
    auto& all = what.where == buffer::scratch ? scratch_ : what.where == buffer::staging ? staging_ : vector_;
    return std::span(all).subspan(static_cast<std::size_t>(what.at), static_cast<std::size_t>(what.count));
  }

  void read(const slice& what, std::uint32_t me) {
    for (usage& place : places(what)) {
      if (place.writer) require(*place.writer, me, what);
      if (place.readers.empty() || place.readers.back() != me) place.readers.push_back(me);
    }
  }

  void write(const slice& what, std::uint32_t me) {
    for (usage& place : places(what)) {
      for (const std::uint32_t reader : place.readers) require(reader, me, what);
      if (place.writer) require(*place.writer, me, what);
      place.writer = me;
      place.readers.clear();
    }
  }

  void require(std::uint32_t earlier, std::uint32_t later, const slice& what) {
    if (race_ || earlier == later || before_.has(earlier, later)) return;
    race_ = fmt::format("{}: may run before or beside step {} of the same rank, and both touch {} ({}); it must wait",
                        describe(schedule_, later), earlier, describe(what), describe(schedule_, earlier));
  }

  const schedule& schedule_;
  ancestors before_;
  std::vector<usage> vector_;  // block i of input and of output are one place: the call may be in place
  std::vector<usage> staging_;
  std::vector<usage> scratch_;
  std::optional<std::string> race_;
};

}  // namespace

std::optional<std::string> find_race(const schedule& s) { return race_finder(s).run(); }

}  // namespace tutti::check
