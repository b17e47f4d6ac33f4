// SPDX-License-Identifier: BSL-1.0
#include "engine/placement.hpp"

namespace tutti::engine {

using namespace schedules;

placement::placement(const core::call& call, const schedule& plan, std::uint64_t first, std::uint64_t count)
    : lengths_(count, assignment::parts(call.what, plan.size), plan.blocks),
      call_(&call),
      before_(first * call.type.bytes),
      staging_first_(plan.staging_first),
      width_(call.type.bytes) {
  const assignment who(call.what, plan.size, call.root, plan.blocks);
  input_held_ = who.input(plan.me);
  output_held_ = who.output(plan.me);
}

std::uint64_t placement::scratch_bytes(const schedule& plan) const noexcept {
  return static_cast<std::uint64_t>(plan.scratch_slots) * lengths_.largest() * width_;
}

std::uint64_t placement::staging_bytes(const schedule& plan) const noexcept {
  return lengths_.elements(plan.staging_first, plan.staging_end - plan.staging_first) * width_;
}

std::byte* placement::locate(const slice& s) const noexcept {
  if (elements(s) == 0) return nullptr;  // nothing of it is touched, and a buffer without elements may have no address
  switch (s.where) {
    case buffer::input:  // never written: the checker proves it
      return const_cast<std::byte*>(static_cast<const std::byte*>(call_->input)) + before_ +
             lengths_.offset(input_held_, s.first) * width_;
    case buffer::output:
      return static_cast<std::byte*>(call_->output) + before_ + lengths_.offset(output_held_, s.first) * width_;
    case buffer::staging: return staging_ + lengths_.elements(staging_first_, s.first - staging_first_) * width_;
    case buffer::scratch: return scratch_ + static_cast<std::uint64_t>(s.at) * lengths_.largest() * width_;
  }
  return nullptr;
}

}  // namespace tutti::engine
