// SPDX-License-Identifier: BSL-1.0
// expect: not defined on bool; use std::logical_or or std::logical_and
#include "tutti/core/make_reducer.hpp"

#ifdef TUTTI_CONTROL
template class tutti::core::bound_operator<bool, std::logical_or<>>;
#else
template class tutti::core::bound_operator<bool, std::plus<bool>>;
#endif
