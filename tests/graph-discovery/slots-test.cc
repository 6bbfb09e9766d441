/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What comes of slots over the radio is what the equations say of what has come: against the game
 * when nothing is lost, and against the messages that a device heard when some are.
 */

#include "graph-discovery/discovery-network.h"

#include "ns3/collab-distributed-pca.h"
#include "ns3/collab-fields.h"
#include "ns3/collab-k-means.h"
#include "ns3/graph-discovery-game.h"
#include "ns3/graph-discovery-latent-exchange.h"
#include "ns3/graph-discovery-messages.h"
#include "ns3/graph-discovery-reliable-clusters.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <numeric>

using namespace ns3;
using namespace ns3::collab;
using namespace tests;
using ::testing::IsEmpty;
using ::testing::SizeIs;

namespace
{

constexpr double ALPHA = 0.1;       //!< attribute ReliabilityThreshold
constexpr uint32_t ITERATIONS = 15; //!< of a pass

/// Let messages be repeated until they are there: in clusters without loss, as rewards are not
void
MakeCertain(DiscoveryCase& c, RandomGenerator& generator)
{
    const auto n = c.held.size();
    for (std::size_t i = 0; i < n; ++i)
    {
        for (std::size_t j = 0; j < n; ++j)
        {
            const bool isNear = i % 3 == j % 3;
            c.outage[i][j] = isNear ? 0 : 0.11 + static_cast<double>(generator() % 25) / 100;
        }
    }
    for (const auto& [name, value] :
         std::map<std::string, std::string>{{"ControlLossPolicy", "Reliable"},
                                            {"ReliabilityThreshold", std::to_string(ALPHA)},
                                            {"Rounds", "1"},
                                            {"Iterations", std::to_string(ITERATIONS)},
                                            {"SetupDeadline", "60s"},
                                            {"RequestDeadline", "30s"},
                                            {"GrantDeadline", "30s"},
                                            {"RewardDeadline", "30s"}})
    {
        c.attributes[name] = value;
    }
    if (!c.isLatent)
    {
        c.attributes["LinkDeadline"] = "30s";
        c.attributes["OfferDeadline"] = "30s";
    }
}

/// Radios that never give up
void
SetPatient(const DiscoveryNetwork& network)
{
    for (uint32_t i = 0; i < network.m_devices.GetN(); ++i)
    {
        DynamicCast<D2dNetDevice>(network.m_devices.Get(i))
            ->GetMac()
            ->SetAttribute("MaxAttempts", UintegerValue(200));
    }
}

/// @return thresholds of a device
PartitionCounts
FindThresholds(const PartitionCounts& held, double share)
{
    const double size = std::accumulate(held.begin(), held.end(), 0.0);
    const double threshold = share * size / static_cast<double>(held.size());
    return PartitionCounts(held.size(), static_cast<uint32_t>(std::lround(threshold)));
}

/// @return the game of a case, with options that its attributes get
LabelGame
MakeGame(DiscoveryCase& c, RandomGenerator& generator)
{
    LabelGame game;
    const auto n = c.held.size();
    game.held = c.held;
    game.trust = c.trust;
    game.outage = Matrix<double>(n, n, 0);
    for (std::size_t i = 0; i < n; ++i)
    {
        game.thresholds.push_back(
            FindThresholds(c.held[i], std::stod(c.attributes["ThresholdShare"])));
        for (std::size_t j = 0; j < n; ++j)
        {
            game.outage(i, j) = i == j ? 0 : c.outage[i][j];
        }
    }
    game.cluster =
        FindReliableClusters(game.outage, std::stod(c.attributes["ReliabilityThreshold"]));
    constexpr const char* DISTANCES[] = {"Wasserstein", "Discrete", "JensenShannon"};
    const auto distance = generator() % 3;
    game.score.distance = static_cast<DiversityDistance>(distance);
    c.attributes["Distance"] = DISTANCES[distance];
    game.score.leastLabels = static_cast<uint32_t>(generator() % 3);
    c.attributes["LeastLabels"] = std::to_string(game.score.leastLabels);
    game.score.thresholdSlack = generator() % 2 ? 0.8 : 0.5;
    c.attributes["ThresholdSlack"] = std::to_string(game.score.thresholdSlack);
    game.reward.dividesByCluster = generator() % 2 != 0;
    c.attributes["DividesByCluster"] = game.reward.dividesByCluster ? "true" : "false";
    game.reward.budget = 0.01;
    c.attributes["BudgetWeight"] = "0.01";
    game.reward.budgetPoints = 20;
    c.attributes["Budget"] = "20";
    return game;
}

/// Records of each iteration, by device
std::map<uint32_t, std::map<uint32_t, DiscoveryRecord>>
SortRecords(const DiscoveryNetwork& network)
{
    std::map<uint32_t, std::map<uint32_t, DiscoveryRecord>> sorted;
    for (const auto& record : network.records)
    {
        sorted[record.iteration][record.device] = record;
    }
    return sorted;
}

} // namespace

