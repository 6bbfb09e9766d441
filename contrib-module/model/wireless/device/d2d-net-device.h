/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_NET_DEVICE_H
#define D2D_NET_DEVICE_H

#include "d2d-burst-queue.h"
#include "d2d-fragmentation.h"
#include "d2d-neighbor-table.h"

#include "ns3/d2d-arq.h"
#include "ns3/d2d-burst.h"
#include "ns3/d2d-channel.h"
#include "ns3/d2d-split-mix.h"
#include "ns3/event-id.h"
#include "ns3/net-device.h"
#include "ns3/queue.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
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
/// @brief How a device chooses the rate of a burst.
enum class D2dRateControl
{
    FIXED,    //!< the attribute SpectralEfficiency
    ADAPTIVE, //!< the highest rate whose outage probability is at most the attribute TargetOutage
};

/// @ingroup collab
/// @brief How a device knows which others are near, and how well it hears them.
enum class D2dDiscovery
{
    IDEAL,    //!< from the link budget, as if pilots had been measured for long before
    MEASURED, //!< from what it has received, beacons for one
};

/// @ingroup collab
/// @brief What a radio does by turns, too often to tell every turn: parts of the time.
struct D2dDutyCycle
{
    double transmitting = 0; //!< for which it transmits
    double listening = 0;    //!< for which it listens
};

/// @ingroup collab
/// @brief For how much longer a radio did something than its duty cycle has said; negative if for
/// less long.
struct D2dCorrection
{
    Time transmitting; //!< it transmitted
    Time listening;    //!< it listened
    Time idle;         //!< it did neither
};

/// @ingroup collab
/// @brief What a radio is doing, as far as it costs energy.
struct D2dRadioActivity
{
    bool on = true;            //!< whether the radio is powered
    bool asleep = false;       //!< whether it is powered but can neither transmit nor listen
    uint32_t transmitting = 0; //!< signals that it transmits: its burst, and acknowledgments
    bool receiving = false;    //!< whether it listens to at least one burst, or for acknowledgments
    D2dDutyCycle cycle;        //!< what it does by turns besides
    D2dCorrection correction;  //!< of what was said before; told once
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
 * sender of that burst is done, then backs off for a random number of slots. With OFDMA it is not
 * held up for ever by bursts that overlap: when the first of those that it waits for is over and
 * others are not, it is closed until it has sent, and what is for it waits at its sender. Only who
 * is closed, too, does not wait for that. On a shared channel it
 * also defers to any burst that it hears at CcaThreshold or above. Carrier sensing is ideal: a
 * burst is noticed at the instant at which it begins. A half-duplex device that transmits when a
 * burst begins misses all of it. With TDMA a device sends when its turn comes. With OFDMA a device
 * may have a limit of what it receives at once (MaxReceptions): what is for a device that has no
 * place waits, while its sender sends to others; a broadcast waits until all have place, and goes
 * before what is behind it in the queue and what others have for a single device. Who has place is
 * known to all at no cost, as carrier sensing is ideal.
 *
 * Reliability: a best-effort burst is sent once. With ARQ every fragment is acknowledged on a
 * control subchannel, and sent again up to MaxAttempts times in all, by stop-and-wait or selective
 * repeat. A broadcast with ARQ sends every fragment once to all and then serves each receiver, in
 * order, with what it has not acknowledged; so does a multicast, to the devices of a group
 * (D2dBurst::group), which others do not listen to. Acknowledgments cost airtime and energy, and
 * are lost with the outage probability of the way back, at the rate and in the band of the device
 * that sends them.
 *
 * A burst may be divisible (D2dDivision): receivers get the units that arrive. It may have a
 * deadline, and be cancelled.
 *
 * A node may have several radios on one channel, each for itself: they hear and disturb each other
 * as those of two nodes in one place do, but what one of them broadcasts is for other nodes.
 */
class D2dNetDevice : public NetDevice
{
  public:
    /// Protocol number of beacons (IEEE 802 local experimental Ethertype 2)
    static constexpr uint16_t BEACON_PROTOCOL = 0x88B6;

