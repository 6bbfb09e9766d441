/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee/consensus-schedule.h"
#include "support/refusals.h"

#include "ns3/committee-paper.h"

#include <gmock/gmock.h>
#include <set>

using namespace ns3::collab;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using tests::Schedule;
using tests::ScheduleResult;
using tests::ScheduleRun;

namespace
{

/// Random schedules of each rule; `committee-schedules` plays more
constexpr uint64_t SAFETY_SCHEDULES = 160;

using tests::SECOND;
constexpr auto AGGREGATION = CommitteeVote::AGGREGATION;
constexpr auto ELECTION = CommitteeVote::ELECTION;

/// Members 0 to C - 1 that have all gradients of clients 10 to 19; scores fall with the number
Schedule
MakeSchedule(uint32_t count, QuorumRule rule)
{
    Schedule schedule;
    for (uint32_t member = 0; member < count; ++member)
    {
        schedule.options.members.push_back(member);
        for (uint32_t client = 10; client < 20; ++client)
        {
            schedule.scores[0][member][client] = 20.0 - client + 0.01 * member;
        }
    }
    schedule.options.rule = rule;
    schedule.options.faults = rule == QuorumRule::BYZANTINE ? GetGreatestFaults(count) : 0;
    schedule.options.alphaPercent = 30;
    return schedule;
}

/// The primaries of both votes' first attempts are these
void
ChoosePrimary(Schedule& schedule, uint32_t primary)
{
    while (schedule.options.GetPrimary(AGGREGATION, 0) != primary ||
           schedule.options.GetPrimary(ELECTION, 0) != primary)
    {
        ++schedule.options.seed;
    }
}

/// @return what comes of a schedule
ScheduleResult
Play(const Schedule& schedule)
{
    return ScheduleRun(schedule).Play();
}

/// @return what the members decided in a vote of round 0, by member
std::map<uint32_t, std::vector<uint32_t>>
SetsOf(const ScheduleResult& result, CommitteeVote vote)
{
    std::map<uint32_t, std::vector<uint32_t>> sets;
    const auto found = result.decisions.find({0, vote});
    if (found != result.decisions.end())
    {
        for (const auto& [member, proposal] : found->second)
        {
            sets[member] = proposal.clients;
        }
    }
    return sets;
}

/// Honest members 0 | 1, 2 of C = 5 with two Byzantine ones, which tell the halves different scores
/// and propose to each half what it takes for right
Schedule
MakeSplitCommittee(QuorumRule rule)
{
    Schedule schedule = MakeSchedule(5, rule);
    schedule.options.maxAttempts = 1;
    schedule.firstHalf = {0, 3, 4};
    schedule.byzantine[3] = ParseMisbehavior("equivocate+split-scores+collude");
    schedule.byzantine[4] = schedule.byzantine[3];
    ChoosePrimary(schedule, 3);
    return schedule;
}

} // namespace

TEST(CommitteeConsensusOptions, Quorums)
{
    ConsensusOptions options;
    const auto quorum = [&options](uint32_t count, QuorumRule rule, uint32_t faults) {
        options.members.resize(count);
        options.rule = rule;
        options.faults = faults;
        return options.GetQuorum();
    };
    EXPECT_EQ(quorum(3, QuorumRule::PAPER, 0), 2);
    EXPECT_EQ(quorum(4, QuorumRule::PAPER, 0), 3);
    EXPECT_EQ(quorum(43, QuorumRule::PAPER, 0), 22);
    EXPECT_EQ(quorum(4, QuorumRule::BYZANTINE, 1), 3);
    EXPECT_EQ(quorum(5, QuorumRule::BYZANTINE, 1), 4);
    EXPECT_EQ(quorum(7, QuorumRule::BYZANTINE, 2), 5);
    EXPECT_EQ(quorum(43, QuorumRule::BYZANTINE, 14), 29);
    for (uint32_t count = 1; count < 60; ++count)
    {
        const uint32_t faults = GetGreatestFaults(count);
        EXPECT_LT(3 * faults, count);
        EXPECT_GE(3 * (faults + 1), count);
        const std::size_t q = quorum(count, QuorumRule::BYZANTINE, faults);
        EXPECT_GE(2 * q, count + faults + 1); // two quorums share an honest member
        EXPECT_LE(q, count - faults);         // the honest ones are a quorum
    }
}

