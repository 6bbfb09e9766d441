/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_PHY_TRACES_H
#define D2D_PHY_TRACES_H

#include "d2d-radio-activity.h"

#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

namespace ns3::collab
{

struct D2dBurst;

/// @ingroup collab-wireless
/// @brief Trace sources of a D2dPhy about what it sends and receives.
class D2dPhyTraces
{
  public:
    /// @return whether a trace shows fragments that this device sends
    bool
    ShowsSent() const
    {
        return !m_phyTxBeginTrace.IsEmpty() || !m_phyTxEndTrace.IsEmpty() ||
               !m_snifferTrace.IsEmpty();
    }
    /// @return whether a trace shows fragments that this device receives or loses
    bool
    ShowsReceived() const
    {
        return !m_phyRxBeginTrace.IsEmpty() || !m_phyRxEndTrace.IsEmpty() ||
               !m_phyRxDropTrace.IsEmpty() || !m_snifferTrace.IsEmpty();
    }
    /// @param fragment a packet whose transmission begins
    void
    NotifyTxBegin(const Ptr<const Packet>& fragment)
    {
        Show(m_phyTxBeginTrace, fragment);
    }
    /// @param fragment a packet whose transmission ends
    void
    NotifyTxEnd(const Ptr<const Packet>& fragment)
    {
        Show(m_phyTxEndTrace, fragment);
    }
    /// @param packet a packet whose transmission was cut off
    void
    NotifyTxDrop(const Ptr<const Packet>& packet)
    {
        Show(m_phyTxDropTrace, packet);
    }
    /// @param fragment a packet whose reception begins
    void
    NotifyRxBegin(const Ptr<const Packet>& fragment)
    {
        Show(m_phyRxBeginTrace, fragment);
    }
    /// @param fragment a packet that was received
    void
    NotifyRxEnd(const Ptr<const Packet>& fragment)
    {
        Show(m_phyRxEndTrace, fragment);
    }
    /// @param fragment a packet that was lost on its way to this device
    void
    NotifyRxDrop(const Ptr<const Packet>& fragment)
    {
        Show(m_phyRxDropTrace, fragment);
    }
    /// @param frame a fragment with its header that begins to be sent, or was received
    void
    Sniff(const Ptr<const Packet>& frame)
    {
        Show(m_snifferTrace, frame);
    }
    /// @brief Show the Sniffer a whole burst as one frame (fidelity Burst).
    /// @param burst a burst that is sent or was received
    void SniffBurst(const D2dBurst& burst);

  protected:
    ~D2dPhyTraces() = default;

    TracedCallback<Ptr<const Packet>> m_phyTxBeginTrace; //!< trace source PhyTxBegin
    TracedCallback<Ptr<const Packet>> m_phyTxEndTrace;   //!< trace source PhyTxEnd
    TracedCallback<Ptr<const Packet>> m_phyTxDropTrace;  //!< trace source PhyTxDrop

    // What every reception needs comes last: see D2dPhy::Prefetch()
    TracedCallback<Ptr<const Packet>> m_phyRxBeginTrace;     //!< trace source PhyRxBegin
    TracedCallback<Ptr<const Packet>> m_phyRxEndTrace;       //!< trace source PhyRxEnd
    TracedCallback<Ptr<const Packet>> m_phyRxDropTrace;      //!< trace source PhyRxDrop
    TracedCallback<Ptr<const Packet>> m_snifferTrace;        //!< trace source Sniffer
    TracedCallback<const D2dRadioActivity&> m_activityTrace; //!< trace source Activity

  private:
    /// @param trace a trace source that nobody looks at in most runs
    /// @param packet what it shows
    static void
    Show(const TracedCallback<Ptr<const Packet>>& trace, const Ptr<const Packet>& packet)
    {
        if (!trace.IsEmpty())
        {
            trace(packet);
        }
    }
};

} // namespace ns3::collab

#endif /* D2D_PHY_TRACES_H */