    /// What the attribute Subchannel is if the device's index shall decide
    static constexpr uint32_t ANY_SUBCHANNEL = 0xffffffff;

    /// @return destination of bursts to a D2dBurst::group (locally administered, multicast)
    static Mac48Address GetGroupAddress();

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    D2dNetDevice();
    ~D2dNetDevice() override;

    /**
     * Receives a burst: the burst with the packet as it arrived, and the numbers of the units that
     * did, ascending, for a divisible packet.
     */
    using BurstReceiveCallback =
        std::function<void(const D2dBurst& burst, const std::vector<uint32_t>& units)>;

    /**
     * @brief Send a packet of any size as one burst.
     *
     * @param burst packet, destination, protocol and options; the device fills in the rest
     * @param over told once when all about the burst is known, or it is dropped, even within this
     * call; may be empty. Like who is connected to a trace source, it may do anything with any
     * device there and then, such as send, cancel, or switch off
     * @return number of the burst at this device, or 0 if it was dropped at once
     */
    uint32_t SendBurst(D2dBurst burst, D2dBurstCallback over = nullptr);

    /**
     * @brief Take a burst back: it leaves the queue, or is cut off.
     *
     * @param id number of a burst of this device
     * @return whether it was not over yet
     */
    bool CancelBurst(uint32_t id);

    /**
     * @param id number of a burst of this device that is not over
     * @return bytes of its packet that have gone on air so far, see D2dBurstReport; 0 if it is not
     * known
     */
    uint64_t GetBytesSent(uint32_t id) const;

    /**
     * @brief The run is over: report all bursts that are not, those that wait and those on air.
     *
     * Call it when the simulator has stopped, and simulate nothing afterwards. What is sent from
     * now on is dropped at once.
     */
    void EndRun();

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
    /// @return number of the subchannel that it has by attribute, or ANY_SUBCHANNEL
    uint32_t GetSubchannel() const;
    /// @return spectral efficiency r by attribute [bit/s/Hz]
    double GetSpectralEfficiency() const;
    /// @return least received power at which a burst is noticed [dBm]
    double GetRxSensitivityDbm() const;
    /// @return least received power at which a burst is noticed [W]
    double GetRxSensitivityW() const;
    /// @return rate r B by attribute [bit/s]
    double GetDataRate() const;
    /// @return noise power in the band of what this device sends [W]
    double GetNoiseW() const;

    /**
     * @param bytes size of an indivisible packet
     * @return how it is cut and timed at the rate by attribute
     */
    D2dFragmentation GetFragmentation(uint32_t bytes) const;
    /// @return length of its longest fragments on the air [byte]
    uint32_t GetFragmentBytes() const;
    /// @return length of its acknowledgments on the air [byte]
    uint32_t GetAcknowledgmentSize() const;
    /**
     * @param burst a burst
     * @param spectralEfficiency rate of its fragments [bit/s/Hz]
     * @return how it is cut and timed
     */
    D2dFragmentation GetFragmentation(const D2dBurst& burst, double spectralEfficiency) const;

    /**
     * @param bytes size of a packet
     * @return time on the air of all its fragments, each sent once at the rate by attribute
     */
    Time GetAirtime(uint32_t bytes) const;

