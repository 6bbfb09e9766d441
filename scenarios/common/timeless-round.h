/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TIMELESS_ROUND_H
#define TIMELESS_ROUND_H

#include "ns3/collab-columns.h"
#include "ns3/collab-metric.h"

#include <cstdint>
#include <string>

/// A round of a computation without devices, time and network: without rounds no folder is a run
struct TimelessRound
{
    uint64_t round; //!< its number
    double value;   //!< what was measured

    /**
     * @param round what a round is, e.g. "draw"
     * @param device why there is one device
     * @param metric what is measured
     * @return the table rounds
     */
    static ns3::collab::TableColumns<TimelessRound>
    GetTable(const std::string& round, const std::string& device, const ns3::collab::Metric& metric)
    {
        const auto none = [](const TimelessRound&) { return 0; };
        const auto zero = [](const TimelessRound&) { return 0.0; };
        return {"rounds",
                "a " + round,
                {{"round", "", "number of the " + round + ", from 0", &TimelessRound::round},
                 {"device", "", device, none},
                 {"start_s", "s", "0: there is no time", zero},
                 {"end_s", "s", "0: there is no time", zero},
                 {metric.name, metric.unit, metric.meaning, &TimelessRound::value},
                 {"energy_j", "J", "0: there is no device", zero},
                 {"bytes_sent", "B", "0: there is no network", none}}};
    }
};

#endif /* TIMELESS_ROUND_H */
