/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus/belief-network.h"

#include "ns3/collab-message-header.h"

#include <cmath>
#include <gmock/gmock.h>
#include <numeric>

using namespace ns3;
using namespace ns3::collab;
using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;
using tests::BeliefEvent;
using tests::BeliefMatrix;
using tests::BeliefUsers;
using tests::MakeUniformWeights;
using tests::Numbers;

namespace
{

constexpr std::size_t NUMBERS = 2000; //!< of beliefs in parts: several fragments

/// A user that believes in its own number, many times
class ConstantBelief : public BeliefModel
{
  public:
    /// @param number its own
    explicit ConstantBelief(double number)
    {
        m_prior = std::make_shared<const Numbers>(NUMBERS, number);
    }

    bool
    IsLight() const override
    {
        return true;
    }

    Belief
    Update(const Belief&, uint32_t) override
    {
        return m_prior;
    }

    uint64_t
    CountUpdateFlops(uint32_t) const override
    {
        return 0;
    }

    Belief
    Pool(const std::vector<WeightedBelief>& beliefs, BeliefPooling) const override
    {
        return std::make_shared<const Numbers>(SumBeliefs(beliefs));
    }

    uint64_t
    CountPoolFlops(std::size_t, BeliefPooling) const override
    {
        return 0;
    }

    double
    GetDistance(const Belief&, const Belief&) const override
    {
        return 0;
    }

    uint64_t
    CountDistanceFlops() const override
    {
        return 0;
    }

    bool
    HasUnits() const override
    {
        return true;
    }

    Numbers
    ToWire(const Belief& belief) const override
    {
        return *belief;
    }

    Belief
    FromWire(const Numbers& numbers) const override
    {
        const auto belief = std::make_shared<const Numbers>(numbers);
        if (!IsProper(belief))
        {
            throw ImproperBelief("not finite");
        }
        return belief;
    }

    bool
    IsProper(const Belief& belief) const override
    {
        return std::all_of(
            belief->begin(), belief->end(), [](double number) { return std::isfinite(number); });
    }

    Numbers
    Forge(BeliefLie, double, const Belief&) const override
    {
        return Numbers(NUMBERS, std::nan(""));
    }

    std::vector<Metric>
    GetMetrics() const override
    {
        return {};
    }

    std::vector<double>
    Evaluate(const Belief&) override
    {
        return {};
    }

    std::vector<std::pair<std::string, double>>
    Describe(const Belief&) const override
    {
        return {};
    }
};

/// Beliefs that come in parts, and W of who is heard
class HeardBeliefsTest : public tests::BeliefNetworkTest
{
  protected:
    /// @brief A run of one instant of users that believe 1, 2, ... and weight each other alike
    void
    PlayConstants(uint32_t count, double outage, const tests::BeliefAttributes& attributes)
    {
        BeliefUsers users;
        for (uint32_t i = 0; i < count; ++i)
        {
            users.models.push_back(std::make_unique<ConstantBelief>(i + 1));
        }
        users.w = MakeUniformWeights(count);
        users.attributes = attributes;
        users.attributes["Interval"] = "1s";
        Play(std::move(users), outage);
    }

    /// @return weights of a device's pool in an instant, the own one first
    Numbers
    GetRow(uint32_t device, uint32_t instant) const
    {
        const auto pooled = GetEvents(BeliefEvent::POOLED, device);
        Numbers row;
        for (const auto& entry : pooled.at(instant).entries)
        {
            row.push_back(entry.weight);
        }
        return row;
    }
};

} // namespace

