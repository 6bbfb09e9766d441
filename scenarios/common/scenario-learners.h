/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCENARIO_LEARNERS_H
#define SCENARIO_LEARNERS_H

#include "scenario-run.h"

#include "ns3/collab-torch-learner.h"

#include <memory>
#include <string>
#include <vector>

/// @brief Load what devices learn from, as PrepareSamples() does, and check that models can.
/// @param models names of the devices' models; none if all have that of the parameters
ScenarioSamples LoadSamples(CommonParameters& p,
                            uint32_t groups = 0,
                            const std::vector<std::string>& models = {});

/// @return what a device learns with
ns3::collab::TorchLearnerConfig MakeLearnerConfig(const CommonParameters& p,
                                                  const ScenarioSamples& samples,
                                                  uint32_t device);

/// @brief Get the weights that learners begin with: those of the file that the user has given, or
/// random ones.
/// @param config configuration of a learner; its model may be a stub
/// @return the weights, to be shared by learners
/// @throws DataFileError if the file cannot be read, or has not exactly the model's tensors
ns3::collab::FlatVector DrawWeights(const CommonParameters& p,
                                    const ns3::collab::TorchLearnerConfig& config);

/// @brief Make a learner that trains, or a stub if that is its model.
/// @param weights weights as DrawWeights() gives them
/// @return the learner
std::unique_ptr<ns3::collab::Learner> MakeLearner(ns3::collab::TorchLearnerConfig config,
                                                  ns3::collab::FlatVector weights);

/// @brief Make a learner for an algorithm by which models are exchanged: of which it shows a part
/// if the user wants that.
/// @param weights weights as DrawWeights() gives them
/// @return the learner
/// @throws UserError if the model does not have the part
std::unique_ptr<ns3::collab::Learner> MakeSharingLearner(const CommonParameters& p,
                                                         ns3::collab::TorchLearnerConfig config,
                                                         ns3::collab::FlatVector weights);

/// @return their learners
template <typename Agent>
std::vector<std::shared_ptr<ns3::collab::Learner>>
GetLearners(const std::vector<Agent>& agents)
{
    std::vector<std::shared_ptr<ns3::collab::Learner>> learners;
    for (const auto& agent : agents)
    {
        learners.push_back(agent.learner);
    }
    return learners;
}

/// A model at the end of a run
struct FinalModel
{
    std::string file;                //!< name of its file, such as "device-3"
    std::string model;               //!< its name
    ns3::collab::FlatVector weights; //!< of it
};

/// @param models names of the models of all devices; none if all have that of the parameters
/// @return the models of devices now, as device-0, device-1, ...
std::vector<FinalModel> ListModels(
    const CommonParameters& p,
    const std::vector<std::shared_ptr<ns3::collab::Learner>>& learners,
    const std::vector<std::string>& models = {});

/// @brief If the user wants them, write models to the folder weights of the run folder, each as a
/// file of safetensors that --weights takes.
/// @throws DataFileError if a file cannot be written
void WriteModels(const CommonParameters& p,
                 const RunResults& results,
                 const ScenarioSamples& samples,
                 const std::vector<FinalModel>& models);

/// Privacy that a device has spent
struct PrivacyRow
{
    uint32_t device = 0;   //!< the device
    std::string mechanism; //!< by what: steps, updates or predictions
    double delta = 0;      //!< at which epsilon is told
    double epsilon = 0;    //!< spent so far

    /// @return the table privacy
    static ns3::collab::TableColumns<PrivacyRow>
    GetTable()
    {
        using Row = PrivacyRow;
        return {"privacy",
                "a device and mechanism, at the end of the run",
                {{"device", "", "the device", &Row::device},
                 {"mechanism",
                  "",
                  "what spends privacy: steps by DP-SGD, of each training sample; or updates or "
                  "predictions with noise, of all samples together",
                  &Row::mechanism},
                 {"delta", "1", "delta at which epsilon is told", &Row::delta},
                 {"epsilon", "1", "epsilon spent in the run", &Row::epsilon}}};
    }
};

/// @return privacy that each device's steps have spent; nothing without DP-SGD
std::vector<PrivacyRow> ListPrivacy(
    const CommonParameters& p, const std::vector<std::shared_ptr<ns3::collab::Learner>>& learners);

/// Write the table privacy, if there is anything to write
void WritePrivacy(RunResults& results, const std::vector<PrivacyRow>& rows);

/// @brief Write the devices' models if the user wants them, and what privacy they have spent.
/// @param models see ListModels()
void WriteLearners(const CommonParameters& p,
                   RunResults& results,
                   const ScenarioSamples& samples,
                   const std::vector<std::shared_ptr<ns3::collab::Learner>>& learners,
                   const std::vector<std::string>& models = {});

#endif /* SCENARIO_LEARNERS_H */
