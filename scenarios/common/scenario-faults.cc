/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scenario-faults.h"

#include "inputs/scenario-checks.h"
#include "inputs/scenario-presence.h"
#include "scenario-network.h"

#include "ns3/collab-number.h"
#include "ns3/d2d-channel.h"
#include "ns3/d2d-net-device.h"
#include "ns3/d2d-partition-outage-model.h"
#include "ns3/nstime.h"
#include "ns3/pointer.h"

#include <regex>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// Some devices, from one time to another
struct Fault
{
    std::set<uint32_t> devices; //!< that it is about
    double from = 0;            //!< when it begins [s]
    double to = 0;              //!< when it ends [s]
};

/// @return the faults
/// @throws UserError if these are none
std::vector<Fault>
ReadFaults(const std::string& given, uint32_t devices)
{
    static const std::string seconds = SECONDS_PATTERN;
    static const std::regex form(seconds + "-" + seconds + ":([0-9,-]+)");
    std::vector<Fault> faults;
    for (const std::string& item : SplitList(given == "none" ? "" : given, ';'))
    {
        std::smatch match;
        const bool isFault = std::regex_match(item, match, form);
        Fault fault;
        if (isFault)
        {
            fault.devices = ReadDevices(match[3], devices);
            fault.from = *ParseNumber(match.str(1));
            fault.to = *ParseNumber(match.str(2));
        }
        Require(isFault && !fault.devices.empty() && fault.to > fault.from,
                "partitions",
                given,
                fmt::format("none, or such as \"100-200:0-4,7\", with devices from 0 to {} and "
                            "times in seconds",
                            devices - 1));
        faults.push_back(std::move(fault));
    }
    return faults;
}

} // namespace

void
FaultParameters::ValidateFaults(uint32_t devices) const
{
    ReadFaults(partitions, devices);
}

void
ScheduleFaults(const FaultParameters& p, const NodeContainer& nodes)
{
    const auto partitions = ReadFaults(p.partitions, nodes.GetN());
    if (partitions.empty())
    {
        return;
    }
    Ptr<D2dChannel> channel = DynamicCast<D2dChannel>(GetRadio(nodes.Get(0))->GetChannel());
    auto model = CreateObject<D2dPartitionOutageModel>();
    PointerValue present;
    channel->GetAttribute("OutageModel", present);
    model->SetAttribute("OutageModel", present);
    // The channel asks the outer model for how long links fade as they do
    TimeValue coherence;
    present.GetObject()->GetAttribute("CoherenceTime", coherence);
    model->SetAttribute("CoherenceTime", coherence);
    for (const auto& partition : partitions)
    {
        std::set<uint32_t> side;
        for (const uint32_t device : partition.devices)
        {
            side.insert(nodes.Get(device)->GetId());
        }
        model->AddPartition(Seconds(partition.from), Seconds(partition.to), std::move(side));
    }
    channel->SetAttribute("OutageModel", PointerValue(model));
}

void
FaultParameters::DeclareFaults(ParameterList& list)
{
    list.Add("partitions",
             partitions,
             "devices that are cut off from all others for a while [s], e.g. \"100-200:0-4\"")
        .ExcludedBy("ns3::collab::D2dPartitionOutageModel::OutageModel");
}
