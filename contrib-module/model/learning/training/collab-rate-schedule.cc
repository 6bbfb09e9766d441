/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-rate-schedule.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-specification.h"

#include <algorithm>
#include <cmath>

namespace ns3::collab
{

void
CheckRateSchedule(const RateSchedule& schedule)
{
    CheckArgument(schedule.every != 0 && schedule.steps != 0,
                  "rate schedule: every and steps must be at least 1");
    CheckArgument(schedule.gamma > 0 && schedule.gamma <= 1,
                  "rate schedule: gamma {} is not above 0 and at most 1",
                  schedule.gamma);
    CheckArgument(schedule.floor >= 0 && schedule.floor <= 1,
                  "rate schedule: floor {} is not from 0 to 1",
                  schedule.floor);
}

double
GetRateFactor(const RateSchedule& schedule, uint64_t step)
{
    if (step < schedule.warmup)
    {
        return static_cast<double>(step + 1) / static_cast<double>(schedule.warmup);
    }
    const uint64_t taken = step - schedule.warmup;
    switch (schedule.kind)
    {
    case RateScheduleKind::STEP:
        return std::pow(schedule.gamma, static_cast<double>(taken / schedule.every));
    case RateScheduleKind::COSINE:
    {
        const double part =
            std::min(1.0, static_cast<double>(taken) / static_cast<double>(schedule.steps));
        return schedule.floor + (1 - schedule.floor) / 2 * (1 + std::cos(M_PI * part));
    }
    default:
        return 1;
    }
}

RateSchedule
MakeRateSchedule(const std::string& specification)
{
    Specification given("rate schedule", specification);
    const auto require = [&](const char* key) {
        CheckArgument(given.Has(key), "rate schedule {}: {}=N is missing", given.GetName(), key);
    };
    RateSchedule schedule;
    schedule.warmup = given.GetCount("warmup", 0);
    if (given.GetName() == "step")
    {
        schedule.kind = RateScheduleKind::STEP;
        require("every");
        schedule.every = given.GetCount("every", 0, 1);
        schedule.gamma = given.GetNumber("gamma", schedule.gamma, 1e-9, 1);
    }
    else if (given.GetName() == "cosine")
    {
        schedule.kind = RateScheduleKind::COSINE;
        require("steps");
        schedule.steps = given.GetCount("steps", 0, 1);
        schedule.floor = given.GetNumber("floor", schedule.floor, 0, 1);
    }
    else if (given.GetName() != "constant")
    {
        given.RefuseName({"constant", "step", "cosine"});
    }
    given.CheckKeys();
    return schedule;
}

} // namespace ns3::collab
