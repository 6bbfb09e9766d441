/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A log of numbers, of which even ones are right: the engine knows nothing of scores and models

#include "ns3/committee-log-member.h"

#include <deque>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

using namespace ns3::collab;

namespace
{

constexpr uint32_t MEMBERS = 4;

/// What is agreed on
struct Number
{
    uint32_t round = 0;                 //!< of the log
    Digest parent = {};                 //!< of the entry before
    BlockKind kind = BlockKind::AGREED; //!< whether there is a number
    uint32_t value = 0;                 //!< it

    Digest
    GetDigest() const
    {
        return ComputeDigest(
            std::vector<uint8_t>{static_cast<uint8_t>(kind), static_cast<uint8_t>(value)});
    }

    bool
    operator==(const Number& other) const
    {
        return kind == other.kind && value == other.value;
    }
};

/// What members say of numbers
struct NumberMessage
{
    using Entry = Number;

    ConsensusKind kind = ConsensusKind::REQUEST;
    CommitteeVote vote = CommitteeVote::AGGREGATION;
    uint32_t sender = 0;
    uint32_t attempt = 0;
    uint64_t timestamp = 0;
    std::optional<Certified<Number>> ballot;
    std::optional<SignedDigest> heard;
    Digest consent = {};
    std::vector<uint8_t> authenticator;

    Statement
    GetStatement() const
    {
        return {static_cast<uint8_t>(0x80 | static_cast<uint8_t>(kind)), vote, 0, sender, attempt};
    }

    SignedDigest
    GetSigned() const
    {
        return {kind == ConsensusKind::REPLY ? consent
                : ballot                     ? ballot->block.GetDigest()
                                             : Digest{},
                authenticator};
    }

    void
    Sign(const KeyRing& keys)
    {
        authenticator = keys.Sign(sender, GetStatement().GetBytes(GetSigned().digest));
    }
};

/// A message on its way
struct Letter
{
    uint32_t receiver; //!< a member
    NumberMessage message;
};

/// An application that proposes a number of its own
class NumberPolicy : public LogPolicy<NumberMessage>
{
  public:
    NumberPolicy(uint32_t self,
                 QuorumRule rule,
                 const std::shared_ptr<const KeyRing>& keys,
                 std::deque<Letter>& letters)
        : m_letters(letters),
          m_keys(keys)
    {
        options.rule = rule;
        options.self = self;
        options.faults = rule == QuorumRule::PAPER ? 0 : 1;
        options.members = {0, 1, 2, 3};
        log = std::make_unique<LogMember<NumberMessage>>(options,
                                                         CommitteeVote::AGGREGATION,
                                                         *this,
                                                         keys,
                                                         std::make_shared<LogMemory<Number>>(),
                                                         counters);
    }

    LogOptions options;
    ConsensusCounters counters;
    std::unique_ptr<LogMember<NumberMessage>> log;
    uint32_t own = 0;               //!< number that it proposes
    std::optional<Number> decided;  //!< what is agreed on
    std::vector<Evidence> evidence; //!< of lies that it has found

  private:
    std::optional<NumberMessage>
    MakeProposal(CommitteeVote vote, uint32_t view) override
    {
        NumberMessage request = MakeMessage(ConsensusKind::REQUEST, view, vote);
        request.ballot.emplace();
        request.ballot->block.value = own;
        return request;
    }

    LogVerdict
    Validate(const NumberMessage& request) override
    {
        return request.ballot->block.value % 2 == 0 ? LogVerdict::RIGHT : LogVerdict::WRONG;
    }

    NumberMessage
    MakeConsent(const NumberMessage& ballot, CommitteeVote vote, uint32_t view) const override
    {
        NumberMessage reply = MakeMessage(ConsensusKind::REPLY, view, vote);
        reply.consent = ballot.ballot->block.GetDigest();
        return reply;
    }

    bool
    IsConsent(const NumberMessage& reply, const NumberMessage& request) const override
    {
        return reply.consent == request.ballot->block.GetDigest();
    }

    void
    HandleEnd(const std::optional<NumberMessage>& commit) override
    {
        decided = commit ? std::optional(commit->ballot->block) : std::nullopt;
    }

    NumberMessage
    MakeMessage(ConsensusKind kind, uint32_t view, CommitteeVote vote) const override
    {
        NumberMessage message;
        message.kind = kind;
        message.vote = vote;
        message.sender = options.self;
        message.attempt = view;
        return message;
    }

