/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-score.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-coordinate-aggregation.h"
#include "ns3/collab-random.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace ns3::collab
{

double
ComputeScore(const float* gradient, const float* own, std::size_t dimension)
{
    double distance = 0;
    for (std::size_t i = 0; i < dimension; ++i)
    {
        const double difference = static_cast<double>(gradient[i]) - static_cast<double>(own[i]);
        distance += difference * difference;
    }
    // Squares of floats cannot overflow a double: what is not finite came in.
    CheckArgument(std::isfinite(distance),
                  "a gradient to be scored has an element that is not finite");
    return 1 / distance;
}

double
CombineScores(const std::vector<double>& scores)
{
    CheckArgument(!scores.empty(), "a client without scores has no final score");
    double sum = 0;
    for (const double score : scores)
    {
        CheckArgument(score >= 0, "{} is no score, which is from 0 to infinity", score);
        sum += 1 / score;
    }
    return static_cast<double>(scores.size()) / sum;
}

namespace
{

/// @param scores of a client; not empty
/// @return the lower median of the scores of all members
double
FindMedian(std::vector<double> scores, std::size_t members)
{
    CombineScores(scores); // refuses what is no score
    scores.resize(members, 0);
    const auto middle = scores.begin() + static_cast<std::ptrdiff_t>((members - 1) / 2);
    std::nth_element(scores.begin(), middle, scores.end());
    return *middle;
}

/// @return their numbers, ascending
std::vector<uint32_t>
TakeClients(const std::vector<RankedClient>& ranking, std::size_t first, std::size_t count)
{
    std::vector<uint32_t> clients;
    for (std::size_t place = first; place < first + count; ++place)
    {
        clients.push_back(ranking[place].client);
    }
    std::sort(clients.begin(), clients.end());
    return clients;
}

} // namespace

std::vector<RankedClient>
RankClients(const ScoreTables& tables, std::size_t minimumScores, ScoreCombination combination)
{
    boost::container::flat_map<uint32_t, std::vector<double>> byClient;
    for (const auto& [member, scores] : tables)
    {
        for (const auto& [client, score] : scores)
        {
            byClient[client].push_back(score);
        }
    }
    std::vector<RankedClient> ranking;
    for (const auto& [client, scores] : byClient)
    {
        if (scores.size() >= minimumScores)
        {
            const bool isMedian = combination == ScoreCombination::MEDIAN;
            ranking.push_back(
                {client, isMedian ? FindMedian(scores, tables.size()) : CombineScores(scores)});
        }
    }
    std::stable_sort(
        ranking.begin(), ranking.end(), [](const RankedClient& a, const RankedClient& b) {
            return a.score > b.score;
        });
    return ranking;
}

std::size_t
CountAccepted(std::size_t clients, double alphaPercent)
{
    CheckArgument(alphaPercent > 0 && alphaPercent <= 100,
                  "alpha {} %, allowed is above 0 to 100",
                  alphaPercent);
    const auto rounded = std::llround(alphaPercent * static_cast<double>(clients) / 100);
    return std::min(clients, static_cast<std::size_t>(std::max(1LL, rounded)));
}

std::vector<uint32_t>
SelectClients(const std::vector<RankedClient>& ranking,
              SelectionStrategy strategy,
              std::size_t count)
{
    const std::size_t taken = std::min(count, ranking.size());
    const std::size_t first = strategy == SelectionStrategy::SIMILAR ? 0 : ranking.size() - taken;
    return TakeClients(ranking, first, taken);
}

std::vector<uint32_t>
ElectCommittee(const std::vector<RankedClient>& ranking,
               ElectionStrategy strategy,
               std::size_t count,
               uint64_t seed)
{
    CheckArgument(
        ranking.size() >= count, "{} ranked clients, a committee has {}", ranking.size(), count);
    if (strategy == ElectionStrategy::TOP)
    {
        return TakeClients(ranking, 0, count);
    }
    if (strategy == ElectionStrategy::MIDDLE)
    {
        return TakeClients(ranking, (ranking.size() - count) / 2, count);
    }
    // By number, so that the draw does not depend on the scores
    return DrawDevices(TakeClients(ranking, 0, ranking.size()), {}, count, seed);
}

std::vector<uint32_t>
DrawByTicket(std::vector<uint32_t> clients, std::size_t count, uint64_t seed)
{
    const auto getTicket = [seed](uint32_t client) {
        return std::make_pair(SplitMix64(SplitMix64(seed) + client), client);
    };
    std::sort(clients.begin(), clients.end(), [&getTicket](uint32_t a, uint32_t b) {
        return getTicket(a) < getTicket(b);
    });
    clients.resize(std::min(count, clients.size()));
    std::sort(clients.begin(), clients.end());
    return clients;
}

std::vector<uint32_t>
DrawDevices(const std::vector<uint32_t>& devices,
            const std::vector<uint32_t>& excluded,
            std::size_t count,
            uint64_t seed)
{
    std::vector<uint32_t> drawn;
    std::set_difference(devices.begin(),
                        devices.end(),
                        excluded.begin(),
                        excluded.end(),
                        std::back_inserter(drawn));
    RandomGenerator generator(seed);
    drawn = Shuffled(drawn, generator);
    drawn.resize(std::min(count, drawn.size()));
    std::sort(drawn.begin(), drawn.end());
    return drawn;
}

std::vector<double>
LimitSampleWeights(std::vector<double> samples, double most)
{
    if (samples.empty() || most == 0)
    {
        return samples;
    }
    std::vector<double> sorted = samples;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>((sorted.size() - 1) / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    for (double& weight : samples)
    {
        weight = std::min(weight, most * *middle);
    }
    return samples;
}

std::vector<float>
ApplyGradients(const std::vector<float>& weights,
               const VectorStack& gradients,
               const std::vector<double>& samples,
               double learningRate)
{
    CheckArgument(gradients.Dimension() == weights.size(),
                  "gradients of {} elements for {} weights",
                  gradients.Dimension(),
                  weights.size());
    std::vector<float> result(weights.size());
    WeightedMean(gradients, samples, result.data());
    for (std::size_t i = 0; i < weights.size(); ++i)
    {
        result[i] = static_cast<float>(weights[i] - learningRate * result[i]);
    }
    return result;
}

} // namespace ns3::collab
