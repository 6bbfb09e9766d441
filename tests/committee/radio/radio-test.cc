/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee/radio/radio-schedule.h"

#include <gtest/gtest.h>

using tests::RadioResult;
using tests::RadioSchedule;

namespace
{

/// Schedules that CTest plays; `committee-schedules` plays more
constexpr uint64_t RADIO_SCHEDULES = 30;

} // namespace

TEST(CommitteeOnTheRadio, RandomSchedulesOfWholeApplications)
{
    RadioResult sum;
    for (uint64_t seed = 1; seed <= RADIO_SCHEDULES; ++seed)
    {
        const RadioSchedule schedule = tests::DrawRadioSchedule(seed);
        const RadioResult result = tests::PlayRadioSchedule(schedule);
        EXPECT_TRUE(result.IsRight()) << Describe(schedule) << ": " << result.story;
        sum.blocks += result.blocks;
        sum.abandoned += result.abandoned;
        sum.empty += result.empty;
    }
    EXPECT_GE(sum.blocks, 3 * RADIO_SCHEDULES);
    EXPECT_GT(sum.blocks, 2 * sum.abandoned);
    EXPECT_GT(sum.empty, 0);
}

TEST(CommitteeOnTheRadio, TheSameSeedGivesTheSameRun)
{
    const RadioSchedule schedule = tests::DrawRadioSchedule(2);
    const RadioResult a = tests::PlayRadioSchedule(schedule);
    const RadioResult b = tests::PlayRadioSchedule(schedule);
    EXPECT_EQ(a.blocks, b.blocks);
    EXPECT_EQ(a.abandoned, b.abandoned);
    EXPECT_EQ(a.story, b.story);
}
