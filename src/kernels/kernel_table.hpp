// SPDX-License-Identifier: BSL-1.0
// The fold kernels of every instruction set, and which of them this process uses.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "tutti/core/element_code.hpp"

namespace tutti::kernels {

using core::element_code;
using core::operator_code;

enum class instruction_set : std::uint8_t { baseline, avx2, avx512 };

/// The value of TUTTI_KERNELS that asks for it.
std::string_view to_string(instruction_set set) noexcept;

/// Indexed by element, then operator; nullptr where the operator is not defined for the element. All tables have
/// the same holes and give the same bits.
using kernel_table =
    std::array<std::array<core::reducer::fold_function, core::operator_code_count>, core::element_code_count>;

/// nullptr if this build or this processor lacks the instruction set; never for baseline.
const kernel_table* table_of(instruction_set set) noexcept;

struct selection {
  instruction_set set = instruction_set::baseline;
  std::string_view reason;  ///< static storage
};

/// What `requested`, a value of TUTTI_KERNELS, leads to here. Empty: no wish. A wish that cannot be granted falls
/// back to the best set, and `reason` says so.
selection choose(std::string_view requested) noexcept;

/// The choice of this process, made at first use from the environment. Thread-safe.
const selection& active_selection() noexcept;

}  // namespace tutti::kernels