TEST(CommitteeConsensusOptions, RefusesCommitteesThatCannotAgree)
{
    const auto refuses = [](uint32_t count, QuorumRule rule, bool primaryVotes, uint32_t faults) {
        Schedule schedule = MakeSchedule(count, rule);
        schedule.options.primaryVotes = primaryVotes;
        schedule.options.faults = faults;
        return tests::ErrorOf([&] { schedule.options.Check(); });
    };
    EXPECT_THAT(refuses(2, QuorumRule::PAPER, false, 0), HasSubstr("needs 3"));
    EXPECT_THAT(refuses(1, QuorumRule::PAPER, false, 0), HasSubstr("needs 3"));
    EXPECT_EQ(refuses(3, QuorumRule::PAPER, false, 0), "");
    EXPECT_EQ(refuses(1, QuorumRule::PAPER, true, 0), "");
    EXPECT_EQ(refuses(4, QuorumRule::BYZANTINE, false, 1), "");
    EXPECT_THAT(refuses(3, QuorumRule::BYZANTINE, false, 1), HasSubstr("fewer than a third"));
    ConsensusOptions options = MakeSchedule(4, QuorumRule::PAPER).options;
    options.self = 4;
    EXPECT_THROW(options.Check(), std::invalid_argument);
    options.self = 0;
    options.members = {0, 2, 1, 3};
    EXPECT_THROW(options.Check(), std::invalid_argument);
    options.members = {0, 1, 2};
    options.maxAttempts = 0;
    EXPECT_THROW(options.Check(), std::invalid_argument);
}

TEST(CommitteeConsensusOptions, PrimariesAreRandomAndTakeTurns)
{
    ConsensusOptions options = MakeSchedule(5, QuorumRule::PAPER).options;
    std::map<uint32_t, int> firsts;
    for (options.round = 0; options.round < 5000; ++options.round)
    {
        ++firsts[options.GetPrimary(AGGREGATION, 0)];
        std::set<uint32_t> turn;
        for (uint32_t attempt = 5; attempt < 10; ++attempt)
        {
            turn.insert(options.GetPrimary(ELECTION, attempt));
        }
        EXPECT_EQ(turn.size(), 5);
    }
    for (const auto& [member, count] : firsts)
    {
        EXPECT_NEAR(count, 1000, 150) << member; // five standard deviations
    }
}

TEST(CommitteeConsensus, AgreesOnTheBestClientsAndTheMiddle)
{
    for (const auto rule : {QuorumRule::PAPER, QuorumRule::BYZANTINE})
    {
        Schedule schedule = MakeSchedule(4, rule);
        const ScheduleResult result = Play(schedule);
        EXPECT_THAT(result.outcomes, ElementsAre(Pair("agreed", 4)));
        EXPECT_EQ(SetsOf(result, AGGREGATION).size(), 4);
        for (const auto& [member, set] : SetsOf(result, AGGREGATION))
        {
            EXPECT_THAT(set, ElementsAre(10, 11, 12)) << member;
        }
        for (const auto& [member, set] : SetsOf(result, ELECTION))
        {
            EXPECT_THAT(set, ElementsAre(13, 14, 15, 16)) << member;
        }
        // Scores of 4 to 3 others each; for each vote a request to 3, 3 replies, a commit to 3.
        // With the rule Byzantine the first commit asks for the second vote.
        EXPECT_EQ(result.messages, 12 + (rule == QuorumRule::PAPER ? 2 * 9 : 9 + 6));
        EXPECT_EQ(result.counters.Total(), 0);
    }
}

