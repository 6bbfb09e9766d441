/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/committee-node.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <utility>
#include <vector>

using namespace ns3::collab;

namespace
{

constexpr uint32_t MEMBERS = 4;
constexpr uint32_t DEVICES = 12;
constexpr std::size_t QUORUM = 3;

/// Notes what a device wants
class NoteHost : public CommitteeHost
{
  public:
    void
    Send(uint32_t receiver, const CommitteeMessage& message) override
    {
        sent.emplace_back(receiver, message);
    }

    void
    Broadcast(const CommitteeMessage& message) override
    {
        broadcast.push_back(message);
    }

    void
    Upload(const std::shared_ptr<const SignedGradient>&) override
    {
    }

    void
    SetTimer(CommitteeTimer timer, uint64_t delayNs) override
    {
        timers[timer] = delayNs;
    }

    void
    CancelTimer(CommitteeTimer timer) override
    {
        timers.erase(timer);
    }

    uint64_t
    GetNowNs() const override
    {
        return 0;
    }

    void
    Train() override
    {
        ++trained;
    }

    void
    Score(const GradientsByClient& gradients, const FlatVector&) override
    {
        scored.push_back(gradients.size());
    }

    void
    Aggregate(const std::vector<std::shared_ptr<const SignedGradient>>&) override
    {
    }

    void
    BeginPhase(const std::string&) override
    {
    }

    void
    ReachRound(uint32_t, CommitteeRole) override
    {
    }

    void
    TellDecision(uint32_t, const Decision&) override
    {
    }

    void
    TellReport(const CommitteeReport&) override
    {
    }

    void
    Reject(const std::string&) override
    {
    }

    void
    GiveUp() override
    {
        gaveUp = true;
    }

    std::vector<std::pair<uint32_t, CommitteeMessage>> sent; //!< to one device
    std::vector<CommitteeMessage> broadcast;                 //!< to all
    std::map<CommitteeTimer, uint64_t> timers;               //!< that are set [ns]
    std::vector<std::size_t> scored;                         //!< gradients each time
    uint32_t trained = 0;                                    //!< times
    bool gaveUp = false;                                     //!< whether it has
};

/// A federation of 12 devices, the first four of which are the first committee
class CommitteeNodeTest : public testing::Test
{
  protected:
    std::unique_ptr<CommitteeNode>
    MakeNode(uint32_t self, MemberMaker maker = nullptr, QuorumRule rule = QuorumRule::BYZANTINE)
    {
        options.self = self;
        options.rounds = 10;
        options.trainingClients = 6;
        options.federation.rule = rule;
        options.federation.model = ComputeDigest(*first);
        options.federation.committee = {0, 1, 2, 3};
        options.federation.devices.clear();
        for (uint32_t device = 0; device < DEVICES; ++device)
        {
            options.federation.devices.push_back(device);
        }
        return std::make_unique<CommitteeNode>(options, keys, first, host, std::move(maker));
    }

    /// Blocks of the first rounds; the committee moves on by four devices each time
    std::vector<CertifiedBlock>
    MakeBlocks(uint32_t rounds, std::size_t consents)
    {
        std::vector<CertifiedBlock> blocks;
        Digest head = {};
        for (uint32_t round = 0; round < rounds; ++round)
        {
            CertifiedBlock certified;
            certified.block.round = round;
            certified.block.parent = head;
            certified.block.clients = {(MEMBERS * round + 5) % DEVICES};
            certified.block.model = ComputeDigest(*second);
            head = Fill(certified, consents);
            blocks.push_back(certified);
        }
        return blocks;
    }

    /// Committee and consents of a block
    Digest
    Fill(CertifiedBlock& certified, std::size_t consents)
    {
        const uint32_t round = certified.block.round;
        for (uint32_t i = 0; i < MEMBERS; ++i)
        {
            certified.block.committee.push_back((MEMBERS * (round + 1) + i) % DEVICES);
        }
        const Digest digest = certified.block.GetDigest();
        for (uint32_t i = 0; i < consents; ++i)
        {
            const uint32_t member = (MEMBERS * round + i) % DEVICES;
            const auto statement = MakeStatement(CommitteeVote::ELECTION, member, round, 0, digest);
            certified.consents.push_back({member, keys->Sign(member, statement)});
        }
        return digest;
    }

