/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-test-support.h"

#include "ns3/d2d-fragmentation.h"
#include "ns3/d2d-mac-header.h"
#include "ns3/d2d-mac-trailer.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <numeric>

namespace
{

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr auto BEST_EFFORT = D2dReliability::BEST_EFFORT;
constexpr auto ARQ = D2dReliability::ARQ;
constexpr uint32_t FRAME = D2dMacHeader::SIZE + D2dMacHeader::CHECK_SEQUENCE_SIZE;

/**
 * @param division header and units
 * @return size of the packet that has them [byte]
 */
uint32_t
SizeOf(const D2dDivision& division)
{
    return division.headerBytes + division.units * division.unitBytes;
}

/**
 * @param division header and units
 * @param fragmentSize largest part of a packet that one fragment carries [byte]
 * @return how the packet is cut
 */
D2dFragmentation
Cut(const D2dDivision& division, uint32_t fragmentSize)
{
    return D2dFragmentation::Cut(SizeOf(division), division, fragmentSize);
}

TEST(FragmentationTest, IndivisiblePacketsByHand)
{
    const D2dFragmentation fragmentation = D2dFragmentation::Cut(1000, {}, 300);
    EXPECT_EQ(fragmentation.fragments, 4);
    EXPECT_EQ(fragmentation.packetBytes, 250);
    EXPECT_EQ(fragmentation.fragmentBytes, 250 + FRAME);
    const D2dFragmentation empty = D2dFragmentation::Cut(0, {}, 300);
    EXPECT_EQ(empty.fragments, 1);
    EXPECT_EQ(empty.fragmentBytes, FRAME);
}

TEST(FragmentationTest, SeveralUnitsInAFragment)
{
    // Room for 3 units of 100 bytes behind the header of 27
    const D2dFragmentation three = Cut({10, 100, 27}, 327);
    EXPECT_EQ(three.fragments, 4);
    EXPECT_EQ(three.unitsPerFragment, 3);
    EXPECT_EQ(three.fragmentsPerUnit, 1);
    EXPECT_EQ(three.packetBytes, 327);
    EXPECT_EQ(three.fragmentBytes, 327 + FRAME);
    EXPECT_EQ(Cut({10, 100, 27}, 326).unitsPerFragment, 2) << "a unit is not torn";

    // Two fragments are needed: they share the 9 units as 5 and 4, not as 8 and 1
    const D2dFragmentation even = Cut({9, 100, 27}, 827);
    EXPECT_EQ(even.fragments, 2);
    EXPECT_EQ(even.unitsPerFragment, 5);
    EXPECT_EQ(even.packetBytes, 527);
}

TEST(FragmentationTest, AllUnitsInOneFragment)
{
    for (const uint32_t units : {1U, 10U})
    {
        const D2dFragmentation one = Cut({units, 100, 27}, 1500);
        EXPECT_EQ(one.fragments, 1);
        EXPECT_EQ(one.unitsPerFragment, units);
        EXPECT_EQ(one.packetBytes, 27 + 100 * units);
    }
}

TEST(FragmentationTest, AUnitThatFitsExactly)
{
    const D2dFragmentation exact = Cut({2, 400, 27}, 427);
    EXPECT_EQ(exact.fragments, 2);
    EXPECT_EQ(exact.unitsPerFragment, 1);
    EXPECT_EQ(exact.fragmentsPerUnit, 1);
}

TEST(FragmentationTest, AUnitOverSeveralFragments)
{
    const D2dFragmentation three = Cut({3, 1000, 27}, 427);
    EXPECT_EQ(three.unitsPerFragment, 0);
    EXPECT_EQ(three.fragmentsPerUnit, 3);
    EXPECT_EQ(three.fragments, 9);
    EXPECT_EQ(three.packetBytes, 27 + 334) << "1000 / 3, rounded up";
    const D2dFragmentation byOne = Cut({2, 401, 27}, 427);
    EXPECT_EQ(byOne.fragmentsPerUnit, 2);
    EXPECT_EQ(byOne.packetBytes, 27 + 201);
}

TEST(FragmentationTest, UnitsWithoutBytes)
{
    const D2dFragmentation empty = Cut({5, 0, 27}, 427);
    EXPECT_EQ(empty.fragments, 1);
    EXPECT_EQ(empty.packetBytes, 27);
    using State = D2dFragmentState;
    EXPECT_THAT(empty.FindUnits({State::UNACKNOWLEDGED}, 5, State::UNACKNOWLEDGED),
                ElementsAre(0, 1, 2, 3, 4));
}

TEST(FragmentationDeathTest, HeaderMustLeaveRoom)
{
    EXPECT_DEATH(Cut({5, 10, 27}, 27), "no room behind the header of 27 bytes");
}

TEST(FragmentationTest, EveryCutHoldsAllUnitsAndNoEmptyFragment)
{
    for (uint32_t units = 1; units <= 40; ++units)
    {
        for (uint32_t unitBytes = 1; unitBytes <= 40; ++unitBytes)
        {
            const D2dFragmentation cut = Cut({units, unitBytes, 5}, 21); // room for 16 bytes
            EXPECT_LE(cut.packetBytes, 21);
            if (cut.unitsPerFragment > 0)
            {
                EXPECT_GE(cut.fragments * cut.unitsPerFragment, units);
                EXPECT_LT((cut.fragments - 1) * cut.unitsPerFragment, units);
            }
            else
            {
                EXPECT_EQ(cut.fragments, units * cut.fragmentsPerUnit);
                EXPECT_GE(cut.fragmentsPerUnit * (cut.packetBytes - 5), unitBytes);
                EXPECT_LT((cut.fragmentsPerUnit - 1) * (cut.packetBytes - 5), unitBytes);
            }
        }
    }
}

TEST(FragmentationTest, FindsUnitsByHand)
{
    constexpr auto NO = D2dFragmentState::MISSING;
    constexpr auto YES = D2dFragmentState::UNACKNOWLEDGED;
    constexpr auto KNOWN = D2dFragmentState::ACKNOWLEDGED;
    const D2dFragmentation small = Cut({10, 100, 27}, 327); // units 012 345 678 9
    EXPECT_THAT(small.FindUnits({YES, NO, KNOWN, YES}, 10, YES), ElementsAre(0, 1, 2, 6, 7, 8, 9));
    EXPECT_THAT(small.FindUnits({YES, NO, KNOWN, YES}, 10, KNOWN), ElementsAre(6, 7, 8));
    const D2dFragmentation large = Cut({3, 1000, 27}, 427); // three fragments each
    EXPECT_THAT(large.FindUnits({YES, KNOWN, YES, YES, NO, KNOWN, KNOWN, KNOWN, KNOWN}, 3, YES),
                ElementsAre(0, 2));
    EXPECT_THAT(large.FindUnits({YES, KNOWN, YES, YES, NO, KNOWN, KNOWN, KNOWN, KNOWN}, 3, KNOWN),
                ElementsAre(2));
    EXPECT_THAT(large.FindUnits(std::vector<D2dFragmentState>(9, NO), 3, YES), IsEmpty());
}

/// What a device got of a divisible burst
struct Arrival
{
    uint32_t device = 0;         //!< index of the device
    std::vector<uint32_t> units; //!< units that arrived
};

/// A network whose devices keep the units of divisible bursts
class DivisibleNetwork : public TestNetwork
{
  public:
    /**
     * @param size number of devices
     * @param device attributes of D2dNetDevice
     * @param fidelity "Packet" or "Burst"
     */
    DivisibleNetwork(uint32_t size, const Settings& device, const std::string& fidelity)
        : TestNetwork(size, device, {{"Fidelity", fidelity}})
    {
        for (uint32_t i = 0; i < size; ++i)
        {
            Device(i)->GetMac()->SetBurstReceiveCallback(
                PROTOCOL, [this, i](const D2dBurst&, const std::vector<uint32_t>& units) {
                    arrivals.push_back({i, units});
                });
        }
    }

