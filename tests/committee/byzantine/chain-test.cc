/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/committee-chain.h"
#include "ns3/committee-consensus.h"

#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <vector>

using namespace ns3::collab;

namespace
{

/// A federation whose first committee are the first devices
ChainOptions
MakeFederation(uint32_t members)
{
    ChainOptions options;
    options.seed = 3;
    options.rule = QuorumRule::BYZANTINE;
    for (uint32_t device = 0; device < 3 * members; ++device)
    {
        options.devices.push_back(device);
    }
    options.committee.assign(options.devices.begin(), options.devices.begin() + members);
    return options;
}

/// A block that some have signed
CertifiedBlock
Certify(const Block& block, const KeyRing& keys, const std::vector<uint32_t>& members)
{
    CertifiedBlock certified{block, 0, {}, {}};
    const Digest digest = block.GetDigest();
    for (const uint32_t member : members)
    {
        const auto statement =
            MakeStatement(CommitteeVote::ELECTION, member, block.round, 0, digest);
        certified.consents.push_back({member, keys.Sign(member, statement)});
    }
    return certified;
}

/// A block of the first round that so many members have signed
CertifiedBlock
MakeFirst(const ChainOptions& options, const KeyRing& keys, std::size_t consents)
{
    CertifiedBlock certified;
    const auto members = static_cast<std::ptrdiff_t>(options.committee.size());
    certified.block.clients = {options.devices.back()};
    certified.block.model = {1, 2, 3};
    certified.block.committee.assign(options.devices.begin() + members,
                                     options.devices.begin() + 2 * members);
    const auto signers = static_cast<std::ptrdiff_t>(consents);
    return Certify(
        certified.block, keys, {options.committee.begin(), options.committee.begin() + signers});
}

} // namespace

TEST(CommitteeChain, TakesABlockOfAQuorumAndNoFewer)
{
    const auto keys = std::make_shared<const KeyRing>(1, 32);
    for (uint32_t members = 1; members <= 16; ++members)
    {
        const ChainOptions options = MakeFederation(members);
        const uint32_t faults = (members - 1) / 3;
        // What any two quorums share is more than f, and the honest ones are one
        std::size_t quorum = members - faults;
        while (2 * (quorum - 1) > members + faults)
        {
            --quorum;
        }
        CommitteeChain chain(options, keys);
        for (std::size_t consents = 0; consents < quorum; ++consents)
        {
            EXPECT_FALSE(chain.Append(MakeFirst(options, *keys, consents)))
                << consents << " of " << members;
        }
        EXPECT_TRUE(chain.Append(MakeFirst(options, *keys, quorum))) << quorum << " of " << members;
        EXPECT_EQ(GetCertificateQuorum(members), quorum);
    }
}

TEST(CommitteeChain, CountsEachMemberOfTheRightCommitteeOnce)
{
    const auto keys = std::make_shared<const KeyRing>(1, 32);
    const ChainOptions options = MakeFederation(4);
    CommitteeChain chain(options, keys);
    CertifiedBlock twice = MakeFirst(options, *keys, 2);
    twice.consents.push_back(twice.consents.back());
    EXPECT_NE(chain.Check(twice), "");
    CertifiedBlock outsider = MakeFirst(options, *keys, 2);
    const auto statement =
        MakeStatement(CommitteeVote::ELECTION, 7, 0, 0, outsider.block.GetDigest());
    outsider.consents.push_back({7, keys->Sign(7, statement)});
    EXPECT_NE(chain.Check(outsider), "");
    CertifiedBlock forged = MakeFirst(options, *keys, 3);
    forged.consents[1].authenticator[0] ^= 1;
    EXPECT_NE(chain.Check(forged), "");
    CertifiedBlock otherVote = MakeFirst(options, *keys, 2);
    const auto prepared =
        MakeStatement(CommitteeVote::AGGREGATION, 2, 0, 0, otherVote.block.GetDigest());
    otherVote.consents.push_back({2, keys->Sign(2, prepared)});
    EXPECT_NE(chain.Check(otherVote), "");
    EXPECT_EQ(chain.Check(MakeFirst(options, *keys, 3)), "");
}

