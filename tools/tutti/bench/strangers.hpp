// SPDX-License-Identifier: BSL-1.0
// How much of the machine others used while a measurement ran: what makes its times larger than they need be.
#pragma once

#include <chrono>

#include "tutti/communicator.hpp"

namespace tutti::benching {

class strangers {
 public:
  /// Starts to watch. Collective, as is the next; the communicator must outlive it.
  explicit strangers(const communicator& comm);
  /// Cores kept busy since then by anything but the calling threads; negative if the system does not tell.
  double cores() const;

 private:
  const communicator& comm_;
  std::chrono::steady_clock::time_point since_;
  double machine_;
  double own_;
};

}  // namespace tutti::benching
