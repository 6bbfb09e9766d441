/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What members of ByzantineConsensus take for right, and whom they listen to

#include "committee/byzantine/committee-bench.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <iterator>
#include <limits>

using namespace ns3::collab;
using tests::CommitteeBench;
using tests::Flight;

namespace
{

/// A device that is not in the committee
constexpr uint32_t OUTSIDER = CommitteeBench::MEMBERS + 1;

/// @brief The Byzantine primary of view 0 proposes to all that are honest.
/// @param change what it does to a proposal that is right
/// @return votes that find a quorum, from 0 to 2
uint32_t
Propose(const std::function<void(CommitteeBench&, ConsensusMessage&)>& change)
{
    CommitteeBench bench(0);
    bench.TellScores();
    bench.Lose([](const Flight&) { return true; });
    ConsensusMessage request = bench.MakeFresh(CommitteeBench::NOBODY);
    change(bench, request);
    return bench.Push(request, 0, bench.GetHonest());
}

/// Whether a member has consented to anything
bool
HasConsented(const CommitteeBench& bench, uint32_t member)
{
    const auto& promises = bench.GetMemory(member).promises;
    return std::any_of(std::begin(promises), std::end(promises), [](const auto& promise) {
        return promise.has_value();
    });
}

} // namespace

TEST(CommitteeProposals, AreTakenIfTheyFollowFromTheirTables)
{
    EXPECT_EQ(Propose([](auto&, auto&) {}), 2U);
    EXPECT_EQ(Propose([](auto&, auto& request) {
                  auto& clients = request.ballot->block.clients;
                  clients.back() = clients.back() == 11 ? 10 : 11;
              }),
              0U);
    EXPECT_EQ(Propose([](auto&, auto& request) {
                  auto& committee = request.ballot->block.committee;
                  committee = {OUTSIDER, 6, 7, 8};
              }),
              0U);
    EXPECT_EQ(Propose([](auto&, auto& request) { request.ballot->block.model = {1, 2, 3}; }), 0U);
}

TEST(CommitteeProposals, NeedSignedTablesOfEnoughMembersOfThisRound)
{
    EXPECT_EQ(Propose([](auto& bench, auto& request) { // in the name of an honest member
                  auto& table = request.tables[bench.GetHonest()[1]];
                  table.scores.begin()->second += 1;
                  bench.Conclude(request);
              }),
              0U);
    for (const std::size_t count : {2, 3})
    {
        EXPECT_EQ(Propose([count](auto& bench, auto& request) {
                      request.tables.resize(count);
                      bench.Conclude(request);
                  }),
                  count == 3 ? 2U : 0U)
            << count;
    }
    EXPECT_EQ(Propose([](auto& bench, auto& request) {
                  request.tables.push_back(request.tables.front());
                  bench.Conclude(request);
              }),
              0U);
    EXPECT_EQ(Propose([](auto& bench, auto& request) {
                  for (auto& table : request.tables)
                  {
                      ++table.round;
                      table.Sign(bench.GetKeys());
                  }
                  bench.Conclude(request);
              }),
              0U);
    EXPECT_EQ(Propose([](auto& bench, auto& request) {
                  request.tables.back().sender = OUTSIDER;
                  request.tables.back().Sign(bench.GetKeys());
                  bench.Conclude(request);
              }),
              0U);
}

TEST(CommitteeProposals, ExpelNobodyWithoutProof)
{
    const auto accuse = [](uint32_t accused, uint32_t signer, uint8_t second, uint32_t round) {
        return Propose([&](auto& bench, auto& request) {
            Evidence evidence;
            evidence.statement = {SCORES_STATEMENT, CommitteeVote::AGGREGATION, round, accused, 0};
            evidence.said[1].digest = {second};
            for (std::size_t i = 0; i < 2; ++i)
            {
                evidence.said[i].authenticator = bench.GetKeys().Sign(
                    signer, evidence.statement.GetBytes(evidence.said[i].digest));
            }
            request.evidence = {evidence};
            bench.Conclude(request);
        });
    };
    const uint32_t self = CommitteeBench(0).GetByzantine();
    const uint32_t other = CommitteeBench(0).GetHonest()[1];
    EXPECT_EQ(accuse(self, self, 1, 0), 2U);
    EXPECT_EQ(accuse(self, self, 0, 0), 0U);         // it has told the same twice
    EXPECT_EQ(accuse(other, self, 1, 0), 0U);        // it has not signed it
    EXPECT_EQ(accuse(self, self, 1, 1), 0U);         // of a round that is not known
    EXPECT_EQ(accuse(OUTSIDER, OUTSIDER, 1, 0), 0U); // which was no member
}

