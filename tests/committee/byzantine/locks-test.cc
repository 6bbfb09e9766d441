/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Schedules in which only the locks of ByzantineConsensus keep honest members from different
// blocks. Random schedules hardly ever draw them.

#include "committee/byzantine/committee-bench.h"

#include "ns3/collab-random.h"

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace ns3::collab;
using tests::CommitteeBench;
using tests::Flight;

namespace
{

/// A filter: messages of one kind and vote
tests::FlightFilter
Of(ConsensusKind kind, CommitteeVote vote = CommitteeVote::AGGREGATION)
{
    return [kind, vote](const Flight& flight) {
        return flight.message->kind == kind && flight.message->vote == vote;
    };
}

/// A filter: messages from a member
tests::FlightFilter
From(uint32_t sender)
{
    return [sender](const Flight& flight) { return flight.sender == sender; };
}

/// A filter: everything
bool
All(const Flight&)
{
    return true;
}

/// The honest primary of view 0 finds both quorums and decides; the others are locked, no more
void
DecideAlone(CommitteeBench& bench)
{
    bench.TellScores();
    bench.Deliver(Of(ConsensusKind::REQUEST));
    bench.Deliver(Of(ConsensusKind::REPLY));
    bench.Deliver(Of(ConsensusKind::COMMIT));
    bench.Deliver(Of(ConsensusKind::REPLY, CommitteeVote::ELECTION));
    bench.Lose(All);
    ASSERT_TRUE(bench.GetBlock(bench.GetPrimary(0)));
}

/// Nobody holds another block, and nobody has ever given the Byzantine member a certificate
void
ExpectNoOther(CommitteeBench& bench, uint32_t view, const std::vector<uint32_t>& victims)
{
    const Block& decided = bench.GetBlock(bench.GetPrimary(0))->block;
    for (uint32_t without = 0; without <= CommitteeBench::MEMBERS; ++without)
    {
        const ConsensusMessage other = bench.MakeFresh(without);
        if (other.ballot->block != decided)
        {
            EXPECT_EQ(bench.Push(other, view, victims), 0U) << "without the table of " << without;
        }
    }
    EXPECT_EQ(bench.FindFork(), "");
}

} // namespace

TEST(CommitteeLocks, TheBenchDecidesIfNothingIsInTheWay)
{
    CommitteeBench bench(CommitteeBench::NOBODY);
    bench.TellScores();
    bench.Deliver(All);
    for (const uint32_t member : bench.GetHonest())
    {
        ASSERT_TRUE(bench.GetBlock(member));
        EXPECT_EQ(bench.GetBlock(member)->view, 0U);
    }
    EXPECT_EQ(bench.FindFork(), "");
}

TEST(CommitteeLocks, AFreshProposalIsTakenFromAByzantinePrimaryIfNobodyIsLocked)
{
    // What the attacks of the other tests would do without locks
    CommitteeBench bench(1);
    bench.TellScores();
    bench.Lose(All);
    bench.EndView({bench.GetPrimary(2), bench.GetPrimary(3)});
    const ConsensusMessage fresh = bench.MakeFresh(0);
    EXPECT_NE(fresh.ballot->block, bench.MakeFresh(CommitteeBench::NOBODY).ballot->block);
    EXPECT_EQ(bench.Push(fresh, 1, {bench.GetPrimary(2), bench.GetPrimary(3)}), 2U);
    EXPECT_EQ(bench.GetBlock(bench.GetPrimary(2))->block, fresh.ballot->block);
}

TEST(CommitteeLocks, AMemberStaysLockedInLaterViews)
{
    CommitteeBench bench(1);
    ASSERT_NO_FATAL_FAILURE(DecideAlone(bench));
    const std::vector<uint32_t> locked = {bench.GetPrimary(2), bench.GetPrimary(3)};
    bench.EndView(locked);
    bench.Lose(All);
    for (const uint32_t member : locked)
    {
        ASSERT_EQ(bench.Get(member).GetView(), 1U);
    }
    ExpectNoOther(bench, 1, locked);
}

