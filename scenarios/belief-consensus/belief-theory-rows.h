/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_THEORY_ROWS_H
#define BELIEF_THEORY_ROWS_H

#include "ns3/belief-consensus-recorder.h"

#include <limits>
#include <string>
#include <vector>

/// @param[in,out] rows gets a number that is of all users and hypotheses appended
inline void
Tell(std::vector<ns3::collab::BeliefTheoryRow>& rows,
     const std::string& quantity,
     double value,
     const std::string& unit,
     const std::string& meaning)
{
    rows.push_back({quantity, -1, -1, value, unit, meaning});
}

/// @param quantity of which no value is known
/// @return its row
inline ns3::collab::BeliefTheoryRow
MakeUnknown(const std::string& quantity, const std::string& reason)
{
    return {quantity, -1, -1, std::numeric_limits<double>::quiet_NaN(), "", reason};
}

#endif /* BELIEF_THEORY_ROWS_H */
