/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scenario-faults.h"

#include "scenario-checks.h"
#include "scenario-network.h"

#include "ns3/collab-number.h"
#include "ns3/collab-processor.h"
#include "ns3/d2d-channel.h"
#include "ns3/d2d-net-device.h"
#include "ns3/d2d-partition-outage-model.h"
#include "ns3/nstime.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <regex>
#include <sstream>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// Some devices, from one time to another
struct Fault
{
    std::set<uint32_t> devices; //!< that it is about
    double from = 0;            //!< when it begins [s]
    std::optional<double> to;   //!< when it ends [s]; nothing if it does not
};

constexpr const char* NUMBER = "([0-9]{1,9}(?:\\.[0-9]{1,9})?)";

/// @param text numbers and ranges with commas between, such as 0-4,7
/// @param devices number of devices
/// @return those named; none if the text is wrong
std::set<uint32_t>
ReadDevices(const std::string& text, uint32_t devices)
{
    static const std::regex range("([0-9]{1,8})(?:-([0-9]{1,8}))?");
    std::set<uint32_t> named;
    std::istringstream list(text);
    for (std::string item; std::getline(list, item, ',');)
    {
        std::smatch match;
        if (!std::regex_match(item, match, range))
        {
            return {};
        }
        const auto first = *ParseWholeNumber(match.str(1));
        const auto last = match[2].matched ? *ParseWholeNumber(match.str(2)) : first;
        if (last >= devices || first > last)
        {
            return {};
        }
        for (uint32_t device = first; device <= last; ++device)
        {
            named.insert(device);
        }
    }
    return named;
}

/// @param name name of the argument
/// @param given faults with semicolons between
/// @param devices number of devices
/// @return the faults
/// @throws UserError if these are none
std::vector<Fault>
ReadFaults(const std::string& name, const std::string& given, uint32_t devices)
{
    const bool areCrashes = name == "crashes";
    const std::string time = std::string(NUMBER) + "-" + NUMBER + (areCrashes ? "?" : "");
    const std::regex form(areCrashes ? "([0-9,-]+):" + time : time + ":([0-9,-]+)");
    std::vector<Fault> faults;
    std::istringstream list(given == "none" ? "" : given);
    for (std::string item; std::getline(list, item, ';');)
    {
        std::smatch match;
        const bool isFault = std::regex_match(item, match, form);
        Fault fault;
        if (isFault)
        {
            fault.devices = ReadDevices(match[areCrashes ? 1 : 3], devices);
            fault.from = *ParseNumber(match.str(areCrashes ? 2 : 1));
            const auto end = match.str(areCrashes ? 3 : 2);
            fault.to = end.empty() ? std::nullopt : ParseNumber(end);
        }
        Require(isFault && !fault.devices.empty() && (!fault.to || *fault.to > fault.from),
                name,
                given,
                fmt::format("none, or such as {}, with devices from 0 to {} and times in seconds",
                            areCrashes ? "\"3:20-60;7,9:100-\"" : "\"100-200:0-4,7\"",
                            devices - 1));
        faults.push_back(std::move(fault));
    }
    return faults;
}
/// @param node a device that crashes
void
SwitchOff(Ptr<Node> node)
{
    GetRadio(node)->GetMac()->SwitchOff();
    node->GetObject<Processor>()->SwitchOff();
}

/// @param node a device that is repaired
void
SwitchOn(Ptr<Node> node)
{
    GetRadio(node)->GetMac()->SwitchOn();
    node->GetObject<Processor>()->SwitchOn();
}

} // namespace

void
FaultParameters::ValidateFaults(uint32_t devices) const
{
    ReadFaults("crashes", crashes, devices);
    ReadFaults("partitions", partitions, devices);
}

Time
ScheduleFaults(const FaultParameters& p, const NodeContainer& nodes)
{
    Time lastReturn;
    for (const auto& crash : ReadFaults("crashes", p.crashes, nodes.GetN()))
    {
        for (const uint32_t device : crash.devices)
        {
            Simulator::Schedule(Seconds(crash.from), &SwitchOff, nodes.Get(device));
            if (crash.to)
            {
                Simulator::Schedule(Seconds(*crash.to), &SwitchOn, nodes.Get(device));
                lastReturn = std::max(lastReturn, Seconds(*crash.to));
            }
        }
    }
    const auto partitions = ReadFaults("partitions", p.partitions, nodes.GetN());
    if (partitions.empty())
    {
        return lastReturn;
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
        model->AddPartition(Seconds(partition.from), Seconds(*partition.to), std::move(side));
    }
    channel->SetAttribute("OutageModel", PointerValue(model));
    return lastReturn;
}

void
FaultParameters::DeclareFaults(ParameterList& list)
{
    list.Add("crashes",
             crashes,
             "devices that are off for a while or for good [s], e.g. \"3:20-60;7,9:100-\"");
    list.Add("partitions",
             partitions,
             "devices that are cut off from all others for a while [s], e.g. \"100-200:0-4\"")
        .ExcludedBy("ns3::collab::D2dPartitionOutageModel::OutageModel");
}
