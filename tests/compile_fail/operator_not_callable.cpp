// SPDX-License-Identifier: BSL-1.0
// expect: must be callable as T op\(const T&, const T&\)
#include "tutti/core/make_reducer.hpp"

struct cell {
  double mass;
};

#ifdef TUTTI_CONTROL
struct heavier {
  cell operator()(const cell& a, const cell& b) { return {a.mass > b.mass ? a.mass : b.mass}; }
};
#else
struct heavier {
  cell operator()(cell& a, cell& b) { return {a.mass > b.mass ? a.mass : b.mass}; }
};
#endif
template class tutti::core::bound_operator<cell, heavier>;
