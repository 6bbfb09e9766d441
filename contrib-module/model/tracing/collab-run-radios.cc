/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-run-radios.h"

#include "ns3/channel-list.h"
#include "ns3/d2d-channel.h"
#include "ns3/d2d-net-device.h"
#include "ns3/d2d-phy.h"
#include "ns3/node.h"
#include "ns3/string.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::collab
{

namespace
{

/// Nodes whose radios are set alike, and how
using RadioGroup = std::pair<nlohmann::ordered_json, std::set<uint32_t>>;

/// @param object an object
/// @param name name of an attribute with an enum value
/// @return its text
std::string
GetChoice(const Ptr<Object>& object, const std::string& name)
{
    StringValue text;
    object->GetAttribute(name, text);
    return text.Get();
}

/// @param device a radio
/// @param channel number of its channel
/// @return how it is set
nlohmann::ordered_json
DescribeRadio(const D2dNetDevice& device, uint32_t channel)
{
    const Ptr<D2dPhy> phy = device.GetPhy();
    nlohmann::ordered_json radio = {{"channel", channel},
                                    {"nodes", ""},
                                    {"tx_power_dbm", phy->GetTxPowerDbm()},
                                    {"bandwidth_hz", phy->GetBandwidthHz()},
                                    {"spectral_efficiency", phy->GetSpectralEfficiency()},
                                    {"rx_sensitivity_dbm", phy->GetRxSensitivityDbm()},
                                    {"duplex", GetChoice(phy, "Duplex")}};
    if (GetChoice(phy, "RateControl") == "Adaptive")
    {
        radio["spectral_efficiency"] = "adaptive";
    }
    return radio;
}

} // namespace

std::string
WriteRanges(const std::set<uint32_t>& numbers)
{
    std::string text;
    for (auto first = numbers.begin(); first != numbers.end();)
    {
        auto last = first;
        auto next = std::next(first);
        while (next != numbers.end() && *next == *last + 1)
        {
            last = next++;
        }
        text += (text.empty() ? "" : " ") +
                (first == last ? fmt::format("{}", *first) : fmt::format("{}-{}", *first, *last));
        first = next;
    }
    return text;
}

nlohmann::ordered_json
DescribeRadios()
{
    std::vector<RadioGroup> groups;
    uint32_t used = 0; // ns-3 numbers those without radios, too
    for (uint32_t i = 0; i < ChannelList::GetNChannels(); ++i)
    {
        const auto channel = DynamicCast<D2dChannel>(ChannelList::GetChannel(i));
        for (std::size_t j = 0; channel && j < channel->GetNDevices(); ++j)
        {
            const auto device = DynamicCast<D2dNetDevice>(channel->GetDevice(j));
            const nlohmann::ordered_json radio = DescribeRadio(*device, used);
            const auto same =
                std::find_if(groups.begin(), groups.end(), [&radio](const RadioGroup& group) {
                    return group.first == radio;
                });
            auto& group =
                same == groups.end() ? groups.emplace_back(radio, std::set<uint32_t>()) : *same;
            group.second.insert(device->GetNode()->GetId());
        }
        used += channel && channel->GetNDevices() > 0 ? 1 : 0;
    }
    nlohmann::ordered_json radios = nlohmann::ordered_json::array();
    for (auto& [radio, nodes] : groups)
    {
        radio["nodes"] = WriteRanges(nodes);
        radios.push_back(radio);
    }
    return radios;
}

} // namespace ns3::collab
