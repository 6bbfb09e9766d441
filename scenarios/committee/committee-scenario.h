/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_SCENARIO_H
#define COMMITTEE_SCENARIO_H

#include "clients/scenario-malice.h"
#include "common/scenario-faults.h"
#include "common/scenario-parameters.h"

#include <cstdint>
#include <ostream>
#include <string>

/// Everything that one run of the committee mechanism depends on, besides ns-3's own attributes and
/// seeds
struct CommitteeParameters : CommonParameters, MaliceParameters, FaultParameters
{
    uint32_t rounds = 50;         //!< rounds
    double activePercent = 50;    //!< part of all devices that is active in a round [%]
    double committeePercent = 40; //!< omega, part of the active devices in the committee [%]
    double acceptPercent = 40;    //!< alpha, part of the gradients that are accepted [%]
    /// What alpha is a part of: training or active
    std::string acceptOf = "training";
    std::string selection = "I";     //!< I or II
    std::string election = "middle"; //!< middle, top or random
    std::string quorum = "paper";    //!< paper or byzantine
    bool primaryVotes = false;       //!< whether the primary's vote counts, with the paper's quorum
    uint32_t maxAttempts = 4;        //!< primaries of a vote
    std::string misbehavior = "none"; //!< of malicious members; none for none
    uint32_t localSteps = 1;          //!< tau
    double localRate = 0.1;           //!< eta of a local step
    double globalRate = 0.1;          //!< eta of a round
    std::string gradient = "last";    //!< last or accumulated
    std::string upload = "unicast";   //!< unicast or broadcast
    std::string loss = "reliable";    //!< best-effort or reliable
    double gradientTimeout = 0;       //!< [s]; 0 if it follows from what devices compute
    double scoreTimeout = 0;          //!< see gradientTimeout
    double attemptTimeout = 0;        //!< see gradientTimeout
    double modelTimeout = 0;          //!< [s]; 0 if it is computed
    uint32_t authenticator = 64;      //!< size of an authenticator [B]
    bool receiverSensing = true;      //!< whether senders wait for receivers that transmit

    uint32_t claimedSamples = 0; //!< that malicious devices say to have; 0 for those that they have
    bool attackedScores = false; //!< whether malicious members score with what they would upload
    bool measureClients = false; //!< whether to measure on all devices' own test samples

    CommitteeParameters();

    /// @param list gets all parameters
    void Declare(ns3::collab::ParameterList& list);

    /**
     * @brief Work out the percentages that follow from given attributes.
     * @throws UserError if the attributes ask for more devices than there are
     */
    void Complete();

    /**
     * @brief Refuse what makes no sense together.
     * @throws UserError that names what was given and what is allowed
     */
    void Validate() const;

    /// @return C
    uint32_t GetCommitteeSize() const;
    /// @return n
    uint32_t GetTrainingClients() const;

  private:
    /// @param list gets the parameters activePercent to measureClients
    void DeclareCommittee(ns3::collab::ParameterList& list);
    /// @param list gets the parameters localSteps to loss
    void DeclareLearning(ns3::collab::ParameterList& list);
};

/**
 * @brief Run the committee mechanism once and write its run folder.
 *
 * @param parameters what to run
 * @param output where to print the partition and the result, unless quiet
 * @throws UserError for mistakes in the parameters
 * @throws DataFileError for a bad data file
 */
void RunCommittee(CommitteeParameters parameters, std::ostream& output);

#endif /* COMMITTEE_SCENARIO_H */