TEST(CommitteeConsensus, AcceptsAPartOfTheTrainingOrOfTheActiveClients)
{
    for (const auto rule : {QuorumRule::PAPER, QuorumRule::BYZANTINE})
    {
        Schedule schedule = MakeSchedule(4, rule);
        schedule.options.alphaOf = AlphaBase::ACTIVE; // 30 % of 10 and 4
        const auto sets = SetsOf(Play(schedule), AGGREGATION);
        EXPECT_THAT(sets.at(0), ElementsAre(10, 11, 12, 13));
        schedule.options.alphaPercent = 90; // more than there are to choose from
        EXPECT_EQ(SetsOf(Play(schedule), AGGREGATION).at(0).size(), 10);
    }
    ConsensusOptions options = MakeSchedule(4, QuorumRule::PAPER).options;
    EXPECT_EQ(options.GetAccepted(10), 3);
    EXPECT_EQ(options.GetAccepted(5), 2); // 1.5
    options.alphaOf = AlphaBase::ACTIVE;
    EXPECT_EQ(options.GetAccepted(5), 3); // 2.7
    EXPECT_EQ(options.GetAccepted(1), 1);
}

TEST(CommitteeConsensus, AloneItDecidesAtOnce)
{
    Schedule schedule = MakeSchedule(1, QuorumRule::BYZANTINE);
    const ScheduleResult result = Play(schedule);
    EXPECT_THAT(result.outcomes, ElementsAre(Pair("agreed", 1)));
    EXPECT_THAT(SetsOf(result, ELECTION).at(0), ElementsAre(14));
    EXPECT_EQ(result.messages, 0);
}

TEST(CommitteeConsensus, TheNextPrimaryStepsInForASilentOne)
{
    for (const auto rule : {QuorumRule::PAPER, QuorumRule::BYZANTINE})
    {
        Schedule schedule = MakeSchedule(4, rule);
        ChoosePrimary(schedule, 2);
        schedule.byzantine[2] = ParseMisbehavior("silent-primary");
        schedule.faultsEnd = rule == QuorumRule::BYZANTINE ? 0 : UINT64_MAX;
        EXPECT_THAT(Play(schedule).outcomes, ElementsAre(Pair("agreed", 3)));
        // With the rule Byzantine there are always enough attempts for one honest primary
        schedule.options.maxAttempts = 1;
        const char* outcome = rule == QuorumRule::PAPER ? "no-quorum" : "agreed";
        EXPECT_THAT(Play(schedule).outcomes, ElementsAre(Pair(outcome, 3)));
    }
}

TEST(CommitteeConsensus, ConsentsToNoOtherSetThanItsOwn)
{
    for (const auto rule : {QuorumRule::PAPER, QuorumRule::BYZANTINE})
    {
        Schedule schedule = MakeSchedule(4, rule);
        schedule.faultsEnd = rule == QuorumRule::BYZANTINE ? 0 : UINT64_MAX;
        ChoosePrimary(schedule, 2);
        schedule.byzantine[2] = ParseMisbehavior("wrong-set");
        if (rule == QuorumRule::PAPER)
        {
            schedule.options.maxAttempts = 1;
            EXPECT_THAT(Play(schedule).outcomes, ElementsAre(Pair("sets-differ", 3)));
        }
        // The next primary proposes the right one
        schedule.options.maxAttempts = 2;
        const ScheduleResult result = Play(schedule);
        EXPECT_THAT(SetsOf(result, AGGREGATION).at(0), ElementsAre(10, 11, 12));
    }
}

