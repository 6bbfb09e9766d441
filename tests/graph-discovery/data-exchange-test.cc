/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Where datapoints are: in random networks with losses, late messages and devices that die, none is
 * ever at two devices, and all that were sent are at one device or at none.
 */

#include "graph-discovery/discovery-network.h"
#include "support/memory-store.h"

#include "ns3/collab-message-header.h"
#include "ns3/collab-processor.h"
#include "ns3/graph-discovery-recorder.h"

#include <algorithm>
#include <gmock/gmock.h>

using namespace ns3;
using namespace ns3::collab;
using namespace tests;

namespace
{

/// Who has which datapoints, by the traces of all devices
class Ledger
{
  public:
    explicit Ledger(DiscoveryNetwork& network)
        : m_network(network)
    {
        for (uint32_t id = 0; id < network.owners.size(); ++id)
        {
            m_has[network.owners[id]].insert(id);
        }
        const auto connect = [this](uint32_t i, const char* source, auto handler) {
            m_network.m_applications.Get(i)->TraceConnectWithoutContext(
                source, Callback<void, const DatapointTransfer&>([this, handler](const auto& t) {
                    (this->*handler)(t);
                }));
        };
        for (uint32_t i = 0; i < network.m_nodes.GetN(); ++i)
        {
            connect(i, "Send", &Ledger::Send);
            connect(i, "TakeOver", &Ledger::TakeOver);
            connect(i, "PutBack", &Ledger::PutBack);
        }
    }

    /// What the traces say is what the applications hold
    void
    Check() const
    {
        std::set<uint32_t> all;
        for (uint32_t i = 0; i < m_network.m_nodes.GetN(); ++i)
        {
            const DataView samples = m_network.Get(i)->GetSamples();
            const auto ids = FindIds(samples);
            EXPECT_EQ(ids.size(), samples.Size()) << "a datapoint is twice at a device";
            const auto has = m_has.find(i);
            EXPECT_EQ(ids, has == m_has.end() ? std::set<uint32_t>() : has->second);
            for (const uint32_t id : ids)
            {
                EXPECT_TRUE(all.insert(id).second) << "a datapoint is at two devices";
            }
        }
        EXPECT_EQ(sent, taken + putBack + CountLost(all.size()));
    }

    /// With labels a device keeps min(D, b) of each
    void
    CheckThresholds() const
    {
        for (const auto& [key, before] : m_before)
        {
            const auto labels =
                DynamicCast<LabelDiscoveryApplication>(m_network.m_applications.Get(key.first));
            const auto& thresholds = labels->GetThresholds();
            for (std::size_t l = 0; l < thresholds.size(); ++l)
            {
                EXPECT_GE(before[l] - m_given.at(key)[l], std::min(before[l], thresholds[l]));
            }
        }
    }

    uint64_t sent = 0;
    uint64_t taken = 0;
    uint64_t putBack = 0;

  private:
    uint64_t
    CountLost(std::size_t left) const
    {
        return m_network.owners.size() - left;
    }

    PartitionCounts
    CountLabels(const std::set<uint32_t>& ids) const
    {
        PartitionCounts counts(m_network.data->classes);
        for (const uint32_t id : ids)
        {
            ++counts[m_network.data->labels[id]];
        }
        return counts;
    }

    void
    Send(const DatapointTransfer& transfer)
    {
        const uint32_t sender = transfer.sender;
        const auto ids = FindIds(transfer.samples);
        EXPECT_EQ(ids.size(), transfer.samples.Size());
        const std::pair<uint32_t, uint32_t> key = {sender, transfer.round};
        const auto [given, isFirst] = m_given.try_emplace(key, PartitionCounts(CountLabels({})));
        if (isFirst)
        {
            m_before[key] = CountLabels(m_has[sender]);
        }
        auto& onTheWay = m_sent[{transfer.round, transfer.sender, transfer.receiver}];
        EXPECT_TRUE(onTheWay.empty());
        for (std::size_t i = 0; i < transfer.samples.Size(); ++i)
        {
            const uint32_t id = FindId(transfer.samples, i);
            EXPECT_EQ(m_has[sender].erase(id), 1U) << "given away by a device that has it not";
            ++given->second[m_network.data->labels[id]];
            onTheWay.push_back(id);
        }
        sent += onTheWay.size();
    }

