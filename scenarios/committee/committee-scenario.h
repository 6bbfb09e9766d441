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

#include "ns3/application-container.h"

#include <cstdint>
#include <ostream>
#include <string>

/// Who works in a round: members of the committee, and training clients
struct CommitteeSizes
{
    uint32_t devices;        //!< of all
    double activePercent;    //!< part of them that is active [%]
    double committeePercent; //!< omega, part of the active ones in the committee [%]

    /// @return C
    uint32_t CountMembers() const;
    /// @return n
    uint32_t CountClients() const;
};

/// Everything that one run of the committee mechanism depends on, besides ns-3's own attributes and
/// seeds
struct CommitteeParameters : CommonParameters, MaliceParameters, FaultParameters
{
    double activePercent = 50;        //!< part of all devices that is active in a round [%]
    double committeePercent = 40;     //!< omega, part of the active devices in the committee [%]
    std::string misbehavior = "none"; //!< of malicious members; none for none
    double gradientTimeout = 0;       //!< [s]; 0 if it follows from what devices compute
    double scoreTimeout = 0;          //!< see gradientTimeout
    double attemptTimeout = 0;        //!< see gradientTimeout
    double modelTimeout = 0;          //!< [s]; 0 if it is computed
    uint32_t authenticator = 64;      //!< size of an authenticator [B]

    uint32_t claimedSamples = 0; //!< that malicious devices say to have; 0 for those that they have
    bool measureClients = false; //!< whether to measure on all devices' own test samples

    CommitteeParameters();

    /// @brief Work out the percentages that follow from given attributes.
    /// @throws UserError if the attributes ask for more devices than there are
    void Complete();

    /// Refuse what makes no sense together
    void Validate() const;

    std::optional<double> GetSgdRate() const override;
    /// @return who works in a round
    CommitteeSizes GetSizes() const;

  private:
    void DeclareCommittee();
};

/// @throws UserError if a committee of that size cannot agree, or if the training clients are too
/// few for the next committee; says which arguments would do, each with a value at which the run
/// starts
void CheckCommitteeSize(const CommitteeParameters& p);

/**
 * @brief Set the timeouts that follow from what devices compute and send, where they are not given.
 *
 * - A member that has scored, and knows the gradients of all clients that are fast, waits for the
 *   slowest device, which may have just begun to train, for its gradient, and for the scores of all
 *   members.
 * - A primary has to aggregate, and to tell each other member; with the rule BYZANTINE they
 *   aggregate after it, and may lack a gradient.
 * - Votes and the model wait for gradients of who has the new model already.
 *
 * @param p parameters of the run; gets the timeouts that are in force
 */
void SetTimeouts(CommitteeParameters& p, const ns3::ApplicationContainer& applications);

/// @brief Run the committee mechanism once and write its run folder.
void RunCommittee(CommitteeParameters& parameters, std::ostream& output);

#endif /* COMMITTEE_SCENARIO_H */
