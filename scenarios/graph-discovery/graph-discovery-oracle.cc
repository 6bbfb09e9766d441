/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-devices.h"

#include "ns3/graph-discovery-application.h"
#include "ns3/graph-discovery-coordinate-ascent.h"
#include "ns3/graph-discovery-game.h"
#include "ns3/graph-discovery-link-predictor.h"
#include "ns3/graph-discovery-reliable-clusters.h"

#include <cmath>
#include <optional>

using namespace ns3;
using namespace ns3::collab;

namespace
{

constexpr uint32_t ASCENTS = 5; //!< starts of coordinate ascent

/// @return the application of a device
Ptr<GraphDiscoveryApplication>
GetDevice(const ApplicationContainer& applications, uint32_t index)
{
    return DynamicCast<GraphDiscoveryApplication>(applications.Get(index));
}

/// @param trust T_j of all devices
/// @return what the outcome of a graph depends on
LabelGame
MakeGame(const GraphDiscoveryParameters& p,
         const ScenarioSamples& samples,
         const TrustMatrices& trust,
         const ApplicationContainer& applications)
{
    LabelGame game;
    const uint32_t labels = CountPartitions(p, samples);
    game.trust = trust;
    game.outage = Matrix<double>(p.devices, p.devices, 1.0);
    for (uint32_t i = 0; i < p.devices; ++i)
    {
        PartitionCounts held(labels);
        for (const int64_t label : samples.train[i].labels)
        {
            ++held[label];
        }
        const double share = static_cast<double>(samples.train[i].Size()) / labels;
        game.held.push_back(held);
        game.thresholds.emplace_back(labels,
                                     static_cast<uint32_t>(std::lround(p.thresholdShare * share)));
        for (uint32_t j = 0; j < p.devices; ++j)
        {
            if (i != j)
            {
                game.outage(i, j) = GetDevice(applications, i)->GetOutage(j);
            }
        }
    }
    game.score.leastLabels = p.Get<uint32_t>("leastLabels");
    game.score.thresholdSlack = p.Get<double>("thresholdSlack");
    game.score.distance = p.Get("distance") == "discrete" ? DiversityDistance::DISCRETE
                          : p.Get("distance") == "jensen-shannon"
                              ? DiversityDistance::JENSEN_SHANNON
                              : DiversityDistance::WASSERSTEIN;
    game.reward.diversity = p.diversityWeight;
    game.reward.reliability = p.reliabilityWeight;
    game.reward.budget = p.Get<double>("budgetWeight");
    game.reward.budgetPoints = p.Get<double>("budget");
    game.reward.global = p.Get<double>("globalWeight");
    game.cluster = FindReliableClusters(game.outage, p.Get<double>("alphaD"));
    return game;
}

/// @return the best transmitter of each by a network that was trained on a part of the devices
std::vector<uint32_t>
PredictLinks(const LabelGame& game, const ApplicationContainer& applications)
{
    const auto devices = static_cast<uint32_t>(game.held.size());
    const uint32_t trained = std::min(devices, LinkPredictorOptions().trainingDevices);
    LabelGame training = game;
    Matrix<double> rssW(devices, devices, 0.0);
    Matrix<double> trainingRssW(trained, trained, 0.0);
    training.outage = Matrix<double>(trained, trained, 1.0);
    training.held.resize(trained);
    training.thresholds.resize(trained);
    training.trust.resize(trained);
    for (uint32_t i = 0; i < devices; ++i)
    {
        for (uint32_t j = 0; j < devices; ++j)
        {
            const auto quality =
                i == j ? std::nullopt
                       : applications.Get(i)->GetNode()->GetObject<Transport>()->GetLinkQuality(
                             GetDevice(applications, j)->GetDeviceId());
            rssW(i, j) = quality ? quality->rssW : 0.0;
            if (i < trained && j < trained)
            {
                trainingRssW(i, j) = rssW(i, j);
                training.outage(i, j) = game.outage(i, j);
            }
        }
    }
    for (auto& trust : training.trust)
    {
        trust.rows = trained;
        trust.values.resize(std::size_t{trained} * trust.columns);
    }
    training.cluster.assign(game.cluster.begin(), game.cluster.begin() + trained);
    LinkPredictorOptions options;
    options.trainingDevices = trained;
    const LinkPredictor predictor(
        options, training, trainingRssW, SeedFor(RandomPurpose::INITIALIZATION, devices));
    const Matrix<float> scores = predictor.Score(game.held, rssW);
    std::vector<uint32_t> peers;
    for (uint32_t i = 0; i < devices; ++i)
    {
        const float* row = scores.Row(i);
        peers.push_back(static_cast<uint32_t>(std::max_element(row, row + devices) - row));
    }
    return peers;
}

} // namespace

void
ConsultOracle(const GraphDiscoveryParameters& p,
              const ScenarioSamples& samples,
              const TrustMatrices& trust,
              const ApplicationContainer& applications)
{
    const LabelGame game = MakeGame(p, samples, trust, applications);
    const std::vector<uint32_t> peers =
        p.Get("method") == "gcn"
            ? PredictLinks(game, applications)
            : SearchByCoordinateAscent(game, ASCENTS, SeedFor(RandomPurpose::EXPLORATION)).peers;
    for (uint32_t i = 0; i < p.devices; ++i)
    {
        if (peers[i] != NO_PEER)
        {
            GetDevice(applications, i)
                ->SetGivenPeers({GetDevice(applications, peers[i])->GetDeviceId()});
        }
    }
}