TEST(CommitteeConsensus, ConsentsToNoOtherResultThanItsOwn)
{
    Schedule schedule = MakeSchedule(4, QuorumRule::PAPER);
    schedule.divergent = {11};
    EXPECT_THAT(Play(schedule).outcomes, ElementsAre(Pair("sets-differ", 4)));
    schedule.divergent = {15}; // not in the aggregation set
    EXPECT_THAT(Play(schedule).outcomes, ElementsAre(Pair("agreed", 4)));
}

TEST(ByzantineConsensus, AClientThatSendsDifferentGradientsIsLeftOut)
{
    Schedule schedule = MakeSchedule(4, QuorumRule::BYZANTINE);
    schedule.divergent = {11};
    const ScheduleResult result = Play(schedule);
    EXPECT_THAT(result.outcomes, ElementsAre(Pair("agreed", 4)));
    EXPECT_THAT(SetsOf(result, AGGREGATION).at(0), ElementsAre(10, 12, 13));
}

TEST(CommitteeConsensus, AMemberWithoutAGradientFollowsTheOthers)
{
    Schedule schedule = MakeSchedule(4, QuorumRule::BYZANTINE);
    schedule.scores[0][1].erase(11);
    const ScheduleResult result = Play(schedule);
    EXPECT_THAT(result.outcomes, ElementsAre(Pair("agreed", 4)));
    EXPECT_THAT(SetsOf(result, AGGREGATION).at(1), ElementsAre(10, 11, 12));
}

TEST(CommitteeConsensus, ScoresThatAreMissingMakeSetsDiffer)
{
    // Members 2 and 3 do not hear the scores of 0, which turn the order
    for (const auto rule : {QuorumRule::PAPER, QuorumRule::BYZANTINE})
    {
        const bool isPaper = rule == QuorumRule::PAPER;
        Schedule schedule = MakeSchedule(4, rule);
        schedule.options.primaryVotes = isPaper;
        schedule.faultsEnd = isPaper ? UINT64_MAX : SECOND;
        for (auto& [client, score] : schedule.scores[0][0])
        {
            score = 1e-9 * client;
        }
        EXPECT_THAT(Play(schedule).outcomes, ElementsAre(Pair("agreed", 4)));
        schedule.crashes = {{0, 0, UINT64_MAX}};
        EXPECT_THAT(Play(schedule).outcomes, ElementsAre(Pair("agreed", 3)));
        // Cut off until the tables are closed: under Byzantine the primary's tables count for all
        schedule.crashes.clear();
        schedule.partitions = {{0, SECOND + SECOND / 2, {0, 1}}};
        const ScheduleResult result = Play(schedule);
        EXPECT_EQ(result.violations, 0);
        EXPECT_EQ(result.outcomes.count("agreed"), isPaper ? 0 : 1);
    }
}

TEST(CommitteeConsensus, EndsInTimeWhenNothingArrives)
{
    Schedule schedule = MakeSchedule(5, QuorumRule::PAPER);
    schedule.loss = 1;
    schedule.options.maxAttempts = 3;
    EXPECT_EQ(schedule.options.GetLongestRoundNs(), (1 + 2 * 3) * SECOND);
    ScheduleResult result = Play(schedule);
    EXPECT_EQ(result.unfinished, 0);
    EXPECT_THAT(result.outcomes, ElementsAre(Pair("few-clients", 5)));
    // Too few on either side, once scores are on their way
    schedule.loss = 0;
    schedule.partitions = {{1, UINT64_MAX, {0, 1}}};
    result = Play(schedule);
    EXPECT_EQ(result.unfinished, 0);
    EXPECT_THAT(result.outcomes, ElementsAre(Pair("no-quorum", 5)));
}

TEST(ByzantineConsensus, EndsOnlyByACertificate)
{
    Schedule schedule = MakeSchedule(4, QuorumRule::BYZANTINE);
    schedule.loss = 1;
    ScheduleResult result = Play(schedule);
    EXPECT_EQ(result.unfinished, 4);
    EXPECT_TRUE(result.outcomes.empty());
    // Whatever it was before, once messages arrive all end alike
    schedule.faultsEnd = 100 * SECOND;
    result = Play(schedule);
    EXPECT_EQ(result.unfinished, 0);
    EXPECT_EQ(result.outcomes.size(), 1);
    EXPECT_EQ(result.violations, 0);
}

