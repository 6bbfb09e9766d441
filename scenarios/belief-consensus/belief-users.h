/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_USERS_H
#define BELIEF_USERS_H

#include "belief-consensus-scenario.h"
#include "common/scenario-samples.h"

#include "ns3/belief-consensus-belief.h"
#include "ns3/belief-consensus-discrete.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// The word that users of the family discrete are to learn, and what they see of it
struct BitProblem
{
    uint32_t truth = 0; //!< the word
    std::vector<uint32_t>
        best; //!< Theta*_M: words that agree with it in all bits that anybody sees
    /// by user
    std::vector<std::shared_ptr<const ns3::collab::DiscreteObserver>> observers;
    std::vector<uint64_t> seeds; //!< of the samples, by user; equal ones are the same samples
    std::vector<uint32_t> bits;  //!< which bit each sees
};

/// @return who sees which bit
BitProblem MakeBitProblem(const BeliefParameters& p);

/// @param samples of all users, of networks; else not read
/// @return the users' models
std::vector<std::unique_ptr<ns3::collab::BeliefModel>> MakeUsers(const BeliefParameters& p,
                                                                 const ScenarioSamples& samples,
                                                                 const std::vector<double>& powers);

/// @param samples of all users, of networks; else not read
/// @return that steps of SGD are too long for the divergence from the belief before; empty if they
/// are not
std::string FindStepHint(const BeliefParameters& p,
                         const ScenarioSamples& samples,
                         const std::vector<double>& powers);

#endif /* BELIEF_USERS_H */