TEST(CommitteeChain, TakesOnlyWhatComesNext)
{
    const auto keys = std::make_shared<const KeyRing>(1, 32);
    const ChainOptions options = MakeFederation(4);
    CommitteeChain chain(options, keys);
    Block block = MakeFirst(options, *keys, 0).block;
    block.round = 1;
    EXPECT_FALSE(chain.Append(Certify(block, *keys, options.committee)));
    block.round = 0;
    block.parent = {4, 5, 6};
    EXPECT_FALSE(chain.Append(Certify(block, *keys, options.committee)));
    block.parent = chain.GetHead();
    EXPECT_TRUE(chain.Append(Certify(block, *keys, options.committee)));
    block.parent = chain.GetHead();
    const auto next = block.committee;
    EXPECT_FALSE(chain.Append(Certify(block, *keys, next))); // the same round again
    block.round = 1;
    EXPECT_FALSE(chain.Append(Certify(block, *keys, options.committee))); // not in office any more
    EXPECT_TRUE(chain.Append(Certify(block, *keys, next)));
}

TEST(CommitteeChain, NothingReplacesABlock)
{
    const auto keys = std::make_shared<const KeyRing>(1, 32);
    for (const auto rule : {QuorumRule::BYZANTINE, QuorumRule::PAPER})
    {
        ChainOptions options = MakeFederation(4);
        options.rule = rule;
        CommitteeChain chain(options, keys);
        Block block = MakeFirst(options, *keys, 0).block;
        ASSERT_TRUE(chain.Append(Certify(block, *keys, options.committee)));
        CommitteeChain longer(options, keys);
        block.model = {9, 9, 9};
        ASSERT_TRUE(longer.Append(Certify(block, *keys, options.committee)));
        block.parent = longer.GetHead();
        block.round = 1;
        ASSERT_TRUE(longer.Append(Certify(block, *keys, block.committee)));
        EXPECT_EQ(chain.Rebase(longer.GetAll()), rule == QuorumRule::PAPER);
        EXPECT_EQ(chain.GetNextRound(), rule == QuorumRule::PAPER ? 2U : 1U);
    }
}

TEST(CommitteeChain, RefusesSetsThatCanBeNone)
{
    const auto keys = std::make_shared<const KeyRing>(1, 32);
    const ChainOptions options = MakeFederation(4); // devices 0 to 11
    const auto isTaken = [&](const std::function<void(Block&)>& change) {
        CommitteeChain chain(options, keys);
        Block block = MakeFirst(options, *keys, 0).block;
        change(block);
        return chain.Append(Certify(block, *keys, options.committee));
    };
    EXPECT_TRUE(isTaken([](Block&) {}));
    EXPECT_TRUE(isTaken([](Block& block) { block.expelled = {3, 11}; }));
    EXPECT_FALSE(isTaken([](Block& block) { block.clients = {}; }));
    EXPECT_FALSE(isTaken([](Block& block) { block.clients = {12}; }));
    EXPECT_FALSE(isTaken([](Block& block) { block.committee = {4, 5, 6}; }));
    EXPECT_FALSE(isTaken([](Block& block) { block.committee = {4, 5, 6, 7, 8}; }));
    EXPECT_FALSE(isTaken([](Block& block) { block.committee = {4, 5, 6, 12}; }));
    EXPECT_FALSE(isTaken([](Block& block) { block.committee = {4, 5, 6, 6}; }));
    EXPECT_FALSE(isTaken([](Block& block) { block.expelled = {12}; }));
    EXPECT_FALSE(isTaken([](Block& block) { block.expelled = {5}; })); // in the next committee
}

TEST(CommitteeChain, WhoIsExpelledStaysSo)
{
    const auto keys = std::make_shared<const KeyRing>(1, 32);
    const ChainOptions options = MakeFederation(4);
    CommitteeChain chain(options, keys);
    Block block = MakeFirst(options, *keys, 0).block;
    block.expelled = {3};
    const auto next = block.committee;
    ASSERT_TRUE(chain.Append(Certify(block, *keys, options.committee)));
    block.round = 1;
    block.parent = chain.GetHead();
    block.expelled = {};
    EXPECT_FALSE(chain.Append(Certify(block, *keys, next)));
    block.expelled = {3, 9};
    EXPECT_TRUE(chain.Append(Certify(block, *keys, next)));
    EXPECT_EQ(chain.GetExpelled(), (std::vector<uint32_t>{3, 9}));
}