TEST(CommitteeConsensus, TellsAStragglerWhatIsDecided)
{
    // Member 1 hears nothing from the time when all tables are closed until its patience ends
    Schedule schedule = MakeSchedule(4, QuorumRule::BYZANTINE);
    schedule.options.maxAttempts = 2;
    do
    {
        ++schedule.options.seed;
        ChoosePrimary(schedule, 2);
    } while (schedule.options.GetPrimary(AGGREGATION, 1) == 1 ||
             schedule.options.GetPrimary(ELECTION, 1) == 1);
    schedule.partitions = {{1500, SECOND / 2, {1}}};
    const ScheduleResult result = Play(schedule);
    EXPECT_THAT(result.outcomes, ElementsAre(Pair("agreed", 4)));
    EXPECT_EQ(result.violations, 0);
}

TEST(CommitteeConsensus, RecoversFromACrash)
{
    Schedule schedule = MakeSchedule(4, QuorumRule::BYZANTINE);
    ChoosePrimary(schedule, 2);
    schedule.crashes = {{1, 1500, 3 * SECOND}};
    EXPECT_THAT(Play(schedule).outcomes, ElementsAre(Pair("agreed", 4)));
}

TEST(CommitteeConsensus, SkipsAttemptsThatOthersHaveGivenUp)
{
    // The last one begins when the others are already in their second attempt
    Schedule schedule = MakeSchedule(4, QuorumRule::BYZANTINE);
    ChoosePrimary(schedule, 3);
    schedule.begins[3] = 2 * SECOND + SECOND / 2;
    schedule.options.maxAttempts = 4;
    const ScheduleResult result = Play(schedule);
    EXPECT_THAT(result.outcomes, ElementsAre(Pair("agreed", 4)));
}

TEST(CommitteeConsensus, DropsAndCountsWhatIsForgedReplayedOrStale)
{
    Schedule schedule = MakeSchedule(4, QuorumRule::BYZANTINE);
    schedule.rounds = 3;
    for (uint32_t round = 1; round < schedule.rounds; ++round)
    {
        schedule.scores[round] = schedule.scores[0];
    }
    const ScheduleResult clean = Play(schedule);
    EXPECT_EQ(clean.counters.Total(), 0);
    schedule.byzantine[1] = ParseMisbehavior("forge");
    ScheduleResult result = Play(schedule);
    EXPECT_GT(result.counters.forged, 0);
    EXPECT_EQ(result.counters.stale, 0);
    EXPECT_THAT(result.outcomes, ElementsAre(Pair("agreed", 9)));
    schedule.byzantine[1] = ParseMisbehavior("replay");
    result = Play(schedule);
    EXPECT_GT(result.counters.stale, 0);
    EXPECT_GT(result.counters.replayed, 0);
    EXPECT_EQ(result.counters.forged, 0);
    EXPECT_THAT(result.outcomes, ElementsAre(Pair("agreed", 9)));
    schedule.byzantine[1] = ParseMisbehavior("stale-replies");
    EXPECT_GT(Play(schedule).counters.stale, 0);
    schedule.byzantine.clear();
    schedule.duplication = 1;
    schedule.options.rule = QuorumRule::PAPER;
    EXPECT_EQ(Play(schedule).counters.replayed, 3 * (12 + 2 * 9));
}