    /// @return time on the air of one acknowledgment that this device sends, at its
    /// SpectralEfficiency and in its Bandwidth
    Time GetAcknowledgmentAirtime() const;
    /// @return pause for acknowledgments, besides their airtime, before the sender goes on; 0 for
    /// the way there and back
    Time GetAcknowledgmentTurnaround() const;
    /// @return how fragments that were not acknowledged are sent again
    D2dArq GetArq() const;
    /**
     * @param burst a burst
     * @return transmissions that a fragment of it may have with ARQ
     */
    uint32_t GetMaxAttempts(const D2dBurst& burst) const;
    /// @return waiting before the first repetition; doubled at each further one
    Time GetRetryBackoff() const;
    /// @return the device's source of randomness
    const Ptr<UniformRandomVariable>&
    GetRandom() const
    {
        return m_random;
    }
    /**
     * @param probability of losing what arrives
     * @return whether it is lost, by a draw of this device
     */
    bool
    DrawLoss(double probability)
    {
        if (!m_draws)
        {
            SeedDraws();
        }
        return m_draws->GetValue() < probability;
    }
    /// @return bursts that it can receive at once, on a channel with OFDMA; 0 for any number
    uint32_t GetMaxReceptions() const;
    /// @return own address
    Mac48Address
    GetMac48Address() const
    {
        return m_address;
    }

    /// @return nodes of the devices that this one hears, ascending (attribute NeighborDiscovery);
    /// with ideal discovery, of those that hear it as well
    std::vector<uint32_t> GetNeighbors() const;
    /**
     * @param node of another device
     * @return its mean received signal strength here, as this device can measure it [W]; nothing if
     * it does not hear it
     */
    std::optional<double> GetMeasuredRssW(uint32_t node) const;
    /**
     * @param node of another device
     * @return probability of losing a fragment from it, for its measured signal strength, at the
     * rate and bandwidth of this device; 1 if this device does not hear it
     */
    double GetMeasuredOutage(uint32_t node) const;

    /// @param queue where packets wait, the device's own
    void SetQueue(Ptr<Queue<Packet>> queue);
    /// @return where packets wait
    Ptr<Queue<Packet>> GetQueue() const;

    /// @brief Power the radio off: what it sends or receives is lost, its queue is emptied.
    void SwitchOff();
    /// @brief Power the radio on again.
    void SwitchOn();
    /// @return whether the radio is powered
    bool IsOn() const;
    /**
     * @brief Fall asleep: neither hear nor send until Wake(); what is queued waits.
     *
     * A radio that transmits falls asleep after its present burst, or acknowledgments. What it is
     * receiving when it falls asleep is lost at it, and so are bursts that begin while it sleeps. A
     * radio that is off does not sleep, and one that is switched on is awake.
     */
    void Sleep();
    /// @brief Wake up, or no longer be about to fall asleep.
    void Wake();
    /// @return whether the radio sleeps
    bool IsAsleep() const;
    /// @return what the radio is doing
    const D2dRadioActivity& GetActivity() const;

    /**
     * @brief Assign a fixed stream to the device's random variable.
     *
     * @param stream stream index to use
     * @return number of stream indices used (1)
     */
    int64_t AssignStreams(int64_t stream);

    // Called by the channel and by D2dTransmission, on the sender's and on the receivers' devices