namespace
{

/// An abandoned first round, with consents and shares of members
CertifiedBlock
MakeAbandoned(const ChainOptions& options,
              const KeyRing& keys,
              const std::vector<uint32_t>& consents,
              const std::vector<uint32_t>& shares)
{
    Block block;
    block.kind = BlockKind::ABANDONED;
    block.model = options.model;
    CertifiedBlock certified = Certify(block, keys, consents);
    for (const uint32_t member : shares)
    {
        const auto statement =
            MakeStatement(CommitteeVote::ELECTION, member, 0, ANY_VIEW, block.GetDigest());
        certified.shares.push_back({member, keys.Sign(member, statement)});
    }
    return certified;
}

} // namespace

TEST(CommitteeChain, AnAbandonedRoundDrawsOthersAndChangesNothingElse)
{
    const auto keys = std::make_shared<const KeyRing>(1, 32);
    ChainOptions options = MakeFederation(4);
    options.model = {7, 8, 9};
    CommitteeChain chain(options, keys);
    ASSERT_TRUE(chain.Append(MakeAbandoned(options, *keys, {0, 1, 2}, {1, 2, 3})));
    const auto successors = chain.GetCommittee();
    EXPECT_EQ(successors.size(), options.committee.size());
    for (const uint32_t member : options.committee)
    {
        EXPECT_FALSE(Contains(successors, member)); // there are enough others
    }
    Block expelling = chain.GetAll()[0].block;
    expelling.expelled = {5};
    EXPECT_FALSE(Contains(DrawSuccessors(options, options.committee, expelling, *keys), 5));
    const auto isTaken = [&](const std::function<void(Block&)>& change) {
        CertifiedBlock other = MakeAbandoned(options, *keys, {}, {});
        change(other.block);
        CertifiedBlock certified = Certify(other.block, *keys, options.committee);
        for (const uint32_t member : options.committee)
        {
            const auto statement = MakeStatement(
                CommitteeVote::ELECTION, member, 0, ANY_VIEW, other.block.GetDigest());
            certified.shares.push_back({member, keys->Sign(member, statement)});
        }
        return CommitteeChain(options, keys).Append(certified);
    };
    EXPECT_TRUE(isTaken([](Block&) {}));
    EXPECT_FALSE(isTaken([&](Block& other) { other.committee = options.committee; }));
    EXPECT_FALSE(isTaken([](Block& other) { other.model = {1, 2, 3}; }));
    EXPECT_FALSE(isTaken([](Block& other) { other.clients = {9}; }));
    EXPECT_FALSE(isTaken([](Block& other) { other.expelled = {9}; }));
}

TEST(CommitteeChain, NobodyForetellsOrChoosesSuccessors)
{
    ChainOptions options = MakeFederation(4);
    std::set<std::vector<uint32_t>> committees;
    for (uint64_t secret = 1; secret <= 5; ++secret) // all that is public stays the same
    {
        const auto keys = std::make_shared<const KeyRing>(secret, 32);
        std::set<std::vector<uint32_t>> ofCertificates;
        for (const auto& signers : {std::vector<uint32_t>{0, 1, 2}, {1, 2, 3}, {0, 1, 2, 3}})
        {
            for (const auto& consenting : {std::vector<uint32_t>{0, 1, 3}, {0, 2, 3}})
            {
                CommitteeChain chain(options, keys);
                ASSERT_TRUE(chain.Append(MakeAbandoned(options, *keys, consenting, signers)));
                ofCertificates.insert(chain.GetCommittee());
            }
        }
        EXPECT_EQ(ofCertificates.size(), 1U); // whosever signatures are shown
        committees.insert(*ofCertificates.begin());
        for (const auto& few : {std::vector<uint32_t>{}, {0, 1}, {0, 1, 1}, {0, 1, 7}})
        {
            EXPECT_FALSE(CommitteeChain(options, keys)
                             .Append(MakeAbandoned(options, *keys, {0, 1, 2}, few)));
        }
    }
    EXPECT_GT(committees.size(), 1U);
}
