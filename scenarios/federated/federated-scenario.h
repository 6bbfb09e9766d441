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
    /// fedavg, fedprox, scaffold, feddyn, fedsgd, fedavgm, fednova, fedbuff or semi-decentralized
    std::string algorithm = "fedavg";
    /// adam, sgd, or auto: sgd for scaffold and fedsgd, else adam
    std::string optimizer = "auto";
    double sgdLearningRate = 0.05; //!< of SGD; learningRate is Adam's
    uint32_t rounds = 20;          //!< rounds
    uint32_t localEpochs = 5;      //!< passes over the local samples a round
    /// if not 0: steps a round, instead of passes; 0 for 8 if semi-decentralized
    uint32_t localSteps = 0;
    uint32_t setSize = 5;                 //!< semi-decentralized: devices of a set
    uint32_t setSteps = 2;                //!< semi-decentralized: steps between exchanges
    double setDeadline = 0;               //!< semi-decentralized: longest exchange; 0: computed [s]
    std::string setWeighting = "samples"; //!< semi-decentralized: samples or uniform
    double mu = 0.01;                     //!< of fedprox
    double feddynAlpha = 0.01;            //!< of feddyn
    double serverRate = 1;                //!< of scaffold and fedbuff
    double serverMomentum = 0.9;          //!< of fedavgm
    uint32_t bufferSize = 10;             //!< fedbuff: updates of a step of the server
    /// fedbuff: devices that train at a time; 0 for the fraction participation of them
    uint32_t concurrency = 0;
    std::string stalenessWeight = "polynomial";  //!< fedbuff: polynomial or constant
    double participation = 1;                    //!< fraction of the devices in a round
    std::string aggregation = "mean";            //!< rule by name
    std::string uplinkCompression = "float32";   //!< of updates
    std::string downlinkCompression = "float32"; //!< of models
    bool errorFeedback = false; //!< whether what the compression of an update loses is sent later
    std::string updatePrivacy;  //!< see ReadUpdatePrivacy(); empty for none
    std::string downlink = "broadcast"; //!< broadcast or unicast
    std::string loss = "reliable";      //!< best-effort or reliable
    /// longest time from the model to the end of a round; 0: computed [s]
    double roundDeadline = 0;
    double serverOutage = 0.1; //!< of the farthest device's link to the server
    /// devices that never take part in aggregation: how many, or which ones, or "none"
    std::string stragglers = "none";

    bool measureClients = false; //!< whether to measure on all devices' own test samples

    FederatedParameters();

    /// @param list gets all parameters
    void Declare(ns3::collab::ParameterList& list);

    /// Work out which devices are malicious if an attribute makes them so, usual steps, and how
    /// many devices train at a time
    void Complete();

    /**
     * @brief Refuse what makes no sense together.
     * @throws UserError that names what was given and what is allowed
     */
    void Validate() const;

    /// @return whether devices train by SGD
    bool UsesSgd() const;
    /// @return whether devices exchange models within sets
    bool HasSets() const;
    /// @return whether there are no rounds that all wait for
    bool IsAsynchronous() const;

  private:
    /// @param list gets the parameters algorithm to sgdLearningRate
    void DeclareAlgorithm(ns3::collab::ParameterList& list);
    /// @param list gets the parameters setSize to setWeighting
    void DeclareSets(ns3::collab::ParameterList& list);
    /// @param list gets the parameters mu to aggregation
    void DeclareServer(ns3::collab::ParameterList& list);
    /// @param list gets the parameters uplinkCompression to stragglers
    void DeclareLinks(ns3::collab::ParameterList& list);
    /// @throws UserError if the algorithm does not work with the optimizer, rate or steps
    void ValidateAlgorithm() const;
    /// @throws UserError if updates cannot be sent like this
    void ValidateUpdates() const;
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
 *
 * @param parameters what to run
 * @param output where to print the partition and the result, unless quiet
 * @throws UserError for mistakes in the parameters
 * @throws DataFileError for a bad data file
 */
void RunFederated(FederatedParameters parameters, std::ostream& output);

#endif /* FEDERATED_SCENARIO_H */
