// SPDX-License-Identifier: BSL-1.0
#include <cstdlib>

#include "kernels/kernel_table.hpp"
#include "kernels/tables.hpp"

namespace tutti::kernels {

std::string_view to_string(instruction_set set) noexcept {
  switch (set) {
    case instruction_set::avx2: return "avx2";
    case instruction_set::avx512: return "avx512";
    default: return "baseline";
  }
}

const kernel_table* table_of(instruction_set set) noexcept {
  if (set == instruction_set::baseline) return &baseline_table;
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (set == instruction_set::avx2) return __builtin_cpu_supports("avx2") ? &avx2_table : nullptr;
  const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  if (set == instruction_set::avx512 && has_avx512) return &avx512_table;
#endif
  return nullptr;
}

selection choose(std::string_view requested) noexcept {
  using enum instruction_set;
  selection best{baseline, "the best instruction set of this processor"};
  for (const auto set : {avx2, avx512}) {
    if (table_of(set) != nullptr) best.set = set;
  }
  if (requested.empty()) return best;
  for (const auto set : {baseline, avx2, avx512}) {
    if (requested != to_string(set)) continue;
    if (table_of(set) != nullptr) return {set, "named by TUTTI_KERNELS"};
    return {best.set, "the best of this processor, which lacks the instruction set that TUTTI_KERNELS names"};
  }
  return {best.set, "the best of this processor, since TUTTI_KERNELS is none of baseline, avx2 and avx512"};
}

const selection& active_selection() noexcept {
  static const selection chosen = [] {
    const char* requested = std::getenv("TUTTI_KERNELS");
    return choose(requested == nullptr ? std::string_view{} : requested);
  }();
  return chosen;
}

}  // namespace tutti::kernels

namespace tutti::core {

reducer::fold_function kernel(element_code element, operator_code operation) noexcept {
  static const kernels::kernel_table& table = *kernels::table_of(kernels::active_selection().set);
  return table[static_cast<std::size_t>(element)][static_cast<std::size_t>(operation)];
}

}  // namespace tutti::core
