// SPDX-License-Identifier: BSL-1.0
// What can go wrong, as a code to branch on and an exception to catch.
#pragma once

#include <stdexcept>
#include <string>

namespace tutti {

enum class errc {
  success,          ///< only inside the library: no error is ever thrown with it
  bad_argument,     ///< an argument is outside its domain; the text names it and the domain
  not_applicable,   ///< the forced algorithm cannot serve this call; the text says why
  unknown_name,     ///< no algorithm, type or setting of this name; the text offers the nearest
  mismatch,         ///< ranks made different calls; the text lists every rank's call and its line
  operator_failed,  ///< the caller's operator threw on some rank
  rank_lost,        ///< a peer's process has died or left without arriving
  no_space,         ///< memory for the transport could not be reserved
  concurrent_use,   ///< two threads issued unnumbered operations on one communicator at once
  name_clash,       ///< a communicator name is in use with another size, or a site is taken
  launch_failed,    ///< the launcher's environment is incomplete, stale or not ours
  invalid_state,    ///< an empty future or a communicator used after its world ended
  internal,         ///< a broken invariant of the library itself: please report
};

/// The standard word for a code, e.g. "mismatch".
const char* to_string(errc code) noexcept;

/// The one exception that the library throws. `what()` says what was asked, what is wrong, where,
/// and what to do. A user's own exception (thrown by an operator) reaches the rank that threw it as
/// it was; the other ranks get errc::operator_failed with its text.
class error : public std::runtime_error {
 public:
  error(errc code, const std::string& text) : std::runtime_error(text), code_(code) {}
  errc code() const noexcept { return code_; }

 private:
  errc code_;
};

}  // namespace tutti