TEST(CommitteeLocks, AMemberStaysLockedThroughACrash)
{
    CommitteeBench bench(1);
    ASSERT_NO_FATAL_FAILURE(DecideAlone(bench));
    const std::vector<uint32_t> locked = {bench.GetPrimary(2), bench.GetPrimary(3)};
    for (const uint32_t member : locked)
    {
        bench.Crash(member);
    }
    bench.EndView(locked);
    bench.Lose(All);
    ExpectNoOther(bench, 1, locked);
}

TEST(CommitteeLocks, ACrashAfterTheViewChangeDoesNotUnlock)
{
    CommitteeBench bench(1);
    ASSERT_NO_FATAL_FAILURE(DecideAlone(bench));
    const std::vector<uint32_t> locked = {bench.GetPrimary(2), bench.GetPrimary(3)};
    bench.EndView(locked);
    for (const uint32_t member : locked)
    {
        bench.Crash(member);
    }
    bench.EndView(locked);
    bench.Lose(All);
    ExpectNoOther(bench, 1, locked);
}

TEST(CommitteeLocks, AMemberThatIsLockedDoesNotEndItsRoundWithoutAResult)
{
    CommitteeBench bench(1);
    ASSERT_NO_FATAL_FAILURE(DecideAlone(bench));
    const std::vector<uint32_t> locked = {bench.GetPrimary(2), bench.GetPrimary(3)};
    uint32_t view = bench.GetOptions().GetAttempts();
    while (bench.GetPrimary(view) != bench.GetByzantine())
    {
        ++view;
    }
    bench.GoTo(view, locked);
    for (const uint32_t member : locked)
    {
        ASSERT_EQ(bench.Get(member).GetView(), view);
    }
    EXPECT_EQ(bench.Push(bench.MakeAbandoned(), view, locked), 0U);
    EXPECT_EQ(bench.FindFork(), "");
}

TEST(CommitteeLocks, APrimaryThatIsLockedProposesThatInEveryView)
{
    CommitteeBench bench(1);
    ASSERT_NO_FATAL_FAILURE(DecideAlone(bench));
    const std::vector<uint32_t> locked = {bench.GetPrimary(2), bench.GetPrimary(3)};
    uint32_t view = bench.GetOptions().GetAttempts();
    while (bench.GetPrimary(view) != locked[0])
    {
        ++view;
    }
    bench.GoTo(view, locked);
    bench.Timeout(locked[0]); // it does not wait for the fourth one any longer
    const auto proposal = std::find_if(
        bench.GetFlights().begin(), bench.GetFlights().end(), Of(ConsensusKind::REQUEST));
    ASSERT_NE(proposal, bench.GetFlights().end());
    EXPECT_EQ(proposal->message->attempt, view);
    EXPECT_EQ(proposal->message->ballot->block, bench.GetMemory(locked[0]).lock->block);
}