TEST(DiscoverySlotsTest, AreTheGameIfNothingIsLost)
{
    RandomGenerator generator(21);
    uint32_t scored = 0;
    for (uint32_t k = 0; k < 40; ++k)
    {
        DiscoveryCase c = DrawCase(generator, false);
        MakeCertain(c, generator);
        const LabelGame game = MakeGame(c, generator);
        c.payloadMode = k % 2 ? "Bytes" : "Reference";
        DiscoveryNetwork network(c);
        SetPatient(network);
        network.Run();
        EXPECT_THAT(network.m_refusals, IsEmpty());
        const auto n = static_cast<uint32_t>(c.held.size());
        const auto records = SortRecords(network);
        ASSERT_THAT(records, SizeIs(ITERATIONS));
        for (const auto& [iteration, devices] : records)
        {
            ASSERT_THAT(devices, SizeIs(n));
            std::vector<uint32_t> peers;
            for (const auto& [device, record] : devices)
            {
                peers.push_back(record.peer);
                EXPECT_EQ(record.outage, game.outage(device, peers.back()));
            }
            const LabelOutcome outcome = PlayLabelGame(game, peers);
            for (const auto& [device, record] : devices)
            {
                EXPECT_NEAR(record.score, outcome.score[device], 1e-12);
                EXPECT_NEAR(record.localReward, outcome.localReward[device], 1e-12);
                EXPECT_NEAR(record.reward, outcome.reward[device], 1e-5); // told as floats
                scored += record.score > 0 ? 1 : 0;
            }
        }
        std::vector<uint32_t> peers(n, NO_PEER);
        ASSERT_THAT(network.edges, SizeIs(n));
        for (const auto& edge : network.edges)
        {
            peers[edge.device] = *edge.peer;
        }
        const LabelOutcome outcome = PlayLabelGame(game, peers);
        for (const auto& edge : network.edges)
        {
            const uint32_t device = edge.device;
            const auto& allotted = outcome.allotted[device];
            EXPECT_NEAR(edge.score, outcome.score[device], 1e-12);
            EXPECT_NEAR(edge.localReward, outcome.localReward[device], 1e-12);
            EXPECT_EQ(edge.granted, std::accumulate(allotted.begin(), allotted.end(), 0U));
            EXPECT_EQ(edge.before, c.held[device]);
        }
    }
    EXPECT_GT(scored, 100U);
}

namespace
{

/// What a device heard and told in a slot
struct Heard
{
    PartitionCounts granted;                                 //!< to it; empty if no grant came
    std::map<uint32_t, PartitionCounts> grants;              //!< that it told, by receiver
    std::map<uint32_t, std::pair<double, uint32_t>> rewards; //!< that came, by device
};

/// Remembers what devices with labels heard and told
class Listening
{
  public:
    explicit Listening(DiscoveryNetwork& network, uint32_t countBytes)
    {
        network.Listen([this, countBytes, &network](const SentMessage& message) {
            if (message.kind == GRANT)
            {
                WireBytes bytes(message.bytes);
                auto& grant = slots[message.round][message.sender].grants[message.receiver];
                while (bytes.GetLeft() > 0)
                {
                    grant.push_back(bytes.Take(countBytes));
                }
            }
        });
        for (uint32_t i = 0; i < network.m_nodes.GetN(); ++i)
        {
            network.GetTransport(i)->TraceConnectWithoutContext(
                "Rx",
                Callback<void, const Message&, uint64_t>(
                    [this, i, &network](const Message& m, uint64_t) {
                        Heard& heard = slots[m.round][i];
                        if (m.kind == GRANT)
                        {
                            heard.granted =
                                static_cast<const PayloadOf<LabelGrant>&>(*m.payload).Get().counts;
                        }
                        if (m.kind == REWARD)
                        {
                            const auto& reward =
                                static_cast<const PayloadOf<LinkReward>&>(*m.payload).Get();
                            heard.rewards[m.sender] = {reward.reward, reward.points};
                        }
                    }));
        }
    }

    std::map<uint32_t, std::map<uint32_t, Heard>> slots; //!< by slot and device
};

} // namespace

