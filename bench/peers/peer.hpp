// SPDX-License-Identifier: BSL-1.0
// The library that this driver is linked with to race it, an MPI or Gloo: the only door to it, so that all other code
// is the same for each.
#pragma once

#include <cstddef>
#include <string>

namespace peers {

/// The library from start to end, on all ranks of the job. One at a time per process; not thread safe.
class peer {
 public:
  peer(int& argc, char**& argv);
  ~peer();
  peer(const peer&) = delete;
  peer& operator=(const peer&) = delete;

  int rank() const noexcept { return rank_; }
  int size() const noexcept { return size_; }
  std::string version() const;

  /// Memory that all ranks of this machine share, valid while this lives. Collective.
  void* shared_memory(std::size_t bytes);

  static void all_reduce_sum(const double* in, double* out, int count);
  static void barrier();
  /// Ends all ranks with exit status 1.
  [[noreturn]] static void end_everyone();

 private:
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace peers
