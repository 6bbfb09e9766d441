/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_NET_DEVICE_H
#define D2D_NET_DEVICE_H

#include "d2d-burst.h"
#include "d2d-channel.h"

#include "ns3/event-id.h"
#include "ns3/net-device.h"
#include "ns3/queue-fwd.h"
#include "ns3/queue.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace ns3
{
namespace collab
{

class D2dTransmission;

/// @ingroup collab
/// @brief Whether a device can receive while it transmits.
enum class D2dDuplex
{
    HALF, //!< it cannot, and waits with its own burst until those that it receives are over
    FULL, //!< it can
};

/// @ingroup collab
/// @brief What a radio is doing, as far as it costs energy.
struct D2dRadioActivity
{
    bool on = true;            //!< whether the radio is powered
    uint32_t transmitting = 0; //!< signals that it transmits: its burst, and acknowledgments
    bool receiving = false;    //!< whether it listens to at least one burst, or for acknowledgments
};

/// @ingroup collab
/// @brief How a device cuts and times the fragments of one burst.
struct D2dFragmentation
{
    uint32_t fragments = 1;   //!< number of fragments, all of one length
    uint32_t packetBytes = 0; //!< bytes of the packet that each fragment carries, padding included
    uint32_t fragmentBytes = 0; //!< bytes of each on the air
    Time airtime;               //!< of one fragment; at least 1 ns
};

/**
 * @ingroup collab
 * @brief A radio for device-to-device links, as an ns-3 NetDevice.
 *
 * What it is given, an IP packet or a message of many megabytes, it sends as one burst: a train of
 * fragments on its own subchannel at the rate r B (spectral efficiency times bandwidth), each lost
 * at each receiver with the link's outage probability. Fragments of a burst are of equal length,
 * the last one padded.
 *
 * Access: a half-duplex device defers while it receives a burst that is meant for it, and until the
 * sender of that burst is done, then backs off for a random number of slots. Carrier sensing is
 * ideal: a burst is noticed at the instant at which it begins. A half-duplex device that transmits
 * when a burst begins misses all of it.
 *
 * Reliability: a best-effort burst is sent once. With ARQ every fragment is acknowledged on a
 * control subchannel, and sent again up to MaxAttempts times in all (stop-and-wait). A broadcast
 * with ARQ sends every fragment once to all and then serves each receiver, in order, with what it
 * has not acknowledged. Acknowledgments cost airtime and energy, and are lost with the outage
 * probability of the way back.
 */
class D2dNetDevice : public NetDevice
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    D2dNetDevice();
    ~D2dNetDevice() override;

    /// Receives a whole burst; its packet is what arrived
    using BurstReceiveCallback = std::function<void(std::shared_ptr<const D2dBurst>)>;

    /// Told when the sender is done: the burst and, for ARQ, who has acknowledged all of it
    using BurstSentCallback = std::function<void(std::shared_ptr<const D2dBurst> burst,
                                                 const std::vector<Mac48Address>& acknowledged)>;

    /**
     * @brief Send a packet of any size as one burst.
     *
     * @param packet what to send
     * @param destination a device, or broadcast
     * @param protocol protocol number
     * @param reliability what to do about lost fragments
     * @param attachment handed to whoever receives the whole packet; may be null
     * @param sent called when the sender is done; may be empty. Not called for a packet that found
     * no place in the queue, nor once the device was switched off
     * @return number of the burst at this device, or 0 if it was dropped at once
     */
    uint32_t SendBurst(Ptr<Packet> packet,
                       Mac48Address destination,
                       uint16_t protocol,
                       D2dReliability reliability,
                       std::shared_ptr<const void> attachment,
                       BurstSentCallback sent);

    /**
     * @brief Take bursts of one protocol past the node's protocol handlers.
     *
     * @param protocol the protocol number
     * @param callback called with each burst of that protocol
     */
    void SetBurstReceiveCallback(uint16_t protocol, BurstReceiveCallback callback);

    /**
     * @param channel the channel to use; the device must have its address by then
     */
    void SetChannel(Ptr<D2dChannel> channel);

    /// @return transmit power [dBm]
    double GetTxPowerDbm() const;
    /// @return bandwidth B of the subchannel [Hz]
    double GetBandwidth() const;
    /// @return spectral efficiency r [bit/s/Hz]
    double GetSpectralEfficiency() const;
    /// @return least received power at which a burst is noticed [W]
    double GetRxSensitivityW() const;
    /// @return rate r B [bit/s]
    double GetDataRate() const;

    /**
     * @param bytes size of a packet
     * @return how it is cut and timed
     */
    D2dFragmentation GetFragmentation(uint32_t bytes) const;

    /**
     * @param bytes size of a packet
     * @return time on the air of all its fragments, each sent once
     */
    Time GetAirtime(uint32_t bytes) const;

    /// @return time on the air of one acknowledgment
    Time GetAcknowledgmentAirtime() const;
    /// @return pause between a fragment's end and the next one, besides the acknowledgment's
    /// airtime
    Time GetAcknowledgmentTurnaround() const;
    /// @return transmissions that a fragment may have with ARQ
    uint32_t GetMaxAttempts() const;
    /// @return the device's source of randomness
    Ptr<UniformRandomVariable> GetRandom() const;

    /// @brief Power the radio off: what it sends or receives is lost, its queue is emptied.
    void SwitchOff();
    /// @brief Power the radio on again.
    void SwitchOn();
    /// @return whether the radio is powered
    bool IsOn() const;
    /// @return what the radio is doing
    const D2dRadioActivity& GetActivity() const;

    /**
     * @brief Assign a fixed stream to the device's random variable.
     *
     * @param stream stream index to use
     * @return number of stream indices used (1)
     */
    int64_t AssignStreams(int64_t stream);

    // Called by D2dTransmission, on the sender's and on the receivers' devices

    /**
     * @brief A burst that this device is to receive begins.
     *
     * @return NONE if it will follow the burst, or why it cannot
     */
    D2dLossReason BeginBurst();
    /**
     * @brief A burst that BeginBurst() accepted is over.
     * @param epoch the device's epoch when it was accepted
     */
    void EndBurst(uint64_t epoch);
    /// @brief The radio begins to listen to a burst.
    void BeginListening();
    /**
     * @brief The radio stops listening to a burst.
     * @param epoch the device's epoch when it began
     */
    void EndListening(uint64_t epoch);
    /**
     * @brief The radio transmits acknowledgments.
     * @param duration for so long
     */
    void TransmitAcknowledgments(Time duration);
    /// @param transmitting whether the radio transmits its burst; ignored when it is off
    void SetTransmitting(bool transmitting);
    /**
     * @brief A whole burst has arrived.
     *
     * @param burst the burst
     * @param packet what was received of it
     */
    void ReceiveBurst(std::shared_ptr<const D2dBurst> burst, Ptr<Packet> packet);
    /// @return counts how often the device was switched off; tells stale events from others
    uint64_t GetEpoch() const;
    /// @brief The present burst no longer occupies the sender.
    void ReleaseMedium();
    /**
     * @brief All about a burst is known.
     * @param report the burst's end
     */
    void ConcludeBurst(const D2dBurstReport& report);
    /// @param fragment a packet whose transmission begins
    void NotifyTxBegin(Ptr<const Packet> fragment);
    /// @param fragment a packet whose transmission ends
    void NotifyTxEnd(Ptr<const Packet> fragment);
    /// @param packet a packet whose transmission was cut off
    void NotifyTxDrop(Ptr<const Packet> packet);
    /// @param fragment a packet whose reception begins
    void NotifyRxBegin(Ptr<const Packet> fragment);
    /// @param fragment a packet that was received
    void NotifyRxEnd(Ptr<const Packet> fragment);
    /// @param fragment a packet that was lost on its way to this device
    void NotifyRxDrop(Ptr<const Packet> fragment);
    /**
     * @brief Show the Sniffer a whole burst as one frame (fidelity Burst).
     * @param burst a burst that is sent or was received
     */
    void SniffBurst(const D2dBurst& burst);

    // From NetDevice
    void SetIfIndex(const uint32_t index) override;
    uint32_t GetIfIndex() const override;
    Ptr<Channel> GetChannel() const override;
    void SetAddress(Address address) override;
    Address GetAddress() const override;
    bool SetMtu(const uint16_t mtu) override;
    uint16_t GetMtu() const override;
    bool IsLinkUp() const override;
    void AddLinkChangeCallback(Callback<void> callback) override;
    bool IsBroadcast() const override;
    Address GetBroadcast() const override;
    bool IsMulticast() const override;
    Address GetMulticast(Ipv4Address multicastGroup) const override;
    Address GetMulticast(Ipv6Address addr) const override;
    bool IsBridge() const override;
    bool IsPointToPoint() const override;
    bool Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber) override;
    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& dest,
                  uint16_t protocolNumber) override;
    Ptr<Node> GetNode() const override;
    void SetNode(Ptr<Node> node) override;
    bool NeedsArp() const override;
    void SetReceiveCallback(ReceiveCallback cb) override;
    void SetPromiscReceiveCallback(PromiscReceiveCallback cb) override;
    bool SupportsSendFrom() const override;

    /**
     * TracedCallback signature for the end of a burst.
     *
     * @param report all about it
     */
    typedef void (*BurstEndTracedCallback)(const D2dBurstReport& report);
    /**
     * TracedCallback signature for a change of activity.
     *
     * @param activity what the radio is doing from now on
     */
    typedef void (*ActivityTracedCallback)(const D2dRadioActivity& activity);

  protected:
    void DoDispose() override;

  private:
    /// A burst in the queue, and whom to tell of its end
    struct PendingBurst
    {
        std::shared_ptr<const D2dBurst> burst; //!< the burst
        BurstSentCallback sent;                //!< called at its end
    };

    /// @brief Get access to the medium for the next burst, if there is one and nothing is in the
    /// way.
    void TryAccess();
    /// @brief The back-off is over.
    void EndBackoff();
    /**
     * @param burst a burst that is about to be sent
     * @return links to the devices that it is meant for
     */
    std::vector<D2dLink> GetAudience(const D2dBurst& burst) const;
    /**
     * @param burst a burst that was not sent
     * @param reason why not
     * @param fragments number of its fragments
     * @return what became of it at every device that it was meant for
     */
    std::vector<D2dReceiverOutcome> MakeOutcomes(const D2dBurst& burst,
                                                 D2dLossReason reason,
                                                 uint32_t fragments) const;
    /**
     * @brief Report a burst that was never sent.
     *
     * @param burst the burst
     * @param reason why not
     */
    void DropBurst(std::shared_ptr<const D2dBurst> burst, D2dLossReason reason);
    /**
     * @param change makes the new activity out of the present one
     */
    void UpdateActivity(const std::function<void(D2dRadioActivity&)>& change);
    /**
     * @brief The radio has transmitted its acknowledgments.
     * @param epoch the device's epoch when the acknowledgments began
     */
    void EndAcknowledgments(uint64_t epoch);

    Ptr<D2dChannel> m_channel;           //!< the channel
    Ptr<Node> m_node;                    //!< the node
    uint32_t m_ifIndex;                  //!< index at the node
    Mac48Address m_address;              //!< own address
    Ptr<Queue<Packet>> m_queue;          //!< attribute TxQueue
    Ptr<UniformRandomVariable> m_random; //!< outages, back-off
    uint16_t m_mtu;                      //!< attribute Mtu [byte]
    double m_txPowerDbm;                 //!< attribute TxPower [dBm]
    double m_bandwidthHz;                //!< attribute Bandwidth [Hz]
    double m_spectralEfficiency;         //!< attribute SpectralEfficiency [bit/s/Hz]
    double m_rxSensitivityDbm;           //!< attribute RxSensitivity [dBm]
    uint32_t m_fragmentSize;             //!< attribute FragmentSize [byte]
    uint32_t m_acknowledgmentSize;       //!< attribute AcknowledgmentSize [byte]
    Time m_turnaround;                   //!< attribute AcknowledgmentTurnaround
    uint32_t m_maxAttempts;              //!< attribute MaxAttempts
    Time m_slotTime;                     //!< attribute SlotTime
    uint32_t m_contentionWindow;         //!< attribute ContentionWindow
    D2dDuplex m_duplex;                  //!< attribute Duplex
    D2dReliability m_unicastReliability; //!< attribute UnicastReliability

    uint32_t m_nextBurst = 1;                   //!< number of the next burst
    std::map<uint32_t, PendingBurst> m_pending; //!< bursts that are queued or on the air
    Ptr<D2dTransmission> m_transmission;        //!< what is on the air, or null
    EventId m_backoffEvent;                     //!< end of the back-off
    uint32_t m_reservations = 0;                //!< bursts of others that this device follows
    uint32_t m_listening = 0;                   //!< signals that it listens to
    D2dRadioActivity m_activity;                //!< what the radio is doing
    uint64_t m_epoch = 0;                       //!< see GetEpoch()

    ReceiveCallback m_rxCallback;                              //!< to the node
    PromiscReceiveCallback m_promiscRxCallback;                //!< to the node
    std::map<uint16_t, BurstReceiveCallback> m_burstCallbacks; //!< by protocol number

    TracedCallback<Ptr<const Packet>> m_macTxTrace;          //!< trace source MacTx
    TracedCallback<Ptr<const Packet>> m_macTxDropTrace;      //!< trace source MacTxDrop
    TracedCallback<Ptr<const Packet>> m_macRxTrace;          //!< trace source MacRx
    TracedCallback<Ptr<const Packet>> m_phyTxBeginTrace;     //!< trace source PhyTxBegin
    TracedCallback<Ptr<const Packet>> m_phyTxEndTrace;       //!< trace source PhyTxEnd
    TracedCallback<Ptr<const Packet>> m_phyTxDropTrace;      //!< trace source PhyTxDrop
    TracedCallback<Ptr<const Packet>> m_phyRxBeginTrace;     //!< trace source PhyRxBegin
    TracedCallback<Ptr<const Packet>> m_phyRxEndTrace;       //!< trace source PhyRxEnd
    TracedCallback<Ptr<const Packet>> m_phyRxDropTrace;      //!< trace source PhyRxDrop
    TracedCallback<Ptr<const Packet>> m_snifferTrace;        //!< trace source Sniffer
    TracedCallback<> m_linkChangeCallbacks;                  //!< told when the radio goes on or off
    TracedCallback<const D2dBurstReport&> m_burstEndTrace;   //!< trace source BurstEnd
    TracedCallback<const D2dRadioActivity&> m_activityTrace; //!< trace source Activity
};

} // namespace collab
} // namespace ns3

#endif /* D2D_NET_DEVICE_H */