TEST(CommitteeProposals, EvidenceLeavesEnoughDevicesForACommittee)
{
    const CommitteeBench bench(0);
    ConsensusMessage request = bench.MakeFresh(CommitteeBench::NOBODY);
    for (uint32_t member = 0; member < CommitteeBench::MEMBERS; ++member)
    {
        Evidence evidence;
        evidence.statement.member = member;
        request.evidence.push_back(evidence);
    }
    ConsensusOptions options = bench.GetOptions();
    for (const uint32_t devices : {8, 9, 11, 12})
    {
        options.federation.devices.resize(devices);
        std::vector<const ConsensusMessage*> tables;
        for (const auto& table : request.tables)
        {
            tables.push_back(&table);
        }
        const Draft draft = MakeDraft(options, tables, request.evidence);
        EXPECT_EQ(draft.block.expelled.size(), devices - 2 * CommitteeBench::MEMBERS);
    }
}

TEST(CommitteeProposals, AMemberThatContradictsItselfIsFoundOut)
{
    const auto find = [](const std::function<ConsensusMessage(const CommitteeBench&)>& make,
                         uint32_t first,
                         uint32_t second,
                         bool isOther) {
        CommitteeBench bench(1); // the Byzantine member is the primary of view 1
        bench.TellScores();
        ConsensusMessage message = make(bench);
        bench.Say(message, bench.GetPrimary(first));
        const bool isConsent = message.kind == ConsensusKind::REPLY;
        message.timestamp += isOther && !isConsent ? 1 : 0;
        message.proposal.digest[0] ^= isOther ? 1 : 0;
        bench.Say(message, bench.GetPrimary(second));
        if (first != second) // members tell each other what they have heard in the view before
        {
            bench.GoTo(2, bench.GetHonest());
        }
        std::size_t found = 0;
        for (const auto& evidence : bench.GetEvidence())
        {
            EXPECT_EQ(evidence.statement.member, bench.GetByzantine());
            EXPECT_TRUE(evidence.IsProof(bench.GetKeys()));
            ++found;
        }
        return found;
    };
    const auto scores = [](const CommitteeBench& bench) {
        return bench.MakeFresh(CommitteeBench::NOBODY).tables[bench.GetByzantine()];
    };
    const auto request = [](const CommitteeBench& bench) {
        ConsensusMessage message = bench.MakeFresh(CommitteeBench::NOBODY);
        message.attempt = 1;
        return message;
    };
    const auto consent = [](const CommitteeBench&) {
        ConsensusMessage message;
        message.kind = ConsensusKind::REPLY;
        return message;
    };
    EXPECT_EQ(find(scores, 2, 2, false), 0U);
    EXPECT_EQ(find(scores, 2, 2, true), 1U);
    EXPECT_EQ(find(consent, 0, 0, false), 0U);
    EXPECT_EQ(find(consent, 0, 0, true), 1U);
    EXPECT_EQ(find(request, 2, 2, false), 0U);
    EXPECT_EQ(find(request, 2, 2, true), 1U);
    EXPECT_EQ(find(request, 2, 3, false), 0U);
    EXPECT_GE(find(request, 2, 3, true), 1U);
}

TEST(CommitteeProposals, MoreThanAMemberMaySayIsNotKept)
{
    CommitteeBench bench(1);
    const uint32_t victim = bench.GetPrimary(2);
    ConsensusMessage table = bench.MakeFresh(CommitteeBench::NOBODY).tables[0];
    table.scores[99] = 1; // a client that does not train
    table.gradients[99] = {};
    bench.Say(table, victim);
    EXPECT_TRUE(bench.Get(victim).GetTables().empty());
    bench.TellScores();
    ConsensusMessage request = bench.MakeFresh(CommitteeBench::NOBODY);
    request.attempt = 1;
    request.tables.resize(CommitteeBench::MEMBERS + 1, request.tables[0]);
    const uint64_t before = bench.Get(victim).GetCounters().unauthorized;
    bench.Say(request, victim);
    EXPECT_EQ(bench.Get(victim).GetCounters().unauthorized, before + 1);
    request.rule = QuorumRule::BYZANTINE;
    request.sender = bench.GetPrimary(1);
    const uint64_t forged = bench.Get(victim).GetCounters().forged;
    bench.Pass(request, victim); // not signed: its length comes first
    EXPECT_EQ(bench.Get(victim).GetCounters().unauthorized, before + 2);
    EXPECT_EQ(bench.Get(victim).GetCounters().forged, forged);
    // A certificate with anything besides the consents of a quorum is none
    auto proof = bench.MakeFresh(CommitteeBench::NOBODY).ballot.value();
    for (uint32_t member = 0; member < CommitteeBench::QUORUM; ++member)
    {
        const auto statement =
            MakeStatement(CommitteeVote::ELECTION, member, 0, 0, proof.block.GetDigest());
        proof.consents.push_back({member, bench.GetKeys().Sign(member, statement)});
    }
    for (const bool isLonger : {true, false})
    {
        CertifiedBlock shown = proof;
        if (isLonger)
        {
            shown.consents.push_back(proof.consents[0]);
        }
        bench.Say(CommitteeBench::MakeCommit(CommitteeVote::ELECTION, shown), victim);
        EXPECT_EQ(bench.GetBlock(victim).has_value(), !isLonger);
    }
}

