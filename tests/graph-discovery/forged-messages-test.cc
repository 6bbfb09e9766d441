/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What graph discovery alone can tell to be forged, in bytes and as payloads that nobody has
 * parsed: devices refuse it with a reason, and go on.
 */

#include "graph-discovery/discovery-network.h"
#include "messaging/test-payloads.h"

#include "ns3/collab-fields.h"
#include "ns3/collab-packed-message.h"
#include "ns3/graph-discovery-messages.h"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <numeric>
#include <optional>

using namespace ns3;
using namespace ns3::collab;
using namespace tests;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace
{

constexpr uint32_t LABELS = 4;
constexpr uint32_t DIMENSION = 4; //!< of the common subspace
constexpr float NOT_A_NUMBER = std::numeric_limits<float>::quiet_NaN();

/// Something that a device may say, and what others say of it
struct Forgery
{
    DiscoveryKind after;                    //!< when a message of this kind is sent
    DiscoveryKind kind;                     //!< it comes back, or along, as one of this kind
    std::shared_ptr<const Payload> payload; //!< with this
    std::optional<std::string> reason;      //!< part of why it is refused; nothing: it is not
    uint32_t units = 0;                     //!< of a divisible message
};

/// @return a network in which all have something for all others
DiscoveryCase
MakeCase(bool isLatent)
{
    DiscoveryCase c;
    c.isLatent = isLatent;
    c.held = {{40, 40, 40, 40}, {40, 0, 5, 5}, {0, 40, 5, 5}, {5, 5, 40, 0}};
    c.trust = DrawTrust(4, LABELS, {TrustStructure::FULL, 0, 0}, 1);
    c.attributes = {{"Iterations", "12"},
                    {"Rounds", "2"},
                    {"ReliabilityThreshold", "1"},
                    {"RetainUntilAcked", "true"},
                    {"CountBits", "8"},
                    {"GlobalWeight", "1"}};
    return c;
}

/// @brief Let a forgery arrive: at who asks if it is an answer, else at who is told.
void
Forge(const DiscoveryNetwork& network,
      const Forgery& forgery,
      bool isHandedOver,
      const SentMessage& m)
{
    const bool isAnswer = m.kind == LINK || m.kind == REQUEST || m.kind == CLUSTER_REQUEST;
    ForgedMessage forged;
    forged.sender = forged.linkSender = isAnswer ? m.receiver : m.sender;
    forged.kind = forgery.kind;
    forged.round = m.round;
    forgery.payload->Serialize(forged.bytes);
    forged.unitsSent = forgery.units;
    if (forgery.units > 0)
    {
        forged.units.emplace(forgery.units);
        std::iota(forged.units->begin(), forged.units->end(), 0);
    }
    if (isHandedOver)
    {
        forged.handedOver = forgery.payload;
    }
    for (const uint32_t device : network.Ids())
    {
        const bool isTold = m.receiver == EVERYBODY || device == m.receiver;
        if (device != forged.sender && (isAnswer ? device == m.sender : isTold))
        {
            network.GetTap(device)->Arrive(forged);
        }
    }
}

/// Expect of each forgery that it is refused, or is not, and that all go on.
void
ExpectRefusals(const DiscoveryCase& what, const std::vector<Forgery>& forgeries)
{
    for (const std::string mode : {"Bytes", "Reference"})
    {
        for (const auto& forgery : forgeries)
        {
            SCOPED_TRACE(mode + ": " + forgery.reason.value_or("is believed"));
            DiscoveryCase c = what;
            c.payloadMode = mode;
            DiscoveryNetwork network(c);
            network.Listen([&](const SentMessage& message) {
                if (message.kind == forgery.after)
                {
                    Simulator::ScheduleNow(
                        [&, message]() { Forge(network, forgery, mode == "Reference", message); });
                }
            });
            network.Run();
            if (forgery.reason)
            {
                EXPECT_THAT(network.GetReasons(), Contains(HasSubstr(*forgery.reason)));
            }
            else
            {
                EXPECT_THAT(network.GetReasons(), IsEmpty());
            }
            EXPECT_THAT(network.m_ends, ::testing::Each(::testing::Pair(::testing::_, true)));
            for (const auto& record : network.records)
            {
                EXPECT_TRUE(std::isfinite(record.reward));
            }
        }
    }
}

/// @return counts as they travel
template <typename T>
std::shared_ptr<const Payload>
Counts(PartitionCounts counts)
{
    return Pack(T{{std::move(counts), 1}});
}

/// @return a cluster around a point
std::shared_ptr<GaussianCluster>
MakeCluster(uint32_t dimension = DIMENSION)
{
    auto cluster = std::make_shared<GaussianCluster>();
    cluster->mean.assign(dimension, 1.0);
    cluster->covariance = Matrix<double>(dimension, dimension);
    for (uint32_t i = 0; i < dimension; ++i)
    {
        cluster->covariance(i, i) = 1;
    }
    return cluster;
}

/// @return a grant of points of a cluster
std::shared_ptr<const Payload>
Grant(const std::shared_ptr<const GaussianCluster>& cluster, uint32_t points = 2)
{
    const auto dimension = static_cast<uint32_t>(cluster->mean.size());
    return Pack(ClusterGrant{{{dimension, 1, false, LABELS}, {{0, points, cluster}}}});
}

/// @return a grant of a cluster that has been changed
std::shared_ptr<const Payload>
Changed(const std::function<void(GaussianCluster&)>& change)
{
    const auto cluster = MakeCluster();
    change(*cluster);
    return Grant(cluster);
}

/// @return so many clusters, as devices tell them for (17)
std::shared_ptr<const Payload>
TellOf(uint8_t clusters)
{
    ClustersBefore told{{{DIMENSION, 0, false, LABELS}, {}}};
    for (uint8_t l = 0; l < clusters; ++l)
    {
        told.entries.push_back({l, 0, MakeCluster()});
    }
    return Pack(told);
}

/// @return components, of which one but the first has this singular value
std::shared_ptr<const Payload>
MakeComponents(float singularValue)
{
    auto components = std::make_shared<PrincipalComponents>();
    components->singularValues.assign(DIMENSION, 0);
    components->singularValues[2] = singularValue;
    components->vectors = Matrix<float>(DIMENSION, FEATURES, 0);
    return Pack(SharedComponents{DIMENSION, FEATURES, components});
}

} // namespace

