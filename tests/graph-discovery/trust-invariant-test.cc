/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Nothing of a partition goes to a device that is not trusted with it: on the bytes of all messages
 * of random networks, read by code of the test. A case is a slot of a device.
 */

#include "graph-discovery/discovery-network.h"

#include "ns3/collab-distributed-pca.h"
#include "ns3/graph-discovery-latent-exchange.h"

#include <gmock/gmock.h>

using namespace ns3;
using namespace ns3::collab;
using namespace tests;
using ::testing::Gt;
using ::testing::UnorderedElementsAre;

namespace
{

constexpr uint32_t COMPONENTS_OF_SUBSPACE = 4;

/// Looks at the messages of one network
class TrustWatch
{
  public:
    TrustWatch(const DiscoveryCase& what, DiscoveryNetwork& network)
        : m_case(what),
          m_network(network),
          m_countBytes(what.attributes.at("CountBits") == "8" ? 1 : 2)
    {
        network.Listen([this](const SentMessage& message) { Check(message); });
        for (uint32_t i = 0; i < network.m_nodes.GetN(); ++i)
        {
            network.GetTransport(i)->TraceConnectWithoutContext(
                "Rx",
                Callback<void, const Message&, uint64_t>([this, i](const Message& m, uint64_t) {
                    if (m.kind == COMPONENTS)
                    {
                        m_heard[i].insert(m.sender);
                    }
                }));
        }
    }

    std::map<uint16_t, uint64_t> shown; //!< by kind: parts that are trusted
    std::set<uint16_t> untrusted;       //!< kinds with what is not
    uint64_t datapoints = 0;            //!< that were sent

  private:
    /// The clusters of a device in a pass
    struct Clusters
    {
        std::map<uint32_t, uint32_t> ofSample; //!< by number of a datapoint
        std::vector<GaussianCluster> gaussians;
    };

    /// A partition of a device is told to another one, or all
    void
    See(const SentMessage& message, uint32_t partition)
    {
        const auto& trust = m_case.trust[message.sender];
        bool isTrusted = true;
        for (uint32_t i = 0; i < trust.rows; ++i)
        {
            if (message.receiver == EVERYBODY ? i != message.sender : i == message.receiver)
            {
                isTrusted = isTrusted && trust(i, partition) != 0;
            }
        }
        if (isTrusted)
        {
            ++shown[message.kind];
        }
        else
        {
            untrusted.insert(message.kind);
        }
    }

    void
    Check(const SentMessage& message)
    {
        WireBytes bytes(message.bytes);
        switch (message.kind)
        {
        case OFFER:
            SeeCounts(message, bytes, 1);
            break;
        case GRANT:
            SeeCounts(message, bytes, m_countBytes);
            break;
        case DATA:
            SeeData(message, bytes);
            break;
        case CLUSTER_REQUEST:
            bytes.Take(m_countBytes);
            bytes.Take(IsCaching() ? 2 : 0);
            while (bytes.GetLeft() > 0)
            {
                SeeMean(message, TakeMean(bytes));
            }
            break;
        case CLUSTER_GRANT:
        case BEFORE:
        case AFTER:
            SeeClusters(message, bytes);
            break;
        case COMPONENTS: // of all datapoints together: outside of what trust can forbid
            m_components[message.sender] = message.bytes;
            break;
        case REQUEST: // b - D of what the other one has offered
        case LINK:
        case ROW:
        case REWARD:
        case RECEIPT:
            break;
        default:
            ADD_FAILURE() << "kind " << message.kind;
        }
    }

    void
    SeeCounts(const SentMessage& message, WireBytes& bytes, uint32_t size)
    {
        const std::size_t labels = m_case.held[0].size();
        ASSERT_EQ(bytes.GetLeft(), labels * size);
        for (uint32_t l = 0; l < labels; ++l)
        {
            if (bytes.Take(size) > 0)
            {
                See(message, l);
            }
        }
    }