TEST(CommitteeProposals, TablesRankOnlyClientsThatTrain)
{
    const CommitteeBench bench(CommitteeBench::NOBODY);
    ConsensusMessage request = bench.MakeFresh(CommitteeBench::NOBODY);
    const auto rank = [&]() {
        std::vector<const ConsensusMessage*> tables;
        for (const auto& table : request.tables)
        {
            tables.push_back(&table);
        }
        return MakeDraft(bench.GetOptions(), tables, {});
    };
    const Draft before = rank();
    for (auto& table : request.tables)
    {
        table.scores[0] = 1e9;
        table.gradients[0] = {1, 2, 3};
    }
    const Draft after = rank();
    EXPECT_EQ(after.ranking.size(), before.ranking.size());
    EXPECT_EQ(after.block, before.block);
}

TEST(CommitteeProposals, OneLiarDoesNotChooseTheNextCommittee)
{
    // Honest members tell the same: 3, 1, 2, 4, 5, 6, the middle of which is 1, 2, 4, 5. The liar
    // wants its accomplices 3 to 6, and tells all others what the mean follows.
    const ClientScores honest = {{1, 60}, {2, 50}, {3, 70}, {4, 40}, {5, 30}, {6, 20}};
    const double infinity = std::numeric_limits<double>::infinity();
    const ClientScores lie = {
        {1, infinity}, {2, 1e-9}, {3, 1e-6}, {4, 1e-6 / 2}, {5, 1e-6 / 3}, {6, 1e-6 / 4}};
    ConsensusOptions options;
    options.rule = QuorumRule::BYZANTINE;
    options.members = {10, 11, 12, 13};
    options.clients = {1, 2, 3, 4, 5, 6};
    std::vector<ConsensusMessage> tables(options.members.size());
    std::vector<const ConsensusMessage*> told;
    for (std::size_t i = 0; i < tables.size(); ++i)
    {
        tables[i].sender = options.members[i];
        tables[i].scores = i == 0 ? lie : honest;
        for (const uint32_t client : options.clients)
        {
            tables[i].gradients[client] = {static_cast<uint8_t>(client)};
        }
        told.push_back(&tables[i]);
    }
    const auto elect = [&]() { return MakeDraft(options, told, {}).block.committee; };
    EXPECT_EQ(elect(), (std::vector<uint32_t>{1, 2, 4, 5}));
    told.pop_back(); // nor does it as the primary, which leaves out a member
    EXPECT_EQ(elect(), (std::vector<uint32_t>{1, 2, 4, 5}));
    options.combination = ScoreCombination::MEAN;
    EXPECT_EQ(elect(), (std::vector<uint32_t>{3, 4, 5, 6}));
}

TEST(CommitteeProposals, ARandomElectionIsNotSteeredByWhoElseIsRanked)
{
    ConsensusOptions options;
    options.rule = QuorumRule::BYZANTINE;
    options.members = {10, 11, 12, 13};
    options.election = ElectionStrategy::RANDOM;
    std::vector<RankedClient> ranking;
    for (uint32_t client = 20; client < 40; ++client)
    {
        ranking.push_back({client, 1});
    }
    const auto all = options.Elect(ranking);
    for (std::size_t left = 0; left < ranking.size(); ++left)
    {
        auto fewer = ranking;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(left));
        const auto elected = options.Elect(fewer);
        std::vector<uint32_t> stay;
        std::set_intersection(
            all.begin(), all.end(), elected.begin(), elected.end(), std::back_inserter(stay));
        EXPECT_EQ(stay.size(), Contains(all, ranking[left].client) ? 3U : 4U);
    }
}

TEST(CommitteeProposals, ARoundIsNotAbandonedAtWill)
{
    for (const bool isLate : {false, true})
    {
        for (const bool keepsCommittee : {false, true}) // nor does anything else change with it
        {
            CommitteeBench bench(0);
            bench.TellScores();
            bench.Lose([](const Flight&) { return true; });
            uint32_t view = isLate ? bench.GetOptions().GetAttempts() : 0;
            while (bench.GetPrimary(view) != bench.GetByzantine())
            {
                ++view;
            }
            bench.GoTo(view, bench.GetHonest());
            ConsensusMessage request = bench.MakeAbandoned();
            if (keepsCommittee)
            {
                request.ballot->block.committee = bench.GetOptions().members;
            }
            EXPECT_EQ(bench.Push(request, view, bench.GetHonest()),
                      isLate && !keepsCommittee ? 2U : 0U)
                << view;
        }
    }
}

