/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_SCENARIO_H
#define FEDERATED_SCENARIO_H

#include "clients/scenario-malice.h"
#include "common/scenario-parameters.h"

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

/// Everything that one run of a federated algorithm depends on, besides ns-3's own attributes and
/// seeds
struct FederatedParameters : CommonParameters, MaliceParameters
{
    /// adam, sgd, or auto: sgd for scaffold, fedsgd and fedkseed, else adam
    std::string optimizer = "auto";
    double sgdLearningRate = 0.05; //!< of SGD; learningRate is Adam's
    uint32_t seeds = 1024;         //!< fedkseed: candidate seeds, K
    double smoothing = 5e-4;       //!< fedkseed: how far from a model losses are taken
    uint32_t setSize = 5;          //!< semi-decentralized: devices of a set
    double setDeadline = 0;        //!< semi-decentralized: longest exchange; 0: computed [s]
    std::string uplinkCompression = "float32";   //!< of updates
    std::string downlinkCompression = "float32"; //!< of models
    /// longest time from the model to the end of a round; 0: computed [s]
    double roundDeadline = 0;
    double serverOutage = 0.1; //!< of the farthest device's link to the server
    /// devices that never take part in aggregation: how many, or which ones, or "none"
    std::string stragglers = "none";

    bool measureClients = false; //!< whether to measure on all devices' own test samples

    FederatedParameters();

    /// Work out which devices are malicious if an attribute makes them so, usual steps, and how
    /// many devices train at a time
    void Complete();

    /// Refuse what makes no sense together
    void Validate() const;

    /// @brief Let updates be pairs of seeds and scalars with fedkseed, if that takes fewer bytes.
    /// @param samples of the device that has most of them
    void CompletePairs(std::size_t samples);

    std::optional<double> GetSgdRate() const override;
    /// @return whether devices exchange models within sets
    bool
    HasSets() const
    {
        return Get("algorithm") == "semi-decentralized";
    }

    /// @return whether there are no rounds that all wait for
    bool
    IsAsynchronous() const
    {
        return Get("algorithm") == "fedbuff";
    }

  private:
    void DeclareAlgorithm();
    void DeclareSets();
    void DeclareServer();
    void DeclareLinks();
    /// @throws UserError if the algorithm does not work with the optimizer, rate or steps
    void ValidateAlgorithm() const;
    /// @throws UserError if there is something in force that steps along seeds do not have
    void ValidateSeeds() const;
    /// @throws UserError if updates cannot be sent like this
    void ValidateUpdates() const;
    /// @throws UserError if they cannot be sent at once, and that is asked for
    void ValidateUplink() const;
    /// @return devices that can take part in aggregation
    uint32_t CountPrompt() const;
    /// @return updates that make the next model if none is lost
    std::size_t CountUpdates() const;
};

/**
 * @brief Run a federated algorithm once and write its run folder.
 *
 * With the same common parameters, seed and run number, data, labels, positions and the learners'
 * generators are those of prediction consensus.
 */
void RunFederated(FederatedParameters& parameters, std::ostream& output);

#endif /* FEDERATED_SCENARIO_H */
