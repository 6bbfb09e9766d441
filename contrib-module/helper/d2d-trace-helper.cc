/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-trace-helper.h"

#include "ns3/config.h"
#include "ns3/d2d-net-device.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/queue.h"
#include "ns3/simulator.h"

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("D2dTraceHelper");

namespace
{

/// @brief Write a line for a transmission, for which ns-3 has no default sink.
/// @param stream stream to write to
/// @param packet what is sent
void
TransmitSink(Ptr<OutputStreamWrapper> stream, Ptr<const Packet> packet)
{
    *stream->GetStream() << "t " << Simulator::Now().GetSeconds() << " " << *packet << std::endl;
}

/// @brief Write a line for a transmission, with the path of its trace source.
/// @param stream stream to write to
/// @param context path of the trace source
/// @param packet what is sent
void
TransmitSinkWithContext(Ptr<OutputStreamWrapper> stream,
                        std::string context,
                        Ptr<const Packet> packet)
{
    *stream->GetStream() << "t " << Simulator::Now().GetSeconds() << " " << context << " "
                         << *packet << std::endl;
}

/// @brief Write the events of a device into a file of its own.
/// @param device the device
/// @param stream the file
void
HookDevice(Ptr<D2dNetDevice> device, Ptr<OutputStreamWrapper> stream)
{
    using Helper = AsciiTraceHelper;
    Ptr<D2dPhy> phy = device->GetPhy();
    Ptr<D2dMac> mac = device->GetMac();
    Ptr<Queue<Packet>> packets = mac->GetQueue();
    packets->TraceConnectWithoutContext(
        "Enqueue", MakeBoundCallback(&Helper::DefaultEnqueueSinkWithoutContext, stream));
    packets->TraceConnectWithoutContext(
        "Dequeue", MakeBoundCallback(&Helper::DefaultDequeueSinkWithoutContext, stream));
    phy->TraceConnectWithoutContext("PhyTxBegin", MakeBoundCallback(&TransmitSink, stream));
    mac->TraceConnectWithoutContext(
        "MacRx", MakeBoundCallback(&Helper::DefaultReceiveSinkWithoutContext, stream));
    const auto drop = MakeBoundCallback(&Helper::DefaultDropSinkWithoutContext, stream);
    mac->TraceConnectWithoutContext("MacTxDrop", drop);
    phy->TraceConnectWithoutContext("PhyTxDrop", drop);
    phy->TraceConnectWithoutContext("PhyRxDrop", drop);
}

/// @brief Write the events of a device into a file that it shares with others.
/// @param path Config path of the device
/// @param stream the file
void
HookDeviceWithContext(const std::string& path, Ptr<OutputStreamWrapper> stream)
{
    using Helper = AsciiTraceHelper;
    Config::Connect(path + "Mac/TxQueue/Enqueue",
                    MakeBoundCallback(&Helper::DefaultEnqueueSinkWithContext, stream));
    Config::Connect(path + "Mac/TxQueue/Dequeue",
                    MakeBoundCallback(&Helper::DefaultDequeueSinkWithContext, stream));
    Config::Connect(path + "Phy/PhyTxBegin", MakeBoundCallback(&TransmitSinkWithContext, stream));
    Config::Connect(path + "Mac/MacRx",
                    MakeBoundCallback(&Helper::DefaultReceiveSinkWithContext, stream));
    for (const std::string drop : {"Mac/MacTxDrop", "Phy/PhyTxDrop", "Phy/PhyRxDrop"})
    {
        Config::Connect(path + drop,
                        MakeBoundCallback(&Helper::DefaultDropSinkWithContext, stream));
    }
}

} // namespace

void
D2dTraceHelper::EnablePcapInternal(std::string prefix,
                                   Ptr<NetDevice> device,
                                   bool,
                                   bool explicitFilename)
{
    Ptr<D2dNetDevice> radio = DynamicCast<D2dNetDevice>(device);
    if (!radio)
    {
        NS_LOG_INFO("device " << device << " is no D2dNetDevice: no pcap file");
        return;
    }
    PcapHelper helper;
    const std::string name =
        explicitFilename ? prefix : helper.GetFilenameFromDevice(prefix, device);
    Ptr<PcapFileWrapper> file = helper.CreateFile(
        name, std::ios::out, static_cast<PcapHelper::DataLinkType>(LINK_TYPE), SNAP_LENGTH);
    helper.HookDefaultSink<D2dPhy>(radio->GetPhy(), "Sniffer", file);
}

void
D2dTraceHelper::EnableAsciiInternal(Ptr<OutputStreamWrapper> stream,
                                    std::string prefix,
                                    Ptr<NetDevice> device,
                                    bool explicitFilename)
{
    Ptr<D2dNetDevice> radio = DynamicCast<D2dNetDevice>(device);
    if (!radio)
    {
        NS_LOG_INFO("device " << device << " is no D2dNetDevice: no ascii trace");
        return;
    }
    Packet::EnablePrinting();
    if (stream)
    {
        HookDeviceWithContext("/NodeList/" + std::to_string(radio->GetNode()->GetId()) +
                                  "/DeviceList/" + std::to_string(radio->GetIfIndex()) +
                                  "/$ns3::collab::D2dNetDevice/",
                              stream);
        return;
    }
    AsciiTraceHelper helper;
    HookDevice(radio,
               helper.CreateFileStream(
                   explicitFilename ? prefix : helper.GetFilenameFromDevice(prefix, device)));
}

} // namespace ns3::collab
