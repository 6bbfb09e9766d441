/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * A device that answers with what it likes, in bytes and as payloads that nobody has parsed: the
 * others reject that, and go on.
 */

#include "graph-discovery/discovery-network.h"
#include "messaging/test-payloads.h"

#include "ns3/collab-fields.h"
#include "ns3/collab-packed-message.h"
#include "ns3/graph-discovery-messages.h"

#include <gmock/gmock.h>
#include <limits>

using namespace ns3;
using namespace ns3::collab;
using namespace tests;
using ::testing::HasSubstr;

namespace
{

constexpr uint32_t ROGUE = 0;
constexpr uint32_t LABELS = 4;
constexpr float NOT_A_NUMBER = std::numeric_limits<float>::quiet_NaN();

/// @return a network in which all ask device 0, whose application does nothing
DiscoveryCase
MakeCase(bool isLatent, const std::string& mode)
{
    DiscoveryCase c;
    c.isLatent = isLatent;
    c.held = {{40, 40, 40, 40}, {40, 0, 5, 5}, {0, 40, 5, 5}, {5, 5, 40, 0}};
    c.trust = DrawTrust(4, LABELS, {TrustStructure::FULL, 0, 0}, 1);
    c.payloadMode = mode;
    c.attributes = {{"Iterations", "12"},
                    {"Rounds", "2"},
                    {"ReliabilityThreshold", "1"},
                    {"RetainUntilAcked", "true"},
                    {"CountBits", "8"}};
    return c;
}

/// Device 0 of a network, which the test drives
class Rogue
{
  public:
    using Answer = std::function<void(Rogue&, const Message&)>;

    Rogue(DiscoveryNetwork& network, const Answer& answer)
        : m_network(network)
    {
        network.m_applications.Get(ROGUE)->SetStartTime(Seconds(1e5));
        network.m_applications.Get(ROGUE)->SetStopTime(NanoSeconds(1));
        const auto parse = [](const uint8_t* bytes, std::size_t size) {
            return std::make_shared<const BytesPayload>(std::vector<uint8_t>(bytes, bytes + size));
        };
        for (uint16_t kind = DATA; kind <= AFTER; ++kind)
        {
            network.GetTransport(ROGUE)->RegisterKind(
                kind, "any", parse, [this, answer](const Message& message) {
                    answer(*this, message);
                });
        }
    }

    void
    Send(const Message& to, uint16_t kind, std::shared_ptr<const Payload> payload) const
    {
        SendTo(to.sender, kind, to.round, std::move(payload));
    }

    void
    SendTo(uint32_t receiver,
           uint16_t kind,
           uint32_t round,
           std::shared_ptr<const Payload> payload,
           LossPolicy policy = LossPolicy::BEST_EFFORT) const
    {
        SendOptions options(policy);
        options.priority = 2;
        m_network.GetTransport(ROGUE)->Send(receiver, {kind, round, std::move(payload)}, options);
    }

    DiscoveryNetwork& m_network;
};

/// @return counts as they travel
template <typename T>
std::shared_ptr<const Payload>
Counts(PartitionCounts counts)
{
    return Pack(T{{std::move(counts), 1}});
}

/// @return a grant of one cluster
std::shared_ptr<const Payload>
Grant(const std::function<void(GaussianCluster&)>& change, uint32_t points = 2, uint32_t d = 4)
{
    auto cluster = std::make_shared<GaussianCluster>();
    cluster->mean.assign(d, 1.0);
    cluster->covariance = Matrix<double>(d, d);
    for (uint32_t i = 0; i < d; ++i)
    {
        cluster->covariance(i, i) = 1;
    }
    change(*cluster);
    return Pack(ClusterGrant{{{d, 1, false, LABELS}, {{0, points, cluster}}}});
}

/// What honest devices say when the rogue answers
std::set<std::string>
FindReasons(bool isLatent, const std::string& mode, const Rogue::Answer& answer)
{
    const DiscoveryCase c = MakeCase(isLatent, mode);
    DiscoveryNetwork network(c);
    Rogue rogue(network, answer);
    network.Run();
    for (uint32_t i = 1; i < 4; ++i)
    {
        EXPECT_TRUE(network.m_ends[i]) << i;
    }
    for (const auto& record : network.records)
    {
        EXPECT_TRUE(std::isfinite(record.reward));
    }
    std::set<std::string> reasons;
    for (const auto& [device, time, reason] : network.m_refusals)
    {
        reasons.insert(reason);
    }
    return reasons;
}

/// Kinds and payloads
using Answers = std::vector<std::pair<uint16_t, std::shared_ptr<const Payload>>>;

/// @return what answers each message of some kinds
Rogue::Answer
Reply(std::map<uint16_t, Answers> answers)
{
    return [answers = std::move(answers)](Rogue& rogue, const Message& m) {
        const auto found = answers.find(m.kind);
        for (const auto& [kind, payload] : found == answers.end() ? Answers() : found->second)
        {
            rogue.Send(m, kind, payload);
        }
    };
}

/// Sends receipts for nothing, for a while
void
SendReceipts(Rogue& rogue, const Message& m)
{
    for (uint32_t delay = 0; m.kind == LINK && delay < 4000; delay += 50)
    {
        Simulator::Schedule(MilliSeconds(delay), [&rogue, to = m.sender]() {
            rogue.SendTo(to, RECEIPT, 0, Pack(DatapointReceipt{{0, 5}, 8}));
        });
    }
}

} // namespace

