// SPDX-License-Identifier: BSL-1.0
// How a call fails on every rank with one text: each site puts its record on the board, raises the alarm,
// waits until every other site that still lives has done so too, and composes the error from all records.
#pragma once

#include "engine/surroundings.hpp"

namespace tutti::engine {

/// Turns a call towards failure: from here on advance_failure() takes it to its end.
void begin_failure(surroundings& at, activity& a);

/// phase::speaking and phase::listening; `spoken_for` is the latest generation our record answers for. Done when
/// `a.why` holds what everyone is told.
progress advance_failure(surroundings& at, activity& a, std::uint64_t& spoken_for);

/// Someone failed in exactly this call. An alarm of a later call alone does not say so: it shows that its author has
/// ended this one well, which a site that is slower may still do. Complexity: one look at each record.
bool was_failed(const surroundings& at, std::uint64_t generation);

/// Answers an alarm for a call that ended well here. False: must be tried again.
bool answer_alarm(surroundings& at, std::uint64_t alarm, std::uint64_t& spoken_for);

/// Lets this site's latest record answer for all calls to come: it serves no more.
void retire(surroundings& at, std::uint64_t& spoken_for);

/// Sites that have not entered or cannot go on, in words: the failure to complain of if one is gone.
status find_the_gone(surroundings& at, const activity& a);

}  // namespace tutti::engine
