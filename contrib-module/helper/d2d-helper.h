/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_HELPER_H
#define D2D_HELPER_H

#include "d2d-trace-helper.h"

#include "ns3/d2d-channel.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"
#include "ns3/propagation-loss-model.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-helper
 * @brief Makes D2D radios on one channel, with a transport for messages on every node.
 *
 * Without AddPropagationLossModel() or the channel's attribute PropagationLossModel, received power
 * follows ns-3's LogDistancePropagationLossModel. EnablePcap() and EnableAscii() are as in ns-3's
 * other helpers; see D2dTraceHelper.
 */
class D2dHelper : public D2dTraceHelper
{
  public:
    D2dHelper();

    /// @brief Append a model to the chain that gives the received power.
    /// @param type TypeId name of the model
    /// @param arguments names and values of its attributes
    template <typename... Arguments>
    void
    AddPropagationLossModel(const std::string& type, Arguments&&... arguments)
    {
        AppendPropagationLossModel(ObjectFactory(type, std::forward<Arguments>(arguments)...));
    }

    /// @param name name of an attribute of D2dChannel
    /// @param value its value
    void SetChannelAttribute(const std::string& name, const AttributeValue& value);
    /// @param name name of an attribute of D2dNetDevice, or of its D2dPhy, D2dMac or
    /// D2dNeighborDiscovery
    /// @param value its value
    /// @throws UserError if none of them has it
    void SetDeviceAttribute(const std::string& name, const AttributeValue& value);
    /// @brief Give every radio a queue of this kind.
    /// @param type TypeId name of a queue of packets, such as ns3::DropTailQueue<Packet>
    /// @param arguments names and values of its attributes
    template <typename... Arguments>
    void
    SetQueue(const std::string& type, Arguments&&... arguments)
    {
        m_queueFactory = ObjectFactory(type, std::forward<Arguments>(arguments)...);
    }
    /// @param name name of an attribute of D2dTransport
    /// @param value its value
    void SetTransportAttribute(const std::string& name, const AttributeValue& value);

    /// @brief Make a radio on every node, all on one new channel, without a transport.
    /// @param nodes the nodes, with mobility models
    /// @return the radios
    NetDeviceContainer InstallDevices(const NodeContainer& nodes);

    /// @brief Make a radio on every node, all on one new channel, and a D2dTransport aggregated to
    /// the node.
    /// @param nodes the nodes, with mobility models
    /// @return the radios
    NetDeviceContainer Install(const NodeContainer& nodes);

    /// @brief Assign fixed streams to the random variables of radios and of their channel.
    /// @param devices radios
    /// @param stream first stream index to use
    /// @return number of stream indices used
    static int64_t AssignStreams(const NetDeviceContainer& devices, int64_t stream);

    /**
     * @brief Find what is wrong with radios and the models of links before a run begins.
     *
     * Asks the models for one link from and to each radio. Those that draw the value of a link once
     * and keep it draw it for that.
     *
     * @param devices radios on one channel
     * @throws UserError if attributes of a radio contradict each other, or messages do not fit in
     * its fragments; UserError or DataFileError as the models do, e.g. for a matrix of another size
     */
    static void CheckLinks(const NetDeviceContainer& devices);

  private:
    /// @param factory factory that makes the next model of the chain
    void AppendPropagationLossModel(const ObjectFactory& factory);

    ObjectFactory m_channelFactory; //!< makes the channel
    std::vector<std::pair<std::string, Ptr<const AttributeValue>>>
        m_deviceAttributes;                    //!< of radios and their parts
    ObjectFactory m_queueFactory;              //!< makes queues, if it has a type
    ObjectFactory m_transportFactory;          //!< makes transports
    Ptr<PropagationLossModel> m_lossModel;     //!< head of the chain
    Ptr<PropagationLossModel> m_lastLossModel; //!< its tail
};

} // namespace ns3::collab

#endif /* D2D_HELPER_H */
