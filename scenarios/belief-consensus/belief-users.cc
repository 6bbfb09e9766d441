/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-users.h"

#include "common/scenario-learners.h"

#include "ns3/belief-consensus-gaussian.h"
#include "ns3/belief-consensus-mean-field.h"
#include "ns3/belief-consensus-point.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// @return the users whose data it has
std::vector<uint32_t>
GetSources(const BeliefParameters& p, uint32_t user)
{
    std::vector<uint32_t> sources(p.IsCentral() ? p.devices : 1);
    std::iota(sources.begin(), sources.end(), p.IsCentral() ? 0 : user);
    return sources;
}

/// @return what a user of this run does: a central one as much as all users together
uint32_t
ForAllSources(const BeliefParameters& p, uint32_t count)
{
    const uint64_t all = uint64_t{count} * (p.IsCentral() ? p.devices : 1);
    return static_cast<uint32_t>(std::min<uint64_t>(all, std::numeric_limits<uint32_t>::max()));
}

/// @return a user's belief about words
std::unique_ptr<BeliefModel>
MakeDiscreteUser(const BeliefParameters& p, const BitProblem& problem, uint32_t user, double power)
{
    DiscreteBeliefConfig config;
    std::set<uint64_t> seen; // samples that several users see are one to a central one
    for (const uint32_t source : GetSources(p, user))
    {
        if (seen.insert(problem.seeds[source]).second)
        {
            config.observers.push_back(problem.observers[source]);
            config.seeds.push_back(problem.seeds[source]);
        }
    }
    config.best = problem.best;
    config.evidencePower = power;
    config.batchSize = p.instantSamples;
    config.replaySamples = p.IsStream() ? 0 : p.replaySamples;
    return MakeDiscreteBelief(std::move(config));
}

/// @return a user's belief about a linear model
std::unique_ptr<BeliefModel>
MakeGaussianUser(const BeliefParameters& p, uint32_t user, double power)
{
    const auto ranges = p.GetInputRange();
    const auto features = static_cast<uint32_t>(ranges.size());
    GaussianBeliefConfig config;
    config.theta = p.GetTheta();
    config.noise = p.noise;
    config.priorVariance = p.priorVariance;
    for (const uint32_t source : GetSources(p, user))
    {
        LinearObserver observer;
        observer.low.assign(features, 0.0);
        observer.high.assign(features, 0.0);
        const uint32_t feature = source % features;
        observer.low[feature] = -ranges[feature];
        observer.high[feature] = ranges[feature];
        config.observers.push_back(std::move(observer));
        config.seeds.push_back(SeedFor(RandomPurpose::DATA_SET, source));
    }
    for (const double range : ranges)
    {
        config.test.low.push_back(-range);
        config.test.high.push_back(range);
    }
    config.testSeed = SeedFor(RandomPurpose::SUBSET);
    config.evidencePower = power;
    config.batchSize = p.instantSamples;
    config.replaySamples = p.IsStream() ? 0 : p.replaySamples;
    return MakeGaussianBelief(std::move(config));
}

/// @param isOf whether to keep the samples of the label or all others
/// @return a part of the samples
DataView
SelectLabel(const DataView& view, int64_t label, bool isOf)
{
    DataView selected = view;
    selected.indices.clear();
    selected.labels.clear();
    for (std::size_t i = 0; i < view.labels.size(); ++i)
    {
        if ((view.labels[i] == label) == isOf)
        {
            selected.indices.push_back(view.indices[i]);
            selected.labels.push_back(view.labels[i]);
        }
    }
    return selected;
}

/// @return what a user learns with, the same weights for all at first
TorchLearnerConfig
MakeNetworkConfig(const BeliefParameters& p, const ScenarioSamples& samples, uint32_t user)
{
    TorchLearnerConfig config = MakeLearnerConfig(p, samples, user);
    config.initializationSeed = SeedFor(RandomPurpose::INITIALIZATION);
    config.trainData = JoinSamples(samples, GetSources(p, user));
    if (!p.IsPoint())
    {
        config.variational.emplace();
        config.variational->initialDeviation = p.initialDeviation;
        config.variational->predictionDraws = p.predictionDraws;
        config.variational->isNatural = p.optimizer == "natural";
    }
    return config;
}

/// @return a user's belief about a network
std::unique_ptr<BeliefModel>
MakeNetworkUser(const BeliefParameters& p,
                const BeliefSamples& samples,
                uint32_t user,
                const EvidenceShare& share)
{
    const TorchLearnerConfig learner = MakeNetworkConfig(p, samples, user);
    NetworkBeliefConfig config;
    config.samples = static_cast<uint32_t>(learner.trainData.Size());
    const auto& labels = learner.trainData.labels;
    const std::set<int64_t> seen(labels.begin(), labels.end());
    config.seenLabels.assign(seen.begin(), seen.end());
    config.learner = MakeLearner(learner, DrawWeights(p, learner));
    config.stream = p.IsStream();
    config.batchSize = p.IsStream() ? ForAllSources(p, p.batchSize) : p.batchSize;
    config.streamSeed = SeedFor(RandomPurpose::SUBSET, user);
    config.steps = p.IsStream() ? p.steps : ForAllSources(p, p.steps);
    config.learningRate = p.learningRate;
    config.decay = p.decay;
    config.evidencePower = share.power;
    if (p.IsCavity())
    {
        config.influence = share.influence;
    }
    config.test = samples.global;
    config.novel = samples.novel;
    return p.IsPoint() ? MakePointBelief(std::move(config))
                       : MakeMeanFieldBelief(std::move(config));
}

} // namespace

