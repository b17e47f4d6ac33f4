// SPDX-License-Identifier: BSL-1.0
#include "engine/operation.hpp"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "engine/site.hpp"

namespace tutti::engine {

bool operation::poll() {
  if (ready()) return true;
  owner_->poll();
  return ready();
}

bool operation::wait_until(time_point until) { return ready() || owner_->wait_for(*this, until); }

void operation::abandon() noexcept {
  if (borrows_ && !ready()) owner_->detach(*this);
}

void operation::keep_own_copies() {
  core::call& call = work.call;
  const std::size_t bytes = call.count * call.type.bytes;
  const auto* const input = static_cast<const std::byte*>(call.input);
  auto* const output = static_cast<std::byte*>(call.output);
  const bool refused = work.how.plan == nullptr;  // its arguments may be anything, and nothing looks at them
  if (bytes != 0 && !refused) {
    own_output_.assign(output, output + bytes);
    if (call.input == call.output) {
      call.input = own_output_.data();
    } else {
      own_input_.assign(input, input + bytes);
      call.input = own_input_.data();
    }
    call.output = own_output_.data();
  }
  borrows_ = false;
}

std::exception_ptr operation::error_of(progress how) {
  if (how != progress::failed) return nullptr;
  if (work.thrown) return std::move(work.thrown);
  return std::make_exception_ptr(
      tutti::error(work.why.code, fmt::format("communicator '{}': {}", owner_->name(), work.why.text)));
}

void operation::end(progress how) noexcept { complete(error_of(how)); }

void operation::end_at_once(progress how) noexcept { complete_unshared(error_of(how)); }

void operation::fail(failure why) noexcept {
  work.why = std::move(why);
  end_at_once(progress::failed);
}

void operation::dispose() noexcept {
  drop_operator();
  own_input_ = {};
  own_output_ = {};
  borrows_ = false;
  reset();
  const std::shared_ptr<site> owner = std::move(owner_);
  if (owner) {
    owner->take_back(this);
  } else {
    delete this;
  }
}

}  // namespace tutti::engine
