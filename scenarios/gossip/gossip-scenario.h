/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOSSIP_SCENARIO_H
#define GOSSIP_SCENARIO_H

#include "clients/scenario-malice.h"
#include "common/scenario-parameters.h"

#include "ns3/gossip-helper.h"
#include "ns3/node-container.h"

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

/// Everything that one run of learning by gossip depends on, besides ns-3's own attributes and
/// seeds
struct GossipParameters : CommonParameters, MaliceParameters
{
    std::string algorithm = "braintorrent"; //!< braintorrent, gossipfl, ...
    std::string optimizer = "adam";         //!< adam or sgd
    double sgdLearningRate = 0.05;          //!< of SGD; learningRate is Adam's
    uint32_t turns = 0;         //!< braintorrent: of each device, instead of rounds, if not 0
    double controlTimeout = 0;  //!< longest wait for versions or pairs; 0: computed [s]
    double transferTimeout = 0; //!< longest wait for weights; 0: computed [s]
    double turnTimeout = 0;     //!< braintorrent: for another device's turn; 0: computed [s]
    double announceTime = 0;    //!< gossipfl: for the rates of all; 0: computed [s]

    GossipParameters();

    /// Work out what follows from other parameters: what the user has not given can change
    void CompleteCommon();

    /// Refuse what makes no sense together
    void Validate() const;

    std::optional<double> GetSgdRate() const override;
    /// @return whether the algorithm is one in whose rounds devices average what peers send them
    bool
    IsAveraging() const
    {
        return algorithm != "braintorrent" && algorithm != "gossipfl" && algorithm != "segmented";
    }

  private:
    void DeclareExchange();
    void DeclareWaits();
};

/**
 * @brief Work out the waits that the user has not given, so that devices wait for all that
 * compute and send.
 *
 * In BrainTorrent all devices train at first, and then one in its turn; a turn can have both, and
 * both waits. In the other algorithms fast devices go ahead of slow ones, a round or so in each
 * round, until a chain of exchanges reaches these: of up to 100 devices with random partners, none
 * was more than 8 rounds ahead.
 *
 * @param p parameters of the run; gets the waits that are in force
 */
void CompleteTimeouts(GossipParameters& p,
                      const ns3::NodeContainer& nodes,
                      const std::vector<ns3::collab::GossipAgent>& agents);

/**
 * @brief Run a gossip algorithm once and write its run folder.
 *
 * With the same common parameters, seed and run number, data, labels, positions and the learners'
 * generators are those of prediction consensus.
 */
void RunGossip(GossipParameters& parameters, std::ostream& output);

#endif /* GOSSIP_SCENARIO_H */