TEST(DiscoverySlotsTest, CountWhatIsLostAsNotSent)
{
    RandomGenerator generator(22);
    uint32_t withGrant = 0;
    uint32_t withoutGrant = 0;
    uint32_t onlyGiven = 0;
    for (uint32_t k = 0; k < 40; ++k)
    {
        DiscoveryCase c = DrawCase(generator, false);
        c.attributes["Rounds"] = "1";
        c.attributes["Iterations"] = std::to_string(ITERATIONS);
        c.attributes["GlobalWeight"] = "0.7";
        const LabelGame game = MakeGame(c, generator);
        DiscoveryNetwork network(c);
        Listening listening(network, c.attributes["CountBits"] == "8" ? 1 : 2);
        network.Run();
        EXPECT_THAT(network.m_refusals, IsEmpty());
        std::map<uint32_t, std::map<uint32_t, std::pair<double, uint32_t>>> known;
        for (const auto& [iteration, devices] : SortRecords(network))
        {
            ASSERT_THAT(devices, SizeIs(c.held.size()));
            for (const auto& [device, record] : devices)
            {
                const Heard& heard = listening.slots[iteration][device];
                std::vector<double> after(c.held[device].begin(), c.held[device].end());
                uint64_t points = 0;
                const auto clusters = network.Get(device)->GetClusters();
                const auto isMember = [&clusters, device = device](uint32_t other) {
                    return clusters[other] == clusters[device];
                };
                for (std::size_t l = 0; l < heard.granted.size(); ++l)
                {
                    after[l] += (1 - record.outage) * heard.granted[l];
                    points += isMember(record.peer) ? 0 : heard.granted[l];
                }
                for (const auto& [receiver, grant] : heard.grants)
                {
                    for (std::size_t l = 0; l < grant.size(); ++l)
                    {
                        after[l] -= grant[l];
                    }
                }
                EXPECT_EQ(record.granted, !heard.granted.empty());
                EXPECT_NEAR(record.score,
                            ScoreLabels(c.held[device], after, game.thresholds[device], game.score),
                            1e-9);
                std::vector<double> rewards = {record.localReward};
                for (const auto& [member, told] : heard.rewards)
                {
                    known[device][member] = told;
                }
                for (uint32_t member = 0; member < c.held.size(); ++member)
                {
                    if (member != device && isMember(member))
                    {
                        rewards.push_back(known[device][member].first);
                        points += known[device][member].second;
                    }
                }
                const double global = GetClusterReward(rewards,
                                                       points,
                                                       static_cast<uint32_t>(c.held.size()),
                                                       static_cast<uint32_t>(rewards.size()),
                                                       game.reward);
                EXPECT_NEAR(record.reward, record.localReward + 0.7 * global, 1e-9);
                ++(record.granted ? withGrant : withoutGrant);
                onlyGiven += !record.granted && !heard.grants.empty() ? 1 : 0;
            }
        }
    }
    EXPECT_GT(withGrant, 200U);
    EXPECT_GT(withoutGrant, 200U);
    EXPECT_GT(onlyGiven, 50U);
}