    /**
     * @param to index of the receiver, or BROADCAST
     * @param division header and units
     * @param reliability what to do about lost fragments
     * @return number of the burst
     */
    uint32_t
    SendUnits(uint32_t to, const D2dDivision& division, D2dReliability reliability)
    {
        D2dBurst burst(Create<Packet>(SizeOf(division)),
                       to == BROADCAST ? Mac48Address::GetBroadcast() : Address(to),
                       PROTOCOL,
                       reliability);
        burst.division = division;
        return Device(0)->GetMac()->SendBurst(std::move(burst));
    }

    std::vector<Arrival> arrivals; //!< what arrived, in order
};

/// What must hold in both fidelities
class DivisibleTest : public SimulatorTest, public testing::WithParamInterface<const char*>
{
};

INSTANTIATE_TEST_SUITE_P(Fidelities, DivisibleTest, testing::Values("Packet", "Burst"));

TEST_P(DivisibleTest, EverythingArrivesOverAGoodLink)
{
    for (const auto reliability : {BEST_EFFORT, ARQ})
    {
        DivisibleNetwork network(2, {}, GetParam());
        network.SendUnits(1, {20, 1000, 23}, reliability);
        Simulator::Run();
        ASSERT_EQ(network.arrivals.size(), 1);
        EXPECT_EQ(network.arrivals[0].units.size(), 20);
        const D2dReceiverOutcome& outcome = network.Reports().at(0).outcomes.at(0);
        EXPECT_TRUE(outcome.delivered);
        EXPECT_EQ(outcome.lostUnits, 0);
        EXPECT_EQ(outcome.reason, D2dLossReason::NONE);
        EXPECT_EQ(outcome.acknowledged, reliability == ARQ);
        EXPECT_EQ(outcome.acknowledgedUnits.size(), reliability == ARQ ? 20 : 0);
        Simulator::Destroy();
    }
}

TEST_P(DivisibleTest, NothingArrivesOverAHopelessLink)
{
    DivisibleNetwork network(2, {{"MaxAttempts", "2"}}, GetParam());
    network.SetOutage(0, 1, 1 - 1e-6);
    network.SendUnits(1, {20, 1000, 23}, BEST_EFFORT);
    network.SendUnits(1, {20, 1000, 23}, ARQ);
    Simulator::Run();
    EXPECT_THAT(network.arrivals, IsEmpty());
    ASSERT_EQ(network.Reports().size(), 2);
    for (const auto& report : network.Reports())
    {
        EXPECT_FALSE(report.outcomes.at(0).delivered);
        EXPECT_EQ(report.outcomes[0].lostUnits, 20);
    }
    EXPECT_EQ(network.Reports()[0].outcomes[0].reason, D2dLossReason::OUTAGE);
    EXPECT_EQ(network.Reports()[1].outcomes[0].reason, D2dLossReason::ATTEMPTS);
    EXPECT_EQ(network.Reports()[1].attempts, 2 * network.Reports()[1].fragments)
        << "every unit is tried, not only the first that fails";
}

/*
 * Checks at 4.5 standard errors (6.8e-6) of a binomial fraction: in each fidelity 3 losses and 2
 * products, which a correct program would miss with probability 7e-5 for a seed drawn anew.
 */
TEST_P(DivisibleTest, UnitsAreLostWithTheirFragmentsAndIndependentlyOfOthers)
{
    constexpr double P = 0.2;
    constexpr uint32_t UNITS = 12000;
    const auto expectFraction = [](double fraction, double probability, double trials) {
        EXPECT_NEAR(
            fraction, probability, 4.5 * std::sqrt(probability * (1 - probability) / trials));
    };
    for (const uint32_t span : {1U, 3U})
    {
        DivisibleNetwork network(2, {{"FragmentSize", "123"}}, GetParam());
        network.SetOutage(0, 1, P);
        network.SendUnits(1, {UNITS, 100 * span, 23}, BEST_EFFORT);
        Simulator::Run();
        std::vector<bool> lost(UNITS, true);
        for (const uint32_t unit : network.arrivals.at(0).units)
        {
            lost[unit] = false;
        }
        const double expected = 1 - std::pow(1 - P, span);
        expectFraction(std::count(lost.begin(), lost.end(), true) / double{UNITS}, expected, UNITS);
        double both = 0; // neighbors, without overlap
        for (uint32_t i = 0; i < UNITS; i += 2)
        {
            both += lost[i] && lost[i + 1];
        }
        expectFraction(2 * both / UNITS, expected * expected, UNITS / 2.0);
        EXPECT_EQ(network.Reports().at(0).outcomes.at(0).lostUnits,
                  std::count(lost.begin(), lost.end(), true));
        Simulator::Destroy();
    }

    // Four units a fragment stand or fall together
    DivisibleNetwork network(2, {{"FragmentSize", "423"}}, GetParam());
    network.SetOutage(0, 1, P);
    network.SendUnits(1, {UNITS, 100, 23}, BEST_EFFORT);
    Simulator::Run();
    const std::vector<uint32_t>& units = network.arrivals.at(0).units;
    ASSERT_EQ(units.size() % 4, 0);
    for (std::size_t i = 0; i < units.size(); i += 4)
    {
        EXPECT_EQ(units[i] % 4, 0);
        EXPECT_EQ(units[i + 3], units[i] + 3);
    }
    expectFraction(1 - units.size() / double{UNITS}, P, UNITS / 4.0);
}

TEST_P(DivisibleTest, RepetitionsBringUnitsThrough)
{
    constexpr uint32_t UNITS = 4000;
    DivisibleNetwork network(2, {{"FragmentSize", "123"}, {"MaxAttempts", "3"}}, GetParam());
    network.SetOutage(0, 1, 0.5);
    network.SendUnits(1, {UNITS, 100, 23}, ARQ);
    Simulator::Run();
    const D2dReceiverOutcome& outcome = network.Reports().at(0).outcomes.at(0);
    EXPECT_NEAR(outcome.lostUnits, UNITS / 8.0, 4.5 * std::sqrt(UNITS * 7.0 / 64));
    EXPECT_EQ(outcome.lostUnits + network.arrivals.at(0).units.size(), UNITS);
    EXPECT_EQ(outcome.acknowledgedUnits, network.arrivals[0].units) << "no acknowledgment is lost";
    EXPECT_EQ(outcome.reason, D2dLossReason::ATTEMPTS);
    EXPECT_TRUE(outcome.delivered);
    EXPECT_FALSE(outcome.acknowledged);
}

TEST_P(DivisibleTest, LostAcknowledgmentsHideUnitsThatArrived)
{
    DivisibleNetwork network(2, {{"FragmentSize", "123"}, {"MaxAttempts", "2"}}, GetParam());
    network.SetOutage(0, 1, 0.3);
    network.SetOutage(1, 0, 0.6);
    network.SendUnits(1, {2000, 100, 23}, ARQ);
    Simulator::Run();
    const std::vector<uint32_t>& units = network.arrivals.at(0).units;
    const std::vector<uint32_t>& known = network.Reports().at(0).outcomes.at(0).acknowledgedUnits;
    EXPECT_TRUE(std::includes(units.begin(), units.end(), known.begin(), known.end()));
    // P(not known) = (1 - 0.7 * 0.4)^2, P(lost) = 0.09
    EXPECT_NEAR(known.size(), 2000 * (1 - 0.72 * 0.72), 4.5 * std::sqrt(2000 * 0.5184 * 0.4816));
    EXPECT_NEAR(units.size(), 2000 * 0.91, 4.5 * std::sqrt(2000 * 0.91 * 0.09));
}

TEST_P(DivisibleTest, BroadcastRepairLeadsToOneDeliveryWithWhatIsKnownOfEach)
{
    constexpr uint32_t UNITS = 500;
    DivisibleNetwork network(4, {{"FragmentSize", "123"}, {"MaxAttempts", "30"}}, GetParam());
    for (uint32_t i = 1; i < 4; ++i)
    {
        network.SetOutage(0, i, i == 1 ? 0.0 : 0.3);
        network.SetOutage(i, 0, i == 3 ? 0.0 : 0.5);
    }
    network.SendUnits(TestNetwork::BROADCAST, {UNITS, 100, 23}, ARQ);
    Simulator::Run();
    ASSERT_EQ(network.arrivals.size(), 3) << "once each";
    for (const auto& arrival : network.arrivals)
    {
        EXPECT_EQ(arrival.units.size(), UNITS);
    }
    for (const auto& outcome : network.Reports().at(0).outcomes)
    {
        EXPECT_TRUE(outcome.acknowledged);
        EXPECT_EQ(outcome.acknowledgedUnits.size(), UNITS)
            << "who has acknowledged all has acknowledged every unit";
    }
}

TEST_P(DivisibleTest, ProtocolsOfTheNodeTakeWholePacketsOnly)
{
    constexpr uint16_t OTHER = 0x0800;
    DivisibleNetwork network(2, {{"FragmentSize", "123"}}, GetParam());
    network.SetOutage(0, 1, 0.5);
    int whole = 0;
    network.Device(1)->SetReceiveCallback(
        Callback<bool, Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const ns3::Address&>(
            [&whole](Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const ns3::Address&) {
                ++whole;
                return true;
            }));
    for (int i = 0; i < 200; ++i)
    {
        D2dBurst burst(Create<Packet>(223), network.Address(1), OTHER);
        burst.division = {2, 100, 23};
        network.Device(0)->GetMac()->SendBurst(std::move(burst));
    }
    Simulator::Run();
    int complete = 0;
    for (const auto& report : network.Reports())
    {
        complete += report.outcomes.at(0).lostUnits == 0;
    }
    EXPECT_EQ(whole, complete);
    // The queue takes 100 of them, a quarter arrives whole: 25 +- 4 standard deviations
    EXPECT_GT(whole, 7);
    EXPECT_LT(whole, 43);
}

/// What only fidelity Packet shows: the bytes of fragments
class DivisibleFragmentsTest : public SimulatorTest
{
  protected:
    /**
     * @brief Send a divisible packet with real bytes.
     *
     * @param division header and units
     * @param fragmentSize attribute
     * @return what each fragment carried, without the radio's header, trailer and padding
     */
    std::vector<std::vector<uint8_t>>
    SendBytes(const D2dDivision& division, const std::string& fragmentSize)
    {
        TestNetwork network(2, {{"FragmentSize", fragmentSize}});
        std::vector<Ptr<const Packet>> frames;
        network.Device(0)->GetPhy()->TraceConnectWithoutContext(
            "PhyTxBegin",
            MakeBoundCallback(
                +[](std::vector<Ptr<const Packet>>* log, Ptr<const Packet> p) {
                    log->push_back(p);
                },
                &frames));
        std::vector<uint8_t> bytes(SizeOf(division));
        std::iota(bytes.begin(), bytes.end(), 0);
        D2dBurst burst(Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size())),
                       network.Address(1),
                       TestNetwork::PROTOCOL);
        burst.division = division;
        network.Device(0)->GetMac()->SendBurst(std::move(burst));
        Simulator::Run();
        std::vector<std::vector<uint8_t>> parts;
        for (const auto& frame : frames)
        {
            EXPECT_EQ(frame->GetSize(), frames[0]->GetSize()) << "padded to one length";
            Ptr<Packet> part = frame->Copy();
            D2dMacHeader header;
            part->RemoveHeader(header);
            EXPECT_EQ(header.fragments, frames.size());
            EXPECT_EQ(header.fragment, parts.size());
            D2dMacTrailer trailer; // the check sequence
            part->RemoveTrailer(trailer);
            std::vector<uint8_t> content(part->GetSize());
            part->CopyData(content.data(), part->GetSize());
            // The packet's only zero is its first byte: zeros at the end are padding
            while (content.back() == 0)
            {
                content.pop_back();
            }
            parts.push_back(content);
        }
        Simulator::Destroy();
        return parts;
    }
};

