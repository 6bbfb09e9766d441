/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_SCENARIO_H
#define GRAPH_DISCOVERY_SCENARIO_H

#include "common/scenario-parameters.h"

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

/// Everything that one run of graph discovery and of the learning after it depends on, besides
/// ns-3's own attributes and seeds
struct GraphDiscoveryParameters : CommonParameters
{
    std::string paradigm = "supervised";  //!< supervised, semi-supervised or unsupervised
    uint32_t recordInterval = 50;         //!< iterations of a row of the table discovery
    std::string trust = "random";         //!< structure of the trust matrices
    double trustDensity = 0.5;            //!< of random ones
    double diversityWeight = 0;           //!< a1; 0 for the usual one
    double reliabilityWeight = 0;         //!< a2; 0 for the usual one
    double thresholdShare = 0;            //!< b; 0: 1 with labels, 0.5 without
    uint32_t components = 16;             //!< d
    uint32_t clusters = 7;                //!< L
    double exchangeDeadline = 0;          //!< [s]; 0 for as long as it takes
    std::string channel = "static";       //!< static or dynamic
    double labeled = 0.15;                //!< semi-supervised: part of the samples with a label
    std::string labeling = "propagation"; //!< propagation, or a model
    uint32_t neighbors = 7;               //!< of label propagation

    /// none, decentralized, or how one model is learned with a server
    std::string downstream = "fedavg";
    double sgdLearningRate = 0.05;   //!< of fedsgd and scaffold
    uint32_t setSize = 5;            //!< semi-decentralized: devices of a set
    std::string stragglers = "none"; //!< how many or which devices take no part in aggregation
    double serverOutage = 0.1;       //!< of the farthest device's link to the server
    double setDeadline = 0;          //!< semi-decentralized: longest exchange; 0: computed [s]
    double roundDeadline = 0;        //!< 0: computed [s]
    uint32_t probeSamples = 2000;    //!< unsupervised: labelled samples of linear evaluation
    uint32_t embeddings = 0;         //!< unsupervised: test samples whose embeddings are written

    GraphDiscoveryParameters();

    /// Work out what follows from the paradigm
    void Complete();

    /// Refuse what makes no sense together
    void Validate() const;

    /// @return whether datapoints have no labels
    bool
    IsUnsupervised() const
    {
        return paradigm == "unsupervised";
    }

    /// @return whether there is a server
    bool
    HasServer() const
    {
        return HasDownstream() && !IsDecentralized();
    }

    /// @return whether devices learn from each other alone
    bool
    IsDecentralized() const
    {
        return downstream == "decentralized";
    }

    /// @return whether devices exchange models in sets
    bool
    HasSets() const
    {
        return downstream == "semi-decentralized";
    }

    /// @return whether a server takes updates in without rounds
    bool
    IsAsynchronous() const
    {
        return downstream == "fedbuff";
    }

    std::optional<double> GetSgdRate() const override;

    /// @return whether devices project their datapoints on a subspace that all share
    bool
    UsesSubspace() const
    {
        return IsUnsupervised() || (paradigm == "semi-supervised" && labeling == "propagation");
    }

    /// @return whether devices hold i.i.d. data and exchange none: more than an exchange can reach
    bool IsCeiling() const;
    /// @return whether whom devices ask is computed by knowledge of all of them
    bool IsOracle() const;
    /// @return whether devices learn after the exchange
    bool
    HasDownstream() const
    {
        return downstream != "none";
    }

    /// @return what keeps an exchange of datapoints from showing in the result
    std::vector<std::string> FindHints() const;
    /// @return TypeId name of the devices' applications
    std::string
    GetApplicationType() const
    {
        return IsUnsupervised() ? "ns3::collab::LatentDiscoveryApplication"
                                : "ns3::collab::LabelDiscoveryApplication";
    }

    /// @return bits of a number of datapoints, 8 if they suffice
    /// @throws UserError if 16 do not
    uint32_t GetCountBits(uint64_t partitions, uint64_t most) const;

  private:
    void DeclareLearning();
    void DeclarePartitions();
    void DeclareExchange();
    void DeclareDownstream();
    void DeclareModels();
    /// Say what has no effect unless devices learn after the exchange
    void LimitToDownstream();
    /// @throws UserError if an attribute is given whose value the scenario works out
    void RefuseAttributes() const;
};

/**
 * @brief Run graph discovery, the exchange of datapoints and the learning after it once, and write
 * the run folder.
 *
 * With the same common parameters, seed and run number, data, trust, positions and the learners'
 * generators are the same for all methods.
 */
void RunGraphDiscovery(GraphDiscoveryParameters& parameters, std::ostream& output);

#endif /* GRAPH_DISCOVERY_SCENARIO_H */
