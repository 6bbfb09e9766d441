/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/committee-inbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

using namespace ns3::collab;
using testing::ElementsAre;

namespace
{

/// A gradient of a client in a round
std::shared_ptr<const SignedGradient>
MakeGradient(uint32_t client, uint32_t round, float value = 1)
{
    auto gradient = std::make_shared<SignedGradient>();
    gradient->round = round;
    gradient->sender = client;
    gradient->samples = 1;
    gradient->values = std::make_shared<const std::vector<float>>(std::vector<float>{value});
    gradient->Seal();
    return gradient;
}

/// A message of the committee of a round
std::shared_ptr<const ConsensusMessage>
MakeMessage(uint32_t member, uint32_t round, uint64_t timestamp)
{
    auto message = std::make_shared<ConsensusMessage>();
    message->round = round;
    message->sender = member;
    message->timestamp = timestamp;
    return message;
}

/// Who has a gradient in an inbox
std::vector<uint32_t>
GetSenders(const CommitteeInbox& inbox)
{
    std::vector<uint32_t> senders;
    for (const auto& [sender, gradient] : inbox.GetGradients())
    {
        senders.push_back(sender);
    }
    return senders;
}

} // namespace

TEST(CommitteeInbox, KeepsTheFirstGradientOfEachClientThatTrains)
{
    CommitteeInbox inbox;
    inbox.Begin(4, {1, 3});
    EXPECT_EQ(inbox.Add(MakeGradient(3, 4, 1)), "");
    EXPECT_EQ(inbox.Add(MakeGradient(3, 4, 2)), "");
    EXPECT_NE(inbox.Add(MakeGradient(2, 4)), "");
    EXPECT_NE(inbox.Add(MakeGradient(5, 4)), "");
    EXPECT_NE(inbox.Add(MakeGradient(1, 3)), "");
    EXPECT_THAT(GetSenders(inbox), ElementsAre(3));
    EXPECT_EQ(inbox.GetGradients().at(3)->values->front(), 1);
    EXPECT_TRUE(inbox.HasMissing()); // that of client 1: two others do not take its place
    EXPECT_EQ(inbox.Add(MakeGradient(1, 4)), "");
    EXPECT_FALSE(inbox.HasMissing());
}

TEST(CommitteeInbox, JudgesEarlyGradientsWhenItIsKnownWhoTrains)
{
    CommitteeInbox inbox;
    inbox.Begin(4, {1, 3});
    EXPECT_EQ(inbox.Add(MakeGradient(2, 5, 1)), "");
    EXPECT_EQ(inbox.Add(MakeGradient(2, 5, 2)), ""); // one is kept
    EXPECT_EQ(inbox.Add(MakeGradient(9, 5)), "");    // as long as it may train
    EXPECT_THAT(GetSenders(inbox), ElementsAre());
    inbox.Begin(5, {2, 3});
    EXPECT_THAT(GetSenders(inbox), ElementsAre(2));
    EXPECT_EQ(inbox.GetGradients().at(2)->values->front(), 1);
    EXPECT_TRUE(inbox.HasMissing());
}

TEST(CommitteeInbox, KeepsNothingOfRoundsAfterTheNext)
{
    CommitteeInbox inbox;
    inbox.Begin(4, {1, 3});
    EXPECT_NE(inbox.Add(MakeGradient(2, 6)), "");
    EXPECT_EQ(inbox.Add(MakeGradient(2, 5)), ""); // its place is free
    EXPECT_FALSE(inbox.AddEarly(MakeMessage(7, 6, 0)));
    EXPECT_TRUE(inbox.AddEarly(MakeMessage(7, 5, 1)));
    EXPECT_EQ(inbox.Begin(5, {2}).size(), 1U);
    EXPECT_THAT(GetSenders(inbox), ElementsAre(2));
}

TEST(CommitteeInbox, DropsWhatIsEarlyIfTheNextRoundIsAnother)
{
    CommitteeInbox inbox;
    inbox.Begin(4, {1, 3});
    inbox.Add(MakeGradient(2, 5));
    inbox.AddEarly(MakeMessage(7, 5, 0));
    EXPECT_TRUE(inbox.Begin(6, {2}).empty());
    EXPECT_THAT(GetSenders(inbox), ElementsAre());
}

TEST(CommitteeInbox, BoundsEarlyMessagesBySender)
{
    CommitteeInbox inbox;
    inbox.Begin(4, {1, 3});
    for (uint64_t i = 0; i < 3 * CommitteeInbox::MOST_EARLY; ++i)
    {
        EXPECT_EQ(inbox.AddEarly(MakeMessage(7, 5, i)), i < CommitteeInbox::MOST_EARLY);
    }
    EXPECT_TRUE(inbox.AddEarly(MakeMessage(8, 5, 0))); // nobody takes the place of others
    EXPECT_EQ(inbox.Begin(5, {2}).size(), CommitteeInbox::MOST_EARLY + 1);
}

TEST(CommitteeInbox, BoundsEarlyMessagesInBytes)
{
    CommitteeInbox inbox(CommitteeBounds{12, 4, 8});
    inbox.Begin(4, {1, 3});
    auto table = std::make_shared<ConsensusMessage>(*MakeMessage(7, 5, 0));
    for (uint32_t client = 0; client < 8; ++client)
    {
        table->scores[client] = 1;
        table->gradients[client] = {};
    }
    EXPECT_TRUE(inbox.Allows(*table));
    table->scores[99] = 1;
    EXPECT_FALSE(inbox.Allows(*table));
    for (std::size_t sender = 0; sender < 4; ++sender) // proposals carry all tables
    {
        auto request =
            std::make_shared<ConsensusMessage>(*MakeMessage(static_cast<uint32_t>(sender), 5, 0));
        request->kind = ConsensusKind::REQUEST;
        EXPECT_EQ(inbox.AddEarly(request), sender < CommitteeInbox::MOST_EARLY_REQUESTS);
    }
    EXPECT_EQ(inbox.CountEarlyProposals(), CommitteeInbox::MOST_EARLY_REQUESTS);
}

TEST(CommitteeInbox, FetchesOnlyWhatItWants)
{
    CommitteeInbox inbox;
    inbox.Begin(4, {1, 3});
    const auto wanted = MakeGradient(1, 4, 2);
    const auto other = MakeGradient(1, 4, 3);
    EXPECT_FALSE(inbox.AddWanted(wanted));
    inbox.Want({{1, wanted->digest}});
    EXPECT_FALSE(inbox.AddWanted(other));
    EXPECT_TRUE(inbox.AddWanted(wanted));
    EXPECT_FALSE(inbox.AddWanted(wanted));
    EXPECT_EQ(inbox.Find(wanted->digest), wanted);
    EXPECT_EQ(inbox.Find(other->digest), nullptr);
    EXPECT_THAT(GetSenders(inbox), ElementsAre()); // it has not been scored
}
