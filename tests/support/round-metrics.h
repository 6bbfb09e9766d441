/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SUPPORT_ROUND_METRICS_H
#define SUPPORT_ROUND_METRICS_H

#include "ns3/collab-application.h"

#include <limits>
#include <string>
#include <utility>

namespace tests
{

/// @param record a round
/// @param name of a metric
/// @return what was measured; NaN if there is no such metric
inline double
GetMetric(const ns3::collab::RoundRecord& record, const std::string& name)
{
    for (const auto& metric : record.metrics)
    {
        if (metric.first == name)
        {
            return metric.second;
        }
    }
    return std::numeric_limits<double>::quiet_NaN();
}

/// @param record a round
/// @return messages heard and messages expected
inline std::pair<double, double>
CountMessages(const ns3::collab::RoundRecord& record)
{
    return {GetMetric(record, "messages_heard"), GetMetric(record, "messages_expected")};
}

} // namespace tests

#endif /* SUPPORT_ROUND_METRICS_H */