    void
    Arrive(const DatapointTransfer& transfer, uint32_t where)
    {
        const auto& onTheWay = m_sent.at({transfer.round, transfer.sender, transfer.receiver});
        for (const uint32_t unit : transfer.units)
        {
            const uint32_t id = onTheWay.at(unit);
            for (const auto& [device, ids] : m_has)
            {
                EXPECT_EQ(ids.count(id), 0U) << "device " << device << " has it already";
            }
            m_has[where].insert(id);
        }
    }

    void
    TakeOver(const DatapointTransfer& transfer)
    {
        const auto& onTheWay = m_sent.at({transfer.round, transfer.sender, transfer.receiver});
        ASSERT_EQ(transfer.samples.Size(), transfer.units.size());
        for (std::size_t i = 0; i < transfer.units.size(); ++i)
        {
            EXPECT_EQ(FindId(transfer.samples, i), onTheWay.at(transfer.units[i]));
        }
        Arrive(transfer, transfer.receiver);
        taken += transfer.units.size();
    }

    void
    PutBack(const DatapointTransfer& transfer)
    {
        Arrive(transfer, transfer.sender);
        putBack += transfer.units.size();
    }

    DiscoveryNetwork& m_network;
    std::map<uint32_t, std::set<uint32_t>> m_has; //!< by device
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, std::vector<uint32_t>> m_sent;
    std::map<std::pair<uint32_t, uint32_t>, PartitionCounts> m_before; //!< by device and pass
    std::map<std::pair<uint32_t, uint32_t>, PartitionCounts> m_given;  //!< by device and pass
};

/// Let some devices stop or lose their processor or radio at any time
void
Kill(DiscoveryNetwork& network, RandomGenerator& generator)
{
    const double duration =
        network.Get(0)->GetPlan().GetPassBegin(network.Get(0)->GetRounds()).GetSeconds();
    for (uint32_t i = 0; i < network.m_nodes.GetN(); ++i)
    {
        const double when = static_cast<double>(generator() % 1000) / 1000 * duration;
        switch (generator() % 6)
        {
        case 0:
            network.m_applications.Get(i)->SetStopTime(Seconds(when + 1e-6));
            break;
        case 1:
            Simulator::Schedule(Seconds(when + 1e-6),
                                &Processor::SwitchOff,
                                network.m_nodes.Get(i)->GetObject<Processor>());
            break;
        default:
            break;
        }
    }
}

/// What the table of holdings says at the end of all passes
void
CheckHoldings(const DiscoveryNetwork& network, const MemoryStore& store, uint32_t passes)
{
    std::map<std::pair<uint32_t, uint32_t>, double> told;
    for (const auto& row : store.tables.at("holdings")->rows)
    {
        if (row[0] == passes)
        {
            told[{static_cast<uint32_t>(row[1]), static_cast<uint32_t>(row[2])}] = row[3];
        }
    }
    for (const auto& [device, done] : network.m_ends)
    {
        std::map<uint32_t, uint32_t> counts;
        for (const uint32_t id : FindIds(network.Get(device)->GetSamples()))
        {
            ++counts[static_cast<uint32_t>(network.data->labels[id])];
        }
        for (uint32_t label = 0; done && label < network.data->classes; ++label)
        {
            EXPECT_EQ((told[{device, label}]), counts[label]) << device; // or no such row
        }
    }
}

/// Play random networks
void
PlayNetworks(bool isLatent, uint32_t networks, const std::string& payloadMode)
{
    RandomGenerator generator(isLatent ? 11 : 12);
    uint64_t sent = 0;
    uint64_t taken = 0;
    uint64_t putBack = 0;
    uint64_t passes = 0;
    for (uint32_t k = 0; k < networks; ++k)
    {
        DiscoveryCase c = DrawCase(generator, isLatent);
        c.payloadMode = payloadMode;
        c.attributes["Iterations"] = "4";
        c.attributes["ExchangeDeadline"] = generator() % 3 ? "2s" : "12ms";
        c.attributes["ReceiptDeadline"] = generator() % 3 ? "200ms" : "3ms";
        c.radio["Duplex"] = generator() % 4 ? "Full" : "Half";
        if (generator() % 5 == 0)
        {
            c.batteryJ = 0.5 + static_cast<double>(generator() % 100) / 5;
        }
        DiscoveryNetwork network(c);
        Ledger ledger(network);
        MemoryStore store;
        const auto& labels = network.data->labels;
        GraphDiscoveryRecorder recorder(store,
                                        network.m_applications,
                                        c.trust,
                                        std::vector<uint32_t>(labels.begin(), labels.end()),
                                        2);
        if (generator() % 2)
        {
            Kill(network, generator);
        }
        network.Run();
        recorder.Finish();
        ASSERT_EQ(network.m_ends.size(), network.m_nodes.GetN());
        ledger.Check();
        if (!isLatent)
        {
            ledger.CheckThresholds();
        }
        CheckHoldings(network, store, static_cast<uint32_t>(std::stoul(c.attributes["Rounds"])));
        sent += ledger.sent;
        taken += ledger.taken;
        putBack += ledger.putBack;
        passes += network.edges.size();
        EXPECT_TRUE(network.m_refusals.empty()) << network.m_refusals.front().reason;
    }
    ::testing::Test::RecordProperty("passes", static_cast<int>(passes));
    EXPECT_GT(passes, 2 * networks);
    EXPECT_GT(taken, sent / 5);
    EXPECT_GT(putBack, sent / 50);
    EXPECT_LT(taken + putBack, sent);
}

} // namespace

