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

/// The samples of networks
struct BeliefSamples : ScenarioSamples
{
    std::shared_ptr<const ns3::collab::DataView> novel; //!< of --novelLabel, to test; null for none
};

/// @brief Load the samples of networks, and set those of --novelLabel aside.
/// @throws UserError if there is no such label, or no other one
BeliefSamples LoadBeliefSamples(BeliefParameters& p);

/// How much the samples of a user count
struct EvidenceShare
{
    double power = 1;     //!< of its likelihoods
    double influence = 1; //!< v_i; 1 if it learns alone
};

/// @param samples of all users, of networks; else not read
/// @return the users' models
std::vector<std::unique_ptr<ns3::collab::BeliefModel>> MakeUsers(
    const BeliefParameters& p,
    const BeliefSamples& samples,
    const std::vector<EvidenceShare>& shares);

/// @param samples of all users, of networks; else not read
/// @return that steps of SGD are too long for the divergence from the belief before; empty if they
/// are not
std::string FindStepHint(const BeliefParameters& p,
                         const BeliefSamples& samples,
                         const std::vector<EvidenceShare>& shares);

#endif /* BELIEF_USERS_H */