TEST_F(DivisibleFragmentsTest, CarryTheHeaderAndTheirUnits)
{
    const auto parts = SendBytes({5, 10, 3}, "23"); // two units each
    EXPECT_THAT(
        parts,
        ElementsAre(
            ElementsAre(
                0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22),
            ElementsAre(0,
                        1,
                        2,
                        23,
                        24,
                        25,
                        26,
                        27,
                        28,
                        29,
                        30,
                        31,
                        32,
                        33,
                        34,
                        35,
                        36,
                        37,
                        38,
                        39,
                        40,
                        41,
                        42),
            ElementsAre(0, 1, 2, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52)));
}

TEST_F(DivisibleFragmentsTest, CarryTheHeaderAndTheirPartOfAUnit)
{
    const auto parts = SendBytes({2, 7, 2}, "5"); // three fragments a unit: 3, 3 and 1 bytes
    EXPECT_THAT(parts,
                ElementsAre(ElementsAre(0, 1, 2, 3, 4),
                            ElementsAre(0, 1, 5, 6, 7),
                            ElementsAre(0, 1, 8),
                            ElementsAre(0, 1, 9, 10, 11),
                            ElementsAre(0, 1, 12, 13, 14),
                            ElementsAre(0, 1, 15)));
}

TEST_F(DivisibleFragmentsTest, CarryAllUnitsOfEverySizeOnce)
{
    for (uint32_t unitBytes = 1; unitBytes <= 30; ++unitBytes)
    {
        const D2dDivision division{6, unitBytes, 4};
        std::vector<uint8_t> together;
        for (const auto& part : SendBytes(division, "17"))
        {
            ASSERT_GT(part.size(), 4);
            EXPECT_THAT(std::vector<uint8_t>(part.begin(), part.begin() + 4),
                        ElementsAre(0, 1, 2, 3));
            together.insert(together.end(), part.begin() + 4, part.end());
        }
        std::vector<uint8_t> units(6 * unitBytes);
        std::iota(units.begin(), units.end(), 4);
        EXPECT_EQ(together, units) << unitBytes;
    }
}

} // namespace
