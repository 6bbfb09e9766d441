/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scenario-links.h"

#include "scenario-checks.h"

#include "ns3/d2d-trace-loss-model.h"
#include "ns3/pointer.h"

#include <fmt/format.h>
#include <utility>

using namespace ns3;
using namespace ns3::collab;

std::shared_ptr<const D2dLinkTrace>
ReadLinkTrace(const std::string& given)
{
    std::shared_ptr<const D2dLinkTrace> trace;
    if (const auto path = FindFile(given))
    {
        CheckArgument<DataFileError>(
            "links", given, [&]() { trace = std::make_shared<const D2dLinkTrace>(*path); });
    }
    return trace;
}

void
CheckLinkTrace(const std::string& given, const D2dLinkTrace& trace, uint32_t devices)
{
    CheckArgument<DataFileError>("links", given, [&]() { trace.CheckDevices(devices); });
    RefuseAttribute("ns3::collab::D2dChannel::PropagationLossModel",
                    "--links=" + given + " decides");
}

void
UseLinkTrace(std::shared_ptr<const D2dLinkTrace> trace,
             D2dHelper& helper,
             std::optional<uint32_t> server)
{
    const auto model = CreateObject<D2dTraceLossModel>();
    model->SetTrace(std::move(trace));
    if (server)
    {
        model->SetServer(*server);
    }
    helper.SetChannelAttribute("PropagationLossModel", PointerValue(model));
}

std::vector<std::string>
FindTraceHints(const std::string& given, const D2dLinkTrace& trace)
{
    const auto& times = trace.GetTimes();
    std::vector<std::string> hints = {fmt::format(
        "links keep their values from {:.9g} s on, the last time of --links={}; deadlines "
        "that are computed are for the links of the start",
        times.back().GetSeconds(),
        given)};
    if (times.front().IsStrictlyPositive())
    {
        hints.push_back(
            fmt::format("links have their first values before {:.9g} s, the first time of "
                        "--links={}",
                        times.front().GetSeconds(),
                        given));
    }
    return hints;
}
