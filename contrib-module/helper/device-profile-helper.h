/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DEVICE_PROFILE_HELPER_H
#define DEVICE_PROFILE_HELPER_H

#include "ns3/collab-compat.h"
#include "ns3/energy-source.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::collab
{

class D2dNetDevice;

/**
 * @ingroup collab-helper
 * @brief Gives devices what they live on: a processor, a battery, and energy models for radio and
 * processor.
 *
 * The numbers are those of a preset, a kind of device, and can be changed one by one; attributes
 * that the user has given (see IsAttributeGiven()) are left as they are, but not those of a
 * base station: they are meant for devices. The battery is ns-3's BasicEnergySource by default, and
 * works down to its last joule (BasicEnergyLowBatteryThreshold 0).
 *
 * A node gets one battery and one processor: what it has already is used, so that several radios of
 * a node draw from the same battery. Of a node with several energy sources the first one is used.
 */
class DeviceProfileHelper
{
  public:
    /// @param preset "default" (what the classes have as defaults), "raspberry-pi-4",
    /// "ns3fl-raspberry-pi-4", "ns3fl-raspberry-pi-400", "jetson-nano", "smartphone", "wearable" or
    /// "base-station"; UserError for another name
    explicit DeviceProfileHelper(const std::string& preset = "default");

    /// @brief Choose the kind of battery; the attributes set so far are forgotten.
    /// @param type TypeId name of an ns-3 energy source; UserError if it is none
    void SetSource(const std::string& type);
    /// @param name name of an attribute of the energy source
    /// @param value its value
    void SetSourceAttribute(const std::string& name, const AttributeValue& value);
    /// @param name name of an attribute of Processor
    /// @param value its value
    void SetProcessorAttribute(const std::string& name, const AttributeValue& value);
    /// @param name name of an attribute of D2dRadioEnergyModel
    /// @param value its value
    void SetRadioEnergyAttribute(const std::string& name, const AttributeValue& value);
    /// @brief Set an attribute of the radio itself, such as TxPower, when the profile is installed,
    /// as D2dHelper::SetDeviceAttribute() does when the radio is made.
    /// @param name name of an attribute of D2dNetDevice, or of its D2dPhy, D2dMac or
    /// D2dNeighborDiscovery
    /// @param value its value
    /// @throws UserError if none of them has it
    void SetDeviceAttribute(const std::string& name, const AttributeValue& value);

    /// @brief Give each battery that is installed from now on a harvester.
    /// @param type TypeId name of an ns-3 energy harvester; UserError if it is none
    /// @param attributes names of its attributes, each followed by its value
    template <typename... Attributes>
    void
    SetHarvester(const std::string& type, Attributes&&... attributes)
    {
        CheckHarvester(type);
        m_harvesterFactory = ObjectFactory(type, std::forward<Attributes>(attributes)...);
    }

    /**
     * @brief Give the node of each radio a battery and a processor that draws from it, unless it
     * has them, and make the radio draw from the battery.
     *
     * The radio's energy model is aggregated to the radio, so that Config paths lead to it, and
     * from it to the battery.
     *
     * @param devices D2dNetDevices, each on a node; UserError otherwise
     */
    void Install(const NetDeviceContainer& devices) const;
    /**
     * @brief Give each node a battery and a processor that draws from it, unless it has them.
     *
     * For nodes with radios of other kinds, whose energy models draw from the same battery.
     *
     * @param nodes the nodes
     */
    void InstallProcessors(const NodeContainer& nodes) const;

    /// @brief Assign fixed streams to the random variables of the harvesters.
    /// @param devices devices whose nodes have batteries; several of a node count once
    /// @param stream first stream index to use
    /// @return number of stream indices used
    static int64_t AssignStreams(const NetDeviceContainer& devices, int64_t stream);

  private:
    /// @param type what should be the TypeId name of an energy harvester; UserError if it is not
    static void CheckHarvester(const std::string& type);
    /// @param node a node
    /// @return its battery, made if there is none
    Ptr<EnergySource> GetSource(Ptr<Node> node) const;
    /// @param source a battery that gets a harvester
    void InstallHarvester(Ptr<EnergySource> source) const;
    /// @brief Make a processor draw from a battery, unless it does so.
    /// @param node the node, whose processor is made if there is none
    /// @param source the node's battery
    void InstallProcessor(Ptr<Node> node, Ptr<EnergySource> source) const;
    /// @brief Make a radio draw from a battery.
    /// @param radio the radio; UserError if it does so already
    /// @param source its node's battery
    void InstallRadio(Ptr<D2dNetDevice> radio, Ptr<EnergySource> source) const;

    ObjectFactory m_sourceFactory;                   //!< makes batteries
    ObjectFactory m_processorFactory;                //!< makes processors
    ObjectFactory m_radioFactory;                    //!< makes the radios' energy models
    std::optional<ObjectFactory> m_harvesterFactory; //!< makes harvesters, if there are any
    /// Attributes of the radios themselves
    std::vector<std::pair<std::string, Ptr<AttributeValue>>> m_deviceAttributes;
};

} // namespace ns3::collab

#endif /* DEVICE_PROFILE_HELPER_H */
