/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-run-summary.h"
#include "ns3/d2d-burst.h"

#include <gmock/gmock.h>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::collab;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

namespace
{

/// @param reason why it did not get it; empty if it did, 0.3 s after it was queued
/// @return the outcome of a message of 10 fragments, 0.2 s on air
MessageOutcome
MakeOutcome(uint32_t sender, uint32_t receiver, const std::string& reason = "")
{
    MessageOutcome outcome;
    outcome.kindName = "votes";
    outcome.sender = sender;
    outcome.receiver = receiver;
    outcome.sequence = 1;
    outcome.fragments = 10;
    outcome.attempts = 10;
    outcome.airtime = Seconds(0.2);
    outcome.queued = Seconds(5);
    outcome.start = Seconds(5.1);
    outcome.end = Seconds(5.3);
    outcome.delivered = reason.empty();
    outcome.reason = reason;
    return outcome;
}

/// @return what became of a message that never went on air
MessageOutcome
MakeUnsent(uint32_t sender, uint32_t receiver, const std::string& reason, Time end)
{
    MessageOutcome outcome = MakeOutcome(sender, receiver, reason);
    outcome.attempts = 0;
    outcome.airtime = Time();
    outcome.start = end;
    outcome.end = end;
    return outcome;
}

} // namespace

TEST(RunSummaryTest, NoMessagesNoWords)
{
    std::ostringstream output;
    RunSummary(3, Seconds(1)).Print(output);
    EXPECT_THAT(output.str(), IsEmpty());
}

TEST(RunSummaryTest, TableHasALineAKindAndTheReasons)
{
    RunSummary summary(3, std::nullopt);
    summary.Add(MakeOutcome(0, 1));
    summary.Add(MakeOutcome(0, 2, "outage"));
    summary.Add(MakeOutcome(1, 0, "half-duplex"));
    summary.Add(MakeOutcome(1, 2, "outage"));
    summary.Add(MakeUnsent(2, 0, "queue-full", Seconds(5)));
    summary.Add(MakeUnsent(2, 1, "queue-full", Seconds(5)));
    MessageOutcome model = MakeOutcome(2, 0);
    model.kindName = "model";
    model.sequence = 2;
    summary.Add(model);
    EXPECT_EQ(summary.DescribeMessages(),
              "messages                  sent    expected       heard heard [%]  airtime [s]\n"
              "model                        1           1           1    100.00        0.200\n"
              "votes                        3           6           1     16.67        0.400\n"
              "  not heard: outage 2, half-duplex 1\n"
              "  not heard, since never on air: queue-full 2\n");
    EXPECT_THAT(summary.FindShortDeadline(), IsEmpty());
}

TEST(RunSummaryTest, NamesSettingsForWhatIsOftenLost)
{
    RunSummary summary(3, std::nullopt);
    for (uint32_t sender = 0; sender < 100; ++sender)
    {
        summary.Add(MakeOutcome(sender, 200));
    }
    summary.Add(MakeOutcome(100, 200, "half-duplex"));
    EXPECT_THAT(summary.FindAdvice(), IsEmpty()); // one of 101
    summary.Add(MakeOutcome(101, 200, "half-duplex"));
    EXPECT_THAT(summary.FindAdvice(),
                testing::StartsWith("hint: 2 % not heard for half-duplex: a radio"));
}

TEST(RunSummaryTest, HasAdviceForEveryReason)
{
    std::vector<std::string> reasons = {"lost", "connection"}; // of IP
    for (int reason = 1; reason <= static_cast<int>(D2dLossReason::RUN_ENDED); ++reason)
    {
        reasons.push_back(ToString(static_cast<D2dLossReason>(reason)));
    }
    for (const auto& reason : reasons)
    {
        RunSummary summary(3, std::nullopt);
        summary.Add(MakeOutcome(0, 1, reason));
        EXPECT_THAT(summary.FindAdvice(),
                    testing::StartsWith("hint: 100 % not heard for " + reason + ": "))
            << reason;
    }
}

TEST(RunSummaryTest, NamesTheDeadlineAsTheUserDoes)
{
    RunSummary summary(2, std::nullopt);
    summary.SetDeadline(Seconds(0.25), "--deadline");
    summary.Add(MakeUnsent(0, 1, "run-ended", Seconds(9)));
    EXPECT_THAT(summary.FindShortDeadline(), HasSubstr("(--deadline 0.25 s)"));
    EXPECT_THAT(summary.FindAdvice(), IsEmpty()); // the deadline explains it
}

TEST(RunSummaryTest, WarnsIfDevicesCannotTakeTurns)
{
    RunSummary summary(4, Seconds(0.5));
    for (uint32_t receiver = 1; receiver < 4; ++receiver)
    {
        summary.Add(MakeOutcome(0, receiver));
    }
    for (const uint32_t receiver : {0, 2, 3})
    {
        summary.Add(MakeUnsent(1, receiver, "run-ended", Seconds(9)));
    }
    for (const uint32_t receiver : {0, 1, 3})
    {
        MessageOutcome late = MakeOutcome(2, receiver);
        late.start = Seconds(5.4);
        late.end = Seconds(5.6);
        summary.Add(late);
    }
    for (const uint32_t receiver : {0, 1, 2})
    {
        summary.Add(MakeUnsent(3, receiver, "deadline", Seconds(5.5)));
    }
    EXPECT_EQ(summary.FindShortDeadline(),
              "warning: a device heard 0.8 of 3.0 messages in a round: 1.5 were not on air and 0.8 "
              "not over before the deadline (RoundDeadline 0.5 s); a turn of all 4 devices takes "
              "0.8 s or more\n");
    std::ostringstream output;
    summary.Print(output);
    EXPECT_EQ(output.str(), summary.DescribeMessages() + summary.FindShortDeadline());
}