TEST(CommitteeLocks, APrimaryThatHearsOfALockProposesIt)
{
    // View 0: its primary decides alone; the next one has heard of the request, not of the lock.
    // The Byzantine member says that it has none
    CommitteeBench bench(3);
    bench.TellScores();
    const uint32_t next = bench.GetPrimary(1);
    const uint32_t locked = bench.GetPrimary(2);
    const ConsensusMessage request = bench.MakeFresh(CommitteeBench::NOBODY);
    bench.Deliver(Of(ConsensusKind::REQUEST));
    bench.Deliver(Of(ConsensusKind::REPLY));
    bench.Deliver([locked](const Flight& flight) {
        return flight.message->kind == ConsensusKind::COMMIT && flight.receiver == locked;
    });
    bench.Lose(All); // COMMIT of the others, and consents of the second vote
    ASSERT_TRUE(bench.GetMemory(locked).lock);
    ASSERT_FALSE(bench.GetMemory(next).lock);
    const Block prepared = bench.GetMemory(locked).lock->block;

    bench.EndView({locked, next});
    ConsensusMessage silent;
    silent.kind = ConsensusKind::VIEW_CHANGE;
    silent.attempt = 1;
    bench.Say(silent, next);
    bench.Deliver([next](const Flight& flight) { return flight.receiver == next; });
    EXPECT_FALSE(
        std::any_of(bench.GetFlights().begin(), bench.GetFlights().end(), [&](const auto& f) {
            return f.message->kind == ConsensusKind::REQUEST && f.message->ballot->consents.empty();
        }));
    bench.Timeout(next); // a quarter of its patience
    const auto proposal =
        std::find_if(bench.GetFlights().begin(), bench.GetFlights().end(), [](const auto& flight) {
            return flight.message->kind == ConsensusKind::REQUEST && flight.message->attempt == 1;
        });
    ASSERT_NE(proposal, bench.GetFlights().end());
    EXPECT_EQ(proposal->message->ballot->block, prepared);
    EXPECT_EQ(proposal->message->ballot->view, 0U);
    EXPECT_GE(proposal->message->ballot->consents.size(), CommitteeBench::QUORUM);
}

TEST(CommitteeLocks, ABlockIsPreparedByOneQuorumAndFinishedByAnother)
{
    // The primary of view 0 holds the block and is never heard again. The next one was not locked
    CommitteeBench bench(CommitteeBench::NOBODY);
    bench.TellScores();
    const uint32_t first = bench.GetPrimary(0);
    const uint32_t next = bench.GetPrimary(1);
    const std::vector<uint32_t> others = {bench.GetPrimary(2), bench.GetPrimary(3)};
    bench.Deliver(Of(ConsensusKind::REQUEST));
    bench.Deliver(Of(ConsensusKind::REPLY));
    bench.Deliver([next](const Flight& flight) {
        return flight.message->kind == ConsensusKind::COMMIT && flight.receiver != next;
    });
    bench.Deliver(Of(ConsensusKind::REPLY, CommitteeVote::ELECTION));
    ASSERT_TRUE(bench.GetBlock(first));
    bench.Lose(All);
    ASSERT_FALSE(bench.GetMemory(next).lock);
    bench.EndView({next, others[0], others[1]});
    bench.Lose(From(first));
    bench.Deliver([first](const Flight& flight) {
        return flight.receiver != first && flight.sender != first;
    });
    bench.Timeout(next);
    bench.Deliver([first](const Flight& flight) {
        return flight.receiver != first && flight.sender != first;
    });
    for (const uint32_t member : {next, others[0], others[1]})
    {
        ASSERT_TRUE(bench.GetBlock(member)) << member;
        EXPECT_EQ(bench.GetBlock(member)->view, 1U);
    }
    EXPECT_EQ(bench.FindFork(), "");
}

TEST(CommitteeLocks, NoTwoBlocksArePreparedInOneView)
{
    // One honest member consents, loses its memory, and is shown another proposal of the same view
    CommitteeBench bench(0);
    bench.TellScores();
    bench.Lose(All);
    const auto honest = bench.GetHonest();
    const ConsensusMessage one = bench.MakeFresh(CommitteeBench::NOBODY);
    const ConsensusMessage other = bench.MakeFresh(0);
    ASSERT_NE(one.ballot->block, other.ballot->block);
    bench.Say(one, honest[0]);
    bench.Say(one, honest[1]);
    ASSERT_TRUE(bench.Certify(CommitteeVote::AGGREGATION, 0, one.ballot->block));
    for (const bool crashes : {false, true})
    {
        if (crashes)
        {
            bench.Crash(honest[1]);
        }
        bench.Say(other, honest[1]);
        bench.Say(other, honest[2]);
        EXPECT_FALSE(bench.Certify(CommitteeVote::AGGREGATION, 0, other.ballot->block)) << crashes;
    }
}