TEST(ForgedMessagesTest, WithLabelsAreRefused)
{
    const PartitionCounts all = {1, 1, 1, 1};
    ExpectRefusals(
        MakeCase(false),
        {{LINK, OFFER, Counts<LabelOffer>({1, 1, 1}), "expected 4"},
         {LINK, OFFER, Counts<LabelOffer>({1, 7, 1, 1}), "something else than bits"},
         {LINK, OFFER, Counts<LabelOffer>(all), "an offer that was not asked for"}, // a second one
         {REQUEST, GRANT, Counts<LabelGrant>({255, 255, 255, 255}), "were requested"},
         {LINK, GRANT, Counts<LabelGrant>(all), "a grant that was not requested"},
         {LINK, REQUEST, Counts<LabelRequest>(all), "a request without an offer"},
         {LINK, REWARD, Pack(LinkReward{NOT_A_NUMBER, 1}), "finite"}});
}

TEST(ForgedMessagesTest, WithClustersAreRefused)
{
    const auto garbage = std::make_shared<const BytesPayload>(std::vector<uint8_t>(7, 255));
    const auto answer = [](const std::shared_ptr<const Payload>& payload, const char* reason) {
        return Forgery{CLUSTER_REQUEST, CLUSTER_GRANT, payload, reason};
    };
    ExpectRefusals(
        MakeCase(true),
        {answer(Changed([](auto& g) { g.mean[0] = NOT_A_NUMBER; }), ""),
         answer(Changed([](auto& g) { g.mean[0] = 1e20; }), "out of range"),
         answer(Changed([](auto& g) { g.covariance(1, 1) = 1e33; }), "out of range"),
         answer(Changed([](auto& g) { g.covariance(1, 1) = -1; }), "out of range"),
         answer(Changed([](auto& g) { g.covariance(1, 0) = 0.5; }), "out of range"),
         answer(Changed([](auto& g) { g.covariance(1, 0) = g.covariance(0, 1) = 2; }),
                "not positive definite"),
         answer(Grant(MakeCluster(), 255), "were requested"),
         answer(Grant(MakeCluster(DIMENSION - 1)), ""),
         {CLUSTER_GRANT, CLUSTER_GRANT, Grant(MakeCluster()), "a grant that was not requested"},
         {CLUSTER_REQUEST, AFTER, garbage, ""},
         {COMPONENTS, BEFORE, garbage, ""},
         {COMPONENTS, BEFORE, TellOf(0), "0 clusters, expected 1 to 4"},
         {COMPONENTS, BEFORE, TellOf(LABELS), std::nullopt},
         {COMPONENTS, BEFORE, TellOf(LABELS + 1), "5 clusters, expected 1 to 4"},
         {COMPONENTS, COMPONENTS, MakeComponents(1e15F), std::nullopt},
         {COMPONENTS, COMPONENTS, MakeComponents(2e15F), "what are no principal components"}});
}

TEST(ForgedMessagesTest, WithDatapointsAreRefused)
{
    DiscoveryCase c = MakeCase(false);
    c.attributes["Method"] = "Given";
    c.attributes["Rounds"] = "1";
    c.attributes["ThresholdShare"] = "0.5";
    c.peers = {{1, {0}}, {2, {0}}, {3, {0}}};
    const auto data = DiscoveryNetwork(c).data;
    const DataView two = MakeView(data, {0, 1});
    DataView unlabeled = two;
    unlabeled.labels.clear();
    std::vector<uint32_t> all(160); // of device 0, which gives half of them at most
    std::iota(all.begin(), all.end(), 0);
    ExpectRefusals(
        c,
        {{DATA, RECEIPT, Pack(DatapointReceipt{{0, 5}, 8}), "a receipt for nothing"},
         {DATA, DATA, Pack(Datapoints{two}), "2 datapoints in 0 parts"},
         {DATA, DATA, Pack(Datapoints{unlabeled}), "", 2},
         {DATA, DATA, Pack(Datapoints{MakeView(data, all)}), "that were not granted", 160}});
}