TEST(CommitteeConsensus, ProposalsOfOthersThanThePrimaryAreDropped)
{
    const auto keys = std::make_shared<const KeyRing>(1, 32);
    Schedule schedule = MakeSchedule(4, QuorumRule::PAPER);
    ChoosePrimary(schedule, 2);
    const ConsensusOptions& options = schedule.options;
    CommitteeConsensus member(options, keys);
    member.Begin(0, {{10, 1.0}}, {});
    ConsensusMessage commit;
    commit.kind = ConsensusKind::COMMIT;
    for (uint32_t sender = 1; sender < 4; ++sender)
    {
        commit.sender = sender;
        commit.attempt = 0;
        while (options.GetPrimary(AGGREGATION, commit.attempt) == sender)
        {
            ++commit.attempt;
        }
        commit.Sign(*keys);
        EXPECT_TRUE(member.HandleMessage(1, commit).decisions.empty());
    }
    EXPECT_EQ(member.GetCounters().unauthorized, 3);
    commit.attempt = 0;
    commit.sender = 2;
    commit.Sign(*keys);
    EXPECT_EQ(member.HandleMessage(2, commit).decisions.size(), 1);
}

TEST(ByzantineConsensus, TakesOnlyCertificatesOfEnoughDistinctMembers)
{
    const auto keys = std::make_shared<const KeyRing>(1, 32);
    ConsensusOptions options = MakeSchedule(4, QuorumRule::BYZANTINE).options; // quorum 3
    options.clients = {10, 12};
    CertifiedBlock certified;
    certified.block.clients = {10, 12};
    certified.view = 5;
    const auto decides = [&](const std::vector<uint32_t>& consenting, uint32_t view) {
        ConsensusMessage message;
        message.kind = ConsensusKind::COMMIT;
        message.rule = QuorumRule::BYZANTINE;
        message.vote = ELECTION;
        message.sender = 1;
        message.ballot = certified;
        for (const uint32_t member : consenting)
        {
            const auto statement =
                MakeStatement(ELECTION, member, 0, view, certified.block.GetDigest());
            message.ballot->consents.push_back({member, keys->Sign(member, statement)});
        }
        message.Sign(*keys);
        ByzantineConsensus member(options, keys, std::make_shared<ConsensusMemory>());
        member.Begin(0, {}, {});
        return member.HandleMessage(1, message).block.has_value();
    };
    EXPECT_TRUE(decides({1, 2, 3}, 5));
    EXPECT_TRUE(decides({0, 2, 3}, 5));
    EXPECT_FALSE(decides({1, 2}, 5));
    EXPECT_FALSE(decides({1, 2, 2}, 5));
    EXPECT_FALSE(decides({1, 2, 9}, 5)); // 9 is no member
    EXPECT_FALSE(decides({1, 2, 3}, 6)); // consents in another view
    EXPECT_FALSE(decides({}, 5));
}

TEST(CommitteeSafety, OneLyingPrimaryBreaksThePapersRule)
{
    Schedule schedule = MakeSchedule(5, QuorumRule::PAPER);
    schedule.options.maxAttempts = 1;
    schedule.firstHalf = {0, 1};
    schedule.byzantine[3] = ParseMisbehavior("equivocate+lie-about-quorum");
    ChoosePrimary(schedule, 3);
    const ScheduleResult result = Play(schedule);
    EXPECT_EQ(result.violations, 2);
    EXPECT_NE(SetsOf(result, AGGREGATION).at(0), SetsOf(result, AGGREGATION).at(2));
    schedule.options.rule = QuorumRule::BYZANTINE;
    schedule.options.faults = 1;
    const ScheduleResult safe = Play(schedule);
    EXPECT_EQ(safe.violations, 0);
    EXPECT_GT(safe.counters.unproven, 0);
}

