/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/committee-disturber.h"

#include <gmock/gmock.h>
#include <memory>
#include <string>
#include <vector>

using namespace ns3::collab;
using ::testing::ElementsAre;

namespace
{

constexpr uint32_t LIAR = 5;
constexpr uint32_t RUN_ROUNDS = 9;

/// Does nothing that a device wants
class IdleHost : public CommitteeHost
{
  public:
    MOCK_METHOD(void, Send, (uint32_t, const CommitteeMessage&), (override));
    MOCK_METHOD(void, Broadcast, (const CommitteeMessage&), (override));
    MOCK_METHOD(void, Upload, (const std::shared_ptr<const SignedGradient>&), (override));
    MOCK_METHOD(void, SetTimer, (CommitteeTimer, uint64_t), (override));
    MOCK_METHOD(void, CancelTimer, (CommitteeTimer), (override));
    MOCK_METHOD(uint64_t, GetNowNs, (), (const, override));
    MOCK_METHOD(void, Train, (), (override));
    MOCK_METHOD(void, Score, (const GradientsByClient&, const FlatVector&), (override));
    MOCK_METHOD(void,
                Aggregate,
                (const std::vector<std::shared_ptr<const SignedGradient>>&),
                (override));
    MOCK_METHOD(void, BeginPhase, (const std::string&), (override));
    MOCK_METHOD(void, ReachRound, (uint32_t, CommitteeRole), (override));
    MOCK_METHOD(void, TellDecision, (uint32_t, const Decision&), (override));
    MOCK_METHOD(void, TellWait, (const WaitReport&), (override));
    MOCK_METHOD(void, TellReport, (const CommitteeReport&), (override));
    MOCK_METHOD(void, Reject, (const std::string&), (override));
    MOCK_METHOD(void, GiveUp, (), (override));
};

/// @return what a device of eight makes up at the beginning, that misbehaves like this
std::vector<CommitteeMessage>
MakeUp(const std::string& misbehavior)
{
    const auto keys = std::make_shared<const KeyRing>(1, 32);
    const auto model = std::make_shared<const std::vector<float>>(3, 0.0F);
    NodeOptions options;
    options.self = LIAR;
    options.rounds = RUN_ROUNDS;
    options.federation.rule = QuorumRule::BYZANTINE;
    options.federation.model = ComputeDigest(*model);
    options.federation.committee = {0, 1, 2, 3};
    options.federation.devices = {0, 1, 2, 3, 4, 5, 6, 7};
    IdleHost host;
    const CommitteeNode node(options, keys, model, host);
    CommitteeDisturber liar(LIAR, ParseMisbehavior(misbehavior), {}, keys, RUN_ROUNDS, 1);
    return liar.MakeMessages(node);
}

} // namespace

TEST(CommitteeDisturberTest, ForgesModelsAndTheChainOfTheirBlocks)
{
    const auto messages = MakeUp("forged-chains");
    std::vector<uint32_t> rounds;
    std::vector<uint32_t> inChain;
    for (const auto& message : messages)
    {
        if (message.model)
        {
            rounds.push_back(message.model->certified.block.round);
            EXPECT_THAT(message.model->certified.block.clients, ElementsAre(LIAR));
        }
        else
        {
            ASSERT_TRUE(message.chain);
            EXPECT_EQ(message.chain->kind, ChainKind::BLOCKS);
            for (const auto& certified : message.chain->blocks)
            {
                inChain.push_back(certified.block.round);
            }
        }
    }
    EXPECT_THAT(rounds, ElementsAre(0, 1, RUN_ROUNDS - 1));
    EXPECT_EQ(inChain, rounds);
}
