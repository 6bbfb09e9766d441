/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee/device/device-schedule.h"

#include "ns3/committee-misbehavior.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

using namespace ns3::collab;
using ::testing::ElementsAre;
using tests::DeviceDraw;
using tests::DeviceResult;
using tests::DeviceRun;
using tests::DeviceSchedule;
using tests::SECOND;

namespace
{

/// Schedules of each kind that CTest plays; `committee-schedules` plays more
constexpr uint64_t DEVICE_SCHEDULES = 100;

/// Without faults, and nobody is Byzantine
DeviceSchedule
MakeCalm(uint64_t seed)
{
    DeviceDraw draw;
    draw.byzantine = false;
    draw.faults = false;
    return tests::DrawDeviceSchedule(seed, draw);
}

/// Play random schedules, none of which may go wrong
DeviceResult
PlayMany(const DeviceDraw& draw)
{
    DeviceResult sum;
    for (uint64_t seed = 1; seed <= DEVICE_SCHEDULES; ++seed)
    {
        const DeviceResult result = DeviceRun(tests::DrawDeviceSchedule(seed, draw)).Play();
        EXPECT_TRUE(result.IsRight()) << seed << ": " << result.story;
        sum.blocks += result.blocks;
        sum.abandoned += result.abandoned;
        sum.expelled += result.expelled;
    }
    return sum;
}

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
    DeviantDevice liar(LIAR, ParseMisbehavior(misbehavior), {}, keys, RUN_ROUNDS, 1);
    return liar.MakeMessages(CommitteeChain(federation, keys), DIMENSION);
}

} // namespace

TEST(CommitteeDevices, AgreeInEveryRoundOfAPerfectNetwork)
{
    DeviceDraw draw;
    draw.faults = false;
    for (const bool byzantine : {false, true})
    {
        draw.byzantine = byzantine;
        const DeviceResult sum = PlayMany(draw);
        EXPECT_GT(sum.blocks, 3 * DEVICE_SCHEDULES);
        EXPECT_EQ(sum.abandoned, 0);
        EXPECT_EQ(sum.expelled > 0, byzantine);
    }
}

TEST(CommitteeDevices, ARoundWhoseBeginIsHiddenFromSomeIsNotAbandoned)
{
    // An equivocating primary tells only some that its round is over. The next committee then waits
    // for gradients of clients that do not know of its round yet.
    DeviceDraw draw;
    draw.faults = false;
    for (const uint64_t seed : {456, 513})
    {
        const DeviceResult result = DeviceRun(tests::DrawDeviceSchedule(seed, draw)).Play();
        EXPECT_TRUE(result.IsRight()) << seed << ": " << result.story;
        EXPECT_EQ(result.abandoned, 0) << seed;
    }
}

TEST(CommitteeDevices, AModelSurvivesThatAllWhoHaveMadeItCrash)
{
    // They consent, and crash before any of them knows that the round is decided
    DeviceDraw draw;
    draw.byzantine = false;
    const DeviceSchedule schedule = tests::DrawDeviceSchedule(3405, draw);
    const DeviceResult result = DeviceRun(schedule).Play();
    EXPECT_TRUE(result.IsRight()) << result.story;
    EXPECT_EQ(result.blocks, schedule.options.rounds);
}

TEST(CommitteeDevices, AgreeWhateverIsLost)
{
    DeviceDraw draw;
    for (const bool byzantine : {false, true})
    {
        draw.byzantine = byzantine;
        const DeviceResult sum = PlayMany(draw);
        EXPECT_GT(sum.blocks, 2 * sum.abandoned);
    }
}

TEST(CommitteeDevices, HonestOnesAgreeUnderThePapersRuleIfNothingIsLost)
{
    DeviceDraw draw;
    draw.rule = QuorumRule::PAPER;
    draw.byzantine = false;
    draw.faults = false;
    const DeviceResult sum = PlayMany(draw);
    EXPECT_GT(sum.blocks, 3 * DEVICE_SCHEDULES);
}

TEST(CommitteeDevices, TheSameSeedGivesTheSameRun)
{
    for (const uint64_t seed : {3, 4, 5})
    {
        const DeviceResult a = DeviceRun(tests::DrawDeviceSchedule(seed, {})).Play();
        const DeviceResult b = DeviceRun(tests::DrawDeviceSchedule(seed, {})).Play();
        EXPECT_EQ(a.messages, b.messages);
        EXPECT_EQ(a.ended, b.ended);
        EXPECT_EQ(a.outcomes, b.outcomes);
    }
}

