/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/committee-chain.h"
#include "ns3/committee-consensus.h"

#include <gtest/gtest.h>
#include <memory>

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
    const Digest digest = certified.block.GetDigest();
    for (uint32_t member = 0; member < consents; ++member)
    {
        const auto statement = MakeStatement(CommitteeVote::ELECTION, member, 0, 0, digest);
        certified.consents.push_back({member, keys.Sign(member, statement)});
    }
    return certified;
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
