/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DEVICE_PROFILE_PRESETS_H
#define DEVICE_PROFILE_PRESETS_H

#include <string>
#include <utility>
#include <vector>

namespace ns3::collab
{

/// Names of attributes, each with its value as text
using AttributeTexts = std::vector<std::pair<std::string, std::string>>;

/// @ingroup collab-helper
/// @brief The numbers of a kind of device; what is not listed keeps the default of its class.
struct DeviceProfilePreset
{
    std::string name;         //!< e.g. "raspberry-pi-4"
    AttributeTexts processor; //!< attributes of Processor
    AttributeTexts radio;     //!< attributes of D2dRadioEnergyModel
    AttributeTexts device;    //!< attributes of D2dNetDevice and its parts
    double batteryJ;          //!< charge of a BasicEnergySource [J]
    bool isStation = false;   //!< whether what a user gives for devices is not meant for it
};

/// @return all presets; the module's documentation gives the source of each number
const std::vector<DeviceProfilePreset>& GetDeviceProfilePresets();

/// @param name name of a preset
/// @return the preset; UserError if there is none of that name
const DeviceProfilePreset& FindDeviceProfilePreset(const std::string& name);

} // namespace ns3::collab

#endif /* DEVICE_PROFILE_PRESETS_H */
