/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scenario-learners.h"

#include "inputs/scenario-checks.h"

#include "ns3/collab-personal-learner.h"
#include "ns3/collab-rank-learner.h"
#include "ns3/collab-stub-learner.h"
#include "ns3/collab-torch-runtime.h"
#include "ns3/collab-torch-weights.h"

#include <filesystem>
#include <fmt/format.h>
#include <utility>

using namespace ns3::collab;

ScenarioSamples
LoadSamples(CommonParameters& p, uint32_t groups, const std::vector<std::string>& models)
{
    ConfigureTorchProcess();
    ScenarioSamples samples = PrepareSamples(p, groups);
    CheckRegression(p, samples);
    p.hasTargets = IsRegression(samples);
    const ModelInput input = MakeModelInput(*samples.reference->data);
    for (const std::string& model : models.empty() ? std::vector{p.model} : models)
    {
        CheckArgument("model", model, [&]() { DescribeModel(model, input); });
    }
    if (!p.train.empty())
    {
        CheckArgument("train", p.train, [&]() { FindNamed(ListWeights(p.model, input), p.train); });
    }
    return samples;
}

TorchLearnerConfig
MakeLearnerConfig(const CommonParameters& p, const ScenarioSamples& samples, uint32_t device)
{
    TorchLearnerConfig config;
    config.model = p.GetTrainedModel();
    config.device = p.device;
    config.trainData = samples.train[device];
    config.learningRate = p.GetSgdRate().value_or(p.learningRate);
    config.batchSize = p.batchSize;
    config.optimizer = p.GetOptimizer();
    config.labelSmoothing = p.labelSmoothing;
    config.balancesClasses = p.classWeights == "balanced";
    if (!p.augmentation.empty())
    {
        CheckArgument("augmentation", p.augmentation, [&]() {
            config.augmentation = ReadAugmentation(p.augmentation, *config.trainData.data);
        });
    }
    if (!p.dpSgd.empty())
    {
        config.dpSgd = ReadDpSgd(p.dpSgd);
    }
    config.initializationSeed = SeedFor(RandomPurpose::INITIALIZATION, device);
    config.shuffleSeed = SeedFor(RandomPurpose::SHUFFLE, device);
    return config;
}

FlatVector
DrawWeights(const CommonParameters& p, const TorchLearnerConfig& config)
{
    if (!p.initialWeights.empty())
    {
        const ModelInput input = MakeModelInput(*config.trainData.data);
        const FlatVector weights = LoadWeights(p.initialWeights, config.model, input);
        if (!config.variational)
        {
            return weights;
        }
        std::vector<float> belief = *weights; // means, then standard deviations
        belief.resize(2 * belief.size(), static_cast<float>(config.variational->initialDeviation));
        return std::make_shared<const std::vector<float>>(std::move(belief));
    }
    return IsStub(config.model) ? MakeStubWeights(config.model) : DrawInitialWeights(config);
}

std::unique_ptr<Learner>
MakeLearner(TorchLearnerConfig config, FlatVector weights)
{
    if (!IsStub(config.model))
    {
        std::unique_ptr<Learner> learner;
        CheckArgument("model", config.model, [&]() {
            learner = MakeRankLearner(config, std::move(weights));
        });
        return learner;
    }
    StubLearnerConfig stub;
    stub.model = config.model;
    stub.samples = static_cast<uint32_t>(config.trainData.Size());
    stub.batchSize = config.batchSize;
    stub.learningRate = config.learningRate;
    stub.seed = config.shuffleSeed;
    return MakeStubLearner(std::move(stub), std::move(weights));
}

std::unique_ptr<Learner>
MakeSharingLearner(const CommonParameters& p, TorchLearnerConfig config, FlatVector weights)
{
    if (p.IsWhole())
    {
        return MakeLearner(std::move(config), std::move(weights));
    }
    const auto specs = ListWeights(config.model, MakeModelInput(*config.trainData.data));
    SharedWeights shared = FindUnfrozen(specs);
    if (!p.share.empty())
    {
        CheckArgument("share", p.share, [&]() { shared = FindNamed(specs, p.share); });
    }
    if (!p.personalLayers.empty())
    {
        CheckArgument("personalLayers", p.personalLayers, [&]() {
            shared = FindShared(specs, p.personalLayers);
        });
    }
    return MakePersonalLearner(MakeLearner(std::move(config), std::move(weights)),
                               std::move(shared));
}

std::vector<FinalModel>
ListModels(const CommonParameters& p,
           const std::vector<std::shared_ptr<Learner>>& learners,
           const std::vector<std::string>& models)
{
    std::vector<FinalModel> all;
    for (std::size_t device = 0; device < learners.size(); ++device)
    {
        all.push_back({fmt::format("device-{}", device),
                       models.empty() ? p.GetTrainedModel() : models[device],
                       learners[device]->GetAllWeights()});
    }
    return all;
}

void
WriteModels(const CommonParameters& p,
            const RunResults& results,
            const ScenarioSamples& samples,
            const std::vector<FinalModel>& models)
{
    if (!p.saveWeights)
    {
        return;
    }
    const std::filesystem::path place = results.folder.GetFile("weights");
    std::filesystem::create_directory(place);
    const ModelInput input = MakeModelInput(*samples.reference->data);
    for (const FinalModel& model : models)
    {
        SaveWeights(place / (model.file + ".safetensors"), model.model, input, *model.weights);
    }
}

std::vector<PrivacyRow>
ListPrivacy(const CommonParameters& p, const std::vector<std::shared_ptr<Learner>>& learners)
{
    std::vector<PrivacyRow> rows;
    const double delta = p.dpSgd.empty() ? 0 : ReadDpSgd(p.dpSgd).delta;
    for (uint32_t device = 0; !p.dpSgd.empty() && device < learners.size(); ++device)
    {
        rows.push_back({device, "steps", delta, learners[device]->GetEpsilon(delta)});
    }
    return rows;
}

void
WritePrivacy(RunResults& results, const std::vector<PrivacyRow>& rows)
{
    if (rows.empty())
    {
        return;
    }
    const auto table = results.tables->Add<PrivacyRow>();
    for (const PrivacyRow& row : rows)
    {
        table.Write(row);
    }
}

void
WriteLearners(const CommonParameters& p,
              RunResults& results,
              const ScenarioSamples& samples,
              const std::vector<std::shared_ptr<Learner>>& learners,
              const std::vector<std::string>& models)
{
    WriteModels(p, results, samples, ListModels(p, learners, models));
    WritePrivacy(results, ListPrivacy(p, learners));
}