TEST(DataExchangeTest, LeavesEachDatapointAtOneDeviceAtMost)
{
    PlayNetworks(false, 300, "Reference");
}

TEST(DataExchangeTest, LeavesEachDatapointThatCameAsBytesAtOneDeviceAtMost)
{
    PlayNetworks(false, 100, "Bytes");
}

TEST(DataExchangeTest, LeavesEachDatapointWithoutLabelAtOneDeviceAtMost)
{
    PlayNetworks(true, 80, "Bytes");
}

TEST(DataExchangeTest, GoesOnWithDevicesThatHaveGivenAllAway)
{
    for (const bool isLatent : {false, true})
    {
        DiscoveryCase c;
        c.isLatent = isLatent;
        c.held = {{2, 2, 0, 0, 0}, {0, 0, 0, 9, 11}, {0, 0, 0, 10, 10}};
        c.trust = DrawTrust(3, 5, {TrustStructure::FULL, 0, 0}, 1);
        c.attributes = {{"Rounds", "2"}, {"Method", "Given"}, {"ThresholdShare", "0.5"}};
        if (isLatent)
        {
            c.attributes["RequestShare"] = "1";
            c.attributes["ThresholdShare"] = "0";
        }
        c.peers[1] = {0, 2};
        DiscoveryNetwork network(c);
        Ledger ledger(network);
        network.Run();
        ledger.Check();
        EXPECT_EQ(network.Get(0)->GetSamples().Size(), 0U);
        EXPECT_EQ(network.edges.size(), 6U);
        for (const auto& [device, done] : network.m_ends)
        {
            EXPECT_TRUE(done) << device;
        }
    }
}

TEST(DataExchangeTest, AsManyDatapointsArriveAsRewardsExpectWhateverPartsTheyTravelIn)
{
    DiscoveryCase c;
    c.held = {{4000, 0}, {0, 4000}};
    c.trust = DrawTrust(2, 2, {TrustStructure::FULL, 0, 0}, 1);
    c.outage.assign(2, std::vector<double>(2, 0.1));
    c.peers = {{0, {1}}, {1, {0}}};
    c.attributes = {{"Method", "Given"},
                    {"CountBits", "16"},
                    {"ControlLossPolicy", "Reliable"},
                    {"GrantDeadline", "1s"},
                    {"ExchangeDeadline", "1000s"}};
    const std::map<uint32_t, double> outages = {{25, 0.1}, {13, 1 - 0.9 * 0.9}, {9, 0.271}};
    for (const auto& [room, outage] : outages) // of 25 bytes of a datapoint, in a fragment
    {
        c.radio["FragmentSize"] = std::to_string(MessageHeader::SIZE + room);
        DiscoveryNetwork network(c);
        network.Run();
        ASSERT_EQ(network.edges.size(), 2U);
        for (const auto& edge : network.edges)
        {
            EXPECT_NEAR(edge.outage, outage, 1e-12);
            ASSERT_EQ(edge.granted, 2000U);
            const double expected = (1 - edge.outage) * static_cast<double>(edge.granted);
            EXPECT_NEAR(edge.taken, expected, 4 * std::sqrt(expected * edge.outage));
        }
    }
}
