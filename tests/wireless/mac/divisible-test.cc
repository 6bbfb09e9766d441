/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-bench.h"

#include "ns3/d2d-fragmentation.h"
#include "ns3/d2d-mac-header.h"
#include "ns3/d2d-mac-trailer.h"

#include <numeric>

namespace ns3::collab::tests
{
namespace
{

constexpr uint32_t FRAME = D2dMacHeader::SIZE + D2dMacHeader::CHECK_SEQUENCE_SIZE;

/// @return how a packet of a header and units is cut
D2dFragmentation
Cut(const D2dDivision& division, uint32_t fragmentSize)
{
    const uint32_t bytes = division.headerBytes + division.units * division.unitBytes;
    return D2dFragmentation::Cut(bytes, division, fragmentSize);
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

TEST(FragmentationTest, DivisiblePacketsByHand)
{
    struct Row
    {
        uint32_t units, unitBytes, size; // behind a header of 27 bytes
        uint32_t fragments, unitsPerFragment, fragmentsPerUnit, packetBytes;
    };
    for (const Row& row : {Row{10, 100, 327, 4, 3, 1, 327},
                           Row{10, 100, 326, 5, 2, 1, 227}, // a unit is not torn
                           Row{9, 100, 827, 2, 5, 1, 527},  // 5 and 4, not 8 and 1
                           Row{1, 100, 1500, 1, 1, 1, 127}, // all in one fragment
                           Row{10, 100, 1500, 1, 10, 1, 1027},
                           Row{2, 400, 427, 2, 1, 1, 427},  // a unit that fits exactly
                           Row{3, 1000, 427, 9, 0, 3, 361}, // 1000 / 3, rounded up
                           Row{2, 401, 427, 4, 0, 2, 228}})
    {
        SCOPED_TRACE(testing::Message() << row.units << " x " << row.unitBytes);
        const D2dFragmentation cut = Cut({row.units, row.unitBytes, 27}, row.size);
        EXPECT_EQ(cut.fragments, row.fragments);
        EXPECT_EQ(cut.unitsPerFragment, row.unitsPerFragment);
        EXPECT_EQ(cut.fragmentsPerUnit, row.fragmentsPerUnit);
        EXPECT_EQ(cut.packetBytes, row.packetBytes);
        EXPECT_EQ(cut.fragmentBytes, row.packetBytes + FRAME);
    }
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

/// A network whose devices keep the units of divisible bursts
class DivisibleNetwork : public TestNetwork
{
  public:
    DivisibleNetwork(uint32_t size, const Settings& device, const Settings& channel)
        : TestNetwork(size, device, channel)
    {
        for (uint32_t i = 0; i < size; ++i)
        {
            Device(i)->SetBurstReceiveCallback(
                PROTOCOL,
                [this](const D2dBurst&, const auto& units) { arrivals.push_back(units); });
        }
    }

    /// Sends units from the first device, and runs the simulation.
    void
    Play(uint32_t to, const D2dDivision& division, D2dReliability reliability = BEST_EFFORT)
    {
        SendBurst(0, UnitsBurst(to, division, reliability));
        Simulator::Run();
    }

    std::vector<std::vector<uint32_t>> arrivals; //!< units, of each device that got some
};

/// Radios that send a unit of 100 bytes in a fragment, behind a header of 23
const Settings UNIT_FRAGMENTS = {{"FragmentSize", "123"}};

using DivisibleTest = FidelitiesTest;

INSTANTIATE_TEST_SUITE_P(Fidelities, DivisibleTest, FIDELITIES);

TEST_P(DivisibleTest, EverythingArrivesOverAGoodLink)
{
    for (const auto reliability : {BEST_EFFORT, ARQ})
    {
        DivisibleNetwork network(2, {}, m_channel);
        network.Play(1, {20, 1000, 23}, reliability);
        EXPECT_THAT(network.arrivals, ElementsAre(SizeIs(20)));
        const bool isArq = reliability == ARQ;
        EXPECT_THAT(network.Fates(), ElementsAre(isArq ? "1 acknowledged" : "1 delivered"));
        EXPECT_EQ(network.Outcome().lostUnits, 0);
        EXPECT_THAT(network.Outcome().acknowledgedUnits, SizeIs(isArq ? 20 : 0));
    }
}

TEST_P(DivisibleTest, NothingArrivesOverAHopelessLink)
{
    DivisibleNetwork network(2, {{"MaxAttempts", "2"}}, m_channel);
    network.SetOutage(0, 1, LOST);
    network.Play(1, {20, 1000, 23}, BEST_EFFORT);
    network.Play(1, {20, 1000, 23}, ARQ);
    EXPECT_THAT(network.arrivals, IsEmpty());
    EXPECT_THAT(network.Fates(0), ElementsAre("1 outage"));
    EXPECT_THAT(network.Fates(1), ElementsAre("1 attempts"));
    EXPECT_EQ(network.Outcome(0).lostUnits, 20);
    EXPECT_EQ(network.Outcome(1).lostUnits, 20);
    EXPECT_EQ(network.Report(1).attempts, 2 * network.Report(1).fragments)
        << "every unit is tried, not only the first that fails";
}

/*
 * Checks at 4.5 standard deviations (6.8e-6) of a binomial number: in each fidelity 3 losses and 2
 * products, which a correct program would miss with probability 7e-5 for a seed drawn anew.
 */
TEST_P(DivisibleTest, UnitsAreLostWithTheirFragmentsAndIndependentlyOfOthers)
{
    constexpr double P = 0.2;
    constexpr uint32_t UNITS = 6000;
    for (const uint32_t span : {1U, 3U})
    {
        DivisibleNetwork network(2, UNIT_FRAGMENTS, m_channel);
        network.SetOutage(0, 1, P);
        network.Play(1, {UNITS, 100 * span, 23});
        std::vector<bool> lost(UNITS, true);
        for (const uint32_t unit : network.arrivals.at(0))
        {
            lost[unit] = false;
        }
        const double expected = 1 - std::pow(1 - P, span);
        const auto all = std::count(lost.begin(), lost.end(), true);
        ExpectCount(all, expected, UNITS, 4.5);
        EXPECT_EQ(network.Outcome().lostUnits, all);
        int both = 0; // neighbors, without overlap
        for (uint32_t i = 0; i < UNITS; i += 2)
        {
            both += lost[i] && lost[i + 1];
        }
        ExpectCount(both, expected * expected, UNITS / 2, 4.5);
    }

    // Four units a fragment stand or fall together
    DivisibleNetwork network(2, {{"FragmentSize", "423"}}, m_channel);
    network.SetOutage(0, 1, P);
    network.Play(1, {UNITS, 100, 23});
    const std::vector<uint32_t>& units = network.arrivals.at(0);
    ASSERT_EQ(units.size() % 4, 0);
    for (std::size_t i = 0; i < units.size(); i += 4)
    {
        EXPECT_EQ(units[i] % 4, 0);
        EXPECT_EQ(units[i + 3], units[i] + 3);
    }
    ExpectCount(units.size() / 4, 1 - P, UNITS / 4, 4.5);
}

TEST_P(DivisibleTest, RetransmissionsBringUnitsThrough)
{
    constexpr uint32_t UNITS = 4000;
    DivisibleNetwork network(2, With({{"MaxAttempts", "3"}}, UNIT_FRAGMENTS), m_channel);
    network.SetOutage(0, 1, 0.5);
    network.Play(1, {UNITS, 100, 23}, ARQ);
    const D2dReceiverOutcome& outcome = network.Outcome();
    ExpectCount(outcome.lostUnits, 1.0 / 8, UNITS, 4.5);
    EXPECT_EQ(outcome.lostUnits + network.arrivals.at(0).size(), UNITS);
    EXPECT_EQ(outcome.acknowledgedUnits, network.arrivals[0]) << "no acknowledgment is lost";
    EXPECT_THAT(network.Fates(), ElementsAre("1 part attempts"));
}

TEST_P(DivisibleTest, LostAcknowledgmentsHideUnitsThatArrived)
{
    DivisibleNetwork network(2, With({{"MaxAttempts", "2"}}, UNIT_FRAGMENTS), m_channel);
    network.SetOutage(0, 1, 0.3);
    network.SetOutage(1, 0, 0.6);
    network.Play(1, {2000, 100, 23}, ARQ);
    const std::vector<uint32_t>& units = network.arrivals.at(0);
    const std::vector<uint32_t>& known = network.Outcome().acknowledgedUnits;
    EXPECT_TRUE(std::includes(units.begin(), units.end(), known.begin(), known.end()));
    ExpectCount(known.size(), 1 - std::pow(1 - 0.7 * 0.4, 2), 2000, 4.5);
    ExpectCount(units.size(), 1 - 0.3 * 0.3, 2000, 4.5);
}

TEST_P(DivisibleTest, BroadcastRepairLeadsToOneDeliveryWithWhatIsKnownOfEach)
{
    constexpr uint32_t UNITS = 500;
    DivisibleNetwork network(4, With({{"MaxAttempts", "30"}}, UNIT_FRAGMENTS), m_channel);
    for (uint32_t i = 1; i < 4; ++i)
    {
        network.SetOutage(0, i, i == 1 ? 0.0 : 0.3);
        network.SetOutage(i, 0, i == 3 ? 0.0 : 0.5);
    }
    network.Play(BROADCAST, {UNITS, 100, 23}, ARQ);
    EXPECT_THAT(network.arrivals, ElementsAre(SizeIs(UNITS), SizeIs(UNITS), SizeIs(UNITS)));
    EXPECT_THAT(network.Fates(), ElementsAre("1 acknowledged", "2 acknowledged", "3 acknowledged"));
    for (const auto& outcome : network.Report().outcomes)
    {
        EXPECT_EQ(outcome.acknowledgedUnits.size(), UNITS)
            << "who has acknowledged all has acknowledged every unit";
    }
}

TEST_P(DivisibleTest, ProtocolsOfTheNodeTakeWholePacketsOnly)
{
    DivisibleNetwork network(2, UNIT_FRAGMENTS, m_channel);
    network.SetOutage(0, 1, 0.5);
    int whole = 0;
    network.Device(1)->SetReceiveCallback([&](auto, auto, auto, const auto&) {
        ++whole;
        return true;
    });
    D2dBurst burst = network.UnitsBurst(1, {2, 100, 23});
    burst.protocol = 0x0800;
    for (int i = 0; i < 100; ++i)
    {
        network.SendBurst(0, burst);
    }
    Simulator::Run();
    int complete = 0;
    for (const auto& report : network.Reports())
    {
        complete += report.outcomes.at(0).lostUnits == 0;
    }
    EXPECT_EQ(whole, complete);
    ExpectCount(whole, 0.25, 100);
}

/// What only fidelity Packet shows: the bytes of fragments
class DivisibleFragmentsTest : public SimulatorTest
{
  protected:
    /// Send a divisible packet with real bytes.
    std::vector<std::vector<uint8_t>>
    SendBytes(const D2dDivision& division, const std::string& fragmentSize)
    {
        TestNetwork network(2, {{"FragmentSize", fragmentSize}});
        std::vector<Ptr<const Packet>> frames;
        OnPacket(network.Phy(0), "PhyTxBegin", [&](auto packet) { frames.push_back(packet); });
        D2dBurst burst = network.UnitsBurst(1, division);
        std::vector<uint8_t> bytes(burst.packet->GetSize());
        std::iota(bytes.begin(), bytes.end(), 0);
        burst.packet = Create<Packet>(bytes.data(), bytes.size());
        network.SendBurst(0, burst);
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
        return parts;
    }
};

TEST_F(DivisibleFragmentsTest, CarryTheHeaderAndTheirUnits)
{
    EXPECT_THAT(SendBytes({5, 2, 3}, "7"), // two units each
                ElementsAre(ElementsAre(0, 1, 2, 3, 4, 5, 6),
                            ElementsAre(0, 1, 2, 7, 8, 9, 10),
                            ElementsAre(0, 1, 2, 11, 12)));
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
} // namespace ns3::collab::tests
