/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "device-profile-presets.h"

#include "ns3/collab-error.h"

#include <algorithm>

namespace ns3::collab
{

namespace
{

/// Joules in a milliampere-hour at one volt
constexpr double MAH_V = 3.6;

/// A Wi-Fi module of 3.3 V at 17 dBm; its receiver stays on while nothing is received
const AttributeTexts WIFI_MODULE = {{"AmplifierEfficiency", "0.179"},
                                    {"CircuitPower", "0.723"},
                                    {"RxPower", "0.278"},
                                    {"IdlePower", "0.278"}};

/// @return the table; doc/collab-energy.rst gives sources and derivations
std::vector<DeviceProfilePreset>
MakePresets()
{
    return {
        {"default", {}, {}, {}, 10000},
        {"raspberry-pi-4",
         {{"Frequencies", "600MHz 1000MHz 1500MHz"},
          {"FlopsPerCycle", "32"},
          {"Capacitance", "1.044e-27"},
          {"IdlePower", "2.6"}},
         WIFI_MODULE,
         {{"TxPower", "17"}},
         10000 * 3.7 * MAH_V},
        {"ns3fl-raspberry-pi-4",
         {{"Frequencies", "1500MHz"},
          {"FlopsPerCycle", "9.259"},
          {"JobOverhead", "11.4s"},
          {"Capacitance", "5.858e-28"},
          {"IdlePower", "2.6"}},
         {{"AmplifierEfficiency", "0.179"},
          {"CircuitPower", "1.886"},
          {"RxPower", "0.278"},
          {"IdlePower", "0.278"}},
         {{"TxPower", "17"}},
         10000 * 3.7 * MAH_V},
        {"ns3fl-raspberry-pi-400",
         {{"Frequencies", "1500MHz"},
          {"FlopsPerCycle", "12.30"},
          {"JobOverhead", "15.7s"},
          {"Capacitance", "4.845e-28"},
          {"IdlePower", "2.6"}},
         {{"AmplifierEfficiency", "0.179"},
          {"CircuitPower", "1.652"},
          {"RxPower", "0.278"},
          {"IdlePower", "0.278"}},
         {{"TxPower", "17"}},
         10000 * 3.7 * MAH_V},
        {"jetson-nano",
         {{"Frequencies", "640MHz 921.6MHz"},
          {"FlopsPerCycle", "256"},
          {"Capacitance", "9.6e-27"},
          {"IdlePower", "2.48"}},
         WIFI_MODULE,
         {{"TxPower", "17"}},
         20000 * 3.7 * MAH_V},
        {"smartphone",
         {{"Frequencies", "710.4MHz 1497.6MHz 2419.2MHz"},
          {"FlopsPerCycle", "48"},
          {"Capacitance", "2.87e-28"},
          {"IdlePower", "0.05"}},
         {{"AmplifierEfficiency", "0.179"},
          {"CircuitPower", "0.24"},
          {"RxPower", "0.52"},
          {"IdlePower", "0.031"}},
         {{"TxPower", "17"}},
         4000 * 3.85 * MAH_V},
        {"wearable",
         {{"Frequencies", "128MHz"},
          {"FlopsPerCycle", "1"},
          {"Capacitance", "3.72e-27"},
          {"IdlePower", "1.2e-5"}},
         {{"AmplifierEfficiency", "0.354"},
          {"CircuitPower", "0.0116"},
          {"RxPower", "0.0102"},
          {"IdlePower", "0.0102"}},
         {{"TxPower", "8"}},
         200 * 3.7 * MAH_V},
        {"base-station",
         {{"Frequencies", "2.2GHz"},
          {"FlopsPerCycle", "384"},
          {"JobOverhead", "0s"},
          {"Capacitance", "5.63e-27"},
          {"IdlePower", "30"}},
         {{"AmplifierEfficiency", "0.2128"},
          {"CircuitPower", "260"},
          {"RxPower", "260"},
          {"IdlePower", "260"},
          {"Account", "D2s"}},
         {{"TxPower", "46"}},
         1e9,
         true},
    };
}

} // namespace

const std::vector<DeviceProfilePreset>&
GetDeviceProfilePresets()
{
    static const std::vector<DeviceProfilePreset> presets = MakePresets();
    return presets;
}

const DeviceProfilePreset&
FindDeviceProfilePreset(const std::string& name)
{
    const std::vector<DeviceProfilePreset>& presets = GetDeviceProfilePresets();
    const auto found = std::find_if(presets.begin(), presets.end(), [&name](const auto& preset) {
        return preset.name == name;
    });
    if (found != presets.end())
    {
        return *found;
    }
    std::string allowed;
    for (const auto& preset : presets)
    {
        allowed += (allowed.empty() ? "" : ", ") + preset.name;
    }
    throw UserError("device profile \"" + name + "\" given; allowed: " + allowed);
}

} // namespace ns3::collab
