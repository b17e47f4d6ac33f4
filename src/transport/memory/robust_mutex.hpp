// SPDX-License-Identifier: BSL-1.0
// A mutex in shared memory that survives the death of its holder.
#pragma once

#include <pthread.h>

#include <cerrno>

namespace tutti::memory {

/// Lives inside a region. Made by initialize() before anyone else can see it, never destroyed.
class robust_mutex {
 public:
  void initialize() noexcept {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&native_, &attributes);
    pthread_mutexattr_destroy(&attributes);
  }

 private:
  friend class robust_lock;
  pthread_mutex_t native_;
};

/// Holds the mutex while it lives.
class robust_lock {
 public:
  explicit robust_lock(robust_mutex& mutex) noexcept
      : native_(mutex.native_), recovered_(pthread_mutex_lock(&native_) == EOWNERDEAD) {
    if (recovered_) pthread_mutex_consistent(&native_);
  }
  ~robust_lock() { pthread_mutex_unlock(&native_); }
  robust_lock(const robust_lock&) = delete;
  robust_lock& operator=(const robust_lock&) = delete;

  /// The former holder died inside: what the mutex guards may be one write short of complete.
  bool recovered() const noexcept { return recovered_; }

 private:
  pthread_mutex_t& native_;
  bool recovered_;
};

}  // namespace tutti::memory
