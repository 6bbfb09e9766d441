/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_BURST_ON_AIR_H
#define D2D_BURST_ON_AIR_H

#include "d2d-arq.h"
#include "d2d-overhearers.h"
#include "d2d-recipient.h"
#include "d2d-transmission-order.h"

#include "ns3/d2d-followed.h"
#include "ns3/d2d-medium.h"
#include "ns3/d2d-phy.h"
#include "ns3/event-id.h"

#include <memory>
#include <optional>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @brief A burst on air: for whom it is, what they lose of it as their links change, and where
/// else it is heard.
class D2dBurstOnAir : public D2dFollowed
{
  public:
    ~D2dBurstOnAir() override;
    D2dBurstOnAir(const D2dBurstOnAir&) = delete;
    D2dBurstOnAir& operator=(const D2dBurstOnAir&) = delete;

    /// @return what is sent
    const D2dBurst& GetBurst() const;

  protected:
    /// @param order what is sent, and how
    explicit D2dBurstOnAir(D2dTransmissionOrder& order);

    /// @brief Losses are about to change: count what has been received with those up to now. That
    /// is nothing where every fragment has met the loss of its own time.
    virtual void
    CatchUp()
    {
    }
    /// @brief Go on with the pass, with other losses; nothing if they hold for what is sent next.
    virtual void
    GoOn()
    {
    }
    /// @brief What begins from now on is heard elsewhere, or otherwise; nothing if the next
    /// fragment begins with what it finds.
    virtual void
    ChangeReach()
    {
    }

    /// @brief Find out who overhears the burst, and, where signals can interfere, let those that
    /// hear it defer to it.
    void OccupyMedium();
    /// @brief The burst begins at a recipient.
    /// @param recipient the recipient
    /// @param noiseW noise power in the band of the burst [W]
    void BeginAt(D2dRecipient& recipient, double noiseW);
    /// @brief It has begun at all: from now on look at links again, and let others overhear it.
    void BeginWatching();
    /// @brief The sender is done.
    void EndWatching();
    /// @brief The run is over: radios stay as they are.
    void StopWatching();
    /// @brief The sender is done: who has deferred to it no longer does.
    void FreeMedium();
    /// @brief Show traces that a whole pass or round begins.
    void ShowBegin();
    /// @return whether each fragment is sent until it is acknowledged, and then the next one
    bool IsStopAndWait() const;
    /// @param sent fragments that have been transmitted, each counted once
    /// @return bytes of the packet in them
    uint64_t CountBytes(uint64_t sent) const;
    /**
     * @brief Where others interfere, tell them what is sent to the recipients of the pass.
     *
     * Who watches what is on air is told of it before, and may cancel the burst: look at m_aborted
     * afterwards.
     *
     * @param airtime airtime of it
     * @param fragments number of fragments in a row; 0 if it is a single one, and no row
     * @param elapsed for how long it has been on air, see D2dInterference::Begin()
     */
    void BeginSignal(Time airtime, uint32_t fragments, Time elapsed = Time());
    /// @brief What is sent no longer interferes, if it did.
    /// @return what interfered with the fragment on air, by recipient of the pass; empty where
    /// nobody interferes
    std::vector<std::optional<D2dDisturbance>> EndSignal();
    /// @return what is on air on the subchannel of the burst, where signals can interfere
    D2dInterference& GetInterference() const;
    /// @param recipient a recipient
    /// @param worst what interfered with a fragment there; nothing if it was locked to another one
    /// @return probability of losing the fragment
    double GetLoss(const D2dRecipient& recipient, const std::optional<D2dDisturbance>& worst) const;
    /// @param recipient a recipient that combines
    /// @param worst what interfered with a fragment there
    /// @return of the fragment
    D2dQuality GetQuality(const D2dRecipient& recipient, const D2dDisturbance& worst) const;
    /// @brief The receiver, which combines, adds a transmission to what it holds of a fragment.
    /// @param fragment number of the fragment
    /// @param quality quality of the transmission
    /// @param uniform a number uniform in [0, 1)
    /// @return whether it can decode the fragment
    bool Combine(uint32_t fragment, const D2dQuality& quality, double uniform);
    /// @return whether fragments are acknowledged
    bool Acknowledges() const;
    /// @return how fragments are repeated
    D2dArq GetArq() const;
    /// @param failures attempts or rounds that have failed in a row
    /// @return how long to wait before the next one
    Time GetBackoff(uint32_t failures) const;
    /// @return airtime of an acknowledgment from the slowest recipient of the pass
    Time GetAcknowledgmentAirtime() const;
    /// @return for how long the sender waits besides, each time
    Time GetAcknowledgmentTurnaround() const;
    /// @param recipient a recipient
    /// @return whether it has followed the burst up to now
    bool
    IsFollowing(const D2dRecipient& recipient) const
    {
        return recipient.following &&
               recipient.epoch == recipient.link->receiver->GetState().GetEpoch();
    }

