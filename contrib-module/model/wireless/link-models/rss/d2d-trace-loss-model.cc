/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-trace-loss-model.h"

#include "ns3/collab-compat.h"
#include "ns3/collab-error.h"
#include "ns3/d2d-link-trace.h"
#include "ns3/d2d-node-id.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(D2dTraceLossModel);

TypeId
D2dTraceLossModel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::collab::D2dTraceLossModel")
            .SetParent<PropagationLossModel>()
            .SetGroupName("Collab")
            .AddConstructor<D2dTraceLossModel>()
            .AddAttribute(
                "FileName",
                "File with the path gains [dB] or received powers [dBm] by time and link.",
                StringValue(""),
                MakeStringAccessor(&D2dTraceLossModel::SetFileName,
                                   &D2dTraceLossModel::GetFileName),
                MakeStringChecker())
            .AddAttribute(
                "Interpolation",
                "What links do between rows: keep the last value, or change linearly in "
                "decibels.",
                compat::EnumAttribute(D2dTraceInterpolation::HOLD),
                compat::EnumAccessor(&D2dTraceLossModel::m_interpolation),
                compat::EnumChecker(
                    D2dTraceInterpolation::HOLD, "Hold", D2dTraceInterpolation::LINEAR, "Linear"))
            .AddAttribute("Resolution",
                          "Time between changes of values with Linear.",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&D2dTraceLossModel::m_resolution),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("Changes",
                          "Number that grows with every change: links that a channel keeps hold "
                          "until then.",
                          TypeId::ATTR_GET,
                          UintegerValue(0),
                          MakeUintegerAccessor(&D2dTraceLossModel::CountChanges),
                          MakeUintegerChecker<uint64_t>());
    return tid;
}

D2dTraceLossModel::D2dTraceLossModel() = default;

D2dTraceLossModel::~D2dTraceLossModel() = default;

void
D2dTraceLossModel::SetTrace(std::shared_ptr<const D2dLinkTrace> trace)
{
    m_trace = std::move(trace);
    ++m_changes;
}

void
D2dTraceLossModel::SetServer(uint32_t node)
{
    m_server = node;
    ++m_changes;
}

Time
D2dTraceLossModel::GetTimeToChange() const
{
    const std::vector<Time>& times = GetTrace().GetTimes();
    const Time now = Simulator::Now();
    if (now >= times.back())
    {
        return Time();
    }
    if (m_interpolation == D2dTraceInterpolation::LINEAR && now >= times.front())
    {
        const int64_t step = m_resolution.GetTimeStep();
        return TimeStep(step - now.GetTimeStep() % step);
    }
    return *std::upper_bound(times.begin(), times.end(), now) - now;
}

double
D2dTraceLossModel::DoCalcRxPower(double txPowerDbm,
                                 Ptr<MobilityModel> a,
                                 Ptr<MobilityModel> b) const
{
    const D2dLinkTrace& trace = GetTrace();
    const bool isLinear = m_interpolation == D2dTraceInterpolation::LINEAR;
    const double db = trace.GetDb(GetDevice(a), GetDevice(b), GetInstant(), isLinear);
    return trace.HasGains() ? txPowerDbm + db : db;
}

int64_t
D2dTraceLossModel::DoAssignStreams(int64_t)
{
    return 0;
}

void
D2dTraceLossModel::SetFileName(const std::string& fileName)
{
    m_fileName = fileName;
    m_trace = nullptr;
}

const D2dLinkTrace&
D2dTraceLossModel::GetTrace() const
{
    if (!m_trace)
    {
        if (m_fileName.empty())
        {
            throw UserError("ns3::collab::D2dTraceLossModel has no FileName");
        }
        m_trace = std::make_shared<const D2dLinkTrace>(m_fileName);
    }
    return *m_trace;
}

Time
D2dTraceLossModel::GetInstant() const
{
    const std::vector<Time>& times = GetTrace().GetTimes();
    const Time now = std::max(Simulator::Now(), times.front());
    if (m_interpolation == D2dTraceInterpolation::LINEAR && now < times.back())
    {
        return std::max(
            times.front(),
            TimeStep(now.GetTimeStep() / m_resolution.GetTimeStep() * m_resolution.GetTimeStep()));
    }
    return *std::prev(std::upper_bound(times.begin(), times.end(), now));
}

uint64_t
D2dTraceLossModel::CountChanges() const
{
    const bool hasTrace = m_trace || !m_fileName.empty();
    return m_changes + (hasTrace ? static_cast<uint64_t>(GetInstant().GetTimeStep()) : 0);
}

uint32_t
D2dTraceLossModel::GetDevice(const Ptr<MobilityModel>& mobility) const
{
    const uint32_t node = GetD2dNodeId(mobility, *this);
    return node == m_server ? D2dLinkTrace::SERVER : node;
}

} // namespace ns3::collab
