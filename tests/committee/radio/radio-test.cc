/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee/radio/radio-schedule.h"

#include <gtest/gtest.h>

using tests::RadioResult;

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
        const RadioResult result = tests::PlayRadioSchedule(tests::DrawRadioSchedule(seed));
        EXPECT_TRUE(result.IsRight()) << seed << ": " << result.story;
        sum.blocks += result.blocks;
        sum.abandoned += result.abandoned;
        sum.empty += result.empty;
    }
    EXPECT_GE(sum.blocks, 3 * RADIO_SCHEDULES);
    EXPECT_GT(sum.blocks, 2 * sum.abandoned);
    EXPECT_GT(sum.empty, 0);
}
