/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/graph-discovery-policy.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <stdexcept>

using namespace ns3::collab;

namespace
{

constexpr double NEAR = 1e-12;
const std::vector<uint32_t> NO_LEVELS;

/// @return softmax of the values
std::vector<double>
Softmax(const std::vector<double>& values)
{
    std::vector<double> result;
    for (const double value : values)
    {
        result.push_back(std::exp(value));
    }
    const double sum = std::accumulate(result.begin(), result.end(), 0.0);
    for (double& value : result)
    {
        value /= sum;
    }
    return result;
}

void
ExpectProbabilities(const GraphDiscoveryPolicy& policy, const std::vector<double>& values)
{
    EXPECT_THAT(policy.GetProbabilities(NO_LEVELS),
                testing::Pointwise(testing::DoubleNear(NEAR), Softmax(values)));
}

/// All that a policy has learned, from which it computes everything anew
class NaivePolicy
{
  public:
    NaivePolicy(uint32_t peers, const PolicyOptions& options)
        : m_peers(peers),
          m_options(options)
    {
    }

    void
    Learn(const std::vector<uint32_t>& levels, uint32_t peer, double reward)
    {
        const bool isLess = reward < GetMean(m_all.size());
        m_all.push_back({levels, peer, reward * (isLess ? 1 - m_options.reduction : 1)});
    }

    std::vector<double>
    GetProbabilities(const std::vector<uint32_t>& levels, const std::vector<bool>& masked) const
    {
        std::vector<double> result(m_peers, 0);
        double sum = 0;
        for (uint32_t peer = 0; peer < m_peers; ++peer)
        {
            result[peer] = masked[peer] ? 0 : std::exp(GetValue(levels, peer));
            sum += result[peer];
        }
        for (double& value : result)
        {
            value = sum > 0 ? value / sum : 0;
        }
        return result;
    }

  private:
    struct Event
    {
        std::vector<uint32_t> levels;
        uint32_t peer;
        double reward;
    };

    std::size_t
    GetBegin(std::size_t end) const
    {
        return end - std::min<std::size_t>(end, m_options.buffer);
    }

    /// @return mean of the buffer after as many events
    double
    GetMean(std::size_t end) const
    {
        double sum = 0;
        for (std::size_t k = GetBegin(end); k < end; ++k)
        {
            sum += m_all[k].reward;
        }
        return end == 0 ? 0 : sum / static_cast<double>(end - GetBegin(end));
    }

    bool
    IsOfRow(const Event& event, const std::vector<uint32_t>& levels, uint32_t peer) const
    {
        return m_options.levels == 1 || event.levels[peer] == levels[peer];
    }

    double
    GetValue(const std::vector<uint32_t>& levels, uint32_t peer) const
    {
        double sum = 0;
        double count = 0;
        double printed = GetMean(m_all.size());
        const std::size_t begin = m_options.psi == PsiRule::WINDOW ? GetBegin(m_all.size()) : 0;
        for (std::size_t k = begin; k < m_all.size(); ++k)
        {
            if (m_all[k].peer == peer && IsOfRow(m_all[k], levels, peer))
            {
                sum += m_all[k].reward;
                count += 1;
                printed = GetMean(k + 1);
            }
        }
        return m_options.psi == PsiRule::PRINTED || count == 0 ? printed : sum / count;
    }

    uint32_t m_peers;
    PolicyOptions m_options;
    std::vector<Event> m_all;
};

/// @return all combinations of rules, with few levels and a small buffer
std::vector<PolicyOptions>
ListOptions()
{
    std::vector<PolicyOptions> all;
    for (uint32_t k = 0; k < 3 * 2; ++k)
    {
        PolicyOptions options;
        options.psi = static_cast<PsiRule>(k % 3);
        options.levels = k / 3 == 0 ? 1 : 2;
        options.buffer = 7;
        options.reduction = 0.6;
        all.push_back(options);
    }
    return all;
}

/// @return probability of the best of 5 peers, whose rewards are 0 to 4, after 3000 steps
double
LearnBandit(PsiRule psi)
{
    PolicyOptions options;
    options.psi = psi;
    GraphDiscoveryPolicy policy(5, options);
    RandomGenerator generator(3);
    for (uint32_t step = 0; step < 3000; ++step)
    {
        const uint32_t peer = policy.Draw(NO_LEVELS, generator);
        policy.Learn(NO_LEVELS, peer, peer);
    }
    return policy.GetProbabilities(NO_LEVELS)[4];
}

} // namespace

