/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_CONSENSUS_SCENARIO_H
#define BELIEF_CONSENSUS_SCENARIO_H

#include "common/scenario-parameters.h"

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

/// @return the numbers
/// @throws UserError if one is not finite
std::vector<double> ParseNumbers(const std::string& name, const std::string& given);

/// Everything that one run of belief consensus depends on, besides ns-3's own attributes and seeds
struct BeliefParameters : CommonParameters
{
    std::string family = "discrete";   //!< discrete, gaussian or mean-field
    std::string method = "consensus";  //!< how users learn
    std::string topology = "complete"; //!< who is heard by whom
    uint32_t degree = 5;               //!< nearest: how many each user hears
    double radius = 0;                 //!< geometric: greatest distance [m]
    std::string weights = "uniform";   //!< how W is made
    double confidence = 0.5;           //!< a of confidence
    std::string matrix;                //!< W, or a file of it
    std::string unsuitable = "refuse"; //!< what to do about a graph that Assumption 2 excludes

    uint32_t bits = 2;                   //!< discrete: of a hypothesis
    double labelProbability = 0.7;       //!< discrete: of a label that equals the bit
    double trueProbability = 0;          //!< discrete: the same in truth; 0: as hypotheses say
    std::string design = "independent";  //!< discrete: who sees what
    uint32_t witness = 0;                //!< discrete: who sees the last bit in the design witness
    double delta = 0.05;                 //!< discrete: allowed probability of an error
    std::string theta = "-0.3,0.5,0.8";  //!< gaussian: theta*, intercept first
    double noise = 0.8;                  //!< gaussian: alpha
    double priorVariance = 0.5;          //!< gaussian: of every parameter
    std::string inputRange = "1,1.5";    //!< gaussian: of each feature, from minus to plus
    double decay = 0.995;                //!< mean-field: of the learning rate
    uint32_t steps = 2;                  //!< mean-field: of the optimizer in an instant
    double initialDeviation = 0.05;      //!< mean-field: s0
    uint32_t predictionDraws = 10;       //!< mean-field: weights drawn for a prediction
    std::string optimizer = "sgd";       //!< mean-field: sgd, adam or natural
    int32_t novelLabel = -1;             //!< mean-field: of no user's samples; -1: none
    std::string dataUse = "family";      //!< stream, replay or cavity, or what the family has
    uint32_t instantSamples = 1;         //!< discrete, gaussian: samples of a stream in an instant
    uint32_t replaySamples = 100;        //!< discrete, gaussian: samples of a replay
    std::string evidencePower = "paper"; //!< paper, network or estimated

    double clipRadius = 0;          //!< of clipped; 0: what discrete honest users never exceed
    std::string updateRate = "1";   //!< gossip: of all users, or of each [1/s]
    std::string malicious = "none"; //!< users that lie
    std::string lie = "wrong";      //!< what they tell
    double lieStrength = 10;        //!< how much of it

    double outage = 0; //!< links of a graph: of every one

    uint32_t weightsInterval = 1; //!< instants between rows of the table weights

    BeliefParameters();

    /// Refuse what makes no sense together
    void Validate() const;
    /// Work out what follows from other parameters
    void CompleteCommon();

    std::optional<double> GetSgdRate() const override;
    /// @return whether beliefs are about the weights of a network
    bool
    IsNetwork() const
    {
        return family == "mean-field";
    }

    /// @return whether users have no belief but weights
    bool
    IsPoint() const
    {
        return method == "d-psgd" || method == "alone-sgd" || method == "central-sgd";
    }

    /// @return whether one user has everybody's data
    bool
    IsCentral() const
    {
        return method == "central" || method == "central-sgd";
    }

    /// @return whether users tell each other what they believe
    bool
    IsTogether() const
    {
        return method == "consensus" || method == "gossip" || method == "d-psgd";
    }

    /// @return whether W is of the graph of each instant
    bool
    TellsDegrees() const
    {
        return weights == "metropolis-heard" && IsTogether();
    }

    /// @return whether shares that travel with beliefs tell users their influence
    bool
    EstimatesInfluence() const
    {
        return evidencePower == "estimated" && IsTogether();
    }

    /// @return whether what arrives of messages is used
    bool
    UsesParts() const
    {
        return Get("loss").rfind("partial", 0) == 0 && IsTogether();
    }

    /// @return whether no hypothesis has the law of labels
    bool
    IsMisspecified() const
    {
        return trueProbability > 0 && trueProbability != labelProbability;
    }

    /// @return whether each sample counts once
    bool
    IsStream() const
    {
        return dataUse == "stream" || (dataUse == "family" && !IsNetwork());
    }

    /// @return whether samples are replayed and count once
    bool
    IsCavity() const
    {
        return dataUse == "cavity";
    }

    /// @return discrete, gaussian: samples that count in an instant or update
    uint32_t
    CountInstantSamples() const
    {
        return IsStream() ? instantSamples : replaySamples;
    }

    /// @return how many users there are: 1 if it is central
    uint32_t
    CountUsers() const
    {
        return IsCentral() ? 1 : devices;
    }

    /// @return the users that lie, ascending
    std::vector<uint32_t>
    GetLiars() const
    {
        return ParseDevices("malicious", malicious, devices);
    }

    /// @return theta* of the family gaussian
    std::vector<double>
    GetTheta() const
    {
        return ParseNumbers("theta", theta);
    }

    /// @return greatest absolute value of each feature
    std::vector<double>
    GetInputRange() const
    {
        return ParseNumbers("inputRange", inputRange);
    }

    /// @return by user [1/s]
    std::vector<double> GetUpdateRates() const;

  private:
    void DeclareUsers();
    void DeclareProblems();
    void DeclareNetworks();
    void DeclareExchange();
    /// @throws UserError if what is learned makes no sense
    void ValidateProblem() const;
    /// @throws UserError if what is exchanged makes no sense
    void ValidateExchange() const;
};

/**
 * @brief Run belief consensus or what it is compared with once, and write its run folder.
 *
 * With the same parameters, seed and run number, users see the same samples whatever the method,
 * W and the radio are.
 *
 * @param output where to print the theory and the result, unless quiet
 */
void RunBeliefConsensus(BeliefParameters& parameters, std::ostream& output);

#endif /* BELIEF_CONSENSUS_SCENARIO_H */
