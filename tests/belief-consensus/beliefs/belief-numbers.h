/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_CONSENSUS_BELIEF_NUMBERS_H
#define BELIEF_CONSENSUS_BELIEF_NUMBERS_H

#include "support/refusals.h"

#include "ns3/belief-consensus-belief.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tests
{

/// @return a belief of these numbers
inline ns3::collab::Belief
MakeBelief(std::vector<double> numbers)
{
    return std::make_shared<const std::vector<double>>(std::move(numbers));
}

/// @return what FromWire() says of improper numbers
inline std::string
GetComplaint(const ns3::collab::BeliefModel& model, const std::vector<double>& numbers)
{
    return ErrorOf<ns3::collab::ImproperBelief>([&] { model.FromWire(numbers); });
}

} // namespace tests

#endif /* BELIEF_CONSENSUS_BELIEF_NUMBERS_H */
