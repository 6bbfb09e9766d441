/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * A given number of subchannels that devices share, and turns.
 */

#include "wireless/wireless-bench.h"

#include "ns3/d2d-subchannels.h"

namespace ns3::collab::tests
{
namespace
{

/// EXACT, and full duplex: who may send, sends
const Settings EXACT_FULL = With({{"Duplex", "Full"}});

TEST(SubchannelSignalsTest, OnlyWhatLeaksDisturbsTheNextOnes)
{
    D2dSubchannels subchannels;
    subchannels.SetDivision(4, 0.01);
    std::vector<uint64_t> signals;
    for (uint32_t i = 0; i < 4; ++i)
    {
        signals.push_back(subchannels.Begin(i, {{0, std::pow(10.0, i)}}, {{0, 0}}, Seconds(1)));
    }
    const auto end = [&](uint32_t i) {
        return subchannels.End(i, signals[i]).at(0).value_or(D2dDisturbance{-1}).powerW;
    };
    EXPECT_DOUBLE_EQ(end(0), 0.01 * 10);
    EXPECT_DOUBLE_EQ(end(1), 0.01 * 1 + 0.01 * 100);
    EXPECT_DOUBLE_EQ(end(2), 0.01 * 10 + 0.01 * 1000);
    EXPECT_DOUBLE_EQ(end(3), 0.01 * 100);
    const uint64_t later = subchannels.Begin(1, {{0, 1}}, {{0, 0}}, Seconds(1));
    EXPECT_EQ(subchannels.End(1, later).at(0)->powerW, 0) << "nothing is left";
}

/// In both fidelities, of which this access plays every fragment whatever is asked for
class FiniteOfdmaTest : public FidelitiesTest
{
  protected:
    /// @return attributes of the channel with finite OFDMA
    Settings
    Ofdma(const Settings& more) const
    {
        return Channel(With({{"Access", "Ofdma"}}, more));
    }
};

INSTANTIATE_TEST_SUITE_P(Fidelities, FiniteOfdmaTest, FIDELITIES);

TEST_P(FiniteOfdmaTest, SendersOnOneSubchannelCollideAndOthersDoNot)
{
    // Devices 0 and 2, hidden from each other and equally strong: the same modulo 2
    for (const auto& [subchannels, delivered] :
         {std::pair("2", false), std::pair("3", true), std::pair("0", true)})
    {
        TestNetwork network(3, EXACT_FULL, Ofdma({{"Subchannels", subchannels}}));
        network.Hide(0, 2);
        network.Send(0, 1, 1000);
        network.Send(2, 1, 1000);
        Simulator::Run();
        EXPECT_EQ(network.Outcome(0).delivered, delivered) << subchannels;
        EXPECT_EQ(network.Outcome(1).delivered, delivered) << subchannels;
    }
}

TEST_P(FiniteOfdmaTest, OneSubchannelIsASharedChannel)
{
    std::vector<std::string> descriptions;
    for (const Settings& channel : {Channel({{"Access", "Shared"}}), Ofdma({{"Subchannels", "1"}})})
    {
        TestNetwork network(6, {{"Duplex", "Full"}}, channel);
        for (uint32_t from = 0; from < 6; ++from)
        {
            for (uint32_t to = 0; to < 6; ++to)
            {
                network.SetOutage(from, to, 0.02 + 0.05 * (from + to));
            }
            network.SetOutOfRange(from, (from + 3) % 6);
        }
        for (uint32_t i = 0; i < 300; ++i)
        {
            network.SendAt(MilliSeconds(7 * i), i % 6, BROADCAST, 1000 + i);
            network.SendAt(MilliSeconds(7 * i), (i + 3) % 6, (i + 4) % 6, 2000, ARQ);
        }
        Simulator::Run();
        EXPECT_EQ(network.Reports().size(), 600);
        descriptions.push_back(network.DescribeBursts());
    }
    EXPECT_EQ(descriptions[0], descriptions[1]);
}

TEST_P(FiniteOfdmaTest, WhoSharesASubchannelDefers)
{
    // All in range of each other: 0 and 2 share a subchannel, 1 has its own
    TestNetwork network(3, EXACT_FULL, Ofdma({{"Subchannels", "2"}}));
    for (uint32_t i = 0; i < 3; ++i)
    {
        network.Send(i, (i + 1) % 3, 1000);
    }
    Simulator::Run();
    EXPECT_EQ(network.Starts(), "0@0 1@0 2@8272");
    EXPECT_THAT(network.Hearers(), UnorderedElementsAre(1, 2, 0));
}

/// @return subchannels of all devices
std::vector<uint32_t>
FindSubchannels(const TestNetwork& network)
{
    std::vector<uint32_t> subchannels;
    for (uint32_t i = 0; i < network.Size(); ++i)
    {
        subchannels.push_back(network.Channel()->GetSubchannel(network.Device(i)));
    }
    return subchannels;
}

TEST_P(FiniteOfdmaTest, SubchannelsAreAllocatedByIndexOrAttribute)
{
    const auto find = [this](uint32_t given) {
        TestNetwork network(40, EXACT_FULL, Ofdma({{"Subchannels", "7"}}));
        network.Phy(5)->SetAttribute("Subchannel", UintegerValue(given));
        return FindSubchannels(network);
    };
    std::vector<uint32_t> byIndex;
    for (uint32_t i = 0; i < 40; ++i)
    {
        byIndex.push_back(i % 7);
    }
    EXPECT_EQ(find(D2dPhy::ANY_SUBCHANNEL), byIndex);
    byIndex[5] = 2;
    EXPECT_EQ(find(2), byIndex);
    EXPECT_THROW(find(7), UserError);
}

/*
 * Device 0 sends 3000 fragments to 1, and 2, hidden from it, sends at the same time on the next
 * subchannel. With Rayleigh fading on all of them, theta = 2^2 - 1 and a part c of the power that
 * leaks, the loss is 1 - exp(-theta N / W) / (1 + theta c I / W), with theta N / W = -ln 0.95 and
 * theta N / I = -ln 0.99: 0.63 and 0.05. 3 standard errors; the seed is fixed.
 */
TEST_P(FiniteOfdmaTest, LeakageByItsClosedForm)
{
    for (const double leakageDb : {10.0, 1000.0})
    {
        TestNetwork network(
            3,
            EXACT_FULL,
            Ofdma({{"Subchannels", "3"}, {"AdjacentLeakage", std::to_string(leakageDb)}}));
        network.Set(2, "Subchannel", "1");
        network.SetOutage(0, 1, 0.05);
        network.SetOutage(2, 1, 0.01);
        network.Hide(0, 2);
        for (int i = 0; i < 3000; ++i)
        {
            network.SendAt(MilliSeconds(20 * i), 2, 1, 1000);
            network.SendAt(MilliSeconds(20 * i), 0, 1, 1000);
        }
        Simulator::Run();
        ASSERT_THAT(network.Losses(0), SizeIs(3000));
        const double leaked = FromDb(-leakageDb) * 3 * std::log(0.95) / std::log(0.99);
        ExpectMean(network.Losses(0), 1 - 0.95 / (1 + leaked));
    }
}

TEST(TurnsTest, GuardTimeBetweenTurns)
{
    TestNetwork network(
        3, EXACT_FULL, {{"Access", "Tdma"}, {"TdmaGuardTime", "30us"}, {"TdmaSlot", "10us"}});
    network.Send(0, BROADCAST, MILLISECOND);
    network.Send(2, BROADCAST, MILLISECOND);
    Simulator::Run();
    // Guard time, and the empty slot of 1
    EXPECT_EQ(network.Starts(), "0@0 2@1040");
}

} // namespace
} // namespace ns3::collab::tests