TEST(ForgedMessagesTest, WithLabelsAreRejected)
{
    const PartitionCounts all = {1, 1, 1, 1};
    const auto offer = Counts<LabelOffer>(all);
    const auto grant = Counts<LabelGrant>(all);
    const auto nothing = Pack(LinkReward{NOT_A_NUMBER, 1});
    const std::map<std::string, Rogue::Answer> answers = {
        {"expected 4", Reply({{LINK, {{OFFER, Counts<LabelOffer>({1, 1, 1})}}}})},
        {"something else than bits", Reply({{LINK, {{OFFER, Counts<LabelOffer>({1, 7, 1, 1})}}}})},
        {"an offer that was not asked for", Reply({{LINK, {{OFFER, offer}, {OFFER, offer}}}})},
        {"were requested",
         Reply({{LINK, {{OFFER, offer}}},
                {REQUEST, {{GRANT, Counts<LabelGrant>({255, 255, 255, 255})}}}})},
        {"a grant that was not requested", Reply({{LINK, {{GRANT, grant}}}})},
        {"a request without an offer", Reply({{LINK, {{REQUEST, Counts<LabelRequest>(all)}}}})},
        {"finite", Reply({{LINK, {{REWARD, nothing}}}})},
        {"a receipt for nothing", SendReceipts}};
    for (const std::string mode : {"Bytes", "Reference"})
    {
        for (const auto& [reason, answer] : answers)
        {
            const auto reasons = FindReasons(false, mode, answer);
            EXPECT_THAT(reasons, ::testing::Contains(HasSubstr(reason))) << mode;
        }
    }
}

TEST(ForgedMessagesTest, WithClustersAreRejected)
{
    const auto answerWith = [](const std::shared_ptr<const Payload>& payload) {
        return Reply({{CLUSTER_REQUEST, {{CLUSTER_GRANT, payload}}}});
    };
    const std::vector<std::pair<std::string, Rogue::Answer>> answers = {
        {"", answerWith(Grant([](auto& g) { g.mean[0] = NOT_A_NUMBER; }))},
        {"out of range", answerWith(Grant([](auto& g) { g.mean[0] = 1e20; }))},
        {"out of range", answerWith(Grant([](auto& g) { g.covariance(1, 1) = 1e33; }))},
        {"out of range", answerWith(Grant([](auto& g) { g.covariance(1, 1) = -1; }))},
        {"out of range", answerWith(Grant([](auto& g) { g.covariance(1, 0) = 0.5; }))},
        {"not positive definite",
         answerWith(Grant([](auto& g) { g.covariance(1, 0) = g.covariance(0, 1) = 2; }))},
        {"were requested", answerWith(Grant([](auto&) {}, 255))},
        {"", answerWith(Grant([](auto&) {}, 2, 3))}};
    for (const std::string mode : {"Bytes", "Reference"})
    {
        for (const auto& [reason, answer] : answers)
        {
            const auto reasons = FindReasons(true, mode, answer);
            EXPECT_THAT(reasons, ::testing::Contains(HasSubstr(reason))) << mode;
        }
        for (const uint16_t kind : {BEFORE, AFTER})
        {
            const auto reasons = FindReasons(true, mode, [kind](Rogue& rogue, const Message& m) {
                if (m.kind == CLUSTER_REQUEST)
                {
                    const uint32_t round = kind == BEFORE ? 0 : m.round;
                    rogue.SendTo(
                        m.sender,
                        kind,
                        round,
                        std::make_shared<const BytesPayload>(std::vector<uint8_t>(7, 255)));
                }
            });
            EXPECT_FALSE(reasons.empty()) << mode << kind;
        }
    }
}

TEST(ForgedMessagesTest, WithDatapointsAreRejected)
{
    for (const std::string mode : {"Bytes", "Reference"})
    {
        DiscoveryCase c = MakeCase(false, mode);
        c.attributes["Method"] = "Given";
        c.attributes["Rounds"] = "1";
        c.peers = {{1, {0}}, {2, {0}}, {3, {0}}};
        DiscoveryNetwork network(c);
        const DataView all = MakeView(network.data, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
        DataView unlabelled = all;
        unlabelled.labels.clear();
        Rogue rogue(network, [&](Rogue& self, const Message& m) {
            if (m.kind != LINK)
            {
                return;
            }
            self.Send(m, OFFER, Counts<LabelOffer>({1, 1, 1, 1}));
            Simulator::Schedule(MilliSeconds(500), [&self, to = m.sender, &all, &unlabelled]() {
                const auto payload = Pack(Datapoints{to == 1 ? all : unlabelled});
                self.SendTo(
                    to, DATA, 0, payload, to == 1 ? LossPolicy::BEST_EFFORT : LossPolicy::PARTIAL);
            });
        });
        network.Run();
        EXPECT_EQ(network.m_refusals.size(), 3U) << mode;
        for (uint32_t i = 1; i < 4; ++i)
        {
            EXPECT_TRUE(network.m_ends[i]);
            EXPECT_EQ(network.Get(i)->GetSamples().Size(), 50U);
        }
    }
}