TEST(CommitteeProposals, ArePreparedOnlyWithACertificate)
{
    // A block that follows from nothing: nobody consents to it but as a prepared one
    for (const std::size_t consents : {1, 2, 3})
    {
        CommitteeBench bench(1);
        bench.TellScores();
        bench.Lose([](const Flight&) { return true; });
        bench.GoTo(1, bench.GetHonest());
        ConsensusMessage request;
        request.kind = ConsensusKind::REQUEST;
        request.ballot = CertifiedBlock();
        Block& block = request.ballot->block;
        block.clients = {7};
        block.committee = {4, 5, 6, 8};
        for (uint32_t i = 0; i < consents; ++i) // not of an honest member, unless all conspire
        {
            const uint32_t member = bench.GetPrimary(1 + i);
            const auto statement =
                MakeStatement(CommitteeVote::AGGREGATION, member, 0, 0, block.GetDigest());
            request.ballot->consents.push_back({member, bench.GetKeys().Sign(member, statement)});
        }
        const bool isPrepared = consents >= CommitteeBench::QUORUM;
        EXPECT_EQ(bench.Push(request, 1, bench.GetHonest()), isPrepared ? 2U : 0U) << consents;
        EXPECT_EQ(bench.GetMemory(bench.GetHonest()[1]).lock.has_value(), isPrepared);
    }
}

TEST(CommitteeProposals, OnlyThePrimaryMakesThem)
{
    CommitteeBench bench(1);
    bench.TellScores();
    bench.Lose([](const Flight&) { return true; });
    const uint32_t victim = bench.GetPrimary(2);
    ASSERT_FALSE(HasConsented(bench, victim));
    bench.Say(bench.MakeFresh(CommitteeBench::NOBODY), victim);
    EXPECT_FALSE(HasConsented(bench, victim));
    EXPECT_EQ(bench.Get(victim).GetCounters().unauthorized, 1U);
}

TEST(CommitteeProposals, OfViewsFarAheadAreNotKept)
{
    CommitteeBench bench(1);
    bench.TellScores();
    const uint32_t victim = bench.GetPrimary(2);
    ConsensusMessage request = bench.MakeFresh(CommitteeBench::NOBODY);
    uint64_t far = 0;
    const uint64_t before = bench.Get(victim).GetCounters().stale;
    for (uint32_t view = 1; view < 10 * CommitteeBench::MEMBERS; ++view)
    {
        if (bench.GetPrimary(view) == bench.GetByzantine())
        {
            far += view >= CommitteeBench::MEMBERS ? 1 : 0;
            request.attempt = view;
            bench.Say(request, victim);
        }
    }
    EXPECT_GT(far, 0U);
    EXPECT_EQ(bench.Get(victim).GetCounters().stale, before + far);
}

TEST(CommitteeProposals, ConsentsToOthersDoNotCount)
{
    CommitteeBench bench(1);
    bench.TellScores();
    const uint32_t primary = bench.GetPrimary(0);
    const uint32_t one = bench.GetPrimary(2);
    const auto proposal =
        std::find_if(bench.GetFlights().begin(), bench.GetFlights().end(), [](const Flight& f) {
            return f.message->kind == ConsensusKind::REQUEST;
        });
    ASSERT_NE(proposal, bench.GetFlights().end());
    const Digest digest = proposal->message->ballot->block.GetDigest();
    bench.Deliver([one](const Flight& f) { return f.receiver == one; });
    bench.Deliver([primary](const Flight& f) { return f.receiver == primary; });
    ASSERT_FALSE(bench.GetMemory(primary).lock); // two of three
    for (const bool isRight : {false, true})
    {
        ConsensusMessage reply;
        reply.kind = ConsensusKind::REPLY;
        reply.proposal.digest = isRight ? digest : Digest{1, 2, 3};
        bench.Say(reply, primary);
        EXPECT_EQ(bench.GetMemory(primary).lock.has_value(), isRight);
    }
}

TEST(CommitteeProposals, NobodyListensToDevicesOutsideOfTheCommittee)
{
    CommitteeBench bench(1);
    const uint32_t victim = bench.GetPrimary(2);
    ConsensusMessage scores = bench.MakeFresh(CommitteeBench::NOBODY).tables[0];
    bench.SayAs(OUTSIDER, scores, victim);
    EXPECT_TRUE(bench.Get(victim).GetTables().empty());
    ConsensusMessage change;
    change.kind = ConsensusKind::VIEW_CHANGE;
    change.attempt = 7;
    EXPECT_NO_THROW(bench.SayAs(OUTSIDER, change, victim));
    EXPECT_EQ(bench.Get(victim).GetView(), 0U);
    EXPECT_EQ(bench.Get(victim).GetCounters().forged, 2U);
}