    void
    Send(NumberMessage message, std::optional<uint32_t> receiver) override
    {
        message.Sign(*m_keys);
        for (const uint32_t member : options.members)
        {
            if (member != options.self && receiver.value_or(member) == member)
            {
                m_letters.push_back({member, message});
            }
        }
    }

    void
    SetTimer(uint64_t, uint64_t) override
    {
    }

    Number
    MakeAbandoned() const override
    {
        return {0, {}, BlockKind::ABANDONED, 0};
    }

    void
    HandleLie(const Evidence& lie) override
    {
        evidence.push_back(lie);
    }

    std::deque<Letter>& m_letters;         //!< on their way
    std::shared_ptr<const KeyRing> m_keys; //!< of all members
};

/// Members of a log of numbers, by both rules
class ReplicatedLog : public ::testing::TestWithParam<QuorumRule>
{
  protected:
    ReplicatedLog()
    {
        for (uint32_t member = 0; member < MEMBERS; ++member)
        {
            members.push_back(std::make_unique<NumberPolicy>(member, GetParam(), m_keys, letters));
            members.back()->own = 10 + 2 * member;
        }
    }

    /// @return who proposes in a view
    NumberPolicy&
    GetPrimary(uint32_t view)
    {
        return *members[members[0]->options.GetPrimary(CommitteeVote::AGGREGATION, view)];
    }

    void
    Deliver()
    {
        for (; !letters.empty(); letters.pop_front())
        {
            const Letter letter = letters.front();
            members[letter.receiver]->log->Handle(letter.message);
        }
    }

    void
    Start()
    {
        for (const auto& member : members)
        {
            member->log->Start();
        }
        Deliver();
    }

    void
    EndView()
    {
        const uint32_t view = members[0]->log->GetView();
        for (const auto& member : members)
        {
            while (member->log->GetView() == view && !member->decided)
            {
                member->log->EndWait();
            }
        }
        Deliver();
    }

    /// Expects that all have agreed on a number
    void
    ExpectAll(uint32_t value)
    {
        for (const auto& member : members)
        {
            ASSERT_TRUE(member->decided);
            EXPECT_EQ(member->decided->value, value);
        }
    }

    std::deque<Letter> letters;
    std::vector<std::unique_ptr<NumberPolicy>> members;

  private:
    std::shared_ptr<const KeyRing> m_keys = std::make_shared<const KeyRing>(1, 32);
};

} // namespace

TEST_P(ReplicatedLog, AgreesOnWhatThePrimaryProposes)
{
    Start();
    ExpectAll(GetPrimary(0).own);
}

TEST_P(ReplicatedLog, GoesOnToThePrimaryWhoseValueIsRight)
{
    GetPrimary(0).own = 13;
    Start();
    EXPECT_FALSE(members[0]->decided);
    EndView();
    ExpectAll(GetPrimary(1).own);
}

TEST_P(ReplicatedLog, EndsWithoutAValueOnlyByItsRule)
{
    for (const auto& member : members)
    {
        member->own = 13;
    }
    Start();
    for (uint32_t view = 0; view < members[0]->options.maxAttempts; ++view)
    {
        EXPECT_FALSE(members[0]->decided);
        EndView();
    }
    for (const auto& member : members)
    {
        EXPECT_EQ(member->decided && member->decided->kind == BlockKind::ABANDONED,
                  GetParam() == QuorumRule::BYZANTINE);
    }
}

TEST_P(ReplicatedLog, FindsAPrimaryThatContradictsItself)
{
    Start();
    NumberMessage other;
    other.sender = GetPrimary(0).options.self;
    other.ballot.emplace();
    other.ballot->block.value = 40;
    other.Sign(KeyRing(1, 32));
    NumberPolicy& witness = GetPrimary(1);
    witness.log->Handle(other);
    EXPECT_EQ(witness.evidence.size(), GetParam() == QuorumRule::BYZANTINE ? 1U : 0U);
    ExpectAll(GetPrimary(0).own);
}

INSTANTIATE_TEST_SUITE_P(Rules,
                         ReplicatedLog,
                         ::testing::Values(QuorumRule::PAPER, QuorumRule::BYZANTINE),
                         [](const auto& info) {
                             return info.param == QuorumRule::PAPER ? "Paper" : "Byzantine";
                         });