BitProblem
MakeBitProblem(const BeliefParameters& p)
{
    BitProblem problem;
    problem.truth = (1U << p.bits) - 1; // not the lowest index, which ties would prefer
    for (uint32_t user = 0; user < p.devices; ++user)
    {
        uint32_t bit = user % p.bits;
        if (p.design == "witness")
        {
            bit = user == p.witness ? p.bits - 1 : 0;
        }
        problem.bits.push_back(bit);
        DiscreteObserver observer =
            MakeBitObserver(p.bits, bit, p.labelProbability, problem.truth);
        if (p.IsMisspecified())
        {
            observer.truth.values = {1 - p.trueProbability, p.trueProbability}; // all bits are set
        }
        problem.observers.push_back(std::make_shared<const DiscreteObserver>(std::move(observer)));
        problem.seeds.push_back(
            SeedFor(RandomPurpose::DATA_SET, p.design == "common" ? bit : user));
    }
    uint32_t seen = 0;
    for (const uint32_t bit : problem.bits)
    {
        seen |= 1U << bit;
    }
    for (uint32_t word = 0; word <= problem.truth; ++word) // whose bits are all set
    {
        if ((word & seen) == seen)
        {
            problem.best.push_back(word);
        }
    }
    return problem;
}

BeliefSamples
LoadBeliefSamples(BeliefParameters& p)
{
    BeliefSamples samples{LoadSamples(p), nullptr};
    if (p.novelLabel < 0)
    {
        return samples;
    }
    const DataView& tests = *samples.global;
    p.Require(p.novelLabel < static_cast<int64_t>(tests.data->classes),
              "novelLabel",
              fmt::format("less than the {} classes of --dataSet={}, or -1",
                          tests.data->classes,
                          p.dataSet));
    auto known = std::make_shared<const DataView>(SelectLabel(tests, p.novelLabel, false));
    samples.novel = std::make_shared<const DataView>(SelectLabel(tests, p.novelLabel, true));
    p.Require(known->Size() > 0 && samples.novel->Size() > 0,
              "testSamples",
              "enough for some of --novelLabel and some others");
    samples.global = known;
    for (std::size_t user = 0; user < samples.train.size(); ++user)
    {
        samples.train[user] = SelectLabel(samples.train[user], p.novelLabel, false);
        p.Require(samples.train[user].Size() > 0,
                  "novelLabel",
                  fmt::format("another one, since user {} has samples of no other", user));
    }
    return samples;
}

std::vector<std::unique_ptr<BeliefModel>>
MakeUsers(const BeliefParameters& p,
          const BeliefSamples& samples,
          const std::vector<EvidenceShare>& shares)
{
    std::vector<std::unique_ptr<BeliefModel>> users;
    const BitProblem problem = p.family == "discrete" ? MakeBitProblem(p) : BitProblem();
    for (uint32_t user = 0; user < p.CountUsers(); ++user)
    {
        if (p.family == "discrete")
        {
            users.push_back(MakeDiscreteUser(p, problem, user, shares[user].power));
        }
        else if (p.family == "gaussian")
        {
            users.push_back(MakeGaussianUser(p, user, shares[user].power));
        }
        else
        {
            users.push_back(MakeNetworkUser(p, samples, user, shares[user]));
        }
    }
    return users;
}

std::string
FindStepHint(const BeliefParameters& p,
             const BeliefSamples& samples,
             const std::vector<EvidenceShare>& shares)
{
    if (!p.IsNetwork() || p.IsPoint() || p.optimizer != "sgd")
    {
        return "";
    }
    double greatest = 0;
    std::size_t samplesThen = 0; // in an instant of that user
    for (uint32_t user = 0; user < p.CountUsers(); ++user)
    {
        std::size_t count = 0;
        for (const uint32_t source : GetSources(p, user))
        {
            count += samples.train[source].Size();
        }
        if (p.IsStream())
        {
            count = std::min<std::size_t>(count, ForAllSources(p, p.batchSize));
        }
        const double power = shares[user].power * (p.IsCavity() ? shares[user].influence : 1);
        const double length = p.learningRate / (power * static_cast<double>(count) *
                                                p.initialDeviation * p.initialDeviation);
        samplesThen = length > greatest ? count : samplesThen;
        greatest = std::max(greatest, length);
    }
    constexpr double UNSTABLE = 2; // of gradient descent on a parabola, times its curvature
    return greatest < UNSTABLE
               ? ""
               : fmt::format("SGD does not stay near the belief before: --learningRate={} over "
                             "--initialDeviation={} squared and over the {} samples of an instant "
                             "is {:.3g}, and should be less than 2",
                             p.learningRate,
                             p.initialDeviation,
                             samplesThen,
                             greatest);
}
