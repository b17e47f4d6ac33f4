// SPDX-License-Identifier: BSL-1.0
// Output of many ranks on one terminal: whole lines, each with its rank.
#pragma once

#include <string>
#include <string_view>

#include "base/descriptor.hpp"
#include "base/ids.hpp"

namespace tutti::launching {

/// One rank's stdout or stderr on its way to the launcher's. Ownership: owns the read end.
class labeled_stream {
 public:
  labeled_stream(descriptor source, int target, rank_id rank);

  int fd() const noexcept { return source_.get(); }
  bool open() const noexcept { return static_cast<bool>(source_); }

  /// Reads what is there (blocks if nothing is) and passes complete lines on. At the end of input, or if
  /// nobody takes the output any more, the stream closes.
  void pump();

 private:
  void pass_on(std::string_view lines);
  void finish();

  descriptor source_;
  int target_;
  std::string prefix_;
  std::string pending_;
};

}  // namespace tutti::launching
