/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee/committee-reference.h"

#include "ns3/collab-random.h"
#include "ns3/committee-score.h"

#include <algorithm>
#include <boost/random/uniform_01.hpp>
#include <cmath>
#include <gmock/gmock.h>
#include <iterator>
#include <limits>

using namespace ns3::collab;
using ::testing::ElementsAre;
namespace reference = committee_reference;

namespace
{

constexpr double INF = std::numeric_limits<double>::infinity();
constexpr uint32_t SCORED = 9;
constexpr uint32_t SCORING = 4;
constexpr std::size_t SCORED_LENGTH = 7;

std::vector<float>
MakeGradient(uint32_t k)
{
    std::vector<float> gradient;
    for (uint32_t i = 0; i < SCORED_LENGTH; ++i)
    {
        gradient.push_back(static_cast<float>(std::sin(1.0 + 3 * k + 5 * i) / (1 + k % 4)));
    }
    return gradient;
}

ScoreTables
MakeTables()
{
    ScoreTables tables;
    for (uint32_t c = SCORED; c < SCORED + SCORING; ++c)
    {
        for (uint32_t k = 0; k < SCORED; ++k)
        {
            tables[c][k] =
                ComputeScore(MakeGradient(k).data(), MakeGradient(c).data(), SCORED_LENGTH);
        }
    }
    return tables;
}

std::vector<uint32_t>
NumbersOf(const std::vector<RankedClient>& ranking)
{
    std::vector<uint32_t> clients;
    for (const auto& ranked : ranking)
    {
        clients.push_back(ranked.client);
    }
    return clients;
}

/// Clients 10, 20, ... 70 with scores 7 to 1
std::vector<RankedClient>
MakeRanking()
{
    std::vector<RankedClient> ranking;
    for (uint32_t i = 1; i <= 7; ++i)
    {
        ranking.push_back({10 * i, 8.0 - i});
    }
    return ranking;
}

} // namespace

TEST(CommitteeScore, IsTheInverseOfTheSquaredDistance)
{
    const std::vector<float> a = {1, 2, 3};
    const std::vector<float> b = {1, 0, 0};
    EXPECT_DOUBLE_EQ(ComputeScore(a.data(), b.data(), 3), 1.0 / 13);
}

TEST(CommitteeScore, TakesThreeOperationsPerWeight)
{
    const uint64_t differences = SCORED_LENGTH;
    const uint64_t squares = SCORED_LENGTH;
    const uint64_t sums = SCORED_LENGTH;
    EXPECT_EQ(CountScoreFlops(SCORED_LENGTH), differences + squares + sums + 1); // and an inverse
}

TEST(CommitteeScore, IsInfiniteForEqualGradients)
{
    const std::vector<float> a = {1, 2, 3};
    EXPECT_EQ(ComputeScore(a.data(), a.data(), 3), INF);
    // Far below what float can square
    const std::vector<float> b = {1e-30F, 0, 0};
    const std::vector<float> c = {2e-30F, 0, 0};
    EXPECT_NEAR(ComputeScore(b.data(), c.data(), 3) / 1e60, 1, 1e-6);
}

TEST(CommitteeScore, RefusesWhatIsNotFinite)
{
    const std::vector<float> a = {1, std::numeric_limits<float>::quiet_NaN()};
    const std::vector<float> b = {1, 2};
    const std::vector<float> c = {1, std::numeric_limits<float>::infinity()};
    EXPECT_THROW(ComputeScore(a.data(), b.data(), 2), std::invalid_argument);
    EXPECT_THROW(ComputeScore(b.data(), c.data(), 2), std::invalid_argument);
    EXPECT_THROW(ComputeScore(c.data(), c.data(), 2), std::invalid_argument);
}

TEST(CommitteeScore, FinalScoreIsTheInverseOfTheMeanSquaredDistance)
{
    // Squared distances 2, 4 and 6
    EXPECT_DOUBLE_EQ(CombineScores({0.5, 0.25, 1.0 / 6}), 0.25);
    // Distance 0 to one member of two
    EXPECT_DOUBLE_EQ(CombineScores({INF, 0.5}), 1);
    EXPECT_EQ(CombineScores({INF, INF}), INF);
    EXPECT_EQ(CombineScores({0, INF}), 0);
    EXPECT_EQ(CombineScores({0, 0}), 0);
}

TEST(CommitteeScore, RefusesWhatIsNoScore)
{
    EXPECT_THROW(CombineScores({}), std::invalid_argument);
    EXPECT_THROW(CombineScores({1, -1}), std::invalid_argument);
    EXPECT_THROW(CombineScores({std::nan("")}), std::invalid_argument);
}

