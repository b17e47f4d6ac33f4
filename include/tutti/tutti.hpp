// SPDX-License-Identifier: BSL-1.0
// tutti: collective operations. Everything a program needs.
#pragma once

#include "tutti/all_gather.hpp"
#include "tutti/all_reduce.hpp"
#include "tutti/all_to_all.hpp"
#include "tutti/barrier.hpp"
#include "tutti/broadcast.hpp"
#include "tutti/communicator.hpp"
#include "tutti/core/error.hpp"
#include "tutti/exclusive_scan.hpp"
#include "tutti/future.hpp"
#include "tutti/gather.hpp"
#include "tutti/half.hpp"
#include "tutti/inclusive_scan.hpp"
#include "tutti/operators.hpp"
#include "tutti/options.hpp"
#include "tutti/reduce.hpp"
#include "tutti/reduce_scatter.hpp"
#include "tutti/scatter.hpp"
#include "tutti/world.hpp"