    /// @return the channel
    Ptr<D2dChannel> GetD2dChannel() const;
    /// @param index at the channel
    void SetChannelIndex(uint32_t index);
    /// @return index at the channel
    uint32_t GetChannelIndex() const;
    /// @return whether the device sends, now that its turn has come
    bool TakeTurn();
    /// @brief A receiver has place again that this device may have waited for.
    void RetryAccess();
    /**
     * @brief A burst begins on a shared channel.
     *
     * @param powerW its power here [W]
     * @return whether this device defers to it; then EndSensing() must follow
     */
    bool BeginSensing(double powerW);
    /// @brief A burst is over to which this device has deferred.
    void EndSensing();
    /**
     * @brief Something of a burst was received.
     *
     * @param sender who sent it
     * @param rssW mean received signal strength, as measured over the burst [W]
     */
    void NotifyHeard(const D2dNetDevice& sender, double rssW);
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
    /**
     * @brief Follow a burst of which a part may be received at any moment.
     * @param transmission to be told if this device goes off or falls asleep
     */
    void AddFollowed(Ptr<D2dTransmission> transmission);
    /// @param transmission whose burst is over
    void RemoveFollowed(const D2dTransmission& transmission);
    /// @param cycle what the radio does by turns from now on, besides what else it does
    void BeginCycle(const D2dDutyCycle& cycle);
    /**
     * @brief The radio no longer does so.
     *
     * @param cycle what BeginCycle() was told
     * @param correction of it
     * @param epoch the device's epoch when it began
     */
    void EndCycle(const D2dDutyCycle& cycle, const D2dCorrection& correction, uint64_t epoch);
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
     * @brief A burst has arrived.
     *
     * @param burst the burst
     * @param source its source, as the node's protocols want to have it
     * @param packet what was received of it
     * @param units units that were received, for a divisible packet
     */
    void ReceiveBurst(const D2dBurst& burst,
                      const Address& source,
                      const Ptr<const Packet>& packet,
                      const std::vector<uint32_t>& units);
    /**
     * @brief Begin to fetch from memory what a reception needs.
     *
     * In a large network each receiver is somewhere else in memory. A sender that asks for all of
     * them at once waits once.
     */
    void
    Prefetch() const
    {
#ifdef __GNUC__
        constexpr std::ptrdiff_t CACHE_LINE_BYTES = 64;
        __builtin_prefetch(this, 1); // the reference count
        const auto* last = reinterpret_cast<const char*>(&m_burstCallbacks + 1);
        for (const auto* line = reinterpret_cast<const char*>(&m_epoch); line < last;
             line += CACHE_LINE_BYTES)
        {
            __builtin_prefetch(line, 1);
        }
#endif
    }
    /// @return counts how often the device was switched off or fell asleep; tells stale events from
    /// others
    uint64_t
    GetEpoch() const
    {
        return m_epoch;
    }
    /// @brief The present burst no longer occupies the sender.
    void ReleaseMedium();
    /**
     * @brief A burst is over.
     *
     * @param burst its number
     * @return whom to tell of it; may be empty
     */
    D2dBurstCallback ForgetBurst(uint32_t burst);
    /// @return whether a trace shows the ends of bursts
    bool TracesBurstEnds() const;
    /**
     * @brief All about a burst is known.
     *
     * @param report the burst's end
     * @param over what ForgetBurst() gave for it
     */
    void ConcludeBurst(const D2dBurstReport& report, const D2dBurstCallback& over);
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
    /// @param frame a fragment with its header that begins to be sent, or was received
    void Sniff(Ptr<const Packet> frame);
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
    void NotifyConstructionCompleted() override;
    void DoInitialize() override;
    void DoDispose() override;