TEST(CommitteeDevices, NobodyIsTakenOverByOneDevice)
{
    for (const auto rule : {QuorumRule::PAPER, QuorumRule::BYZANTINE})
    {
        for (uint64_t seed = 1; seed <= 20; ++seed)
        {
            DeviceSchedule schedule = MakeCalm(seed);
            schedule.options.federation.rule = rule;
            const auto committee = DrawDevices(
                [&]() {
                    std::vector<uint32_t> all(schedule.devices);
                    std::iota(all.begin(), all.end(), 0);
                    return all;
                }(),
                {},
                schedule.options.federation.committee.size(),
                seed);
            uint32_t outsider = 0;
            while (std::binary_search(committee.begin(), committee.end(), outsider))
            {
                ++outsider;
            }
            schedule.options.rounds = 1; // in which it is no member
            schedule.byzantine[outsider] = ParseMisbehavior("forged-chains+false-claims+uninvited");
            const DeviceResult result = DeviceRun(schedule).Play();
            EXPECT_TRUE(result.IsRight()) << seed << ": " << result.story;
            if (rule == QuorumRule::BYZANTINE)
            {
                EXPECT_EQ(result.abandoned, 0);
                EXPECT_LT(result.ended, 5 * SECOND); // nor held up
            }
        }
    }
}

TEST(CommitteeDevices, ASplittingMemberIsExpelledAndHoldsNobodyUp)
{
    for (const std::string misbehavior : {"split-scores", "double-votes"})
    {
        uint32_t expelled = 0;
        for (uint64_t seed = 1; seed <= 30; ++seed)
        {
            DeviceSchedule schedule = MakeCalm(seed);
            schedule.byzantine[0] = ParseMisbehavior(misbehavior);
            const DeviceResult result = DeviceRun(schedule).Play();
            EXPECT_TRUE(result.IsRight()) << seed << ": " << result.story;
            EXPECT_EQ(result.abandoned, 0) << seed;
            expelled += result.expelled;
        }
        EXPECT_GT(expelled, 0) << misbehavior;
    }
}

TEST(CommitteeFederation, ExpelsNoMoreThanLeaveACommitteeAndItsSuccessors)
{
    DeviceDraw draw;
    draw.owned = 30;
    draw.areFew = true;
    draw.election = ElectionStrategy::RANDOM;
    uint32_t most = 0;
    for (uint64_t seed = 1; seed <= DEVICE_SCHEDULES / 5; ++seed)
    {
        draw.faults = seed % 2 == 0;
        const DeviceResult result = DeviceRun(tests::DrawDeviceSchedule(seed, draw)).Play();
        EXPECT_TRUE(result.IsRight()) << seed << ": " << result.story;
        most = std::max(most, result.expelled);
    }
    EXPECT_EQ(most, 2); // of 2 C + 2 devices
}

TEST(CommitteeFederation, IsSafeUntilACommitteeIsLostWhateverAnAdversaryOwns)
{
    // A tenth of all devices chooses scores, gradients and evidence to be elected and to block
    for (const auto& [election, combination] :
         {std::pair(ElectionStrategy::MIDDLE, ScoreCombination::MEAN),
          std::pair(ElectionStrategy::MIDDLE, ScoreCombination::MEDIAN),
          std::pair(ElectionStrategy::RANDOM, ScoreCombination::MEDIAN)})
    {
        DeviceDraw draw;
        draw.owned = 10;
        draw.faults = false;
        draw.election = election;
        draw.combination = combination;
        for (uint64_t seed = 1; seed <= DEVICE_SCHEDULES / 20; ++seed)
        {
            const DeviceResult result = DeviceRun(tests::DrawDeviceSchedule(seed, draw)).Play();
            EXPECT_TRUE(result.IsRight()) << seed << ": " << result.story;
            EXPECT_GT(result.kept, 0);
        }
    }
}

TEST(CommitteeDevices, AModelIsSentOnceToEachDeviceAndRound)
{
    const DeviceSchedule schedule = MakeCalm(7);
    const DeviceResult result = DeviceRun(schedule).Play();
    EXPECT_EQ(result.models, schedule.options.rounds * (schedule.devices - 1));
}

TEST(DeviantDeviceTest, ForgesModelsAndTheChainOfTheirBlocks)
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

TEST(DeviantDeviceTest, HidesTheEndOfARoundFromAllButItsMembers)
{
    const auto keys = std::make_shared<const KeyRing>(1, 32);
    ChainOptions federation;
    federation.committee = {0, 1, LIAR};
    federation.devices = {0, 1, 2, 3, 4, LIAR};
    const CommitteeChain chain(federation, keys);
    const DeviantDevice open(LIAR, Misbehavior(), {}, keys, RUN_ROUNDS, 1);
    const DeviantDevice secret(LIAR, ParseMisbehavior("hide-blocks"), {}, keys, RUN_ROUNDS, 1);
    CommitteeMessage news;
    news.model = std::make_shared<const ModelMessage>();
    EXPECT_TRUE(open.Hide(news, chain).empty());
    const auto letters = secret.Hide(news, chain);
    ASSERT_EQ(letters.size(), 2U);
    EXPECT_EQ(letters[0].first, 0U);
    EXPECT_EQ(letters[1].first, 1U);
    EXPECT_EQ(letters[1].second.chain->blocks.size(), 1U);
    ChainMessage question;
    EXPECT_TRUE(secret.Hide(Wrap(question), chain).empty());
}