TEST(GraphDiscoveryPolicy, FollowsAnExampleByHand)
{
    GraphDiscoveryPolicy policy(3, PolicyOptions());
    ExpectProbabilities(policy, {0, 0, 0});
    policy.Learn(NO_LEVELS, 0, 1); // the buffer was empty: beta 1
    ExpectProbabilities(policy, {1, 1, 1});
    policy.Learn(NO_LEVELS, 1, 3); // above 1
    ExpectProbabilities(policy, {1, 3, 2});
    policy.Learn(NO_LEVELS, 1, 1); // below 2: 0.1
    EXPECT_DOUBLE_EQ(policy.GetBufferMean(), 4.1 / 3);
    ExpectProbabilities(policy, {1, 3.1 / 2, 4.1 / 3});
    EXPECT_EQ(policy.GetBest(NO_LEVELS), 1);
    EXPECT_EQ(policy.GetSteps(), 3);
}

TEST(GraphDiscoveryPolicy, ShrinksRewardsBelowTheMean)
{
    PolicyOptions options;
    options.reduction = 0.75;
    GraphDiscoveryPolicy policy(2, options);
    policy.Learn(NO_LEVELS, 0, -4); // below 0, the mean of an empty buffer
    EXPECT_DOUBLE_EQ(policy.GetBufferMean(), -1);
    policy.Learn(NO_LEVELS, 0, -1); // as much as the mean: beta 1
    EXPECT_DOUBLE_EQ(policy.GetBufferMean(), -1);
    policy.Learn(NO_LEVELS, 1, 8);
    EXPECT_DOUBLE_EQ(policy.GetBufferMean(), 2);
    policy.Learn(NO_LEVELS, 1, 0.4); // below 2
    EXPECT_DOUBLE_EQ(policy.GetBufferMean(), 6.1 / 4);
    ExpectProbabilities(policy, {-1, 8.1 / 2});
}

TEST(GraphDiscoveryPolicy, WindowForgetsWhatLeavesTheBuffer)
{
    PolicyOptions options;
    options.buffer = 2;
    GraphDiscoveryPolicy window(3, options);
    options.psi = PsiRule::CUMULATIVE;
    GraphDiscoveryPolicy cumulative(3, options);
    for (auto* policy : {&window, &cumulative})
    {
        policy->Learn(NO_LEVELS, 0, 1);
        policy->Learn(NO_LEVELS, 1, 2);
        policy->Learn(NO_LEVELS, 1, 4);
        EXPECT_DOUBLE_EQ(policy->GetBufferMean(), 3);
    }
    ExpectProbabilities(window, {3, 3, 3});
    ExpectProbabilities(cumulative, {1, 3, 3});
}

TEST(GraphDiscoveryPolicy, PrintedGivesThePeerTheMeanOfTheBuffer)
{
    PolicyOptions options;
    options.psi = PsiRule::PRINTED;
    options.buffer = 2;
    GraphDiscoveryPolicy policy(3, options);
    policy.Learn(NO_LEVELS, 0, 1);
    policy.Learn(NO_LEVELS, 1, 3);
    ExpectProbabilities(policy, {1, 2, 2}); // peer 2 was not tried
    policy.Learn(NO_LEVELS, 1, 5);          // the first 1 leaves the buffer, peer 0 keeps it
    ExpectProbabilities(policy, {1, 4, 4});
}

TEST(GraphDiscoveryPolicy, UntriedPeersCountZeroIfAsked)
{
    PolicyOptions options;
    options.untried = UntriedRule::ZERO;
    GraphDiscoveryPolicy policy(3, options);
    policy.Learn(NO_LEVELS, 1, 4);
    ExpectProbabilities(policy, {0, 4, 0});
}

TEST(GraphDiscoveryPolicy, WindowAndCumulativeLearnPrintedDoesNot)
{
    EXPECT_GT(LearnBandit(PsiRule::WINDOW), 0.5);
    EXPECT_GT(LearnBandit(PsiRule::CUMULATIVE), 0.5);
    EXPECT_LT(LearnBandit(PsiRule::PRINTED), 0.5);
}

