/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/refusals.h"

#include "ns3/collab-packed-message.h"
#include "ns3/committee-byzantine.h"
#include "ns3/committee-paper.h"

#include <gmock/gmock.h>
#include <memory>
#include <stdexcept>
#include <utility>

using namespace ns3::collab;
using ::testing::HasSubstr;

namespace
{

constexpr uint64_t SEED = 1;
constexpr uint32_t KEY_BYTES = 32;

/// @return options of the first of so many members
ConsensusOptions
MakeVotingOf(uint32_t members)
{
    ConsensusOptions options;
    for (uint32_t member = 0; member < members; ++member)
    {
        options.members.push_back(member);
    }
    options.maxAttempts = 1;
    return options;
}

/// @return a member under the rule BYZANTINE
std::unique_ptr<ByzantineConsensus>
MakeByzantineMember(uint32_t round, const std::shared_ptr<ConsensusMemory>& memory)
{
    ConsensusOptions options = MakeVotingOf(4);
    options.rule = QuorumRule::BYZANTINE;
    options.faults = 1;
    options.round = round;
    const auto keys = std::make_shared<const KeyRing>(SEED, KEY_BYTES);
    return std::make_unique<ByzantineConsensus>(options, keys, memory);
}

/// @param fails whether the member cannot compute the model, or else has not yet done so
/// @return how a round ends in which a member is alone
std::optional<ConsensusOutcome>
EndAlone(bool fails)
{
    ConsensusOptions options = MakeVotingOf(1);
    options.primaryVotes = true;
    CommitteeConsensus member(options, std::make_shared<const KeyRing>(SEED, KEY_BYTES));
    const ConsensusOutput begun = member.Begin(0, {{10, 0.5}, {11, 0.25}}, {});
    EXPECT_TRUE(begun.toAggregate);
    if (fails)
    {
        EXPECT_FALSE(member.HandleResult(1, 0, std::nullopt).outcome);
    }
    return member.HandleTimeout(2, begun.timer->number).outcome;
}

} // namespace

TEST(CommitteeMember, RefusesACommitteeThatItIsNotIn)
{
    ConsensusOptions options = MakeVotingOf(4);
    options.self = 4;
    const auto keys = std::make_shared<const KeyRing>(SEED, KEY_BYTES);
    EXPECT_THROW(CommitteeConsensus(options, keys), std::invalid_argument);
    options.rule = QuorumRule::BYZANTINE;
    EXPECT_THROW(ByzantineConsensus(options, keys, std::make_shared<ConsensusMemory>()),
                 std::invalid_argument);
}

TEST(CommitteeMember, TellsAMissingModelFromAMissingQuorum)
{
    EXPECT_EQ(EndAlone(true), ConsensusOutcome::NO_RESULT);
    EXPECT_EQ(EndAlone(false), ConsensusOutcome::NO_QUORUM);
}

TEST(CommitteeMember, RemembersItsScoresThroughACrashButNotBeyondTheirRound)
{
    const auto memory = std::make_shared<ConsensusMemory>();
    MakeByzantineMember(3, memory)->Begin(0, {{10, 0.5}}, {{10, Digest{7}}});
    const auto back = MakeByzantineMember(3, memory);
    ASSERT_EQ(back->GetTables().size(), 1U);
    EXPECT_EQ(back->GetTables().at(0).scores, (ClientScores{{10, 0.5}}));
    EXPECT_TRUE(MakeByzantineMember(4, memory)->GetTables().empty());
}

TEST(CommitteeMember, AMessageInAMessageHasASize)
{
    const KeyRing keys(SEED, KEY_BYTES);
    ConsensusMessage scores;
    scores.rule = QuorumRule::BYZANTINE;
    scores.Sign(keys);
    ConsensusMessage request = scores;
    request.kind = ConsensusKind::REQUEST;
    request.ballot.emplace();
    request.tables = {scores};
    request.authenticator.resize(KEY_BYTES);
    std::vector<uint8_t> bytes;
    WriteFields(request, bytes);
    ConsensusMessage expected;
    expected.authenticator.resize(KEY_BYTES);
    EXPECT_NO_THROW(Unpack(bytes.data(), bytes.size(), expected));
    // The size stands before the table, behind which the number of messages that prove lies and
    // the authenticator come. What follows the size looks like the table's first byte.
    const std::size_t behind = sizeof(uint32_t) + KEY_BYTES;
    uint8_t* size = &*(bytes.end() - behind - CountBytes(scores) - sizeof(uint32_t));
    ASSERT_EQ(size[0], CountBytes(scores));
    size[0] = 0;
    tests::ExpectRefused<PayloadError>("that is not SCORES",
                                       [&] { Unpack(bytes.data(), bytes.size(), expected); });
}