TEST(CommitteeScore, AgreesWithNumpy)
{
    const ScoreTables tables = MakeTables();
    for (uint32_t k = 0; k < SCORED; ++k)
    {
        for (uint32_t c = 0; c < SCORING; ++c)
        {
            const double expected = reference::MEMBER_SCORES[k * SCORING + c];
            EXPECT_NEAR(tables.at(SCORED + c).at(k) / expected, 1, 1e-12);
        }
    }
    const auto ranking = RankClients(tables, SCORING);
    EXPECT_EQ(NumbersOf(ranking), reference::RANKING);
    for (const auto& ranked : ranking)
    {
        EXPECT_NEAR(ranked.score / reference::SCORES[ranked.client], 1, 1e-12);
    }
    const std::size_t m = CountAccepted(SCORED, 40);
    EXPECT_EQ(SelectClients(ranking, SelectionStrategy::SIMILAR, m), reference::SIMILAR);
    EXPECT_EQ(SelectClients(ranking, SelectionStrategy::DIFFERENT, m), reference::DIFFERENT);
    EXPECT_EQ(ElectCommittee(ranking, ElectionStrategy::MIDDLE, SCORING, 0), reference::MIDDLE);
    EXPECT_EQ(ElectCommittee(ranking, ElectionStrategy::TOP, SCORING, 0), reference::TOP);
}

TEST(CommitteeScore, RanksOnlyClientsThatEnoughMembersScored)
{
    const ScoreTables tables = {{1, {{5, 1.0}, {6, 2.0}}}, {2, {{5, 1.0}, {7, 9.0}}}};
    EXPECT_THAT(NumbersOf(RankClients(tables, 1)), ElementsAre(7, 6, 5));
    EXPECT_THAT(NumbersOf(RankClients(tables, 2)), ElementsAre(5));
    EXPECT_TRUE(RankClients(tables, 3).empty());
}

TEST(CommitteeScore, TheMedianIsOfAllMembersAndOneOfTheirScores)
{
    const ScoreTables tables = {{1, {{5, 1.0}, {6, 2.0}, {7, 8.0}}},
                                {2, {{5, 3.0}, {6, 9.0}, {7, 8.0}}},
                                {3, {{5, INF}, {6, 9.0}}},
                                {4, {{5, 4.0}}}};
    const auto ranking = RankClients(tables, 3, ScoreCombination::MEDIAN);
    EXPECT_THAT(NumbersOf(ranking), ElementsAre(5, 6)); // 7 is heard by two only
    EXPECT_EQ(ranking[0].score, 3);
    EXPECT_EQ(ranking[1].score, 2); // 0, 2, 9, 9
}

TEST(CommitteeScore, LiarsMoveNoMedianBeyondHonestScores)
{
    RandomGenerator generator(3);
    boost::random::uniform_01<double> draw;
    for (std::size_t members = 4; members <= 13; ++members)
    {
        const std::size_t liars = (members - 1) / 3;
        for (int run = 0; run < 50; ++run)
        {
            ScoreTables tables;
            double least = INF;
            double most = 0;
            for (uint32_t member = 0; member < members; ++member)
            {
                const double score = draw(generator);
                const bool lies = member < liars;
                if (lies && run % 3 == 0)
                {
                    tables[member]; // leaves the client out
                    continue;
                }
                tables[member] = {{1, !lies ? score : run % 3 == 1 ? 1e300 * score : INF}};
                least = lies ? least : std::min(least, score);
                most = lies ? most : std::max(most, score);
            }
            if (run % 2 == 0) // and the primary leaves honest members out
            {
                while (tables.size() > members - liars)
                {
                    tables.erase(std::prev(tables.end()));
                }
            }
            const auto ranking =
                RankClients(tables, tables.size() / 2 + 1, ScoreCombination::MEDIAN);
            ASSERT_EQ(ranking.size(), 1U);
            EXPECT_GE(ranking[0].score, least);
            EXPECT_LE(ranking[0].score, most);
        }
    }
}

TEST(CommitteeScore, EqualScoresAreRankedByNumber)
{
    const ScoreTables tables = {{1, {{9, INF}, {4, INF}, {2, 1.0}, {3, 1.0}}}};
    EXPECT_THAT(NumbersOf(RankClients(tables, 1)), ElementsAre(4, 9, 2, 3));
}

TEST(CommitteeSelection, AcceptsARoundedPartAndAtLeastOne)
{
    EXPECT_EQ(CountAccepted(65, 40), 26);
    EXPECT_EQ(CountAccepted(9, 40), 4);
    EXPECT_EQ(CountAccepted(5, 50), 3);
    EXPECT_EQ(CountAccepted(10, 1), 1);
    EXPECT_EQ(CountAccepted(10, 100), 10);
    EXPECT_EQ(CountAccepted(0, 40), 0);
    EXPECT_THROW(CountAccepted(10, 0), std::invalid_argument);
    EXPECT_THROW(CountAccepted(10, 100.5), std::invalid_argument);
    EXPECT_THROW(CountAccepted(10, std::nan("")), std::invalid_argument);
}