    /// Blocks as a message
    static CommitteeMessage
    Wrap(std::vector<CertifiedBlock> blocks)
    {
        ChainMessage chain;
        chain.kind = ChainKind::BLOCKS;
        chain.blocks = std::move(blocks);
        CommitteeMessage message;
        message.chain = std::make_shared<const ChainMessage>(std::move(chain));
        return message;
    }

    /// The word of a member that goes on to a round
    static CommitteeMessage
    MakeWord(uint32_t round)
    {
        ChainMessage chain;
        chain.kind = ChainKind::GOES_ON;
        chain.round = round;
        CommitteeMessage message;
        message.chain = std::make_shared<const ChainMessage>(std::move(chain));
        return message;
    }

    /// The gradient of a client in a round
    CommitteeMessage
    MakeGradient(uint32_t client, uint32_t round)
    {
        auto gradient = std::make_shared<SignedGradient>();
        gradient->round = round;
        gradient->sender = client;
        gradient->samples = 1;
        gradient->values = first;
        gradient->Sign(*keys);
        CommitteeMessage message;
        message.gradient = std::move(gradient);
        return message;
    }

    NodeOptions options;
    NoteHost host;
    std::shared_ptr<const KeyRing> keys = std::make_shared<const KeyRing>(1, 32);
    FlatVector first = std::make_shared<const std::vector<float>>(std::vector<float>{0, 0});
    FlatVector second = std::make_shared<const std::vector<float>>(std::vector<float>{1, 2});
};

} // namespace

TEST_F(CommitteeNodeTest, GoesOnByCertifiedBlocksOnly)
{
    const auto node = MakeNode(11);
    node->Start();
    node->HandleMessage(5, Wrap(MakeBlocks(3, QUORUM - 1)));
    EXPECT_EQ(node->GetChain().GetNextRound(), 0);
    EXPECT_TRUE(node->GetChain().GetAll().empty());

    auto blocks = MakeBlocks(3, QUORUM);
    blocks[1].consents.pop_back();
    node->HandleMessage(5, Wrap(blocks));
    EXPECT_EQ(node->GetChain().GetNextRound(), 1);

    node->HandleMessage(5, Wrap(MakeBlocks(3, QUORUM)));
    EXPECT_EQ(node->GetChain().GetNextRound(), 3);
}

TEST_F(CommitteeNodeTest, TakesAModelOnlyWithTheDigestOfItsBlock)
{
    const auto node = MakeNode(11);
    node->Start();
    const auto blocks = MakeBlocks(1, QUORUM);
    node->HandleMessage(5, Wrap(blocks));
    EXPECT_EQ(*node->GetModel(), *first);
    EXPECT_EQ(host.timers.at(CommitteeTimer::MODEL), 1U); // nobody sends it unasked
    node->HandleTimeout(CommitteeTimer::MODEL);
    ASSERT_EQ(host.sent.back().first, 5U);
    EXPECT_EQ(host.sent.back().second.chain->kind, ChainKind::MODEL_REQUEST);
    const FlatVector other = std::make_shared<const std::vector<float>>(std::vector<float>{9, 9});
    for (const FlatVector& values : {other, second})
    {
        CommitteeMessage message;
        message.model = std::make_shared<const ModelMessage>(
            ModelMessage{blocks[0], values, ComputeDigest(*values)});
        node->HandleMessage(5, message);
        EXPECT_EQ(*node->GetModel() == *second, values == second);
    }
}

TEST_F(CommitteeNodeTest, KeepsPromisesThroughACrash)
{
    std::vector<std::shared_ptr<ConsensusMemory>> memories;
    const auto maker = [&](const ConsensusOptions& voting,
                           const std::shared_ptr<ConsensusMemory>& memory) {
        memories.push_back(memory);
        return std::make_unique<ByzantineConsensus>(voting, keys, memory);
    };
    const auto node = MakeNode(0, maker);
    node->Start();
    ASSERT_EQ(memories.size(), 1U);
    memories[0]->lock = MakeBlocks(1, QUORUM)[0];
    memories[0]->promises[0] = ConsensusMemory::Promise{2, Digest{7}};
    node->Crash();
    node->Resume();
    ASSERT_EQ(memories.size(), 2U);
    ASSERT_TRUE(memories[1]->lock);
    EXPECT_EQ(memories[1]->lock->block, MakeBlocks(1, QUORUM)[0].block);
    ASSERT_TRUE(memories[1]->promises[0]);
    EXPECT_EQ(memories[1]->promises[0]->view, 2U);
}