    void
    SeeData(const SentMessage& message, WireBytes& bytes)
    {
        const uint32_t sender = message.sender;
        ASSERT_EQ(bytes.GetLeft() % (FEATURES * 4 + 1), 0U);
        while (bytes.GetLeft() > 0)
        {
            const auto id = static_cast<uint32_t>(std::lround(bytes.TakeFloat() / ID_UNIT));
            for (uint32_t f = 1; f < FEATURES; ++f)
            {
                EXPECT_EQ(bytes.TakeFloat(), m_network.data->numbers[id * FEATURES + f]);
            }
            const uint32_t label = bytes.Take(1);
            const auto truth = static_cast<uint32_t>(m_network.data->labels[id]);
            EXPECT_EQ(label, m_case.isLatent ? 255U : truth);
            See(message, m_case.isLatent ? GetClusters(sender).ofSample.at(id) : truth);
            ++datapoints;
        }
    }

    bool
    IsCaching() const
    {
        return m_case.attributes.at("CacheStatistics") == "true";
    }

    static std::vector<double>
    TakeMean(WireBytes& bytes)
    {
        std::vector<double> mean;
        for (uint32_t i = 0; i < COMPONENTS_OF_SUBSPACE; ++i)
        {
            mean.push_back(bytes.TakeFloat());
        }
        return mean;
    }

    /// @return cluster of the sender whose centroid is the nearest, and is that mean if it is exact
    uint32_t
    SeeMean(const SentMessage& message, const std::vector<double>& mean, bool isExact = true)
    {
        const auto& own = GetClusters(message.sender).gaussians;
        double least = INFINITY;
        uint32_t nearest = 0;
        for (uint32_t l = 0; l < own.size(); ++l)
        {
            double square = 0;
            for (std::size_t k = 0; k < mean.size(); ++k)
            {
                square += (mean[k] - own[l].mean[k]) * (mean[k] - own[l].mean[k]);
            }
            if (own[l].count > 0 && square < least)
            {
                least = square;
                nearest = l;
            }
        }
        if (isExact)
        {
            EXPECT_LT(least, 1e-6);
        }
        See(message, nearest);
        return nearest;
    }

    void
    SeeClusters(const SentMessage& message, WireBytes& bytes)
    {
        const bool isGrant = message.kind == CLUSTER_GRANT;
        while (bytes.GetLeft() > 0)
        {
            const uint32_t number = isGrant && IsCaching() ? bytes.Take(1) : UINT32_MAX;
            if (isGrant)
            {
                EXPECT_GT(bytes.Take(m_countBytes), 0U);
            }
            if (number < UINT32_MAX)
            {
                See(message, number % 128);
            }
            if (number < UINT32_MAX && number >= 128)
            {
                continue; // the receiver knows it
            }
            const uint32_t l = SeeMean(message, TakeMean(bytes), message.kind != AFTER);
            EXPECT_TRUE(number == UINT32_MAX || number == l);
            const auto& own = GetClusters(message.sender).gaussians[l];
            for (const double value : own.covariance.values)
            {
                const double told = bytes.TakeFloat();
                EXPECT_TRUE(message.kind == AFTER || std::abs(told - value) < 1e-3);
            }
        }
    }

    /// @return components of a device, as they were sent
    PrincipalComponents
    ReadComponents(uint32_t device) const
    {
        WireBytes bytes(m_components.at(device));
        PrincipalComponents components;
        components.vectors = Matrix<float>(COMPONENTS_OF_SUBSPACE, FEATURES);
        for (uint32_t i = 0; i < COMPONENTS_OF_SUBSPACE; ++i)
        {
            components.singularValues.push_back(bytes.TakeFloat());
            for (uint32_t f = 0; f < FEATURES; ++f)
            {
                components.vectors(i, f) = bytes.TakeFloat();
            }
        }
        return components;
    }

