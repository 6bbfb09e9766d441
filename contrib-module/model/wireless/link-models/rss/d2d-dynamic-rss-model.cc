/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-dynamic-rss-model.h"

#include "ns3/collab-error.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <fmt/format.h>
#include <limits>

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("D2dDynamicRssModel");
NS_OBJECT_ENSURE_REGISTERED(D2dDynamicRssModel);

TypeId
D2dDynamicRssModel::GetTypeId()
{
    constexpr double LEAST = std::numeric_limits<double>::min(); // positive
    static TypeId tid =
        TypeId("ns3::collab::D2dDynamicRssModel")
            .SetParent<D2dRssModel>()
            .SetGroupName("Collab")
            .AddConstructor<D2dDynamicRssModel>()
            .AddAttribute("Mean",
                          "Mean of the normal distribution before it is truncated [W].",
                          DoubleValue(0.3),
                          MakeDoubleAccessor(&D2dDynamicRssModel::m_meanW),
                          MakeDoubleChecker<double>())
            .AddAttribute("StandardDeviation",
                          "Its standard deviation before it is truncated [W]; positive.",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&D2dDynamicRssModel::m_standardDeviationW),
                          MakeDoubleChecker<double>(LEAST))
            .AddAttribute("Minimum",
                          "Least received power [W]; positive.",
                          DoubleValue(0.05),
                          MakeDoubleAccessor(&D2dDynamicRssModel::m_minimumW),
                          MakeDoubleChecker<double>(LEAST))
            .AddAttribute("Maximum",
                          "Greatest received power [W]; above Minimum.",
                          DoubleValue(0.55),
                          MakeDoubleAccessor(&D2dDynamicRssModel::m_maximumW),
                          MakeDoubleChecker<double>(LEAST))
            .AddAttribute("Interval",
                          "Time from one change to the next.",
                          TimeValue(Seconds(1)),
                          MakeTimeAccessor(&D2dDynamicRssModel::m_interval),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("HoldStart",
                          "From then on until HoldEnd there is no change.",
                          TimeValue(Time()),
                          MakeTimeAccessor(&D2dDynamicRssModel::m_holdStart),
                          MakeTimeChecker(Time()))
            .AddAttribute("HoldEnd",
                          "When changes go on, at the intervals that they would have come at "
                          "anyway.",
                          TimeValue(Time()),
                          MakeTimeAccessor(&D2dDynamicRssModel::m_holdEnd),
                          MakeTimeChecker(Time()));
    return tid;
}

double
D2dDynamicRssModel::DoGetRssW(uint32_t transmitter, uint32_t receiver) const
{
    const Time now = Simulator::Now();
    const Time drawn = now >= m_holdStart && now < m_holdEnd ? m_holdStart : now;
    const auto interval = static_cast<uint64_t>(drawn.GetTimeStep() / m_interval.GetTimeStep());
    return GetQuantile(m_random.GetUniform(transmitter, receiver, interval));
}

double
D2dDynamicRssModel::GetQuantile(double uniform) const
{
    using boost::math::cdf;
    using boost::math::complement;
    using boost::math::quantile;

    if (m_minimumW >= m_maximumW)
    {
        throw UserError(fmt::format("ns3::collab::D2dDynamicRssModel: Minimum {} W is not below "
                                    "Maximum {} W",
                                    m_minimumW,
                                    m_maximumW));
    }
    const boost::math::normal normal(m_meanW, m_standardDeviationW);
    // In the upper tail 1 - cdf is small and keeps the digits that cdf loses
    const bool upper = m_minimumW > m_meanW;
    const double least = upper ? cdf(complement(normal, m_minimumW)) : cdf(normal, m_minimumW);
    const double greatest = upper ? cdf(complement(normal, m_maximumW)) : cdf(normal, m_maximumW);
    const double at = least + uniform * (greatest - least);
    if (!(at > 0 && at < 1 && least != greatest))
    {
        throw UserError(fmt::format("ns3::collab::D2dDynamicRssModel: a normal distribution of "
                                    "Mean {} W and StandardDeviation {} W has no probability "
                                    "between Minimum {} W and Maximum {} W",
                                    m_meanW,
                                    m_standardDeviationW,
                                    m_minimumW,
                                    m_maximumW));
    }
    const double rssW = upper ? quantile(complement(normal, at)) : quantile(normal, at);
    return std::min(std::max(rssW, m_minimumW), m_maximumW);
}

int64_t
D2dDynamicRssModel::DoAssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    m_random.SetStream(stream);
    return 1;
}

} // namespace ns3::collab
