// SPDX-License-Identifier: BSL-1.0
// The kernels for processors with AVX512; flags in kernels.cmake.
#if defined(__x86_64__)
#include "kernels/fold_kernels.hpp"
#include "kernels/tables.hpp"

namespace tutti::kernels {

constinit const kernel_table avx512_table = make_table();

}  // namespace tutti::kernels
#endif