namespace
{

/// What a device without labels has, worked out by the pure functions
struct LatentDevice
{
    Clustering clustering;
    PartitionCounts held;
    PartitionCounts thresholds;
    uint32_t requested = 0;
};

/// @return what devices of a case have, when all components have come
std::vector<LatentDevice>
MakeLatentDevices(DiscoveryCase& c, const DiscoveryNetwork& network)
{
    const auto n = static_cast<uint32_t>(c.held.size());
    std::vector<PrincipalComponents> parts;
    std::vector<const PrincipalComponents*> pointers;
    for (uint32_t i = 0; i < n; ++i)
    {
        parts.push_back(FindPrincipalComponents(DecodeSamples(network.Get(i)->GetSamples()), 4));
    }
    for (const auto& part : parts)
    {
        pointers.push_back(&part);
    }
    const auto subspace = CombinePrincipalComponents(pointers, 4);
    std::vector<LatentDevice> devices(n);
    for (uint32_t i = 0; i < n; ++i)
    {
        const DataView view = network.Get(i)->GetSamples();
        KMeansOptions options;
        options.clusters = static_cast<uint32_t>(c.held[i].size());
        options.restarts = 3;
        devices[i].clustering =
            FindClusters(Project(DecodeSamples(view), subspace), options, c.seed * 100 + i);
        devices[i].held.resize(options.clusters);
        for (const uint32_t label : devices[i].clustering.labels)
        {
            ++devices[i].held[label];
        }
        devices[i].thresholds =
            FindThresholds(devices[i].held, std::stod(c.attributes["ThresholdShare"]));
        devices[i].requested =
            static_cast<uint32_t>(std::lround(0.2 * static_cast<double>(view.Size())));
    }
    return devices;
}

/// @return centroids that a device shows to another one
Matrix<float>
ShowCentroids(const DiscoveryCase& c, const LatentDevice& device, const uint8_t* trusted)
{
    const bool isPrinted = c.attributes.at("Disclosure") == "Printed";
    Matrix<float> shown;
    shown.columns = device.clustering.centroids.columns;
    for (std::size_t l = 0; l < device.held.size(); ++l)
    {
        if (isPrinted || trusted[l])
        {
            const float* row = device.clustering.centroids.Row(l);
            shown.values.insert(shown.values.end(), row, row + shown.columns);
            ++shown.rows;
        }
    }
    return shown;
}

/// @return D_l of each receiver of a device
std::map<uint32_t, PartitionCounts>
FindGrants(const DiscoveryCase& c,
           const std::vector<LatentDevice>& devices,
           uint32_t transmitter,
           const std::vector<uint32_t>& receivers)
{
    const LatentDevice& own = devices[transmitter];
    std::vector<std::vector<uint8_t>> trusted;
    for (const uint32_t receiver : receivers)
    {
        const uint8_t* row = c.trust[transmitter].Row(receiver);
        trusted.emplace_back(row, row + own.held.size());
    }
    const auto shares = ShareClusters(own.held, own.thresholds, trusted);
    std::map<uint32_t, PartitionCounts> grants;
    for (std::size_t k = 0; k < receivers.size(); ++k)
    {
        const LatentDevice& receiver = devices[receivers[k]];
        auto grant =
            SplitRequest(receiver.requested,
                         own.clustering.centroids,
                         ShowCentroids(c, receiver, c.trust[receivers[k]].Row(transmitter)));
        for (std::size_t l = 0; l < grant.size(); ++l)
        {
            grant[l] = std::min(grant[l], shares[k][l]);
        }
        grants[receivers[k]] = grant;
    }
    return grants;
}

} // namespace

TEST(DiscoverySlotsTest, GrantWhatTheEquationsSayOfClusters)
{
    RandomGenerator generator(23);
    uint64_t granted = 0;
    for (uint32_t k = 0; k < 24; ++k)
    {
        DiscoveryCase c = DrawCase(generator, true);
        MakeCertain(c, generator);
        c.attributes["Disclosure"] = k % 2 ? "Printed" : "Trusted";
        c.attributes["CacheStatistics"] = "true"; // grants name their clusters
        c.attributes["CountBits"] = "16";
        c.attributes["Iterations"] = "6";
        DiscoveryNetwork network(c);
        SetPatient(network);
        const auto devices = MakeLatentDevices(c, network);
        std::map<uint32_t, std::map<std::pair<uint32_t, uint32_t>, PartitionCounts>> told;
        network.Listen([&](const SentMessage& message) {
            if (message.kind != CLUSTER_GRANT)
            {
                return;
            }
            PartitionCounts counts(c.held[0].size());
            WireBytes bytes(message.bytes);
            while (bytes.GetLeft() > 0)
            {
                const uint32_t cluster = bytes.Take(1);
                counts.at(cluster % 128) = bytes.Take(2);
                for (uint32_t skip = 0; cluster < 128 && skip < 4 + 16; ++skip)
                {
                    bytes.TakeFloat();
                }
            }
            told[message.round][{message.sender, message.receiver}] = counts;
        });
        network.Run();
        EXPECT_THAT(network.m_refusals, IsEmpty());
        for (const auto& [iteration, records] : SortRecords(network))
        {
            ASSERT_THAT(records, SizeIs(c.held.size()));
            std::map<uint32_t, std::vector<uint32_t>> receivers;
            for (const auto& [device, record] : records)
            {
                receivers[record.peer].push_back(device);
            }
            for (const auto& [transmitter, all] : receivers)
            {
                for (const auto& [receiver, grant] : FindGrants(c, devices, transmitter, all))
                {
                    const uint32_t sum = std::accumulate(grant.begin(), grant.end(), 0U);
                    auto& message = told[iteration][{transmitter, receiver}];
                    EXPECT_EQ(message, sum > 0 ? grant : PartitionCounts());
                    const auto& record = records.at(receiver);
                    EXPECT_EQ(record.granted, sum > 0);
                    EXPECT_NEAR(record.localReward, 20 * record.score - 10 * record.outage, 1e-9);
                    granted += sum;
                }
            }
        }
    }
    EXPECT_GT(granted, 2000U);
}
