/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PREDICTION_CONSENSUS_SCENARIO_H
#define PREDICTION_CONSENSUS_SCENARIO_H

#include "common/scenario-parameters.h"

#include "ns3/application-container.h"

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

/// Everything that one run of prediction consensus depends on, besides ns-3's own attributes and
/// seeds
struct PredictionConsensusParameters : CommonParameters
{
    uint32_t referenceBatchSize = 256;       //!< X* samples a step
    std::string referenceOrder = "shuffled"; //!< shuffled or restarted
    std::string models;           //!< of the two halves of the agents, or of each; empty for model
    double lowQualityLambda = -1; //!< the same of devices of low quality; -1: lambda
    double lowQualityImportance = 0.1; //!< pi of devices of low quality, of others 1
    std::string malicious = "none";    //!< devices that lie
    std::string lie = "shift";         //!< what they tell: shift or target
    bool ensemble = false;             //!< whether to measure what pseudo-labels would be worth
    double deadline = 0; //!< longest wait for predictions [s]; 0 for as long as all compute

    PredictionConsensusParameters();

    /// Refuse what makes no sense together
    void Validate() const;

    /// @return whether agents exchange predictions
    bool Exchanges() const;
    /// @return the model of each device
    std::vector<std::string> GetModels() const;
};

/// @brief Refuse attributes that are for classes, where predictions are values.
/// @param cause what was given so that they are
/// @throws UserError if there is such an attribute
void CheckValueAttributes(const std::string& cause);

/// @brief Refuse an attack that is given as an attribute, and so to all devices.
/// @param advice what to do instead
/// @throws UserError if there is such an attribute
void CheckLiars(const std::string& advice);

/// @param list gets the parameter --deadline
/// @param deadline its field: longest wait for predictions [s]; 0 if it is computed
void DeclareDeadline(RunParameters& list, double& deadline);

/// @brief Let all devices wait for each other as long as --deadline says, and in the first exchange
/// for those that are slow in pretraining.
/// @param[in,out] deadline of DeclareDeadline(); gets the one that is in force
void SetDeadlines(const CommonParameters& p,
                  double& deadline,
                  const ns3::ApplicationContainer& applications);

/// @brief Run prediction consensus once and write its run folder.
void RunPredictionConsensus(PredictionConsensusParameters& parameters, std::ostream& output);

#endif /* PREDICTION_CONSENSUS_SCENARIO_H */
