// SPDX-License-Identifier: BSL-1.0
// expect: must be trivially copyable.*collectives for serialized values
#include <array>
#include <string>
#include <vector>

#include "tutti/core/type_identity.hpp"

#ifdef TUTTI_CONTROL
constexpr auto type = tutti::core::datatype_of<std::array<char, 8>>();
#else
constexpr auto type = tutti::core::datatype_of<std::vector<std::string>>();
#endif
