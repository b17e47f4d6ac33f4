// SPDX-License-Identifier: BSL-1.0
// tutti: collective operations. Everything a program needs.
#pragma once

#include "tutti/all_reduce.hpp"
#include "tutti/barrier.hpp"
#include "tutti/communicator.hpp"
#include "tutti/core/error.hpp"
#include "tutti/future.hpp"
#include "tutti/half.hpp"
#include "tutti/operators.hpp"
#include "tutti/options.hpp"
#include "tutti/world.hpp"