TEST(CommitteeSafety, TwoEqualQuorumsBreakThePapersRule)
{
    // The primary's vote counts: {0, 3, 4} and {1, 2, 3, 4} are both floor(5 / 2) + 1 = 3 or more
    Schedule schedule = MakeSplitCommittee(QuorumRule::PAPER);
    schedule.options.primaryVotes = true;
    ScheduleResult result = Play(schedule);
    EXPECT_EQ(result.violations, 2);
    EXPECT_EQ(SetsOf(result, AGGREGATION).at(1), SetsOf(result, AGGREGATION).at(2));
    EXPECT_NE(SetsOf(result, AGGREGATION).at(0), SetsOf(result, AGGREGATION).at(1));
    // Of replicas alone, {0, 4} is one short
    schedule.options.primaryVotes = false;
    result = Play(schedule);
    EXPECT_EQ(result.violations, 0);
    EXPECT_EQ(SetsOf(result, AGGREGATION).count(0), 0);
}

TEST(CommitteeSafety, TheByzantineRuleWithstandsTheSameSchedule)
{
    Schedule schedule = MakeSplitCommittee(QuorumRule::BYZANTINE);
    EXPECT_EQ(Play(schedule).violations, 0);
    // With three Byzantine members of five, far more than f, it does not: the test can see it
    for (const uint32_t member : {2, 3, 4})
    {
        schedule.byzantine[member] =
            ParseMisbehavior("equivocate+split-scores+collude+false-scores");
    }
    EXPECT_EQ(Play(schedule).violations, 2);
}

TEST(CommitteeSafety, RandomSchedulesOfTheByzantineRule)
{
    std::map<std::string, uint32_t> outcomes;
    for (uint64_t seed = 1; seed <= SAFETY_SCHEDULES; ++seed)
    {
        tests::ScheduleDraw draw;
        draw.faults = seed % 3 != 0;
        const Schedule schedule = tests::DrawSchedule(seed, draw);
        const ScheduleResult result = Play(schedule);
        ASSERT_EQ(result.violations, 0) << seed << ": " << result.story;
        ASSERT_EQ(result.unfinished, 0) << seed << ": " << result.story;
        ASSERT_EQ(result.partial, 0) << seed << ": " << result.story;
        for (const auto& [outcome, count] : result.outcomes)
        {
            outcomes[outcome] += count;
        }
    }
    EXPECT_EQ(outcomes.count("sets-differ"), 0);
    EXPECT_GT(outcomes["agreed"], outcomes["few-clients"] + outcomes["no-quorum"]);
}

TEST(CommitteeSafety, RandomSchedulesOfThePapersRule)
{
    uint32_t violated = 0;
    for (uint64_t seed = 1; seed <= SAFETY_SCHEDULES; ++seed)
    {
        tests::ScheduleDraw draw;
        draw.rule = QuorumRule::PAPER;
        draw.faults = seed % 3 != 0;
        const Schedule schedule = tests::DrawSchedule(seed, draw);
        const ScheduleResult result = Play(schedule);
        ASSERT_EQ(result.unfinished, 0) << seed << ": " << result.story;
        violated += result.violations > 0 ? 1 : 0;
        draw.byzantine = false;
        ASSERT_EQ(Play(tests::DrawSchedule(seed, draw)).violations, 0) << seed;
    }
    EXPECT_GT(violated, 0);
}

TEST(CommitteeMisbehavior, IsReadFromNames)
{
    const Misbehavior both = ParseMisbehavior("forge+silent-primary");
    EXPECT_TRUE(both.forges);
    EXPECT_TRUE(both.silentPrimary);
    EXPECT_FALSE(both.replays);
    EXPECT_FALSE(ParseMisbehavior("").forges);
    EXPECT_THROW(ParseMisbehavior("forging"), std::invalid_argument);
    EXPECT_FALSE(ParseMisbehavior("false-scores").consistentFalseScores);
    EXPECT_TRUE(ParseMisbehavior("consistent-false-scores").consistentFalseScores);
    EXPECT_EQ(GetMisbehaviorNames().size(), 23);
}

