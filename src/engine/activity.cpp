// SPDX-License-Identifier: BSL-1.0
#include "engine/activity.hpp"

#include "engine/stepwise.hpp"

namespace tutti::engine {

activity::activity() = default;
activity::~activity() = default;

}  // namespace tutti::engine