  private:
    /// @brief Seed the draws of losses by the stream of the device.
    void SeedDraws();
    /// @brief Get access to the medium for the next burst, if there is one and nothing is in the
    /// way.
    void TryAccess();
    /// @return whether the device has to defer to others
    bool IsMediumBusy() const;
    /// @return whether it could receive one more burst
    bool HasPlace() const;
    /**
     * @param sender another device
     * @return whether it takes a burst from that one
     */
    bool Takes(const D2dNetDevice& sender) const;
    /// @brief Take no bursts until this device has sent, or has nothing to send.
    void Close();
    /// @brief Take bursts again.
    void Open();
    /// @brief Bursts that this device received are over: who waits for a place may have it.
    void OfferPlace();
    /// @brief All bursts of this device have to wait until others have place.
    void AwaitPlace();
    /// @brief This device no longer keeps others from sending what is for its own receivers.
    void ReleaseClaim();
    /**
     * @param burst a burst that waits
     * @return whether all that would receive it have place
     */
    bool IsReceivable(const D2dBurst& burst) const;
    /// @return says so of bursts in the order of the queue, but of none behind a broadcast that
    /// waits
    D2dBurstQueue::BurstFilter MakeReceivableFilter() const;
    /// @return whether a burst waits that can be sent
    bool HasReceivable();
    /// @return the next burst that is to be sent, out of the queue; null if none can be
    std::shared_ptr<const D2dBurst> TakeNext();
    /// @brief The back-off is over.
    void EndBackoff();
    /**
     * @brief Send the next burst; the device has the medium.
     * @return whether there is one
     */
    bool Transmit();
    /**
     * @brief Begin to send a burst, or drop it if nobody has its address.
     *
     * @param burst out of the queue
     * @return whether its sending has begun
     */
    bool Start(const std::shared_ptr<const D2dBurst>& burst);
    /// @brief Fall asleep if that is wanted and nothing is transmitted.
    void TrySleep();
    /**
     * @param audience links to the devices that a burst is meant for
     * @return rate at which it is sent [bit/s/Hz]
     */
    double ChooseSpectralEfficiency(const std::vector<D2dLink>& audience) const;
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
     * @param over told of it; may be empty
     */
    void DropBurst(const std::shared_ptr<const D2dBurst>& burst,
                   D2dLossReason reason,
                   const D2dBurstCallback& over);
    /**
     * @brief Drop a burst that waits, or cut off the one on air.
     *
     * @param id number of a burst
     * @param reason why
     * @return whether it was not over yet
     */
    bool StopBurst(uint32_t id, D2dLossReason reason);
    /// @brief Tell others that this device is there, again and again.
    void SendBeacon();
    /**
     * @brief What the radio does has changed.
     * @param correction of what was said before; all are told of it once
     */
    void NotifyActivity(const D2dCorrection& correction = {});
    /// @brief It is off or sleeps: all that it has followed is lost.
    void BeginEpoch();
    /**
     * @brief The radio has transmitted its acknowledgments.
     * @param epoch the device's epoch when the acknowledgments began
     */
    void EndAcknowledgments(uint64_t epoch);
    /**
     * @param bytes of a fragment on the air
     * @param spectralEfficiency its rate [bit/s/Hz]
     * @return its airtime, at least 1 ns
     */
    Time GetFragmentAirtime(uint32_t bytes, double spectralEfficiency) const;
    /// @param bursts that it can receive at once; 0 for any number
    void SetMaxReceptions(uint32_t bursts);
    /// @param powerDbm transmit power [dBm]
    void SetTxPowerDbm(double powerDbm);
    /// @param powerDbm least received power at which a burst is noticed [dBm]
    void SetRxSensitivityDbm(double powerDbm);

    // What every reception needs comes first and together: see Prefetch()
    uint64_t m_epoch = 0;                //!< see GetEpoch()
    uint32_t m_listening = 0;            //!< signals that it listens to
    uint32_t m_reservations = 0;         //!< bursts of others that this device follows
    uint32_t m_cycles = 0;               //!< duty cycles that it has
    D2dRadioActivity m_activity;         //!< what the radio is doing
    uint32_t m_maxReceptions = 0;        //!< attribute MaxReceptions
    D2dDuplex m_duplex;                  //!< attribute Duplex
    D2dDiscovery m_discovery;            //!< attribute NeighborDiscovery
    uint32_t m_sensed = 0;               //!< bursts of others that it defers to
    bool m_sleepWanted = false;          //!< whether to fall asleep when it can
    bool m_choosing = false;             //!< whether it is about to send, or finds that it cannot
    bool m_closed = false;               //!< see Close()
    Ptr<D2dTransmission> m_transmission; //!< what is on the air, or null
    /// See AddFollowed()
    std::vector<Ptr<D2dTransmission>> m_followed;
    TracedCallback<Ptr<const Packet>> m_phyRxBeginTrace;       //!< trace source PhyRxBegin
    TracedCallback<Ptr<const Packet>> m_phyRxEndTrace;         //!< trace source PhyRxEnd
    TracedCallback<Ptr<const Packet>> m_phyRxDropTrace;        //!< trace source PhyRxDrop
    TracedCallback<Ptr<const Packet>> m_snifferTrace;          //!< trace source Sniffer
    TracedCallback<Ptr<const Packet>> m_macRxTrace;            //!< trace source MacRx
    TracedCallback<const D2dRadioActivity&> m_activityTrace;   //!< trace source Activity
    ReceiveCallback m_rxCallback;                              //!< to the node
    PromiscReceiveCallback m_promiscRxCallback;                //!< to the node
    std::map<uint16_t, BurstReceiveCallback> m_burstCallbacks; //!< by protocol number