TEST_F(HeardBeliefsTest, OwnNumbersStandInForThoseThatHaveNotCome)
{
    PlayConstants(2, 0.4, {{"Rounds", "1"}, {"LossPolicy", "Partial"}});
    const Numbers pooled = GetBeliefs(0).at(0);
    const auto come = std::count(pooled.begin(), pooled.end(), 1.5);
    EXPECT_EQ(come + std::count(pooled.begin(), pooled.end(), 1.0), NUMBERS);
    EXPECT_GT(come, 0);
    EXPECT_LT(come, NUMBERS);
    const double weight = 0.5 * static_cast<double>(come) / NUMBERS;
    EXPECT_THAT(GetRow(0, 0),
                ElementsAre(DoubleNear(1 - weight, 1e-12), DoubleNear(weight, 1e-12)));
    EXPECT_EQ(GetEvents(BeliefEvent::POOLED, 0).at(0).entries[1].source, "partial");
}

TEST_F(HeardBeliefsTest, RescalesTheWeightsOfEachNumber)
{
    PlayConstants(
        3, 0.4, {{"Rounds", "1"}, {"LossPolicy", "Partial"}, {"MissingPolicy", "Renormalize"}});
    const Numbers pooled = GetBeliefs(0).at(0);
    for (const double number : pooled) // the mean of 1 and those of 2 and 3 that have come
    {
        const bool isAlone = std::abs(number - 1) < 1e-12;
        const bool isFirst = std::abs(number - 1.5) < 1e-12;
        const bool areBoth = std::abs(number - 2) < 1e-12; // or only the second one
        EXPECT_TRUE(isAlone || isFirst || areBoth) << number;
    }
    const Numbers row = GetRow(0, 0);
    EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 1, 1e-12);
    const double mean = std::accumulate(pooled.begin(), pooled.end(), 0.0) / NUMBERS;
    EXPECT_NEAR(mean, row[0] + 2 * row[1] + 3 * row[2], 1e-9); // weights in force say the same
}

TEST_F(HeardBeliefsTest, OlderNumbersStandInForThoseThatHaveNotCome)
{
    PlayConstants(2, 0.4, {{"Rounds", "9"}, {"LossPolicy", "Partial"}, {"MissingPolicy", "Stale"}});
    EXPECT_THAT(GetBeliefs(0).back(), Each(1.5)); // each number has come once
    EXPECT_THAT(GetRow(0, 8), Each(0.5));
}

TEST_F(HeardBeliefsTest, PartsThatAreNoNumbersAreRefused)
{
    PlayConstants(2, 0.4, {{"Rounds", "1"}, {"LossPolicy", "Partial"}, {"Lie", "NotANumber"}});
    EXPECT_THAT(GetEvents(BeliefEvent::REFUSED, 0), ::testing::SizeIs(1));
    EXPECT_THAT(GetBeliefs(0).at(0), Each(1));
}

TEST_F(HeardBeliefsTest, WeightsFollowWhoIsHeard)
{
    // On a line of four, 0 - 1 - 2 - 3, the last one is gone from the sixth instant on
    BeliefMatrix line(4, 4);
    line.values = {.5, .5, 0, 0, .3, .4, .3, 0, 0, .3, .4, .3, 0, 0, .5, .5};
    Make(tests::MakeBitUsers(line,
                             {{"Rounds", "12"}, {"Interval", "20ms"}, {"TellDegrees", "true"}}));
    m_applications.Get(3)->SetStopTime(MilliSeconds(110));
    Run();
    const double third = 1.0 / 3;
    const auto near = [](double weight) { return DoubleNear(weight, 1e-15); };
    EXPECT_THAT(GetRow(2, 2), ElementsAre(near(third), near(third), near(third)));
    EXPECT_THAT(GetRow(0, 2), ElementsAre(near(2 * third), near(third)));
    // The next instant 2 still tells two neighbors, and from then on one: 1 hears that
    EXPECT_THAT(GetRow(2, 6), ElementsAre(near(2 * third), near(third), near(0)));
    EXPECT_THAT(GetRow(2, 11), ElementsAre(near(2 * third), near(third), near(0)));
    EXPECT_THAT(GetRow(1, 11), ElementsAre(near(third), near(third), near(third)));
    EXPECT_EQ(GetEvents(BeliefEvent::SENT, 0).at(0).bytes, MessageHeader::SIZE + 4 + 4 * 8);
}
