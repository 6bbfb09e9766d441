/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DISCOVERY_NETWORK_H
#define DISCOVERY_NETWORK_H

#include "support/protocol-bench.h"

#include "ns3/collab-random.h"
#include "ns3/d2d-matrix-outage-model.h"
#include "ns3/d2d-matrix-rss-model.h"
#include "ns3/graph-discovery-helper.h"
#include "ns3/graph-discovery-latent-application.h"
#include "ns3/pointer.h"

#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tests
{

/// Kinds of messages of graph discovery, as they are on the wire
enum DiscoveryKind : uint16_t
{
    DATA = 701,
    RECEIPT,
    ROW,
    TRUST,
    COMPONENTS,
    REWARD,
    LINK,
    OFFER,
    REQUEST,
    GRANT,
    CLUSTER_REQUEST,
    CLUSTER_GRANT,
    BEFORE,
    AFTER
};

/// A latent application whose clusters a test can look at
class ProbedLatentApplication : public ns3::collab::LatentDiscoveryApplication
{
  public:
    static ns3::TypeId
    GetTypeId()
    {
        static ns3::TypeId tid = ns3::TypeId("tests::ProbedLatentApplication")
                                     .SetParent<ns3::collab::LatentDiscoveryApplication>()
                                     .AddConstructor<ProbedLatentApplication>();
        return tid;
    }

    /// @return datapoints of each of its clusters
    std::vector<ns3::collab::DataView>
    GetClusterSamples() const
    {
        ns3::collab::DatapointHoldings copy = GetHoldings();
        const auto counts = copy.Count();
        std::vector<ns3::collab::DataView> clusters;
        for (std::size_t l = 0; l < counts.size(); ++l)
        {
            ns3::collab::PartitionCounts one(counts.size(), 0);
            one[l] = counts[l];
            clusters.push_back(copy.Take(one));
        }
        return clusters;
    }
};

/// What a network for graph discovery is like; devices by index
struct DiscoveryCase
{
    bool isLatent = false;
    std::vector<ns3::collab::PartitionCounts> held; //!< datapoints of each label
    ns3::collab::TrustMatrices trust;
    std::vector<std::vector<double>> outage; //!< receiver by transmitter; empty for none
    std::vector<std::vector<double>> rssW;   //!< receiver by transmitter; empty: all hear all
    std::string payloadMode = "Bytes";
    std::map<std::string, std::string> radio = {{"Duplex", "Full"}}; //!< attributes of devices
    std::map<std::string, std::string> channel;                      //!< attributes
    double batteryJ = 1e9;
    std::map<std::string, std::string> attributes;                  //!< of the applications
    std::map<uint32_t, std::vector<std::optional<uint32_t>>> peers; //!< by device and pass
    std::map<uint32_t, double> flopsPerCycle;                       //!< of some processors
    uint64_t seed = 1;

    /// @param device that nobody hears, and that hears nobody
    void
    SetOutOfReach(uint32_t device)
    {
        rssW.assign(held.size(), std::vector<double>(held.size(), 1e-9));
        for (std::size_t i = 0; i < held.size(); ++i)
        {
            rssW[device][i] = rssW[i][device] = 1e-30;
        }
    }
};

/// Numbers of a datapoint: which one it is, then a place near that of its label
constexpr uint32_t FEATURES = 6;
/// Unit of the first of these numbers, in which floats are exact
constexpr double ID_UNIT = 1.0 / (1 << 20);

/// @return number of a datapoint
inline uint32_t
FindId(const ns3::collab::DataView& samples, std::size_t i)
{
    const float number = samples.data->numbers[samples.indices[i] * FEATURES];
    return static_cast<uint32_t>(std::lround(number / ID_UNIT));
}

/// @return numbers of datapoints
inline std::set<uint32_t>
FindIds(const ns3::collab::DataView& samples)
{
    std::set<uint32_t> ids;
    for (std::size_t i = 0; i < samples.Size(); ++i)
    {
        ids.insert(FindId(samples, i));
    }
    return ids;
}

/// Devices that look for others, with all that they do
class DiscoveryNetwork : public ProtocolBench
{
  public:
    explicit DiscoveryNetwork(const DiscoveryCase& what)
    {
        ns3::RngSeedManager::SetSeed(7);
        ns3::RngSeedManager::SetRun(what.seed);
        m_nodes = ns3::NodeContainer(static_cast<uint32_t>(what.held.size()));
        MakeRadios(what);
        MakeApplications(what);
    }

    void
    Run()
    {
        ProtocolBench::Run(ns3::Seconds(100000));
    }

    /// @return an application
    ns3::Ptr<ns3::collab::GraphDiscoveryApplication>
    Get(uint32_t device) const
    {
        return ns3::DynamicCast<ns3::collab::GraphDiscoveryApplication>(m_applications.Get(device));
    }

    /// @param listener gets every message as it goes on the air
    void
    Listen(const std::function<void(const SentMessage&)>& listener) const
    {
        for (const uint32_t device : Ids())
        {
            GetTap(device)->listener = listener;
        }
    }

    /// @return joules that a device has spent on something
    double
    FindJoules(uint32_t device, ns3::collab::EnergyKind kind) const
    {
        return GetJoules(device)[static_cast<std::size_t>(kind)];
    }

    std::shared_ptr<const ns3::collab::DataSet> data;
    std::vector<uint32_t> owners; //!< by datapoint: who has it at first
    std::vector<ns3::collab::DiscoveryRecord> records;
    std::vector<ns3::collab::EdgeRecord> edges;

  private:
    void
    MakeRadios(const DiscoveryCase& what)
    {
        using Rows = std::vector<std::vector<double>>;
        const auto n = m_nodes.GetN();
        const auto rss = ns3::CreateObject<ns3::collab::D2dMatrixRssModel>();
        rss->SetMatrix(what.rssW.empty() ? Rows(n, std::vector<double>(n, 1e-9)) : what.rssW);
        rss->SetNodes(m_nodes);
        const auto outage = ns3::CreateObject<ns3::collab::D2dMatrixOutageModel>();
        outage->SetMatrix(what.outage.empty() ? Rows(n, std::vector<double>(n, 0)) : what.outage);
        outage->SetNodes(m_nodes);
        MakeTaps(m_nodes, what.payloadMode);
        ns3::collab::D2dHelper d2d;
        d2d.SetChannelAttribute("PropagationLossModel", ns3::PointerValue(rss));
        d2d.SetChannelAttribute("OutageModel", ns3::PointerValue(outage));
        for (const auto& [name, value] : what.radio)
        {
            d2d.SetDeviceAttribute(name, ns3::StringValue(value));
        }
        for (const auto& [name, value] : what.channel)
        {
            d2d.SetChannelAttribute(name, ns3::StringValue(value));
        }
        ns3::MobilityHelper().Install(m_nodes);
        m_devices = d2d.Install(m_nodes);
        ns3::collab::D2dHelper::AssignStreams(m_devices, 0);
        ns3::collab::DeviceProfileHelper profile;
        profile.SetSourceAttribute("BasicEnergySourceInitialEnergyJ",
                                   ns3::DoubleValue(what.batteryJ));
        profile.Install(m_devices);
        for (const auto& [device, speed] : what.flopsPerCycle)
        {
            GetProcessor(device)->SetAttribute("FlopsPerCycle", ns3::DoubleValue(speed));
        }
    }

    /// @return datapoints of all devices
    std::vector<ns3::collab::DiscoveryAgent>
    MakeAgents(const DiscoveryCase& what)
    {
        auto all = std::make_shared<ns3::collab::DataSet>();
        all->name = "places";
        all->kind = ns3::collab::FeatureKind::NUMBERS;
        all->sampleShape = {FEATURES};
        all->classes = static_cast<uint32_t>(what.held[0].size());
        std::vector<std::vector<uint32_t>> indices(what.held.size());
        ns3::collab::RandomGenerator generator(what.seed);
        for (uint32_t i = 0; i < what.held.size(); ++i)
        {
            for (uint32_t label = 0; label < all->classes; ++label)
            {
                for (uint32_t k = 0; k < what.held[i][label]; ++k)
                {
                    const auto id = static_cast<uint32_t>(all->labels.size());
                    indices[i].push_back(id);
                    owners.push_back(i);
                    all->labels.push_back(label);
                    all->numbers.push_back(static_cast<float>(id * ID_UNIT));
                    for (uint32_t f = 1; f < FEATURES; ++f)
                    {
                        const double noise = static_cast<double>(generator() % 1000) / 2000;
                        all->numbers.push_back(
                            static_cast<float>((label % FEATURES == f ? 10 : 0) + noise));
                    }
                }
            }
        }
        data = all;
        std::vector<ns3::collab::DiscoveryAgent> agents(what.held.size());
        for (uint32_t i = 0; i < agents.size(); ++i)
        {
            agents[i].samples = ns3::collab::MakeView(data, indices[i]);
            agents[i].seed = what.seed * 100 + i;
            if (what.isLatent)
            {
                agents[i].samples.labels.clear();
            }
            const auto peers = what.peers.find(i);
            if (peers != what.peers.end())
            {
                agents[i].peers = peers->second;
            }
        }
        return agents;
    }

    void
    MakeApplications(const DiscoveryCase& what)
    {
        const std::string type = what.isLatent ? ProbedLatentApplication::GetTypeId().GetName()
                                               : "ns3::collab::LabelDiscoveryApplication";
        ns3::collab::GraphDiscoveryHelper helper(type, MakePool());
        SetAttributes(helper,
                      {{"Rounds", "1"},
                       {"Iterations", "10"},
                       {"ExchangeDeadline", "2s"},
                       {"ReceiptDeadline", "200ms"}});
        if (what.isLatent)
        {
            SetAttributes(helper, {{"Components", "4"}});
        }
        SetAttributes(helper, {what.attributes.begin(), what.attributes.end()});
        Watch(helper.Install(m_nodes, MakeAgents(what), what.trust));
        Collect("Discovery", records);
        Collect("Edge", edges);
    }
};

/// Reads bytes of a message, little-endian, by code that is not that of the module
class WireBytes
{
  public:
    explicit WireBytes(std::vector<uint8_t> bytes)
        : m_bytes(std::move(bytes))
    {
    }

    /// @return the next number of some bytes
    uint32_t
    Take(uint32_t size)
    {
        uint32_t number = 0;
        for (uint32_t i = 0; i < size; ++i)
        {
            number |= uint32_t{m_bytes.at(m_next++)} << (8 * i);
        }
        return number;
    }

    /// @return the next number in single precision
    float
    TakeFloat()
    {
        const uint32_t bits = Take(4);
        float number;
        std::memcpy(&number, &bits, sizeof(number));
        return number;
    }

    /// @return bytes that are left
    std::size_t
    GetLeft() const
    {
        return m_bytes.size() - m_next;
    }

  private:
    std::vector<uint8_t> m_bytes;
    std::size_t m_next = 0;
};

/// @param generator of the draws
/// @param isLatent whether labels are hidden
/// @return a random network of 2 to 8 devices, with 3 to 5 labels
inline DiscoveryCase
DrawCase(ns3::collab::RandomGenerator& generator, bool isLatent)
{
    using ns3::collab::TrustStructure;
    const auto draw = [&generator](uint32_t least, uint32_t most) {
        return least + static_cast<uint32_t>(generator() % (most - least + 1));
    };
    DiscoveryCase c;
    c.isLatent = isLatent;
    c.seed = draw(1, 1000000);
    const uint32_t n = draw(2, 8);
    const uint32_t labels = draw(3, 5);
    const uint32_t worst = draw(0, 60);
    for (uint32_t i = 0; i < n; ++i)
    {
        ns3::collab::PartitionCounts counts;
        for (uint32_t l = 0; l < labels; ++l)
        {
            counts.push_back(isLatent ? draw(4, 25) : draw(0, 2) == 0 ? 0 : draw(0, 40));
        }
        counts[0] += 1; // nobody has nothing
        c.held.push_back(counts);
        c.outage.emplace_back();
        for (uint32_t j = 0; j < n; ++j)
        {
            c.outage.back().push_back(draw(0, worst) / 100.0);
        }
    }
    constexpr TrustStructure STRUCTURES[] = {TrustStructure::RANDOM,
                                             TrustStructure::RANDOM,
                                             TrustStructure::BLOCK,
                                             TrustStructure::ROWS,
                                             TrustStructure::COLUMNS,
                                             TrustStructure::FULL,
                                             TrustStructure::NONE};
    ns3::collab::DiscoveryTrustOptions trust;
    trust.structure = STRUCTURES[draw(0, 6)];
    trust.density = draw(10, 90) / 100.0;
    c.trust = ns3::collab::DrawTrust(n, labels, trust, c.seed);
    c.attributes = {{"Rounds", std::to_string(draw(1, 2))},
                    {"CountBits", draw(0, 1) ? "16" : "8"},
                    {"ThresholdShare", std::to_string(draw(30, 100) / 100.0)},
                    {"ControlLossPolicy", draw(0, 1) ? "Reliable" : "BestEffort"},
                    {"RetainUntilAcked", draw(0, 1) ? "true" : "false"},
                    {"DataLossPolicy", draw(0, 1) ? "Partial" : "PartialReliable"},
                    {"ReliabilityThreshold", std::to_string(draw(0, 60) / 100.0)}};
    if (isLatent)
    {
        c.attributes["CacheStatistics"] = draw(0, 1) ? "true" : "false";
        c.attributes["AgreementPeriod"] = std::to_string(draw(1, 3));
    }
    return c;
}

} // namespace tests

#endif /* DISCOVERY_NETWORK_H */
