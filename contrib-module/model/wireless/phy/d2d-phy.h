/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_PHY_H
#define D2D_PHY_H

#include "d2d-air.h"
#include "d2d-phy-state.h"
#include "d2d-phy-traces.h"
#include "d2d-phy-user.h"
#include "d2d-radio-activity.h"

#include "ns3/d2d-fragmentation.h"
#include "ns3/d2d-link.h"
#include "ns3/d2d-prefetch.h"
#include "ns3/d2d-split-mix.h"
#include "ns3/node.h"
#include "ns3/object.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::collab
{

struct D2dBurst;
struct D2dSignal;

/// @ingroup collab-wireless
/// @brief How a device chooses the rate of a burst.
enum class D2dRateControl
{
    FIXED,    //!< the attribute SpectralEfficiency
    ADAPTIVE, //!< the highest rate whose outage probability is at most the attribute TargetOutage
};

/**
 * @ingroup collab-wireless
 * @brief The physical layer of a D2D radio: its power, band, rate and sensitivity, what it is
 * doing, and its draws of losses.
 *
 * What it is given, an IP packet or a message of many megabytes, goes on air as one burst: a train
 * of fragments on its own subchannel at the rate r B (spectral efficiency times bandwidth), each
 * lost at each receiver with the link's outage probability. Fragments of a burst are of equal
 * length, the last one padded.
 *
 * A half-duplex radio that transmits when a burst begins misses all of it. A radio that goes off
 * begins a new epoch, and loses what it has followed.
 *
 * A reception reads and writes this object alone, until there is a whole packet to hand up: in a
 * large network each receiver is somewhere else in memory.
 */
class D2dPhy : public Object, public D2dPhyTraces
{
  public:
    /// What the attribute Subchannel is if the device's index shall decide
    static constexpr uint32_t ANY_SUBCHANNEL = 0xffffffff;

    /// @return the object TypeId
    static TypeId GetTypeId();

    D2dPhy();
    ~D2dPhy() override;

    /// @param node the node that the radio is on
    void
    SetNode(Ptr<Node> node)
    {
        m_node = node;
    }
    /// @return the node that the radio is on
    const Ptr<Node>&
    GetNode() const
    {
        return m_node;
    }
    /// @param user who uses this radio, and outlives it or its use
    void SetUser(D2dPhyUser* user);
    /// A burst of which something was received
    struct Heard
    {
        const D2dPhy& sender;      //!< who sent it
        const D2dLink& link;       //!< from there to this radio
        double spectralEfficiency; //!< its rate [bit/s/Hz]
        uint32_t fragments;        //!< that have arrived, at least one
        uint16_t protocol;         //!< its number
    };

    /// Told of something that was received.
    using HeardCallback = std::function<void(const Heard& heard)>;
    /// @param heard told of whom the radio hears; null for nobody
    void
    SetHeardCallback(HeardCallback heard)
    {
        m_heard = std::move(heard);
    }
    /// Says with which power the radio receives another node, as far as it knows [W].
    using KnownRssCallback = std::function<std::optional<double>(uint32_t node)>;
    /// @param known what adaptive rates follow; null for the link budget
    void
    SetKnownRssCallback(KnownRssCallback known)
    {
        m_knownRss = std::move(known);
    }
    /// @brief Say what of those above is read when a packet is handed up: see PrefetchAbove().
    /// @param layer 0 for who uses the radio, and so on
    /// @param first where its memory begins
    /// @param last address behind its end
    void SetMemoryAbove(std::size_t layer, const void* first, const void* last);
    /// @param air what is between this radio and others
    void
    SetAir(Ptr<D2dAir> air)
    {
        m_air = air;
    }
    /// @param index index at the channel
    void
    SetChannelIndex(uint32_t index)
    {
        m_channelIndex = index;
    }
    /// @return index at the channel
    uint32_t
    GetChannelIndex() const
    {
        return m_channelIndex;
    }

    /// @return transmit power [dBm]
    double
    GetTxPowerDbm() const
    {
        return m_txPowerDbm;
    }
    /// @return bandwidth B of the subchannel [Hz]
    double
    GetBandwidthHz() const
    {
        return m_bandwidthHz;
    }
    /// @return number of the subchannel that it has by attribute, or ANY_SUBCHANNEL
    uint32_t
    GetSubchannel() const
    {
        return m_subchannel;
    }
    /// @return spectral efficiency r by attribute [bit/s/Hz]
    double
    GetSpectralEfficiency() const
    {
        return m_spectralEfficiency;
    }
    /// @return least received power at which a burst is noticed [dBm]
    double
    GetRxSensitivityDbm() const
    {
        return m_rxSensitivityDbm;
    }
    /// @return least received power at which a burst is noticed [W]
    double
    GetRxSensitivityW() const
    {
        return m_rxSensitivityW;
    }
    /// @return noise power in the band of what this radio sends [W]
    double GetNoiseW() const;
    /// @return whether it can receive while it transmits
    D2dDuplex GetDuplex() const;

    /// @param bytes size of an indivisible packet
    /// @return how it is cut and timed at the rate by attribute
    D2dFragmentation GetFragmentation(uint32_t bytes) const;
    /// @param burst a burst
    /// @param spectralEfficiency rate of its fragments [bit/s/Hz]
    /// @return how it is cut and timed
    D2dFragmentation GetFragmentation(const D2dBurst& burst, double spectralEfficiency) const;
    /// @return length of its longest fragments on the air [byte]
    uint32_t GetFragmentBytes() const;
    /// @return length of its acknowledgments on the air [byte]
    uint32_t
    GetAcknowledgmentSize() const
    {
        return m_acknowledgmentSize;
    }
    /// @param bytes size of a packet
    /// @param audience links to the devices that it is meant for
    /// @return time on the air of all its fragments, each sent once at the rate that it is sent at:
    /// if rates are adaptive and nobody is named, at the lowest one
    Time GetAirtime(uint32_t bytes, const std::vector<D2dLink>& audience = {}) const;
    /// @return time on the air of one acknowledgment that this radio sends, at its
    /// SpectralEfficiency and in its Bandwidth
    Time GetAcknowledgmentAirtime() const;
    /// @param audience links to the devices that a burst is meant for
    /// @return rate at which it is sent: if rates are adaptive, the highest one that has
    /// TargetOutage on the worst link that has it at MinSpectralEfficiency; if none has, that
    /// [bit/s/Hz]
    double ChooseSpectralEfficiency(const std::vector<D2dLink>& audience) const;
    /// @param signal what this radio has measured of another one, at any rate
    /// @return rate at which one like this would send to the other alone [bit/s/Hz]
    double ChooseSpectralEfficiency(const D2dSignal& signal) const;

    /// @return the device's source of randomness, for all its parts
    const Ptr<UniformRandomVariable>&
    GetRandom() const
    {
        return m_random;
    }
    /// @return a number uniform in [0, 1), of what arrives at this device
    double
    DrawUniform()
    {
        if (!m_draws)
        {
            SeedDraws();
        }
        return m_draws->GetValue();
    }
    /// @param probability probability of losing what arrives
    /// @return whether it is lost, by a draw of this device
    bool
    DrawLoss(double probability)
    {
        return DrawUniform() < probability;
    }
    /// @brief Assign a fixed stream to the device's random variable.
    /// @param stream stream index to use
    /// @return number of stream indices used (1)
    int64_t AssignStreams(int64_t stream);

    /// @return whether the radio is powered
    bool
    IsOn() const
    {
        return m_state.IsOn();
    }
    /// @return what the radio is doing
    const D2dRadioActivity&
    GetActivity() const
    {
        return m_state.GetActivity();
    }

    // Called by the other rooms

    /// @return what the radio is doing, in detail
    D2dPhyState&
    GetState()
    {
        return m_state;
    }
    /// @return the same
    const D2dPhyState&
    GetState() const
    {
        return m_state;
    }
    /// @param sending whether the device has a burst of its own under way
    void SetSending(bool sending);
    /// @brief Something of a burst was received.
    /// @param heard what
    void NotifyHeard(const Heard& heard);
    /// @return who uses this radio: is told of what begins and ends, and gets what has arrived
    D2dPhyUser&
    GetUser() const
    {
        return *m_user;
    }
    /// @brief The radio transmits acknowledgments.
    /// @param duration airtime of the acknowledgments
    void TransmitAcknowledgments(Time duration);
    /// @brief Begin to fetch from memory what a reception needs: a sender that asks for all of its
    /// receivers at once waits once.
    void
    Prefetch() const
    {
        PrefetchD2d(&m_phyRxBeginTrace, &m_above + 1);
    }
    /// @brief The same for what handing up a packet needs, once that is there.
    void
    PrefetchAbove() const
    {
        for (const auto& [first, last] : m_above)
        {
            PrefetchD2d(first, last);
        }
    }

    /// TracedCallback signature for a change of activity.
    /// @param activity what the radio is doing from now on
    typedef void (*ActivityTracedCallback)(const D2dRadioActivity& activity);

  protected:
    void DoDispose() override;

  private:
    /// @brief Describe what of the attributes is about rate and fragments.
    /// @param tid TypeId to add them to
    /// @return the same
    static TypeId AddRateAttributes(TypeId tid);
    /// @brief Describe the trace sources.
    /// @param tid TypeId to add them to
    /// @return the same
    static TypeId AddTraceSources(TypeId tid);
    /// @brief Seed the draws of losses by the stream of the device.
    void SeedDraws();
    /// @param bytes bytes of a fragment on the air
    /// @param spectralEfficiency its rate [bit/s/Hz]
    /// @return its airtime, at least 1 ns
    Time GetFragmentAirtime(uint32_t bytes, double spectralEfficiency) const;
    /// @param duplex whether it can receive while it transmits
    void SetDuplex(D2dDuplex duplex);
    /// @param powerDbm transmit power [dBm], from the next burst on if one is under way
    void SetTxPowerDbm(double powerDbm);
    /// @brief Transmit with the power that was set last.
    void UseNextTxPower();
    /// @param powerDbm least received power at which a burst is noticed [dBm]
    void SetRxSensitivityDbm(double powerDbm);

    // What every reception needs comes first and together: see Prefetch()
    D2dPhyState m_state;                //!< see GetState()
    std::optional<D2dSplitMix> m_draws; //!< outages; seeded by m_random when needed
    HeardCallback m_heard;              //!< see SetHeardCallback()
    KnownRssCallback m_knownRss;        //!< see SetKnownRssCallback()
    D2dPhyUser* m_user = nullptr;       //!< who uses this radio
    std::array<std::pair<const void*, const void*>, 3> m_above{}; //!< see SetMemoryAbove()

    Ptr<Node> m_node;                    //!< the node
    Ptr<D2dAir> m_air;                   //!< see SetAir()
    uint32_t m_channelIndex = 0;         //!< see GetChannelIndex()
    Ptr<UniformRandomVariable> m_random; //!< see GetRandom()
    double m_txPowerDbm;                 //!< attribute TxPower [dBm]
    double m_nextTxPowerDbm;             //!< what it becomes when the present burst is over
    double m_bandwidthHz;                //!< attribute Bandwidth [Hz]
    uint32_t m_subchannel;               //!< attribute Subchannel
    double m_spectralEfficiency;         //!< attribute SpectralEfficiency [bit/s/Hz]
    double m_rxSensitivityDbm;           //!< attribute RxSensitivity [dBm]
    double m_rxSensitivityW = 0;         //!< the same [W]
    uint32_t m_fragmentSize;             //!< attribute FragmentSize [byte]
    uint32_t m_acknowledgmentSize;       //!< attribute AcknowledgmentSize [byte]
    D2dRateControl m_rateControl;        //!< attribute RateControl
    double m_targetOutage;               //!< attribute TargetOutage
    double m_leastEfficiency;            //!< attribute MinSpectralEfficiency [bit/s/Hz]
    double m_greatestEfficiency;         //!< attribute MaxSpectralEfficiency [bit/s/Hz]
};

} // namespace ns3::collab

#endif /* D2D_PHY_H */