TEST(CommitteeMisbehavior, AConsistentLiarConsentsToWhatFollowsFromItsLies)
{
    // Of 3 members under the paper's rule both replicas of a primary must consent
    Schedule schedule = MakeSchedule(3, QuorumRule::PAPER);
    ChoosePrimary(schedule, 0);
    schedule.byzantine[2] = ParseMisbehavior("false-scores");
    EXPECT_EQ(Play(schedule).outcomes.count("agreed"), 0);
    schedule.byzantine[2] = ParseMisbehavior("consistent-false-scores");
    const ScheduleResult result = Play(schedule);
    EXPECT_THAT(result.outcomes, ElementsAre(Pair("agreed", 2)));
    for (const auto& [member, set] : SetsOf(result, AGGREGATION))
    {
        EXPECT_THAT(set, ElementsAre(17, 18, 19)) << member; // of 10, 11 and 12 without the lie
    }
    // Both names together are no lie about the lie
    schedule.byzantine[2] = ParseMisbehavior("consistent-false-scores+false-scores");
    EXPECT_EQ(SetsOf(Play(schedule), AGGREGATION), SetsOf(result, AGGREGATION));
}

TEST(CommitteeMisbehavior, UnderTheByzantineRuleEveryLiarIsConsistentAndDecidesNothing)
{
    const std::vector<uint32_t> honest = {10, 11, 12};
    for (const auto& [name, combination] :
         {std::pair("false-scores", ScoreCombination::MEAN),
          std::pair("consistent-false-scores", ScoreCombination::MEAN),
          std::pair("consistent-false-scores", ScoreCombination::BY_RULE)})
    {
        Schedule schedule = MakeSchedule(4, QuorumRule::BYZANTINE);
        schedule.options.combination = combination;
        schedule.byzantine[2] = ParseMisbehavior(name);
        const ScheduleResult result = Play(schedule);
        EXPECT_THAT(result.outcomes, ElementsAre(Pair("agreed", 3)));
        const bool isMean = combination == ScoreCombination::MEAN;
        EXPECT_EQ(SetsOf(result, AGGREGATION).at(0) == honest, !isMean) << name;
    }
}

TEST(CommitteeMisbehavior, OneMemberAdmitsItsAccomplicesByTheMeanWhateverTheUnitOfScores)
{
    const std::set<uint32_t> worst = {17, 18, 19};
    const std::set<uint32_t> best = {10, 11, 12};
    const auto select = [](Schedule schedule, SelectionStrategy selection, double unit) {
        schedule.options.selection = selection;
        schedule.options.maxAttempts = 4; // one primary of which is honest
        for (auto& [member, scores] : schedule.scores[0])
        {
            for (auto& [client, score] : scores)
            {
                score *= unit;
            }
        }
        const auto selected = SetsOf(Play(schedule), AGGREGATION).at(0);
        return std::set<uint32_t>(selected.begin(), selected.end());
    };
    for (const double unit : {1e-15, 1.0, 1e15})
    {
        for (const auto selection : {SelectionStrategy::SIMILAR, SelectionStrategy::DIFFERENT})
        {
            const bool isSimilar = selection == SelectionStrategy::SIMILAR;
            Schedule schedule = MakeSchedule(4, QuorumRule::PAPER);
            EXPECT_EQ(select(schedule, selection, unit), isSimilar ? best : worst);
            schedule.accomplices = isSimilar ? worst : best;
            schedule.byzantine[2] = ParseMisbehavior("admit");
            EXPECT_EQ(select(schedule, selection, unit), schedule.accomplices) << unit;
            Schedule safe = MakeSchedule(4, QuorumRule::BYZANTINE);
            safe.accomplices = schedule.accomplices;
            safe.byzantine = schedule.byzantine;
            EXPECT_EQ(select(safe, selection, unit), isSimilar ? best : worst) << unit;
            safe.options.combination = ScoreCombination::MEAN;
            EXPECT_EQ(select(safe, selection, unit), safe.accomplices) << unit;
        }
    }
}
