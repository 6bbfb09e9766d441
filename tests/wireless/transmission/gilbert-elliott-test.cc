/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * Links that are good or bad by turns, against closed forms and in both fidelities.
 */

#include "wireless/transmission/correlated-bursts.h"

#include "ns3/d2d-gilbert-elliott-outage-model.h"

namespace ns3::collab::tests
{
namespace
{

constexpr double TO_BAD = 0.2;    //!< of a good link from one step of 10 ms to the next
constexpr double TO_GOOD = 0.5;   //!< of a bad one
constexpr double BAD = 0.2 / 0.7; //!< part of the time that links are bad
const std::string CHAIN = "MeanGoodTime=50ms|MeanBadTime=20ms|StateStep=10ms";

/// @return the model
Ptr<D2dGilbertElliottOutageModel>
MakeGilbertElliott(const Settings& attributes)
{
    ObjectFactory factory("ns3::collab::D2dGilbertElliottOutageModel");
    for (const auto& [name, value] : attributes)
    {
        factory.Set(name, StringValue(value));
    }
    return factory.Create<D2dGilbertElliottOutageModel>();
}

const Settings GILBERT_ELLIOTT = {
    {"MeanGoodTime", "50ms"}, {"MeanBadTime", "20ms"}, {"StateStep", "10ms"}};

/// @return a fragment of node 1 at node 2, with a received power [W] and a noise of 1 W
D2dSignal
FragmentSignal(double rssW)
{
    return {1, 2, rssW, 1, 0, 1};
}

class GilbertElliottTest : public SimulatorTest
{
  protected:
    /// Look at links in the middle of each step.
    static std::vector<std::vector<int>>
    Observe(Ptr<D2dGilbertElliottOutageModel> model, uint32_t links, int steps)
    {
        std::vector<std::vector<int>> states(links);
        for (int step = 0; step < steps; ++step)
        {
            At(MilliSeconds(10 * step + 5), [&, model] {
                for (uint32_t link = 0; link < links; ++link)
                {
                    states[link].push_back(model->IsBad(0, link + 1));
                }
            });
        }
        Simulator::Run();
        return states;
    }
};

TEST_F(GilbertElliottTest, StatesAreTheChain)
{
    constexpr uint32_t LINKS = 100;
    constexpr int STEPS = 2000;
    const auto states = Observe(MakeGilbertElliott(GILBERT_ELLIOTT), LINKS, STEPS);
    std::vector<double> bad;
    std::vector<double> first;
    std::vector<std::vector<double>> products(5); // by lag
    std::map<int, int> runs[2];                   // by state and length
    for (const auto& link : states)
    {
        first.push_back(link[0]);
        bad.push_back(0);
        for (const int state : link)
        {
            bad.back() += static_cast<double>(state) / STEPS;
        }
        for (std::size_t lag = 1; lag < products.size(); ++lag)
        {
            double sum = 0;
            for (std::size_t i = 0; i + lag < link.size(); ++i)
            {
                sum += (link[i] - BAD) * (link[i + lag] - BAD);
            }
            products[lag].push_back(sum / static_cast<double>(link.size() - lag));
        }
        std::size_t begin = 0;
        for (std::size_t i = 1; i < link.size(); ++i)
        {
            if (link[i] != link[i - 1])
            {
                if (begin > 0) // else it is not known how long it was before
                {
                    ++runs[link[begin]][static_cast<int>(i - begin)];
                }
                begin = i;
            }
        }
    }
    EXPECT_NEAR(Describe(bad).mean, BAD, 4 * Describe(bad).standardError);
    EXPECT_NEAR(Describe(first).mean, BAD, 4 * std::sqrt(BAD * (1 - BAD) / LINKS));
    for (std::size_t lag = 1; lag < products.size(); ++lag)
    {
        const Moments moments = Describe(products[lag]);
        const double expected = BAD * (1 - BAD) * std::pow(1 - TO_BAD - TO_GOOD, lag);
        EXPECT_NEAR(moments.mean, expected, 4 * moments.standardError) << lag;
    }
    for (const int state : {0, 1})
    {
        const double leaves = state ? TO_GOOD : TO_BAD;
        double all = 0;
        for (const auto& [length, count] : runs[state])
        {
            all += count;
        }
        for (int length = 1; length <= 6; ++length)
        {
            const double expected = leaves * std::pow(1 - leaves, length - 1);
            EXPECT_NEAR(
                runs[state][length] / all, expected, 4 * std::sqrt(expected * (1 - expected) / all))
                << state << " " << length;
        }
    }
}

TEST_F(GilbertElliottTest, StateDoesNotDependOnWhoAsked)
{
    const auto all = Observe(MakeGilbertElliott(GILBERT_ELLIOTT), 20, 200);
    Simulator::Destroy();
    const auto last = MakeGilbertElliott(GILBERT_ELLIOTT);
    std::vector<int> states;
    At(MilliSeconds(10 * 199 + 1), [&] {
        for (uint32_t link = 20; link > 0; --link)
        {
            states.push_back(last->IsBad(0, link));
        }
    });
    Simulator::Run();
    for (uint32_t link = 0; link < 20; ++link)
    {
        EXPECT_EQ(states[19 - link], all[link].back());
    }
}

TEST_F(GilbertElliottTest, WaysAreAlikeIfReciprocal)
{
    for (const bool alike : {false, true})
    {
        const auto model =
            MakeGilbertElliott(With({{"Reciprocal", alike ? "true" : "false"}}, GILBERT_ELLIOTT));
        int different = 0;
        for (uint32_t link = 1; link <= 1000; ++link)
        {
            different += model->IsBad(0, link) != model->IsBad(link, 0);
        }
        EXPECT_NEAR(different, alike ? 0 : 2000 * BAD * (1 - BAD), alike ? 0 : 60);
    }
}

TEST_F(GilbertElliottTest, BadLinksLoseMore)
{
    const auto model =
        MakeGilbertElliott(With({{"BadLoss", "10"}, {"BadOutage", "0.25"}}, GILBERT_ELLIOTT));
    D2dSignal signal = FragmentSignal(10);
    for (signal.receiver = 2; signal.receiver < 40; ++signal.receiver)
    {
        const double outage = model->GetOutageProbability(signal);
        const double expected = model->IsBad(1, signal.receiver)
                                    ? 1 - std::exp(-1.0) * 0.75 // (2^1 - 1) / 1
                                    : 1 - std::exp(-0.1);
        EXPECT_NEAR(outage, expected, 1e-15);
    }
    EXPECT_THROW(model->GetQuality(FragmentSignal(10)), UserError);
}

TEST_F(GilbertElliottTest, StepsThatAreTooLongAreRefused)
{
    EXPECT_NO_THROW(MakeGilbertElliott(With({{"StateStep", "14285us"}}, GILBERT_ELLIOTT)));
    EXPECT_THROW(MakeGilbertElliott(With({{"StateStep", "14286us"}}, GILBERT_ELLIOTT)), UserError);
}

/// A sender that loses fragments to its receiver, in each fidelity
class GilbertElliottLinkTest : public FidelitiesTest
{
};

INSTANTIATE_TEST_SUITE_P(Fidelities, GilbertElliottLinkTest, FIDELITIES);

TEST_P(GilbertElliottLinkTest, LossesComeInRuns)
{
    // 30 fragments end 0.5 ms, 1.5 ms, ... after a boundary: 10 in each of 3 steps
    const auto network = MakePair(
        "ns3::collab::D2dGilbertElliottOutageModel[" + CHAIN + "|BadOutage=0.6]", GetParam(), {});
    SendEachSecond(*network, 30, BEST_EFFORT);
    ExpectMean(*network, CountLost, 30 * BAD * 0.6);
    // Of a step whose state is bad 6 are lost on average, and the states of steps are correlated
    const double rho = 1 - TO_BAD - TO_GOOD;
    const double states = BAD * (1 - BAD) * 36 * (3 + 4 * rho + 2 * rho * rho);
    const double variance = states + 30 * BAD * 0.6 * 0.4;
    ExpectMean(
        *network,
        [](const D2dBurstReport& report) {
            return std::pow(CountLost(report) - 30 * BAD * 0.6, 2);
        },
        variance);
    // All three good, or those that are bad without a loss
    const double spared = std::pow(0.4, 10);
    const double weights[2] = {1, spared};
    const double next[2][2] = {{1 - TO_BAD, TO_BAD}, {TO_GOOD, 1 - TO_GOOD}};
    double delivered = 0;
    for (int path = 0; path < 8; ++path)
    {
        const int a = path & 1;
        const int b = path >> 1 & 1;
        const int c = path >> 2;
        delivered +=
            (a ? BAD : 1 - BAD) * weights[a] * next[a][b] * weights[b] * next[b][c] * weights[c];
    }
    ExpectMean(*network, IsDelivered, delivered);
}

TEST_P(GilbertElliottLinkTest, RepetitionsMeetTheSameState)
{
    // Four attempts within one step of a link that stands still: bad ones are repeated more often
    constexpr double OUTAGE = 0.1;
    constexpr double BAD_OUTAGE = 0.7;
    for (const std::string& arq : ARQS)
    {
        const auto network = MakePair("ns3::collab::D2dGilbertElliottOutageModel["
                                      "MeanGoodTime=150ms|MeanBadTime=100ms|StateStep=50ms|"
                                      "BadOutage=0.7|Reciprocal=true]",
                                      GetParam(),
                                      {{"Arq", arq}, {"MaxAttempts", "4"}});
        network->SetOutage(0, 1, OUTAGE);
        SendEachSecond(*network, 1, ARQ);
        double delivered = 0;
        double attempts = 0;
        for (const bool bad : {false, true})
        {
            const double weight = bad ? 0.4 : 0.6;
            const double lost = bad ? OUTAGE + (1 - OUTAGE) * BAD_OUTAGE : OUTAGE;
            const double acknowledged = (1 - lost) * (bad ? 1 - BAD_OUTAGE : 1);
            delivered += weight * (1 - std::pow(lost, 4));
            attempts += weight * (1 - std::pow(1 - acknowledged, 4)) / acknowledged;
        }
        ExpectMean(*network, IsDelivered, delivered);
        ExpectMean(*network, CountAttempts, attempts);
        Simulator::Destroy();
    }
}

TEST_F(GilbertElliottTest, FidelitiesAgree)
{
    ExpectFidelitiesAgree("ns3::collab::D2dGilbertElliottOutageModel[MeanGoodTime=15ms|"
                          "MeanBadTime=8ms|StateStep=3.1ms|BadLoss=6|BadOutage=0.5]",
                          {{{0, 1}, 0.1}, {{0, 2}, 0.05}, {{1, 0}, 0.1}});
}

} // namespace
} // namespace ns3::collab::tests
