// SPDX-License-Identifier: BSL-1.0
// An environment variable set (or unset) for the length of a scope.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

namespace tutti::test {

class scoped_variable {
 public:
  scoped_variable(std::string name, std::optional<std::string> value) : name_(std::move(name)) {
    if (const char* before = std::getenv(name_.c_str())) before_ = before;
    set(value);
  }
  ~scoped_variable() { set(before_); }
  scoped_variable(const scoped_variable&) = delete;
  scoped_variable& operator=(const scoped_variable&) = delete;

 private:
  void set(const std::optional<std::string>& value) const {
    if (value) {
      setenv(name_.c_str(), value->c_str(), 1);
    } else {
      unsetenv(name_.c_str());
    }
  }

  std::string name_;
  std::optional<std::string> before_;
};

}  // namespace tutti::test