TEST(GraphDiscoveryPolicy, LevelsTellRowsApart)
{
    PolicyOptions options;
    options.levels = 3;
    GraphDiscoveryPolicy policy(2, options);
    policy.Learn({0, 1}, 0, 1);
    policy.Learn({0, 2}, 1, 5);
    const auto expect = [&policy](const std::vector<uint32_t>& levels,
                                  const std::vector<double>& values) {
        EXPECT_THAT(policy.GetProbabilities(levels),
                    testing::Pointwise(testing::DoubleNear(NEAR), Softmax(values)));
    };
    expect({0, 2}, {1, 5});
    expect({0, 0}, {1, 3});
    expect({2, 2}, {3, 5});
}

TEST(GraphDiscoveryPolicy, IsAsComputedAnewFromAllRewards)
{
    for (const PolicyOptions& options : ListOptions())
    {
        RandomGenerator generator(11);
        GraphDiscoveryPolicy policy(4, options);
        NaivePolicy naive(4, options);
        std::vector<bool> masked(4, false);
        for (uint32_t step = 0; step < 200; ++step)
        {
            std::vector<uint32_t> levels;
            for (uint32_t peer = 0; peer < 4; ++peer)
            {
                levels.push_back(static_cast<uint32_t>(generator() % options.levels));
            }
            const auto probabilities = policy.GetProbabilities(levels);
            ASSERT_THAT(probabilities,
                        testing::Pointwise(testing::DoubleNear(1e-9),
                                           naive.GetProbabilities(levels, masked)));
            ASSERT_NEAR(std::accumulate(probabilities.begin(), probabilities.end(), 0.0), 1, NEAR);
            const uint32_t best = policy.GetBest(levels);
            ASSERT_DOUBLE_EQ(probabilities[best],
                             *std::max_element(probabilities.begin(), probabilities.end()));
            const uint32_t peer = policy.Draw(levels, generator);
            ASSERT_FALSE(masked.at(peer));
            const double reward = static_cast<double>(generator() % 64) / 16 - 1;
            policy.Learn(levels, peer, reward);
            naive.Learn(levels, peer, reward);
            if (step % 80 == 79)
            {
                policy.Mask(step / 80);
                masked[step / 80] = true;
            }
        }
    }
}

TEST(GraphDiscoveryPolicy, EqualRewardsAreNeverBelowTheirMean)
{
    for (const double reward : {0.1, 1.0 / 49, 3.3e7, 1e-9 / 3})
    {
        PolicyOptions options;
        options.buffer = 49;
        GraphDiscoveryPolicy policy(2, options);
        for (uint32_t step = 0; step < 300; ++step)
        {
            policy.Learn(NO_LEVELS, step % 2, reward);
            ASSERT_DOUBLE_EQ(policy.GetBufferMean(), reward);
        }
    }
}

TEST(GraphDiscoveryPolicy, SumsDoNotDriftAfterGreatRewards)
{
    PolicyOptions options;
    options.buffer = 8;
    options.reduction = 0;
    GraphDiscoveryPolicy policy(2, options);
    for (uint32_t step = 0; step < 100000; ++step)
    {
        policy.Learn(NO_LEVELS, 0, step % 3 == 0 ? 1e12 / 7 : 0.3 + 1e-3 * (step % 11));
    }
    for (uint32_t step = 0; step < 7; ++step)
    {
        policy.Learn(NO_LEVELS, 0, 0.5);
    }
    policy.Learn(NO_LEVELS, 1, 0.25);
    EXPECT_DOUBLE_EQ(policy.GetBufferMean(), 3.75 / 8);
    ExpectProbabilities(policy, {0.5, 0.25});
}

TEST(GraphDiscoveryPolicy, DrawsByItsProbabilitiesAndOneNumberEach)
{
    GraphDiscoveryPolicy policy(4, PolicyOptions());
    policy.Learn(NO_LEVELS, 0, 1);
    policy.Learn(NO_LEVELS, 1, 2);
    policy.Learn(NO_LEVELS, 2, 3);
    policy.Mask(1);
    RandomGenerator generator(5);
    RandomGenerator same(5);
    constexpr uint32_t DRAWS = 200000;
    std::vector<double> frequencies(4, 0);
    for (uint32_t k = 0; k < DRAWS; ++k)
    {
        frequencies.at(policy.Draw(NO_LEVELS, generator)) += 1.0 / DRAWS;
        same.discard(1);
    }
    EXPECT_EQ(frequencies[1], 0);
    EXPECT_THAT(frequencies,
                testing::Pointwise(testing::DoubleNear(5e-3), policy.GetProbabilities(NO_LEVELS)));
    EXPECT_EQ(generator(), same());
}

