// SPDX-License-Identifier: BSL-1.0
// The kernels for every processor of the target architecture.
#include "kernels/fold_kernels.hpp"
#include "kernels/tables.hpp"

namespace tutti::kernels {

constinit const kernel_table baseline_table = make_table();

}  // namespace tutti::kernels