    Ptr<D2dPhy> m_sender;                          //!< the radio that sends
    Ptr<D2dMedium> m_medium;                       //!< what is between it and others
    std::shared_ptr<const D2dBurst> m_burst;       //!< what it sends
    D2dArqRules m_rules;                           //!< how fragments are repeated, if they are
    D2dFragmentation m_fragmentation;              //!< how it is cut
    double m_spectralEfficiency;                   //!< rate of its fragments [bit/s/Hz]
    std::shared_ptr<const D2dAudience> m_audience; //!< whom it is meant for
    std::vector<D2dRecipient> m_recipients;        //!< what became of it there, by link
    std::vector<D2dReach> m_reach; //!< where signals can interfere, where it is heard at all
    uint32_t m_subchannel = 0;     //!< what it is on there
    uint64_t m_signal = 0;         //!< number of what is on air there; 0 for nothing
    std::size_t m_passFirst = 0;   //!< first recipient of the present pass
    std::size_t m_passLast = 0;    //!< behind the last one
    bool m_combines = false;       //!< whether the receiver combines
    D2dQuality m_quality;          //!< if so, of what is sent, without interference
    std::vector<double> m_held;    //!< if so, worth of what it holds, by fragment, if played
    bool m_aborted = false;        //!< whether the burst was cut off
    bool m_unicast;                //!< whether there is one recipient by address

  private:
    /// @brief After the update period of links, if there is one, read them again.
    void ScheduleLinkUpdate();
    /// @param recipient recipient whose losses are to be found, over its link
    /// @param noiseW noise power in the band of the burst [W]
    void FindLosses(D2dRecipient& recipient, double noiseW) const;
    /// @param recipient the recipient of a burst that it combines
    /// @param worst what interferes with it there
    /// @return of what is sent to it
    D2dQuality FindQuality(const D2dRecipient& recipient, const D2dDisturbance& worst = {}) const;
    /// @brief When links have faded anew, if fading is correlated in time, look at them again.
    void ScheduleFading();
    /// @brief Read the links again.
    void UpdateLinks();
    /// @brief Links have faded anew.
    void UpdateFading();
    /// @brief Find losses again, and go on with these.
    /// @param updated the recipients, with the links that hold from now on
    /// @return whether the burst goes on
    bool UpdateLosses(std::vector<D2dRecipient>& updated);
    /// @brief Where signals can interfere, find out where the next fragments are heard.
    void UpdateReach();

    bool m_fades;                                  //!< whether fading is correlated in time
    std::vector<std::size_t> m_heardBy;            //!< recipients that m_signal is for
    std::vector<Ptr<D2dPhy>> m_deferring;          //!< who defers to the burst
    EventId m_linkUpdate;                          //!< when links are read again
    EventId m_fading;                              //!< when they have faded anew
    std::unique_ptr<D2dOverhearers> m_overhearers; //!< who listens for nothing; null for nobody
    std::vector<D2dLink> m_updatedLinks;           //!< what was read, by recipient
};

} // namespace ns3::collab

#endif /* D2D_BURST_ON_AIR_H */