TEST_F(CommitteeNodeTest, WaitsOnceMoreIfFewerThanCHonestClientsCanBeThere)
{
    // Of the 6 clients of round 1, C + f = 5 must be there, or it is told to all that it has begun
    for (const std::size_t heard : {4, 5})
    {
        host = NoteHost();
        const auto node = MakeNode(4); // a member of the second committee
        node->Start();
        if (host.trained > 0)
        {
            node->HandleTrained(first);
        }
        CommitteeMessage model;
        model.model = std::make_shared<const ModelMessage>(
            ModelMessage{MakeBlocks(1, QUORUM)[0], second, ComputeDigest(*second)});
        node->HandleMessage(0, model);
        ASSERT_EQ(node->GetRole(), CommitteeRole::MEMBER);
        ASSERT_EQ(node->GetClients().size(), 6U);
        node->HandleTrained(first);
        for (std::size_t i = 0; i < heard; ++i)
        {
            const uint32_t client = node->GetClients()[i];
            node->HandleMessage(client, MakeGradient(client, 1));
        }
        node->HandleTimeout(CommitteeTimer::GRADIENTS);
        EXPECT_EQ(host.scored.empty(), heard < 5);
        if (heard < 5)
        {
            EXPECT_GT(host.timers.at(CommitteeTimer::GRADIENTS), options.gradientTimeoutNs);
            node->HandleTimeout(CommitteeTimer::ANNOUNCE);
            ASSERT_EQ(host.broadcast.size(), 1U);
            EXPECT_EQ(host.broadcast[0].chain->blocks.back().block.round, 0U);
            node->HandleTimeout(CommitteeTimer::GRADIENTS); // and no third time
        }
        EXPECT_THAT(host.scored, testing::ElementsAre(heard));
    }
}

TEST_F(CommitteeNodeTest, GivesUpWhenItsPatienceEnds)
{
    options.patienceNs = 12345;
    const auto node = MakeNode(11);
    node->Start();
    EXPECT_EQ(host.timers.at(CommitteeTimer::PATIENCE), 12345U);
    host.timers.clear();
    node->HandleMessage(5, Wrap(MakeBlocks(1, QUORUM)));
    EXPECT_EQ(host.timers.at(CommitteeTimer::PATIENCE), 12345U); // anew with each block
    node->HandleTimeout(CommitteeTimer::PATIENCE);
    EXPECT_TRUE(host.gaveUp);
}

TEST_F(CommitteeNodeTest, MembersThatGoOnByTheClockTakeOthersAlong)
{
    const auto member = MakeNode(1, nullptr, QuorumRule::PAPER);
    member->Start();
    member->HandleTrained(second);
    member->HandleTimeout(CommitteeTimer::ROUND);
    EXPECT_EQ(member->GetRound(), 1U);
    ASSERT_EQ(host.broadcast.size(), 1U);
    const auto word = host.broadcast.back();
    EXPECT_EQ(word.chain->kind, ChainKind::GOES_ON);
    EXPECT_EQ(word.chain->round, 1U);

    const auto other = MakeNode(2, nullptr, QuorumRule::PAPER);
    other->Start();
    other->HandleTrained(second);
    other->HandleMessage(1, word);
    EXPECT_EQ(other->GetRound(), 1U);
    EXPECT_EQ(host.broadcast.size(), 2U); // it tells so as well

    const auto busy = MakeNode(3, nullptr, QuorumRule::PAPER);
    busy->Start();
    busy->HandleMessage(1, word);
    busy->HandleMessage(2, word); // it trains still, and has told so already
    EXPECT_EQ(host.broadcast.size(), 3U);
    busy->HandleTrained(second);
    EXPECT_EQ(busy->GetRound(), 1U);

    const auto client = MakeNode(11, nullptr, QuorumRule::PAPER);
    client->Start();
    client->HandleTrained(second);
    client->HandleMessage(5, word); // no member of the committee
    EXPECT_EQ(client->GetRound(), 0U);
    client->HandleMessage(1, MakeWord(7)); // it asks for blocks first
    EXPECT_EQ(client->GetRound(), 0U);
    client->HandleMessage(1, word);
    EXPECT_EQ(client->GetRound(), 1U);
    EXPECT_EQ(host.broadcast.size(), 3U); // it is no member

    const auto safe = MakeNode(11);
    safe->Start();
    safe->HandleMessage(1, word);
    EXPECT_EQ(safe->GetRound(), 0U);
}
