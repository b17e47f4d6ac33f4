// SPDX-License-Identifier: BSL-1.0
// expect: std::minus, std::divides and std::modulus are not.*tutti::left_fold
#include "tutti/core/make_reducer.hpp"

#ifdef TUTTI_CONTROL
template class tutti::core::bound_operator<int, tutti::left_fold_operator<std::minus<>>>;
#else
template class tutti::core::bound_operator<int, std::minus<>>;
#endif
