// SPDX-License-Identifier: BSL-1.0
// How calls come to a site: on the caller's thread, in the background, one behind the other.
#include <fmt/format.h>

#include <time.h>

#include <thread>
#include <utility>

#include "engine/pending_sites.hpp"
#include "engine/site.hpp"

namespace tutti::engine {
namespace {

/// A call that peers answer within about a hop is worth waiting for: it saves the queue.
constexpr std::uint64_t looks_before_queueing = 24;

/// The time of the latest timer interrupt: cheap enough for every look.
std::int64_t coarse_milliseconds() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

/// Counts a thread that may sleep in wait_for().
class waiting_thread {
 public:
  explicit waiting_thread(std::atomic<int>& count) noexcept : count_(&count) { count_->fetch_add(1); }
  ~waiting_thread() { count_->fetch_sub(1, std::memory_order_relaxed); }
  waiting_thread(const waiting_thread&) = delete;
  waiting_thread& operator=(const waiting_thread&) = delete;

 private:
  std::atomic<int>* count_;
};

}  // namespace

bool site::hold_as_caller(failure& why) noexcept {
  while (!try_hold()) {
    if (caller_.load(std::memory_order_relaxed)) {
      misused_.store(true, std::memory_order_relaxed);
      why = {errc::concurrent_use,
             fmt::format("communicator '{}': another thread of rank {} is inside a call on it; give "
                         "each thread a communicator of its own",
                         name_, me_)};
      return false;
    }
    std::this_thread::yield();
  }
  caller_.store(true, std::memory_order_relaxed);
  return true;
}

void site::let_caller_go() noexcept {
  caller_.store(false, std::memory_order_relaxed);
  let_go();
}

bool site::run(const core::call& call, const decision& how, call_failure& why) {
  if (!hold_as_caller(why.why)) return false;
  if (broken_.code != errc::success) [[unlikely]] {
    why.why = broken_;
    let_caller_go();
    return false;
  }
  if (!queue_.empty()) return run_behind_others(call, how, why);
  begin(current_, call, how);
  const progress end = size_ == 1 ? run_local(current_) : wait_out(current_);
  finish(current_, end);
  if (end == progress::failed) why = {size_ == 1 ? current_.complaint : current_.why, std::move(current_.thrown)};
  let_caller_go();
  return end == progress::done;
}

bool site::run_behind_others(const core::call& call, const decision& how, call_failure& why) {
  const intrusive<operation> behind = new_operation();
  begin(behind->work, call, how);
  enqueue(*behind);
  let_go();  // but not as caller: until this returns no other thread may issue
  wait_for(*behind, core::completion::time_point::max());
  const bool well = behind->error() == nullptr;
  if (!well) why = {behind->work.why, behind->error()};
  caller_.store(false, std::memory_order_relaxed);
  return well;
}

failure site::run_refused(const core::call& call, failure complaint) {
  const intrusive<operation> refused = new_operation();
  start_refused(call, std::move(complaint), *refused);
  refused->wait_until(core::completion::time_point::max());
  return refused->work.why;
}

void site::start_refused(const core::call& call, failure complaint, operation& into) {
  failure why;
  if (!hold_as_caller(why)) return into.fail(std::move(why));
  if (broken_.code != errc::success || size_ == 1) {
    failure told = broken_.code != errc::success ? broken_ : std::move(complaint);
    let_caller_go();
    return into.fail(std::move(told));
  }
  begin(into.work, call, {});
  if (into.work.complaint.code == errc::success) into.work.complaint = std::move(complaint);
  enqueue(into);
  let_caller_go();
  poll();
}

void site::start(const core::call& call, const decision& how, operation& into) {
  failure why;
  if (!hold_as_caller(why)) return into.fail(std::move(why));
  if (broken_.code != errc::success) [[unlikely]] {
    failure told = broken_;
    let_caller_go();
    return into.fail(std::move(told));
  }
  activity& a = into.work;
  begin(a, call, how);
  if (queue_.empty()) {
    progress p = size_ == 1 ? run_local(a) : advance(a);
    wait w(learned_);
    while (p == progress::blocked && a.arrived != size_ && w.looks() < looks_before_queueing && w.spin()) {
      if (all_arrived(around(), a)) p = advance(a);
    }
    tally_.add_looks(w.looks());
    if (p != progress::blocked) {
      if (p == progress::failed && size_ == 1) a.why = a.complaint;
      finish(a, p);
      let_caller_go();
      return into.end_at_once(p);
    }
  }
  enqueue(into);
  let_caller_go();
}

void site::enqueue(operation& next) {
  next.retain();
  queue_.push_back(intrusive<operation>(&next));
  if (queue_.size() == 1) others_.add(shared_from_this());
}

/// The foremost call has been blocked for long. Asked at every look, so that a rank that polls now and then, or
/// leaves everything to the progress thread, learns of a peer's end too.
bool site::patience_is_over() noexcept {
  const std::int64_t now = coarse_milliseconds();
  if (blocked_since_ == 0) blocked_since_ = now;
  // Each question costs a look at every site, and all sites ask: many of them must not fill the cores with it.
  if (now - blocked_since_ < 10 + size_ / 4) return false;
  blocked_since_ = now;
  return true;
}

/// An operation has ended that a thread of this rank may sleep for: a doorbell that only peers ring would not wake it.
void site::wake_other_threads(bool waits_itself) const noexcept {
  std::atomic_thread_fence(std::memory_order_seq_cst);  // pairs with the announcement in wait_for()
  if (waiting_.load(std::memory_order_relaxed) > (waits_itself ? 1 : 0)) port_->lines().ring();
}

bool site::poll(const operation* awaited) {
  for (;;) {
    if (!try_hold()) return false;
    if (queue_.empty()) {
      let_go();
      return true;
    }
    activity& foremost = queue_.front()->work;
    progress p = advance(foremost);
    if (p == progress::blocked && patience_is_over()) p = look_after_peers(foremost);
    misses_someone_.store(p == progress::blocked && foremost.arrived != size_, std::memory_order_relaxed);
    if (p == progress::blocked) {
      let_go();
      return true;
    }
    blocked_since_ = 0;
    const intrusive<operation> ended = std::move(queue_.front());
    queue_.pop_front();
    finish(ended->work, p);
    if (queue_.empty()) others_.remove(*this);
    let_go();
    ended->end(p);  // may run the caller's continuations, which may issue calls here
    if (ended.get() != awaited) wake_other_threads(awaited != nullptr);
  }
}

bool site::wait_for(const operation& of, std::chrono::steady_clock::time_point until) {
  poll();
  if (of.ready()) return true;
  const waiting_thread announced(waiting_);
  wait w(learned_);
  std::chrono::nanoseconds late{0};
  const auto note_lateness = [&] {
    if (misses_someone_.load(std::memory_order_relaxed)) late = w.long_time();
  };
  const struct on_return {
    tally& into;
    const wait& of;
    const std::chrono::nanoseconds& late;
    ~on_return() { into.add_wait(of.looks(), late); }
  } counted{tally_, w, late};
  while (!of.ready()) {
    note_lateness();
    poll(&of);
    if (of.ready()) break;
    if (until != core::completion::time_point::max() && std::chrono::steady_clock::now() >= until) return false;
    const bool not_alone = others_.more_than(1);  // this site is one of them
    if (not_alone) others_.poll(this);
    const auto ready = [&] {
      poll(&of);
      return of.ready();
    };
    const auto needs_core = [&] {
      if (not_alone || !try_hold()) return true;
      const bool needed = queue_.empty() || core_is_needed(queue_.front()->work);
      let_go();
      return needed;
    };
    if (w.pause(port_->lines().bell(), needs_core, ready, longest_sleep(not_alone))) break;
  }
  return true;
}

bool site::detach(operation& of) noexcept {
  // One that another thread has taken from the queue ends by itself; the site may be held by a call of this thread.
  while (!of.ready()) {
    if (try_hold()) {
      const bool detached = of.ready() || of.keep_own_copies();
      let_go();
      return detached;
    }
    std::this_thread::yield();
  }
  return true;
}

void site::rest_after_vain_poll() noexcept {
  constexpr std::uint32_t polls_at_a_stretch = 16;
  if (!learned_.spins() && vain_polls_.fetch_add(1, std::memory_order_relaxed) % polls_at_a_stretch == 0)
    std::this_thread::yield();
}

intrusive<operation> site::new_operation() {
  operation* fresh = spare_.load(std::memory_order_relaxed);
  if (fresh != nullptr) fresh = spare_.exchange(nullptr, std::memory_order_acquire);
  if (fresh == nullptr) {
    const std::lock_guard lock(pool_mutex_);
    if (!pool_.empty()) {
      fresh = pool_.back();
      pool_.pop_back();
    }
  }
  intrusive<operation> made(fresh != nullptr ? fresh : new operation);
  made->belong_to(shared_from_this());
  return made;
}

void site::take_back(operation* spent) noexcept {
  operation* none = nullptr;
  if (spare_.compare_exchange_strong(none, spent, std::memory_order_release, std::memory_order_relaxed)) return;
  const std::lock_guard lock(pool_mutex_);
  pool_.push_back(spent);
}

const prepared* site::keep(prepared plan) {
  plans_.push_back(std::make_unique<prepared>(std::move(plan)));
  return plans_.back().get();
}

}  // namespace tutti::engine