TEST(CommitteeLocks, NobodyGoesBackToAViewThroughACrash)
{
    // Members that have consented in view 1 do not consent in view 0 any more
    CommitteeBench bench(0);
    bench.TellScores();
    bench.Lose(All);
    const auto honest = bench.GetHonest();
    bench.EndView(honest);
    bench.Deliver(Of(ConsensusKind::VIEW_CHANGE));
    bench.Timeout(honest[0]); // it has waited long enough for the Byzantine member
    bench.Deliver(Of(ConsensusKind::REQUEST));
    bench.Deliver(Of(ConsensusKind::REPLY)); // prepared; shown to nobody but the primary
    ASSERT_TRUE(bench.GetMemory(honest[0]).lock);
    bench.Lose(All);
    for (const uint32_t member : {honest[1], honest[2]})
    {
        ASSERT_FALSE(bench.GetMemory(member).lock);
        bench.Crash(member);
    }
    for (uint32_t without = 0; without <= CommitteeBench::MEMBERS; ++without)
    {
        EXPECT_EQ(bench.Push(bench.MakeFresh(without), 0, {honest[1], honest[2]}), 0U);
    }
}

TEST(CommitteeLocks, AnOldPreparationDoesNotReplaceALaterLock)
{
    // View 0: the Byzantine primary gets a block prepared, and keeps that to itself. View 1:
    // another one is decided by its primary alone. View 2: a primary that is shown the old one
    CommitteeBench bench(0);
    bench.TellScores();
    bench.Lose(All);
    const auto honest = bench.GetHonest();
    const ConsensusMessage old = bench.MakeFresh(0);
    for (const uint32_t member : honest)
    {
        bench.Say(old, member);
    }
    const auto prepared = bench.Certify(CommitteeVote::AGGREGATION, 0, old.ballot->block);
    ASSERT_TRUE(prepared);
    bench.Lose(All);
    bench.EndView(honest);
    bench.Deliver(Of(ConsensusKind::VIEW_CHANGE));
    bench.Timeout(honest[0]);
    bench.Deliver(Of(ConsensusKind::REQUEST));
    bench.Deliver(Of(ConsensusKind::REPLY));
    bench.Deliver(Of(ConsensusKind::COMMIT));
    bench.Deliver(Of(ConsensusKind::REPLY, CommitteeVote::ELECTION));
    bench.Lose(All);
    ASSERT_TRUE(bench.GetBlock(honest[0]));
    ASSERT_NE(bench.GetBlock(honest[0])->block, old.ballot->block);
    for (const uint32_t member : {honest[1], honest[2]})
    {
        ASSERT_EQ(bench.GetMemory(member).lock->view, 1U);
        // as a COMMIT that comes late, and as a lock
        bench.Say(CommitteeBench::MakeCommit(CommitteeVote::AGGREGATION, *prepared), member);
        ConsensusMessage change;
        change.kind = ConsensusKind::VIEW_CHANGE;
        change.attempt = 2;
        change.ballot = prepared;
        bench.Say(change, member);
        EXPECT_EQ(bench.GetMemory(member).lock->view, 1U);
    }
    // View 4 or later has the Byzantine primary again: it proposes the old one with its proof
    uint32_t view = 4;
    while (bench.GetPrimary(view) != bench.GetByzantine())
    {
        ++view;
    }
    bench.GoTo(view, {honest[1], honest[2]});
    ASSERT_EQ(bench.Get(honest[1]).GetView(), view);
    ConsensusMessage again;
    again.kind = ConsensusKind::REQUEST;
    again.ballot = prepared;
    EXPECT_EQ(bench.Push(again, view, {honest[1], honest[2]}), 0U);
    EXPECT_EQ(bench.FindFork(), "");
}

