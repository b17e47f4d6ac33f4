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
  if (ready()) return true;
  owner_->rest_after_vain_poll();
  return false;
}

bool operation::wait_until(time_point until) { return ready() || owner_->wait_for(*this, until); }

void operation::abandon() noexcept {
  if (!borrows_ || ready()) return;
  // The caller's buffers are about to go: without memory for copies there is nothing but to finish first.
  if (!owner_->detach(*this)) wait_until(time_point::max());
}

namespace {

static_assert(static_cast<std::size_t>(element_alignment) == core::operation::largest_alignment);

aligned_bytes copy_of(const void* memory, std::size_t bytes) noexcept {
  aligned_bytes made = allocate_aligned(bytes);
  if (made != nullptr && bytes != 0) std::memcpy(made.get(), memory, bytes);
  return made;
}

}  // namespace

bool operation::keep_own_copies() noexcept {
  core::call& call = work.call;
  const bool refused = work.how.plan == nullptr;  // its arguments may be anything, and nothing looks at them
  if (!refused) {
    const bool in_place = call.input == call.output;
    aligned_bytes output = copy_of(call.output, call.output_count * call.type.bytes);
    aligned_bytes input = in_place ? nullptr : copy_of(call.input, call.input_count * call.type.bytes);
    if (output == nullptr || (input == nullptr && !in_place)) return false;
    own_output_ = std::move(output);
    own_input_ = std::move(input);
    call.output = own_output_.get();
    call.input = in_place ? own_output_.get() : own_input_.get();
  }
  borrows_ = false;
  return true;
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
  own_input_.reset();
  own_output_.reset();
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