TEST(RunSummaryTest, AMessageThatWasCutOffNeedsAllOfItsFragments)
{
    RunSummary summary(4, Seconds(0.25));
    MessageOutcome cut = MakeOutcome(0, 1, "run-ended"); // 4 of 10 fragments in 0.2 s
    cut.attempts = 4;
    summary.Add(cut);
    EXPECT_THAT(summary.FindShortDeadline(), HasSubstr("takes 2 s or more"));
}

TEST(RunSummaryTest, DoesNotWarnOfOtherLosses)
{
    RunSummary summary(2, Seconds(0.5));
    summary.Add(MakeOutcome(0, 1, "outage"));
    summary.Add(MakeUnsent(1, 0, "queue-full", Seconds(5)));
    summary.Add(MakeUnsent(1, 0, "run-ended", Seconds(5.4))); // there was time left
    EXPECT_THAT(summary.FindShortDeadline(), IsEmpty());
}

TEST(RunSummaryTest, ToleratesOneLateMessageOfAHundred)
{
    RunSummary summary(2, Seconds(0.5));
    for (uint32_t i = 0; i < 99; ++i)
    {
        summary.Add(MakeOutcome(0, 1));
    }
    summary.Add(MakeUnsent(1, 0, "run-ended", Seconds(9)));
    EXPECT_THAT(summary.FindShortDeadline(), IsEmpty());
    summary.Add(MakeUnsent(1, 0, "run-ended", Seconds(9)));
    EXPECT_THAT(summary.FindShortDeadline(), Not(IsEmpty()));
}

TEST(RunSummaryTest, WarnsIfDevicesDoNotWaitForOthers)
{
    RunSummary summary(3, Seconds(5));
    summary.SetDeadline(Seconds(5), "--deadline");
    for (const uint32_t sender : {0, 1, 2})
    {
        summary.Add(MakeOutcome(sender, (sender + 1) % 3));
        summary.Add(MakeOutcome(sender, (sender + 2) % 3));
    }
    summary.AddRound(2, 2, 0);
    summary.AddRound(2, 2, 0);
    summary.AddRound(0, 0, 0); // in which nobody sends
    EXPECT_THAT(summary.FindEarlyRounds(), IsEmpty());
    summary.AddRound(2, 0, 0);
    EXPECT_EQ(summary.FindEarlyRounds(),
              "warning: a device heard 1.3 of 2.0 messages of a round while it waited; others were "
              "heard later, since their senders took longer than it waits (--deadline 5 s)\n");
    std::ostringstream output;
    summary.Print(output);
    EXPECT_THAT(output.str(), HasSubstr(summary.FindEarlyRounds()));
}

TEST(RunSummaryTest, MessagesThatNobodyEverHeardAreNotLate)
{
    RunSummary summary(2, Seconds(5));
    summary.Add(MakeOutcome(0, 1));
    summary.Add(MakeOutcome(1, 0, "outage"));
    summary.AddRound(1, 1, 0);
    summary.AddRound(1, 0, 0);
    EXPECT_THAT(summary.FindEarlyRounds(), IsEmpty());
    summary.Add(MakeOutcome(0, 1));
    summary.AddRound(1, 0, 0);
    EXPECT_THAT(summary.FindEarlyRounds(), Not(IsEmpty()));
}

TEST(RunSummaryTest, MessagesThatOthersHaveHeardAreNotLate)
{
    RunSummary summary(3, Seconds(5));
    summary.SetAwaited([](uint32_t sender, uint32_t receiver) { return sender + receiver == 1; });
    summary.Add(MakeOutcome(0, 1, "outage"));
    summary.Add(MakeOutcome(0, 2));
    summary.Add(MakeOutcome(1, 0));
    summary.Add(MakeOutcome(1, 2));
    summary.AddRound(1, 1, 0);
    summary.AddRound(1, 0, 0);
    EXPECT_THAT(summary.FindEarlyRounds(), IsEmpty());
    summary.Add(MakeOutcome(0, 1)); // after its round
    summary.AddRound(1, 0, 0);
    EXPECT_THAT(summary.FindEarlyRounds(), Not(IsEmpty()));
}

TEST(RunSummaryTest, MessagesThatWereNeverSentOrNotBelievedAreNotLate)
{
    RunSummary silent(3, Seconds(5)); // two of three senders say nothing
    silent.Add(MakeOutcome(0, 1));
    silent.AddRound(2, 1, 0);
    silent.AddRound(1, 0, 0);
    EXPECT_THAT(silent.FindEarlyRounds(), IsEmpty());

    RunSummary refused(2, Seconds(5));
    refused.Add(MakeOutcome(0, 1));
    refused.Add(MakeOutcome(1, 0));
    refused.AddRound(1, 0, 1);
    refused.AddRound(1, 1, 0);
    EXPECT_THAT(refused.FindEarlyRounds(), IsEmpty());
}
