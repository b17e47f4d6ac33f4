// SPDX-License-Identifier: BSL-1.0
// One table per instruction set, each defined by the translation unit that is compiled for it. Being constants,
// they need no code of that instruction set before it is known to exist.
#pragma once

#include "kernels/kernel_table.hpp"

namespace tutti::kernels {

extern const kernel_table baseline_table;
extern const kernel_table avx2_table;    ///< x86-64 only
extern const kernel_table avx512_table;  ///< x86-64 only

}  // namespace tutti::kernels
