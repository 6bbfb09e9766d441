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

/// @return what a device of eight makes up at the beginning, that misbehaves like this
std::vector<CommitteeMessage>
MakeUp(const std::string& misbehavior)
{
    constexpr std::size_t DIMENSION = 3;
    const auto keys = std::make_shared<const KeyRing>(1, 32);
    ChainOptions federation;
    federation.rule = QuorumRule::BYZANTINE;
    federation.model = ComputeDigest(std::vector<float>(DIMENSION));
    federation.committee = {0, 1, 2, 3};
    federation.devices = {0, 1, 2, 3, 4, 5, 6, 7};
    CommitteeDisturber liar(LIAR, ParseMisbehavior(misbehavior), {}, keys, RUN_ROUNDS, 1);
    return liar.MakeMessages(CommitteeChain(federation, keys), DIMENSION);
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