TEST(CommitteeLocks, ALaterPreparationUnlocks)
{
    // View 0: one member alone is locked. View 1: the others, who have not heard of that, go on
    CommitteeBench bench(0);
    bench.TellScores();
    bench.Lose(All);
    const auto honest = bench.GetHonest();
    const ConsensusMessage old = bench.MakeFresh(0);
    for (const uint32_t member : honest)
    {
        bench.Say(old, member);
    }
    const auto prepared = bench.Certify(CommitteeVote::AGGREGATION, 0, old.ballot->block);
    bench.Say(CommitteeBench::MakeCommit(CommitteeVote::AGGREGATION, *prepared), honest[2]);
    ASSERT_TRUE(bench.GetMemory(honest[2]).lock);
    bench.EndView(honest);
    bench.Lose(From(honest[2]));
    bench.Deliver(Of(ConsensusKind::VIEW_CHANGE));
    ConsensusMessage change;
    change.kind = ConsensusKind::VIEW_CHANGE;
    change.attempt = 1;
    bench.Say(change, honest[0]);
    bench.Timeout(honest[0]);
    bench.Deliver(Of(ConsensusKind::REQUEST));
    EXPECT_EQ(bench.GetMemory(honest[2]).lock->block, old.ballot->block);
    // The Byzantine member's consent is the third one: its message goes to the honest primary
    const auto fresh = std::find_if(
        bench.GetFlights().begin(), bench.GetFlights().end(), Of(ConsensusKind::REPLY));
    ASSERT_NE(fresh, bench.GetFlights().end());
    ConsensusMessage consent = *fresh->message;
    bench.Say(consent, honest[0]);
    bench.Deliver(All);
    ASSERT_TRUE(bench.GetMemory(honest[2]).lock);
    EXPECT_EQ(bench.GetMemory(honest[2]).lock->view, 1U);
    for (const uint32_t member : honest)
    {
        EXPECT_TRUE(bench.GetBlock(member)) << member;
    }
    EXPECT_EQ(bench.FindFork(), "");
}

TEST(CommitteeLocks, OneConsentTooFewPreparesAndDecidesNothing)
{
    for (const auto vote : {CommitteeVote::AGGREGATION, CommitteeVote::ELECTION})
    {
        CommitteeBench bench(0);
        bench.TellScores();
        bench.Lose(All);
        const auto honest = bench.GetHonest();
        const ConsensusMessage request = bench.MakeFresh(CommitteeBench::NOBODY);
        bench.Say(request, honest[0]);
        bench.Say(request, honest[1]);
        auto certified = bench.Certify(CommitteeVote::AGGREGATION, 0, request.ballot->block);
        ASSERT_TRUE(certified);
        if (vote == CommitteeVote::ELECTION)
        {
            for (const uint32_t member : {honest[0], honest[1]})
            {
                bench.Say(CommitteeBench::MakeCommit(CommitteeVote::AGGREGATION, *certified),
                          member);
            }
            certified = bench.Certify(vote, 0, request.ballot->block);
            ASSERT_TRUE(certified);
        }
        CertifiedBlock few = *certified;
        few.consents.pop_back();
        bench.Say(CommitteeBench::MakeCommit(vote, few), honest[2]);
        EXPECT_FALSE(bench.GetMemory(honest[2]).lock);
        EXPECT_FALSE(bench.GetBlock(honest[2]));
        EXPECT_EQ(bench.Get(honest[2]).GetCounters().unproven, 1U);
        few.consents.push_back(few.consents.back()); // the same member twice
        bench.Say(CommitteeBench::MakeCommit(vote, few), honest[2]);
        EXPECT_EQ(bench.Get(honest[2]).GetCounters().unproven, 2U);
        bench.Say(CommitteeBench::MakeCommit(vote, *certified), honest[2]);
        EXPECT_EQ(bench.GetMemory(honest[2]).lock.has_value(), vote == CommitteeVote::AGGREGATION);
        EXPECT_EQ(bench.GetBlock(honest[2]).has_value(), vote == CommitteeVote::ELECTION);
    }
}