    Ptr<D2dChannel> m_channel;           //!< the channel
    Ptr<Node> m_node;                    //!< the node
    uint32_t m_ifIndex;                  //!< index at the node
    Mac48Address m_address;              //!< own address
    Ptr<UniformRandomVariable> m_random; //!< back-off, outages of whole bursts
    std::optional<D2dSplitMix> m_draws;  //!< outages of fragments; seeded by m_random when needed
    uint16_t m_mtu;                      //!< attribute Mtu [byte]
    double m_txPowerDbm;                 //!< attribute TxPower [dBm]
    double m_bandwidthHz;                //!< attribute Bandwidth [Hz]
    uint32_t m_subchannel;               //!< attribute Subchannel
    double m_spectralEfficiency;         //!< attribute SpectralEfficiency [bit/s/Hz]
    double m_rxSensitivityDbm;           //!< attribute RxSensitivity [dBm]
    double m_rxSensitivityW = 0;         //!< the same [W]
    uint32_t m_fragmentSize;             //!< attribute FragmentSize [byte]
    uint32_t m_acknowledgmentSize;       //!< attribute AcknowledgmentSize [byte]
    Time m_turnaround;                   //!< attribute AcknowledgmentTurnaround
    uint32_t m_maxAttempts;              //!< attribute MaxAttempts
    Time m_slotTime;                     //!< attribute SlotTime
    uint32_t m_contentionWindow;         //!< attribute ContentionWindow
    D2dReliability m_unicastReliability; //!< attribute UnicastReliability
    D2dArq m_arq;                        //!< attribute Arq
    Time m_retryBackoff;                 //!< attribute RetryBackoff
    D2dRateControl m_rateControl;        //!< attribute RateControl
    double m_targetOutage;               //!< attribute TargetOutage
    double m_leastEfficiency;            //!< attribute MinSpectralEfficiency [bit/s/Hz]
    double m_greatestEfficiency;         //!< attribute MaxSpectralEfficiency [bit/s/Hz]
    bool m_carrierSense;                 //!< attribute CarrierSense
    double m_ccaThresholdDbm;            //!< attribute CcaThreshold [dBm]
    Time m_neighborTimeout;              //!< attribute NeighborTimeout
    Time m_beaconInterval;               //!< attribute BeaconInterval
    uint32_t m_beaconSize;               //!< attribute BeaconSize [byte]

    uint32_t m_channelIndex = 0;  //!< see GetChannelIndex()
    D2dBurstQueue m_queue;        //!< what is to be sent, and attribute TxQueue
    D2dNeighborTable m_neighbors; //!< whom it has heard
    EventId m_beaconEvent;        //!< the next beacon
    uint32_t m_nextBurst = 1;     //!< number of the next burst
    bool m_runOver = false;       //!< whether EndRun() was called
    EventId m_backoffEvent;       //!< end of the back-off

    TracedCallback<Ptr<const Packet>> m_macTxTrace;        //!< trace source MacTx
    TracedCallback<Ptr<const Packet>> m_macTxDropTrace;    //!< trace source MacTxDrop
    TracedCallback<Ptr<const Packet>> m_phyTxBeginTrace;   //!< trace source PhyTxBegin
    TracedCallback<Ptr<const Packet>> m_phyTxEndTrace;     //!< trace source PhyTxEnd
    TracedCallback<Ptr<const Packet>> m_phyTxDropTrace;    //!< trace source PhyTxDrop
    TracedCallback<> m_linkChangeCallbacks;                //!< told when the radio goes on or off
    TracedCallback<const D2dBurstReport&> m_burstEndTrace; //!< trace source BurstEnd
};

} // namespace collab
} // namespace ns3

#endif /* D2D_NET_DEVICE_H */