TEST(GraphDiscoveryPolicy, HasNobodyIfAllAreMasked)
{
    GraphDiscoveryPolicy policy(2, PolicyOptions());
    policy.Learn(NO_LEVELS, 1, 2);
    EXPECT_FALSE(policy.IsMasked(1));
    policy.Mask(0);
    policy.Mask(1);
    EXPECT_TRUE(policy.IsMasked(1));
    RandomGenerator generator(5);
    RandomGenerator same(5);
    same.discard(1);
    EXPECT_EQ(policy.Draw(NO_LEVELS, generator), GraphDiscoveryPolicy::NOBODY);
    EXPECT_EQ(generator(), same());
    EXPECT_EQ(policy.GetBest(NO_LEVELS), GraphDiscoveryPolicy::NOBODY);
    EXPECT_EQ(policy.GetProbabilities(NO_LEVELS), (std::vector<double>{0, 0}));
}

TEST(GraphDiscoveryPolicy, BearsRewardsOfAnySize)
{
    GraphDiscoveryPolicy policy(2, PolicyOptions());
    policy.Learn(NO_LEVELS, 0, 1e5);
    policy.Learn(NO_LEVELS, 1, 2e5);
    EXPECT_EQ(policy.GetProbabilities(NO_LEVELS), (std::vector<double>{0, 1}));
    GraphDiscoveryPolicy other(2, PolicyOptions());
    other.Learn(NO_LEVELS, 0, -1e7);
    EXPECT_EQ(other.GetProbabilities(NO_LEVELS), (std::vector<double>{0.5, 0.5}));
}

TEST(GraphDiscoveryPolicy, IsTheSameAtAnyLevelOfRewards)
{
    PolicyOptions options;
    options.buffer = 4;
    options.reduction = 0;
    GraphDiscoveryPolicy policy(3, options);
    for (const double level : {0.0, 700.0, -700.0, 1e6, 0.0, -1e9, 350.0, 0.0})
    {
        for (const double reward : {1.0, 3.0, 2.0, 2.0})
        {
            policy.Learn(NO_LEVELS, reward < 2 ? 0 : 1, level + reward);
        }
        EXPECT_THAT(policy.GetProbabilities(NO_LEVELS),
                    testing::Pointwise(testing::DoubleNear(1e-6), Softmax({1, 7.0 / 3, 2})));
    }
}

TEST(GraphDiscoveryPolicy, RejectsWhatIsNotAllowed)
{
    PolicyOptions options;
    EXPECT_THROW(GraphDiscoveryPolicy(0, options), std::invalid_argument);
    options.buffer = 0;
    EXPECT_THROW(GraphDiscoveryPolicy(2, options), std::invalid_argument);
    options.buffer = 1;
    options.levels = 0;
    EXPECT_THROW(GraphDiscoveryPolicy(2, options), std::invalid_argument);
    options.levels = 2;
    options.reduction = 1.1;
    EXPECT_THROW(GraphDiscoveryPolicy(2, options), std::invalid_argument);
    options.reduction = 1;
    GraphDiscoveryPolicy policy(2, options);
    EXPECT_THROW(policy.GetProbabilities({0}), std::invalid_argument);
    EXPECT_THROW(policy.GetBest({0, 2}), std::invalid_argument);
    EXPECT_THROW(policy.Learn({0, 2}, 0, 1), std::invalid_argument);
    EXPECT_THROW(policy.Learn({0, 1}, 2, 1), std::invalid_argument);
    EXPECT_THROW(policy.Learn({0, 1}, 1, std::nan("")), std::invalid_argument);
}

TEST(GraphDiscoveryPolicy, KeepsWeightsAndGivesTheSameBitsEachTime)
{
    constexpr uint32_t PEERS = 9;
    PolicyOptions options;
    options.psi = PsiRule::CUMULATIVE;
    options.reduction = 0;
    GraphDiscoveryPolicy policy(PEERS, options);
    std::vector<double> expected;
    for (uint32_t peer = 0; peer < PEERS; ++peer)
    {
        const double reward = std::sin(1.7 * peer);
        policy.Learn({}, peer, reward);
        expected.push_back(std::exp(reward)); // not less the greatest, with which it would move
    }
    const double sum = std::accumulate(expected.begin(), expected.end(), 0.0);
    for (double& weight : expected)
    {
        weight /= sum;
    }
    EXPECT_EQ(policy.GetProbabilities({}), expected);
}
