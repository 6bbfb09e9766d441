/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_TRACE_HELPER_H
#define D2D_TRACE_HELPER_H

#include "ns3/trace-helper.h"

#include <string>

namespace ns3::collab
{

/**
 * @ingroup collab-helper
 * @brief Writes pcap and ascii traces of D2dNetDevices; devices of other kinds are passed over.
 *
 * Pcap: link type LINKTYPE_USER0, a D2dMacHeader before and four bytes of check sequence (zeros)
 * behind every frame, as the trace source Sniffer shows them. Frames that were sent have the time
 * at which they began, frames that were received the time at which they had arrived. Of a frame
 * longer than SNAP_LENGTH the file has the beginning, and its true length. A device receives only
 * what is meant for it, so promiscuous mode changes nothing.
 *
 * Ascii: one line an event, with time [s] and packet, in ns-3's manner: + into the queue, - out of
 * it, t on the air, r received whole, d dropped. A line t or d has a fragment with its header when
 * the channel's Fidelity is Packet; all others have packets.
 */
class D2dTraceHelper : public PcapHelperForDevice, public AsciiTraceHelperForDevice
{
  public:
    /// Link type of pcap files: LINKTYPE_USER0, whose meaning is the user's affair
    static constexpr uint32_t LINK_TYPE = 147;
    /// Bytes of a frame that a pcap file keeps at most
    static constexpr uint32_t SNAP_LENGTH = 65535;

  private:
    void EnablePcapInternal(std::string prefix,
                            Ptr<NetDevice> device,
                            bool promiscuous,
                            bool explicitFilename) override;
    void EnableAsciiInternal(Ptr<OutputStreamWrapper> stream,
                             std::string prefix,
                             Ptr<NetDevice> device,
                             bool explicitFilename) override;
};

} // namespace ns3::collab

#endif /* D2D_TRACE_HELPER_H */