TEST(CommitteeSelection, TakesEitherEndOfTheRanking)
{
    const auto ranking = MakeRanking();
    EXPECT_THAT(SelectClients(ranking, SelectionStrategy::SIMILAR, 3), ElementsAre(10, 20, 30));
    EXPECT_THAT(SelectClients(ranking, SelectionStrategy::DIFFERENT, 2), ElementsAre(60, 70));
    EXPECT_EQ(SelectClients(ranking, SelectionStrategy::DIFFERENT, 9).size(), 7);
}

TEST(CommitteeElection, TakesTheMiddleOrTheTop)
{
    const auto ranking = MakeRanking();
    EXPECT_THAT(ElectCommittee(ranking, ElectionStrategy::MIDDLE, 3, 0), ElementsAre(30, 40, 50));
    EXPECT_THAT(ElectCommittee(ranking, ElectionStrategy::MIDDLE, 4, 0),
                ElementsAre(20, 30, 40, 50));
    EXPECT_THAT(ElectCommittee(ranking, ElectionStrategy::TOP, 2, 0), ElementsAre(10, 20));
    EXPECT_THROW(ElectCommittee(ranking, ElectionStrategy::TOP, 8, 0), std::invalid_argument);
}

TEST(CommitteeElection, RandomDependsOnTheSeedAndNotOnTheScores)
{
    auto ranking = MakeRanking();
    const auto drawn = ElectCommittee(ranking, ElectionStrategy::RANDOM, 3, 11);
    std::reverse(ranking.begin(), ranking.end());
    EXPECT_EQ(ElectCommittee(ranking, ElectionStrategy::RANDOM, 3, 11), drawn);
    std::map<uint32_t, int> elected;
    for (uint64_t seed = 0; seed < 7000; ++seed)
    {
        for (const uint32_t client : ElectCommittee(ranking, ElectionStrategy::RANDOM, 3, seed))
        {
            ++elected[client];
        }
    }
    for (const auto& [client, count] : elected)
    {
        EXPECT_NEAR(count, 3000, 200) << client; // five standard deviations
    }
    EXPECT_EQ(elected.size(), 7);
}

TEST(CommitteeActivation, DrawsOthersThanTheCommittee)
{
    const std::vector<uint32_t> devices = {1, 2, 3, 4, 5, 6};
    const std::vector<uint32_t> committee = {2, 5};
    std::map<uint32_t, int> drawn;
    for (uint64_t seed = 0; seed < 2000; ++seed)
    {
        const auto training = DrawDevices(devices, committee, 2, seed);
        EXPECT_EQ(training.size(), 2);
        EXPECT_LT(training[0], training[1]);
        ++drawn[training[0]];
        ++drawn[training[1]];
    }
    EXPECT_EQ(drawn.size(), 4);
    for (const auto& [device, count] : drawn)
    {
        EXPECT_NEAR(count, 1000, 115) << device; // five standard deviations
    }
    EXPECT_THAT(DrawDevices(devices, committee, 9, 1), ElementsAre(1, 3, 4, 6));
}

TEST(CommitteeAggregation, AClientsWordOnItsSamplesWeighsSoMuchAndNoMore)
{
    EXPECT_THAT(LimitSampleWeights({70, 80, 1e9, 20, 75}, 4), ElementsAre(70, 80, 300, 20, 75));
    EXPECT_THAT(LimitSampleWeights({70, 80, 1e9, 20}, 2), ElementsAre(70, 80, 140, 20));
    EXPECT_THAT(LimitSampleWeights({70, 1e9, 5}, 0), ElementsAre(70, 1e9, 5));
    EXPECT_THAT(LimitSampleWeights({1e9}, 4), ElementsAre(1e9));
    EXPECT_TRUE(LimitSampleWeights({}, 4).empty());
}

TEST(CommitteeAggregation, AgreesWithNumpy)
{
    std::vector<float> weights;
    for (std::size_t i = 0; i < SCORED_LENGTH; ++i)
    {
        weights.push_back(-1 + 2 * static_cast<float>(i) / (SCORED_LENGTH - 1));
    }
    const auto apply = [&](const std::vector<uint32_t>& clients) {
        std::vector<std::vector<float>> gradients;
        std::vector<double> samples;
        for (const uint32_t client : clients)
        {
            gradients.push_back(MakeGradient(client));
            samples.push_back(10 + 7 * client);
        }
        return ApplyGradients(weights, VectorStack(gradients), samples, 0.25);
    };
    const auto similar = apply(reference::SIMILAR);
    const auto different = apply(reference::DIFFERENT);
    for (std::size_t i = 0; i < SCORED_LENGTH; ++i)
    {
        EXPECT_NEAR(similar[i], reference::WEIGHTS_SIMILAR[i], 3e-7);
        EXPECT_NEAR(different[i], reference::WEIGHTS_DIFFERENT[i], 3e-7);
    }
    const std::vector<std::vector<float>> shorter = {{1.0F}};
    EXPECT_THROW(ApplyGradients(weights, VectorStack(shorter), {1}, 0.1), std::invalid_argument);
}
