/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_MAC_H
#define D2D_MAC_H

#include "d2d-contention.h"
#include "d2d-outbox.h"
#include "d2d-receiver-access.h"

#include "ns3/d2d-arq-rules.h"
#include "ns3/d2d-burst.h"
#include "ns3/d2d-medium-user.h"
#include "ns3/d2d-phy-user.h"
#include "ns3/d2d-phy.h"
#include "ns3/event-id.h"
#include "ns3/mac48-address.h"
#include "ns3/object.h"
#include "ns3/queue.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace ns3::collab
{

class D2dMacAttributes;
class D2dMedium;
class D2dTransmission;
struct D2dAudience;

/**
 * @ingroup collab-wireless
 * @brief The medium access of a D2D radio: its queue, when it sends, and how often.
 *
 * Access: a half-duplex device defers while it receives a burst that is meant for it, and until the
 * sender of that burst is done, then backs off for a random number of slots. With OFDMA it is not
 * held up for ever by bursts that overlap: when the first of those that it waits for is over and
 * others are not, it is closed until it has sent, and what is for it waits at its sender. Only who
 * is closed, too, does not wait for that. On a shared channel it
 * also defers to any burst that it hears at CcaThreshold or above. Carrier sensing is ideal: a
 * burst is noticed at the instant at which it begins. With TDMA a device sends when its turn comes.
 * With OFDMA a device may have a limit of what it receives at once (MaxReceptions): what is for a
 * device that has no room waits, while its sender sends to others; a broadcast waits until all
 * have room, and goes before what is behind it in the queue and what others have for a single
 * device. All devices know at no cost which ones have room, as carrier sensing is ideal.
 *
 * Reliability: a best-effort burst is sent once. With ARQ every fragment is acknowledged on a
 * control subchannel, and sent again up to MaxAttempts times in all, by stop-and-wait or selective
 * repeat. A broadcast with ARQ sends every fragment once to all and then serves each receiver, in
 * order, with what it has not acknowledged; so does a multicast, to the devices of a group
 * (D2dBurst::group), which others do not listen to. With ReceiverSensing receivers that transmit
 * when it begins get it later, when they hear. Acknowledgments cost airtime and energy, and
 * are lost with the outage probability of the way back, at the rate and in the band of the device
 * that sends them.
 *
 * A burst may be divisible (D2dDivision): receivers get the units that arrive. It may have a
 * deadline, and be cancelled.
 */
class D2dMac : public Object,
               private D2dPhyUser,
               private D2dMediumUser,
               private D2dArqRules,
               private D2dContentionRules
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    /// @return destination of bursts to a D2dBurst::group (locally administered, multicast)
    static Mac48Address GetGroupAddress();

    D2dMac();
    ~D2dMac() override;

    /// Receives a burst, its source as the node's protocols want to have it, the packet as it
    /// arrived, and the numbers of the units that did, ascending, for a divisible packet.
    using ReceiveCallback = std::function<void(const D2dBurst& burst,
                                               const Address& source,
                                               const Ptr<const Packet>& packet,
                                               const std::vector<uint32_t>& units)>;
    /// @param phy the radio
    void SetPhy(Ptr<D2dPhy> phy);
    /// @return the radio
    const Ptr<D2dPhy>&
    GetPhy() const
    {
        return m_phy;
    }
    /// @param medium what is between this device, which has its address by now, and others
    void Join(Ptr<D2dMedium> medium);
    /// @return the same; null before Join()
    const Ptr<D2dMedium>&
    GetMedium() const
    {
        return m_medium;
    }
    /// @param callback called with each burst that has arrived
    void
    SetReceiveCallback(ReceiveCallback callback)
    {
        m_receiveCallback = std::move(callback);
    }
    /// @param callback called when the radio was switched on or off
    void
    SetPowerCallback(std::function<void()> callback)
    {
        m_powerCallback = std::move(callback);
    }
    /// @param address own address
    void
    SetAddress(Mac48Address address)
    {
        m_address = address;
    }
    /// @return own address
    Mac48Address
    GetAddress() const override
    {
        return m_address;
    }

    /// @brief Send a packet of any size as one burst.
    /// @param burst packet, destination, protocol and options; the device fills in the rest
    /// @param over told once when all about the burst is known, or it is dropped, even within this
    /// call; may be empty. Like who is connected to a trace source, it may do anything with any
    /// device there and then, such as send, cancel, or switch off
    /// @return number of the burst at this device, or 0 if it was dropped at once
    uint32_t SendBurst(D2dBurst burst, D2dBurstCallback over = nullptr);
    /// @brief Send a packet of the network layer, with the priority of its SocketPriorityTag.
    /// @param packet the packet
    /// @param destination a device, a group, or broadcast
    /// @param protocol its protocol number
    /// @return whether it was not dropped at once
    bool SendPacket(Ptr<Packet> packet, Mac48Address destination, uint16_t protocol);
    /// @param packet packet of the network layer that is too long
    void
    RefusePacket(Ptr<const Packet> packet)
    {
        m_macTxDropTrace(packet);
    }

    /// @brief Take a burst back: it leaves the queue, or is cut off.
    /// @param id number of a burst of this device
    /// @return whether it was not over yet
    bool CancelBurst(uint32_t id);

    /// @param id number of a burst of this device that is not over
    /// @return bytes of its packet that have gone on air so far, see D2dBurstReport; 0 if it is not
    /// known
    uint64_t
    GetBytesSent(uint32_t id) const
    {
        return m_outbox.GetBytesSent(id);
    }

    /**
     * @brief The run is over: report all bursts that are not, those that wait and those on air.
     *
     * Call it when the simulator has stopped, and simulate nothing afterwards. What is sent from
     * now on is dropped at once.
     */
    void EndRun();

    /// @param maxAttempts transmissions that a fragment may have, if a burst says so; 0 for the
    /// attribute
    /// @return how fragments are acknowledged and sent again
    D2dArqRules GetArqRules(uint32_t maxAttempts = 0) const;
    /// @param airtime airtime of a burst of this device
    /// @param senders number of devices that have one like it for each other
    /// @return how long it takes until all are sent, those that cannot be sent at once one after
    /// the other
    Time
    GetTimeForAll(Time airtime, uint32_t senders) const
    {
        return m_contention.GetTimeForAll(airtime, senders);
    }
    /// @return what it decodes of bursts that are for others
    D2dOverhearing
    GetOverhearing() const override
    {
        return m_overhearing;
    }
    /// @return bursts that it can receive at once, on a channel with OFDMA; 0 for any number
    uint32_t
    GetMaxReceptions() const
    {
        return m_receivers.GetMaxReceptions();
    }
    /// @return whether it waits with what is for one device until that one does not transmit
    bool
    GetReceiverSensing() const
    {
        return m_receivers.GetReceiverSensing();
    }
    /// @param queue where packets wait, the device's own
    void
    SetQueue(Ptr<Queue<Packet>> queue)
    {
        m_queue.SetQueue(queue);
    }
    /// @return where packets wait
    Ptr<Queue<Packet>>
    GetQueue() const
    {
        return m_queue.GetQueue();
    }

    /// @brief Power the radio off: what it sends or receives is lost, its queue is emptied.
    void SwitchOff();
    /// @brief Power the radio on again.
    void SwitchOn();

    /// TracedCallback signature for the end of a burst.
    /// @param report all about it
    typedef void (*BurstEndTracedCallback)(const D2dBurstReport& report);

  protected:
    void NotifyConstructionCompleted() override;
    void DoDispose() override;

  private:
    friend class D2dMacAttributes; // which describes them

    // From D2dPhyUser
    void Receive(const D2dBurst& burst,
                 const Address& source,
                 const Ptr<const Packet>& packet,
                 const std::vector<uint32_t>& units) override;
    bool
    BeginSensing(double powerW) override
    {
        return m_contention.BeginSensing(powerW);
    }
    void
    EndSensing() override
    {
        m_contention.EndSensing();
    }
    void HandleBurstEnd() override;
    void HandleListening() override;

    // From D2dMediumUser
    bool TakeTurn() override;
    void
    RetryAccess() override
    {
        m_contention.TryAccess();
    }
    const D2dReceiverAccess&
    GetReceiverAccess() const override
    {
        return m_receivers;
    }

    /// @brief The present burst no longer occupies the sender.
    void ReleaseMedium();
    /// @param transmission what is on the air, or null
    void SetTransmission(Ptr<D2dTransmission> transmission);
    /// @brief Send the next burst; the device has the medium.
    /// @return whether there is one
    bool Transmit();
    /// @brief Begin to send a burst, or drop it if nobody has its address.
    /// @param burst burst taken out of the queue
    /// @param audience whom it is meant for
    /// @return whether its sending has begun
    bool Start(const std::shared_ptr<const D2dBurst>& burst,
               std::shared_ptr<const D2dAudience> audience);
    /// @brief A burst was sent to several devices: who transmitted when it began gets it later.
    /// @param report what came of it
    void GoOn(const D2dBurstReport& report);
    /// @brief The radio was switched on or off.
    void NotifyPower();
    /// @brief Drop a burst that waits, or cut off the one on air.
    /// @param id number of a burst
    /// @param reason reason for that
    /// @return whether it was not over yet
    bool StopBurst(uint32_t id, D2dLossReason reason);
    /// @param bursts number of bursts that it can receive at once; 0 for any number
    void
    SetMaxReceptions(uint32_t bursts)
    {
        m_receivers.SetMaxReceptions(bursts);
    }
    /// @param enabled see GetReceiverSensing()
    void
    SetReceiverSensing(bool enabled)
    {
        m_receivers.SetReceiverSensing(enabled);
    }
    /// @param overhearing see GetOverhearing()
    void SetOverhearing(D2dOverhearing overhearing);

    // What is needed to hand up a packet comes first and together: see D2dPhy::SetMemoryAbove()
    TracedCallback<Ptr<const Packet>> m_macRxTrace; //!< trace source MacRx
    ReceiveCallback m_receiveCallback;              //!< see SetReceiveCallback()

    Ptr<D2dPhy> m_phy;                                   //!< the radio
    Ptr<D2dMedium> m_medium;                             //!< see Join()
    Mac48Address m_address;                              //!< own address
    std::function<void()> m_powerCallback;               //!< see SetPowerCallback()
    D2dReliability m_unicastReliability;                 //!< attribute UnicastReliability
    D2dOverhearing m_overhearing = D2dOverhearing::NONE; //!< attribute Overhearing

    D2dOutbox m_outbox;                  //!< what it was given to send
    D2dBurstQueue& m_queue;              //!< what of that waits, and attribute TxQueue
    Ptr<D2dTransmission> m_transmission; //!< what is on the air, or null
    D2dContention m_contention;          //!< when it sends
    D2dReceiverAccess& m_receivers;      //!< whether devices take bursts: this one, and others

    TracedCallback<Ptr<const Packet>> m_macTxTrace;        //!< trace source MacTx
    TracedCallback<Ptr<const Packet>> m_macTxDropTrace;    //!< trace source MacTxDrop
    TracedCallback<const D2dBurstReport&> m_burstEndTrace; //!< trace source BurstEnd
};

} // namespace ns3::collab

#endif /* D2D_MAC_H */
