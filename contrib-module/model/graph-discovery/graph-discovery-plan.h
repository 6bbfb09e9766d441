/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_PLAN_H
#define GRAPH_DISCOVERY_PLAN_H

#include "ns3/collab-transport.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>

namespace ns3::collab
{

/// @ingroup collab
/// @brief How long the slowest of all devices needs for something, so that parts of a pass begin at
/// the same times on all of them.
class SlowestDevice
{
  public:
    /// Messages for which a part of a slot has time in which a device sends one: enough for ARQ
    static constexpr uint32_t SINGLE_MESSAGE = 4;

    /// @param nodes at least one, with transports and processors
    /// @param devices number of all devices, which send at the same time
    SlowestDevice(NodeContainer nodes, uint32_t devices);

    /// @param flops floating-point operations of a job
    /// @return how long it takes
    Time GetComputing(uint64_t flops) const;
    /// @return how long a device must listen to know its links
    Time GetListening() const;
    /// @brief Find how long messages take, of which all devices send as many at once.
    /// @param given attribute; zero for what follows
    /// @param payloadBytes of a message
    /// @param messages one after the other
    /// @param policy what is done about loss
    /// @return the attribute, or as long as the messages take; with ARQ twice that
    Time GetStage(Time given, uint64_t payloadBytes, uint32_t messages, LossPolicy policy) const;
    /// @brief Find how long it takes until each device has told something to the others: one after
    /// the other, if they do not hear while they send.
    /// @param payloadBytes of a message
    /// @param messages of each device, one after the other
    /// @param policy what is done about loss
    /// @return as long as the messages take; with ARQ twice that
    Time GetTellingStage(uint64_t payloadBytes, uint32_t messages, LossPolicy policy) const;
    /// @param payloadBytes of a message
    /// @return how long it takes until each device has told it all others, reliably
    Time GetTelling(uint64_t payloadBytes) const;

  private:
    /// @param find how long something takes a device
    /// @return the longest time
    Time FindLongest(const std::function<Time(const Ptr<Node>&)>& find) const;
    /// @param ofAll how long a message of each device takes
    /// @param payloadBytes of a message
    /// @param messages of each device, one after the other
    /// @param policy what is done about loss
    /// @return how long they take; with ARQ twice that
    Time FindStage(Time (Transport::*ofAll)(uint64_t, uint32_t) const,
                   uint64_t payloadBytes,
                   uint32_t messages,
                   LossPolicy policy) const;

    NodeContainer m_nodes; //!< of the devices
    uint32_t m_devices;    //!< number of all
};

/**
 * @ingroup collab
 * @brief When the parts of passes begin, the same on all devices.
 *
 * A pass has a setup, which is longer in the first one; slots in which devices learn; and a final
 * slot, after which datapoints are sent. Gains are shared in some slots, which are longer.
 */
struct PassPlan
{
    Time firstSetup;         //!< duration of the first setup
    Time laterSetup;         //!< duration of another one
    Time askEnd;             //!< end of requests, from the begin of a slot
    Time grantEnd;           //!< end of grants, from the begin of a slot
    Time sharingEnd;         //!< end of rewards where gains are shared, from the begin of a slot
    Time quietEnd;           //!< end of rewards in other slots, from the begin of a slot
    Time sharingSlot;        //!< duration of a slot in which gains are shared
    Time quietSlot;          //!< duration of another slot
    Time exchange;           //!< duration of an exchange of datapoints
    uint32_t iterations = 0; //!< slots of learning in a pass
    uint32_t period = 1;     //!< slots from one in which gains are shared to the next

    /// @param iteration slot of a pass, from 0
    /// @return whether gains are shared in it
    bool Shares(uint32_t iteration) const;
    /// @param iteration slot of a pass, from 0
    /// @return end of its rewards, from its begin
    Time GetRewardEnd(uint32_t iteration) const;
    /// @param iteration slot of a pass, from 0
    /// @return its begin, from that of the first one
    Time GetSlotBegin(uint32_t iteration) const;
    /// @param pass from 0
    /// @return when its slots begin, from its begin
    Time GetSlotsBegin(uint32_t pass = 0) const;
    /// @param pass from 0
    /// @return when the slot begins whose grants are real, from the begin of the pass
    Time GetFinalSlotBegin(uint32_t pass = 0) const;
    /// @param pass from 0
    /// @return when datapoints are sent, from the begin of the pass
    Time GetDataBegin(uint32_t pass = 0) const;
    /// @param pass from 0
    /// @return its duration
    Time GetPassDuration(uint32_t pass = 0) const;
    /// @param pass from 0; the number of passes for the end of the last one
    /// @return when it begins, from the start
    Time GetPassBegin(uint32_t pass) const;
};

} // namespace ns3::collab

#endif /* GRAPH_DISCOVERY_PLAN_H */
