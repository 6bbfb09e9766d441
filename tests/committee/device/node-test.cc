/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/committee-node.h"

#include <algorithm>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
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
        return nowNs;
    }

    ProcessOf<FlatVector>
    Train() override
    {
        ++trained;
        return Await(gradient);
    }

    ProcessOf<ClientScores>
    Score(GradientsByClient gradients, FlatVector) override
    {
        scored.push_back(gradients.size());
        return Await(scores);
    }

    ProcessOf<MadeModel>
    Aggregate(GradientList) override
    {
        return Await(made);
    }

    /// End a job
    template <typename T>
    void
    Finish(std::optional<T>& job, T result)
    {
        job = std::move(result);
        m_changes.Check();
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
    TellWait(const WaitReport& report) override
    {
        waits.push_back(report);
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
    std::vector<WaitReport> waits;                           //!< that are over
    uint32_t trained = 0;                                    //!< times
    bool gaveUp = false;                                     //!< whether it has
    uint64_t nowNs = 0;                                      //!< the clock
    std::optional<FlatVector> gradient;                      //!< result of Train()
    std::optional<ClientScores> scores;                      //!< result of Score()
    std::optional<MadeModel> made;                           //!< result of Aggregate()

  private:
    template <typename T>
    ProcessOf<T>
    Await(std::optional<T>& job)
    {
        const std::function<bool()> isDone = [&job]() { return job.has_value(); };
        co_await Until(m_changes, isDone, ns3::Time::Max());
        T result = std::move(*job);
        job.reset();
        co_return result;
    }

    Changes m_changes;
};

/// A member that has a model made when it hears anything, and ends its round with a block then
class DecidingMember : public ByzantineConsensus
{
  public:
    DecidingMember(const ConsensusOptions& options,
                   std::shared_ptr<const KeyRing> keys,
                   const std::shared_ptr<ConsensusMemory>& memory,
                   CertifiedBlock block)
        : ByzantineConsensus(options, std::move(keys), memory),
          m_block(std::move(block))
    {
    }

  private:
    void
    DoBegin(const ClientScores&, const GradientDigests&) override
    {
    }

    void
    DoHandleMessage(const ConsensusMessage&) override
    {
        m_output.toAggregate = AggregationOrder();
    }

    void
    DoHandleResult(uint64_t, const std::optional<Digest>&) override
    {
        m_output.outcome = ConsensusOutcome::AGREED;
        m_output.block = m_block;
    }

    CertifiedBlock m_block;
};

/// A federation of 12 devices, the first four of which are the first committee
class CommitteeNodeTest : public testing::Test
{
  protected:
    std::unique_ptr<CommitteeNode>
    MakeNode(uint32_t self, MemberMaker maker = nullptr, QuorumRule rule = QuorumRule::BYZANTINE)
    {
        return MakeNode(self, std::move(maker), rule, host);
    }

    std::unique_ptr<CommitteeNode>
    MakeNode(uint32_t self, MemberMaker maker, QuorumRule rule, NoteHost& own)
    {
        options.self = self;
        options.rounds = rounds;
        options.trainingClients = 6;
        options.federation.rule = rule;
        options.federation.model = ComputeDigest(*first);
        options.federation.committee = {0, 1, 2, 3};
        options.federation.devices.clear();
        for (uint32_t device = 0; device < DEVICES; ++device)
        {
            options.federation.devices.push_back(device);
        }
        return std::make_unique<CommitteeNode>(options, keys, first, own, std::move(maker));
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
        return ns3::collab::Wrap(std::move(chain));
    }

    /// A message about the chain: a question, or the word of a member that goes on to a round
    static CommitteeMessage
    MakeChain(ChainKind kind, uint32_t round, std::vector<Digest> digests = {})
    {
        ChainMessage chain;
        chain.kind = kind;
        chain.round = round;
        chain.digests = std::move(digests);
        return ns3::collab::Wrap(std::move(chain));
    }

    /// A model with a block
    static CommitteeMessage
    MakeModel(const CertifiedBlock& block, const FlatVector& values)
    {
        CommitteeMessage message;
        message.model = std::make_shared<const ModelMessage>(
            ModelMessage{block, values, ComputeDigest(*values)});
        return message;
    }

    /// The model of the first round
    CommitteeMessage
    MakeModel()
    {
        return MakeModel(MakeBlocks(1, QUORUM)[0], second);
    }

    /// Start a node, and end the training that it begins with
    void
    Start(CommitteeNode& node)
    {
        node.Start();
        if (host.trained > 0)
        {
            host.Finish(host.gradient, first);
        }
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

    /// A message of a committee, without scores
    CommitteeMessage
    MakeConsensus(uint32_t sender, ConsensusKind kind, uint32_t round)
    {
        auto consensus = std::make_shared<ConsensusMessage>();
        consensus->kind = kind;
        consensus->rule = QuorumRule::BYZANTINE;
        consensus->round = round;
        consensus->sender = sender;
        consensus->Sign(*keys);
        CommitteeMessage message;
        message.consensus = std::move(consensus);
        return message;
    }

    uint32_t rounds = 10;
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
        node->HandleMessage(5, MakeModel(blocks[0], values));
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
    memories[0]->promises[0] = ConsensusMemory::Consented{2, Digest{7}};
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
        Start(*node);
        node->HandleMessage(0, MakeModel());
        ASSERT_EQ(node->GetRole(), CommitteeRole::MEMBER);
        ASSERT_EQ(node->GetInbox().GetClients().size(), 6U);
        host.Finish(host.gradient, first);
        for (std::size_t i = 0; i < heard; ++i)
        {
            const uint32_t client = node->GetInbox().GetClients()[i];
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

TEST_F(CommitteeNodeTest, GivesUpIfNobodyHasTheLastModelAndOneMembersWordIsEnough)
{
    rounds = 1;
    for (const auto rule : {QuorumRule::PAPER, QuorumRule::BYZANTINE})
    {
        host = NoteHost();
        const auto node = MakeNode(11, nullptr, rule);
        Start(*node);
        node->HandleMessage(0, Wrap(MakeBlocks(1, QUORUM)));
        ASSERT_TRUE(node->IsFinished());
        std::map<uint32_t, int> asked;
        for (uint32_t i = 0; i < 5 * DEVICES && host.timers.count(CommitteeTimer::MODEL) > 0; ++i)
        {
            host.timers.clear();
            host.sent.clear();
            node->HandleTimeout(CommitteeTimer::MODEL);
            for (const auto& [peer, message] : host.sent)
            {
                EXPECT_EQ(message.chain->kind, ChainKind::MODEL_REQUEST);
                ++asked[peer];
            }
        }
        const bool isPaper = rule == QuorumRule::PAPER;
        EXPECT_EQ(host.gaveUp, isPaper); // else the block has a quorum, some of whom are honest
        ASSERT_EQ(asked.size(), DEVICES - 1);
        for (const auto& [peer, times] : asked)
        {
            EXPECT_GE(times, 2) << peer;
            EXPECT_LE(isPaper ? times : 0, 6) << peer; // members, and who has told, more often
        }
    }
}

TEST_F(CommitteeNodeTest, PatienceIsLongerThanTheOtherTimeoutsAllowARoundToBe)
{
    constexpr uint64_t HOUR = 3600000000000;
    MakeNode(0); // which sets the options
    options.patienceNs = 0;
    EXPECT_EQ(options.GetPatienceNs(), HOUR);
    options.gradientTimeoutNs = HOUR;
    const uint64_t usual = options.GetPatienceNs();
    EXPECT_GE(usual, 2 * options.GetLongestRoundNs());
    // Four views, with a patience that doubles and is longer by up to a quarter
    options.voting.attemptTimeoutNs += HOUR;
    EXPECT_GE(options.GetPatienceNs(), usual + HOUR * (1 + 2 + 4 + 8) * 5 / 4);
    options.gradientTimeoutNs = INT64_MAX / 2; // and no longer than a time can be
    EXPECT_LE(options.GetPatienceNs(), static_cast<uint64_t>(INT64_MAX));
    EXPECT_GT(options.GetPatienceNs(), options.gradientTimeoutNs);
}

TEST_F(CommitteeNodeTest, TellsWhomItHasWaitedForInVain)
{
    for (const auto rule : {QuorumRule::PAPER, QuorumRule::BYZANTINE})
    {
        host = NoteHost();
        const auto node = MakeNode(0, nullptr, rule);
        node->Start();
        const uint32_t heard = node->GetInbox().GetClients()[2];
        node->HandleMessage(heard, MakeGradient(heard, 0));
        host.Finish(host.gradient, second);
        EXPECT_TRUE(host.waits.empty());
        node->HandleTimeout(CommitteeTimer::GRADIENTS);
        node->HandleTimeout(CommitteeTimer::GRADIENTS); // with BYZANTINE it has waited once more
        ASSERT_EQ(host.waits.size(), 1U);
        EXPECT_EQ(host.waits[0].wait, CommitteeWait::GRADIENTS);
        EXPECT_EQ(host.waits[0].awaited, 6U);
        auto others = node->GetInbox().GetClients();
        others.erase(others.begin() + 2);
        EXPECT_EQ(host.waits[0].missing, others);
        host.Finish(host.scores, {});
        EXPECT_EQ(host.waits.size(), 1U);
        node->HandleTimeout(CommitteeTimer::VOTE);
        ASSERT_EQ(host.waits.size(), 2U);
        EXPECT_EQ(host.waits[1].wait, CommitteeWait::SCORES);
        EXPECT_EQ(host.waits[1].awaited, 3U);
        EXPECT_THAT(host.waits[1].missing, testing::ElementsAre(1, 2, 3));
    }
}

TEST_F(CommitteeNodeTest, MembersThatGoOnByTheClockTakeOthersAlong)
{
    const auto member = MakeNode(1, nullptr, QuorumRule::PAPER);
    member->Start();
    host.Finish(host.gradient, second);
    member->HandleTimeout(CommitteeTimer::ROUND);
    EXPECT_EQ(member->GetRound(), 1U);
    ASSERT_EQ(host.broadcast.size(), 1U);
    const auto word = host.broadcast.back();
    EXPECT_EQ(word.chain->kind, ChainKind::GOES_ON);
    EXPECT_EQ(word.chain->round, 1U);

    NoteHost hosts[4];
    const auto other = MakeNode(2, nullptr, QuorumRule::PAPER, hosts[0]);
    other->Start();
    hosts[0].Finish(hosts[0].gradient, second);
    other->HandleMessage(1, word);
    EXPECT_EQ(other->GetRound(), 1U);
    EXPECT_EQ(hosts[0].broadcast.size(), 1U); // it tells so as well

    const auto busy = MakeNode(3, nullptr, QuorumRule::PAPER, hosts[1]);
    busy->Start();
    busy->HandleMessage(1, word);
    busy->HandleMessage(2, word); // it trains still, and has told so already
    EXPECT_EQ(hosts[1].broadcast.size(), 1U);
    hosts[1].Finish(hosts[1].gradient, second);
    EXPECT_EQ(busy->GetRound(), 1U);

    const auto client = MakeNode(11, nullptr, QuorumRule::PAPER, hosts[2]);
    client->Start();
    hosts[2].Finish(hosts[2].gradient, second);
    client->HandleMessage(5, word); // no member of the committee
    EXPECT_EQ(client->GetRound(), 0U);
    client->HandleMessage(1, MakeChain(ChainKind::GOES_ON, 7)); // it asks for blocks first
    EXPECT_EQ(client->GetRound(), 0U);
    client->HandleMessage(1, word);
    EXPECT_EQ(client->GetRound(), 1U);
    EXPECT_TRUE(hosts[2].broadcast.empty()); // it is no member

    const auto safe = MakeNode(11, nullptr, QuorumRule::BYZANTINE, hosts[3]);
    safe->Start();
    safe->HandleMessage(1, word);
    EXPECT_EQ(safe->GetRound(), 0U);
}

TEST_F(CommitteeNodeTest, ClaimsOfManyMoveNobody)
{
    const auto node = MakeNode(11);
    Start(*node);
    std::size_t questions = 0;
    for (uint32_t liar = 0; liar < 11; ++liar)
    {
        node->HandleMessage(liar, MakeConsensus(liar, ConsensusKind::VIEW_CHANGE, 5));
        node->HandleMessage(liar, MakeChain(ChainKind::GOES_ON, 1));
    }
    for (std::size_t i = 0; i < host.sent.size(); ++i)
    {
        // It asks them for blocks, one after the other, and there are none
        ASSERT_EQ(host.sent[i].second.chain->kind, ChainKind::BLOCK_REQUEST);
        ++questions;
        node->HandleMessage(host.sent[i].first, Wrap({}));
    }
    EXPECT_EQ(questions, 11U);
    EXPECT_EQ(node->GetRound(), 0U);
    EXPECT_EQ(*node->GetModel(), *first);
}

TEST_F(CommitteeNodeTest, AModelOfALaterRoundIsNotTakenWithoutItsChain)
{
    const auto node = MakeNode(11);
    node->Start();
    for (const uint32_t round : {1, 5, 9})
    {
        CertifiedBlock later; // as good as its own committee can make it
        later.block.round = round;
        later.block.clients = {5};
        later.block.model = ComputeDigest(*second);
        Fill(later, MEMBERS);
        node->HandleMessage(5, MakeModel(later, second));
        EXPECT_EQ(*node->GetModel(), *first);
        EXPECT_EQ(node->GetChain().GetNextRound(), 0U);
    }
}

TEST_F(CommitteeNodeTest, DropsGradientsThatAreForged)
{
    const auto node = MakeNode(0);
    Start(*node);
    const auto change = [&](uint32_t client, const std::function<void(SignedGradient&)>& edit) {
        auto gradient = std::make_shared<SignedGradient>(*MakeGradient(client, 0).gradient);
        edit(*gradient);
        CommitteeMessage message;
        message.gradient = std::move(gradient);
        node->HandleMessage(client, message);
    };
    for (const uint32_t client : node->GetInbox().GetClients())
    {
        change(client, [](auto& gradient) { gradient.authenticator[0] ^= 1; });
        change(client, [&](auto& gradient) { // signed for other values
            gradient.values = second;
            gradient.Seal();
        });
        change(client, [&](auto& gradient) {
            gradient.samples = 0;
            gradient.Sign(*keys);
        });
    }
    EXPECT_TRUE(host.scored.empty()); // else none were missing
    for (const uint32_t client : node->GetInbox().GetClients())
    {
        node->HandleMessage(client, MakeGradient(client, 0));
    }
    EXPECT_THAT(host.scored, testing::ElementsAre(6));
}

TEST_F(CommitteeNodeTest, NobodyFillsThePlaceOfEarlyMessagesOfOthers)
{
    for (const bool isForged : {true, false})
    {
        const ByzantineConsensus* machine = nullptr;
        const auto maker = [&](const ConsensusOptions& voting,
                               const std::shared_ptr<ConsensusMemory>& memory) {
            auto member = std::make_unique<ByzantineConsensus>(voting, keys, memory);
            machine = member.get();
            return member;
        };
        const auto node = MakeNode(4, maker); // a member of the second committee
        Start(*node);
        for (std::size_t i = 0; i < 2 * CommitteeInbox::MOST_EARLY; ++i)
        {
            // Device 9 forges messages of member 5 with its address, or repeats what that has sent
            auto message = MakeConsensus(5, ConsensusKind::VIEW_CHANGE, 1);
            if (isForged)
            {
                auto forged = std::make_shared<ConsensusMessage>(*message.consensus);
                forged->authenticator[0] ^= 1;
                message.consensus = std::move(forged);
            }
            node->HandleMessage(isForged ? 5 : 9, message);
        }
        node->HandleMessage(5, MakeConsensus(5, ConsensusKind::SCORES, 1));
        node->HandleMessage(0, MakeModel());
        ASSERT_TRUE(machine);
        EXPECT_EQ(machine->GetTables().count(5), 1U) << isForged;
        host = NoteHost();
    }
}

TEST_F(CommitteeNodeTest, AnswersAQuestionOnceInAWhile)
{
    const auto node = MakeNode(11);
    Start(*node);
    node->HandleMessage(0, MakeModel());
    host.sent.clear();
    const CommitteeMessage question =
        MakeChain(ChainKind::MODEL_REQUEST, 0, {ComputeDigest(*second)});
    for (const uint32_t peer : {7, 7, 8, 7, 8})
    {
        node->HandleMessage(peer, question);
    }
    ASSERT_EQ(host.sent.size(), 2U);
    EXPECT_TRUE(host.sent[0].second.model);
    EXPECT_EQ(host.sent[0].first, 7U);
    EXPECT_EQ(host.sent[1].first, 8U);
}

TEST_F(CommitteeNodeTest, GivesAllBlocksToWhoCatchesUpAndNoMoreToWhoGoesOnAsking)
{
    rounds = 200;
    const auto node = MakeNode(11);
    node->Start();
    node->HandleMessage(5, Wrap(MakeBlocks(rounds - 1, QUORUM)));
    ASSERT_EQ(node->GetChain().GetNextRound(), rounds - 1);
    if (host.trained > 0)
    {
        host.Finish(host.gradient, first);
    }
    const auto ask = [&](uint32_t peer, uint32_t round) {
        host.sent.clear();
        node->HandleMessage(peer, MakeChain(ChainKind::BLOCK_REQUEST, round));
        return host.sent.empty() ? 0 : host.sent.at(0).second.chain->blocks.size();
    };
    EXPECT_EQ(ask(7, 0), 64);
    EXPECT_EQ(ask(7, 64), 64);
    EXPECT_EQ(ask(7, 128), 64);
    EXPECT_EQ(ask(7, 192), 7);
    for (uint32_t i = 0; i < 100; ++i)
    {
        EXPECT_EQ(ask(7, i), 0);
    }
    EXPECT_EQ(ask(8, 0), 64) << "others have answers of their own";
    host.nowNs += options.voting.attemptTimeoutNs;
    EXPECT_EQ(ask(7, 0), 64) << "an answer may have been lost";
}

TEST_F(CommitteeNodeTest, PassesOnOnlyEvidenceThatAMemberLies)
{
    struct Case
    {
        uint32_t accused;
        uint32_t signer;
        uint32_t round;
        bool isPassedOn;
    };

    for (const Case& c : {Case{2, 2, 0, true},   // of the first committee
                          Case{2, 3, 0, false},  // not its signature
                          Case{9, 9, 0, false},  // was no member
                          Case{2, 2, 1, false},  // nor 2 later
                          Case{2, 2, 7, false}}) // nobody knows yet who will be
    {
        host = NoteHost();
        const auto node = MakeNode(11);
        Start(*node);
        ChainMessage chain;
        chain.kind = ChainKind::EVIDENCE;
        chain.evidence.resize(1);
        Evidence& evidence = chain.evidence[0];
        evidence.statement = {SCORES_STATEMENT, CommitteeVote::AGGREGATION, c.round, c.accused, 0};
        evidence.said[1].digest = {1};
        for (std::size_t i = 0; i < 2; ++i)
        {
            evidence.said[i].authenticator =
                keys->Sign(c.signer, evidence.statement.GetBytes(evidence.said[i].digest));
        }
        node->HandleMessage(9, ns3::collab::Wrap(chain));
        node->HandleMessage(5, Wrap(MakeBlocks(1, QUORUM)));
        const auto passed = std::count_if(host.sent.begin(), host.sent.end(), [](const auto& sent) {
            return sent.second.chain && sent.second.chain->kind == ChainKind::EVIDENCE;
        });
        EXPECT_EQ(passed, c.isPassedOn ? MEMBERS : 0) << c.accused << ", round " << c.round;
    }
}

TEST_F(CommitteeNodeTest, OneMembersWordKeepsNoOtherFromTellingAll)
{
    // A primary that tells each other member alone how the round has ended, so that none tells it
    for (const uint32_t tellers : {1, 2})
    {
        host = NoteHost();
        const auto node = MakeNode(0);
        Start(*node);
        node->HandleMessage(1, MakeModel());
        ASSERT_EQ(node->GetChain().GetNextRound(), 1U);
        for (const uint32_t teller : {1U, 9U, tellers}) // 9 is no member
        {
            node->HandleMessage(teller, Wrap(MakeBlocks(1, QUORUM)));
        }
        ASSERT_EQ(host.timers.count(CommitteeTimer::ANNOUNCE), 1U);
        node->HandleTimeout(CommitteeTimer::ANNOUNCE);
        EXPECT_EQ(host.broadcast.size(), tellers == 1 ? 1U : 0U);
    }
}

TEST_F(CommitteeNodeTest, GivesGradientsToMembersOnly)
{
    const auto node = MakeNode(0);
    Start(*node);
    const uint32_t client = node->GetInbox().GetClients()[0];
    const CommitteeMessage gradient = MakeGradient(client, 0);
    node->HandleMessage(client, gradient);
    for (const uint32_t peer : {1, 9})
    {
        host.sent.clear();
        node->HandleMessage(peer,
                            MakeChain(ChainKind::GRADIENT_REQUEST, 0, {gradient.gradient->digest}));
        EXPECT_EQ(host.sent.size(), peer < MEMBERS ? 1U : 0U);
    }
}

TEST_F(CommitteeNodeTest, OneMemberSendsTheModelAndOthersTheBlock)
{
    uint32_t models = 0;
    for (uint32_t self = 0; self < MEMBERS; ++self)
    {
        host = NoteHost();
        const auto maker = [&](const ConsensusOptions& voting,
                               const std::shared_ptr<ConsensusMemory>& memory) {
            return std::make_unique<DecidingMember>(voting, keys, memory, MakeBlocks(1, QUORUM)[0]);
        };
        const auto node = MakeNode(self, maker);
        Start(*node);
        const uint32_t other = (self + 1) % MEMBERS;
        node->HandleMessage(other, MakeConsensus(other, ConsensusKind::SCORES, 0));
        host.Finish(host.made, {second, ComputeDigest(*second)}); // all of them have it
        ASSERT_EQ(node->GetChain().GetNextRound(), 1U);
        EXPECT_EQ(*node->GetModel(), *second);
        node->HandleTimeout(CommitteeTimer::ANNOUNCE);
        ASSERT_EQ(host.broadcast.size(), 1U);
        models += host.broadcast[0].model ? 1 : 0;
        EXPECT_TRUE(host.broadcast[0].model || host.broadcast[0].chain->blocks.size() == 1);
    }
    EXPECT_EQ(models, 1U);
}