    /// @return clusters of a device in its pass, worked out when it first tells of them
    const Clusters&
    GetClusters(uint32_t device)
    {
        const auto application = m_network.Get(device);
        const auto [found, isNew] = m_clusters.try_emplace({device, application->GetRound()});
        Clusters& clusters = found->second;
        if (!isNew)
        {
            return clusters;
        }
        std::set<uint32_t> heard = m_heard[device];
        heard.insert(device);
        std::vector<PrincipalComponents> parts;
        for (const uint32_t peer : heard)
        {
            parts.push_back(ReadComponents(peer));
        }
        std::vector<const PrincipalComponents*> pointers;
        for (const auto& part : parts)
        {
            pointers.push_back(&part);
        }
        const auto subspace = CombinePrincipalComponents(pointers, COMPONENTS_OF_SUBSPACE);
        const auto probed = DynamicCast<ProbedLatentApplication>(application);
        for (const auto& samples : probed->GetClusterSamples())
        {
            for (std::size_t i = 0; i < samples.Size(); ++i)
            {
                clusters.ofSample[FindId(samples, i)] =
                    static_cast<uint32_t>(clusters.gaussians.size());
            }
            Matrix<float> points(0, COMPONENTS_OF_SUBSPACE);
            if (samples.Size() > 0)
            {
                points = Project(DecodeSamples(samples), subspace);
            }
            clusters.gaussians.push_back(
                MakeGaussian(SumClusters(points, std::vector<uint32_t>(samples.Size(), 0), 1)[0]));
        }
        return clusters;
    }

    const DiscoveryCase& m_case;
    DiscoveryNetwork& m_network;
    uint32_t m_countBytes;
    std::map<uint32_t, std::vector<uint8_t>> m_components;        //!< by device
    std::map<uint32_t, std::set<uint32_t>> m_heard;               //!< whose components came
    std::map<std::pair<uint32_t, uint32_t>, Clusters> m_clusters; //!< by device and pass
};

/// What was seen in all networks
struct Seen
{
    uint64_t cases = 0;
    uint64_t datapoints = 0;
    std::map<uint16_t, uint64_t> shown;
    std::set<uint16_t> untrusted;
};

/// Play random networks
Seen
Watch(bool isLatent, const std::string& disclosure, uint32_t networks, uint32_t iterations)
{
    RandomGenerator generator(isLatent ? 5 : 3);
    Seen seen;
    for (uint32_t k = 0; k < networks; ++k)
    {
        DiscoveryCase c = DrawCase(generator, isLatent);
        c.attributes["Iterations"] = std::to_string(iterations);
        if (isLatent)
        {
            c.attributes["Disclosure"] = disclosure;
        }
        DiscoveryNetwork network(c);
        TrustWatch watch(c, network);
        network.Run();
        seen.cases += network.records.size();
        seen.datapoints += watch.datapoints;
        for (const auto& [kind, count] : watch.shown)
        {
            seen.shown[kind] += count;
        }
        seen.untrusted.insert(watch.untrusted.begin(), watch.untrusted.end());
    }
    return seen;
}

} // namespace

TEST(TrustInvariantTest, HoldsOnTheWireWithLabels)
{
    const Seen seen = Watch(false, "", 80, 40);
    RecordProperty("cases", static_cast<int>(seen.cases));
    EXPECT_GE(seen.cases, 10000U);
    EXPECT_THAT(seen.untrusted, UnorderedElementsAre());
    EXPECT_GT(seen.shown.at(OFFER), 1000U);
    EXPECT_GT(seen.shown.at(GRANT), 1000U);
    EXPECT_GT(seen.datapoints, 1000U);
}

TEST(TrustInvariantTest, HoldsOnTheWireWithoutLabels)
{
    const Seen seen = Watch(true, "Trusted", 100, 25);
    RecordProperty("cases", static_cast<int>(seen.cases));
    EXPECT_GE(seen.cases, 10000U);
    EXPECT_THAT(seen.untrusted, UnorderedElementsAre());
    for (const uint16_t kind : {CLUSTER_REQUEST, CLUSTER_GRANT, BEFORE, AFTER, DATA})
    {
        EXPECT_GT(seen.shown.at(kind), 500U) << kind;
    }
}

TEST(TrustInvariantTest, IsBrokenByPrintedDisclosureInThreeMessages)
{
    const Seen seen = Watch(true, "Printed", 30, 20);
    RecordProperty("cases", static_cast<int>(seen.cases));
    EXPECT_GE(seen.cases, 2000U);
    EXPECT_THAT(seen.untrusted, UnorderedElementsAre(CLUSTER_REQUEST, BEFORE, AFTER));
    EXPECT_GT(seen.shown.at(CLUSTER_GRANT), 500U);
    EXPECT_GT(seen.datapoints, 200U);
}
