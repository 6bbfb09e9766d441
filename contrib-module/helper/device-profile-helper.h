/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DEVICE_PROFILE_HELPER_H
#define DEVICE_PROFILE_HELPER_H

#include "ns3/net-device-container.h"
#include "ns3/object-factory.h"

#include <string>

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief Gives devices what they live on: a processor, a battery, and energy models for radio and
 * processor.
 *
 * The battery is ns-3's BasicEnergySource by default, and works down to its last joule
 * (BasicEnergyLowBatteryThreshold 0).
 */
class DeviceProfileHelper
{
  public:
    DeviceProfileHelper();

    /**
     * @brief Choose the kind of battery.
     *
     * @param type TypeId name of an ns-3 energy source
     */
    void SetSource(const std::string& type);
    /**
     * @param name of an attribute of the energy source
     * @param value its value
     */
    void SetSourceAttribute(const std::string& name, const AttributeValue& value);
    /**
     * @param name of an attribute of Processor
     * @param value its value
     */
    void SetProcessorAttribute(const std::string& name, const AttributeValue& value);
    /**
     * @param name of an attribute of D2dRadioEnergyModel
     * @param value its value
     */
    void SetRadioAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @brief Aggregate a processor and an EnergySourceContainer with one source to the node of each
     * radio, and make the radio and the processor draw from it.
     *
     * The radio's energy model is aggregated to the radio, so that Config paths lead to it, and
     * from it to the source.
     *
     * @param devices D2dNetDevices, at most one a node
     */
    void Install(const NetDeviceContainer& devices) const;

  private:
    ObjectFactory m_sourceFactory;    //!< makes batteries
    ObjectFactory m_processorFactory; //!< makes processors
    ObjectFactory m_radioFactory;     //!< makes the radios' energy models
};

} // namespace collab
} // namespace ns3

#endif /* DEVICE_PROFILE_HELPER_H */
