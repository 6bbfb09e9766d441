/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_TRANSMISSION_H
#define D2D_TRANSMISSION_H

#include "d2d-arq.h"
#include "d2d-overhearers.h"
#include "d2d-recipient.h"
#include "d2d-transmission-order.h"

#include "ns3/address.h"
#include "ns3/d2d-audience.h"
#include "ns3/d2d-burst.h"
#include "ns3/d2d-followed.h"
#include "ns3/d2d-medium.h"
#include "ns3/d2d-phy.h"
#include "ns3/event-id.h"

#include <memory>
#include <vector>

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab-wireless
 * @brief The sending of one burst, from the first fragment to the last acknowledgment.
 *
 * A transmission is a sequence of passes. The first goes to all receivers; with ARQ, a broadcast
 * has one more for each receiver that has not acknowledged everything. What happens within a pass
 * is the subclass's, the fidelity; all the rest is here, so that both fidelities share it.
 *
 * With ARQ a receiver looks at what it has when it acknowledges: with stop-and-wait behind each
 * fragment, with selective repeat behind each round. It hands a packet up then that is whole, while
 * its sender may still repeat what it has not heard of. Without ARQ, and if the burst is cut off
 * within a round, it looks when the burst is over; so it does at a divisible packet of which it
 * lacks units.
 *
 * Receivers at the same propagation delay share their events, whose context is the node of the
 * first of them.
 */
class D2dTransmission : public D2dFollowed
{
  public:
    ~D2dTransmission() override;
    D2dTransmission(const D2dTransmission&) = delete;
    D2dTransmission& operator=(const D2dTransmission&) = delete;

    /// @brief Begin; the sender has the medium.
    void Start();
    /**
     * @brief Nothing more is sent.
     * @param reason reason for that
     * @return whether it was not over yet
     */
    bool Abort(D2dLossReason reason);
    /**
     * @brief The run is over: conclude with what has come about by now.
     *
     * Radios stay as they are, and nothing may be simulated afterwards.
     */
    void EndRun();
    void HandleGone(const D2dPhyState& receiver) override;
    /// @brief The sender, which has a duty cycle, begins or stops to listen to others besides.
    virtual void HandleListening();
    /// @return bytes of the packet that have gone on air so far, see D2dBurstReport; of
    /// stop-and-wait, as many as so many transmissions bring through on average
    uint64_t GetBytesSent() const;
    /// @return what is sent
    const D2dBurst& GetBurst() const;

  protected:
    /**
     * @param order what is sent, and how
     * @param showsFragments whether traces show fragments, or else whole bursts
     */
    D2dTransmission(D2dTransmissionOrder order, bool showsFragments);

    /// @brief Send every fragment once, to the recipients of the pass; calls EndPass() in the end.
    virtual void SendOnce() = 0;
    /**
     * @brief Send one recipient what it has not acknowledged; calls EndPass() in the end.
     *
     * @param recipient index of the recipient
     * @param maxAttempts transmissions that each fragment may have
     */
    virtual void Repeat(std::size_t recipient, uint32_t maxAttempts) = 0;
    /**
     * @brief The end of a pass has arrived at a recipient: its counts must now say what it has.
     * @param recipient index of the recipient
     */
    virtual void CompletePassAt(std::size_t recipient) = 0;
    /// @brief The pass, which has begun, is cut off: count what of it has been received.
    virtual void CutPass() = 0;
    /**
     * @brief A recipient of the pass went off: count what it has received, and no more from now on.
     * @param recipient index of the recipient
     */
    virtual void CutPassAt(std::size_t recipient) = 0;
    /// @brief Losses are about to change: count what has been received with those up to now.
    virtual void CatchUp() = 0;
    /// @brief Go on with the pass, with other losses.
    virtual void GoOn() = 0;
    /// @brief What begins from now on is heard elsewhere, or otherwise.
    virtual void ChangeReach();
    /**
     * @param recipient index of a recipient
     * @return state of every fragment there, in agreement with its counts
     */
    virtual std::vector<D2dFragmentState> GetStates(std::size_t recipient) = 0;

    /// @return how long the sender has transmitted beyond what AddAirtime() knows of
    virtual Time GetPassAirtime() const;

    /// @param airtime airtime for which the sender has transmitted besides
    void AddAirtime(Time airtime);
    /// @return whether the sender transmits, since BeginTransmitting()
    bool IsTransmitting() const;
    /// @brief Show traces that a whole pass or round begins.
    void ShowBegin();
    /**
     * @brief The sender begins to transmit.
     *
     * Who is told of it may switch the sender off, as an energy source does that finds itself
     * empty, or cancel the burst: look at m_aborted afterwards.
     */
    void BeginTransmitting();
    /// @brief The sender stops to transmit, if it does; look at m_aborted afterwards.
    void EndTransmitting();
    /// @brief The sender begins to listen for acknowledgments; look at m_aborted afterwards.
    void BeginListening();
    /// @brief The sender stops to listen for acknowledgments; look at m_aborted afterwards.
    void EndListening();
    /// @brief The present pass is over for the sender.
    void EndPass();
    /// @return whether traces show fragments, or else whole bursts
    bool
    ShowsFragments() const
    {
        return m_showsFragments;
    }
    /// @return whether fragments are acknowledged
    bool Acknowledges() const;
    /// @return how fragments are repeated
    D2dArq GetArq() const;
    /**
     * @brief The receiver, which combines, adds a transmission to what it holds of a fragment.
     *
     * @param fragment number of the fragment
     * @param quality quality of the transmission
     * @param uniform a number uniform in [0, 1)
     * @return whether it can decode the fragment
     */
    bool Combine(uint32_t fragment, const D2dQuality& quality, double uniform);
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
    /**
     * @brief What is sent no longer interferes, if it did.
     * @return what interfered with the fragment on air, by recipient of the pass; empty where
     * nobody interferes
     */
    std::vector<std::optional<D2dDisturbance>> EndSignal();
    /**
     * @param recipient a recipient
     * @param worst what interfered with a fragment there; nothing if it was locked to another one
     * @return probability of losing the fragment
     */
    double GetLoss(const D2dRecipient& recipient, const std::optional<D2dDisturbance>& worst) const;
    /**
     * @param recipient a recipient that combines
     * @param worst what interfered with a fragment there
     * @return of the fragment
     */
    D2dQuality GetQuality(const D2dRecipient& recipient, const D2dDisturbance& worst) const;
    /**
     * @brief What these recipients lacked is sent: as soon as it arrives, they hand the packet up.
     * @param recipients their indices, ascending
     */
    void ScheduleHandingUp(const std::vector<std::size_t>& recipients);
    /**
     * @brief A recipient has everything: it hands the packet up, if it has not.
     * @param recipient its index
     */
    void HandUpAt(std::size_t recipient);
    /**
     * @param failures attempts or rounds that have failed in a row
     * @return how long to wait before the next one
     */
    Time GetBackoff(uint32_t failures) const;
    /// @return airtime of an acknowledgment from the slowest recipient of the pass
    Time GetAcknowledgmentAirtime() const;
    /// @return for how long the sender waits besides, each time
    Time GetAcknowledgmentTurnaround() const;
    /**
     * @param recipient a recipient
     * @return whether it has followed the burst up to now
     */
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
    EventId m_event;               //!< next event of the present pass at the sender

  private:
    /// @return whether there is another pass; it is m_next's then
    bool FindNextPass();
    /**
     * @brief Begin a pass.
     *
     * @param first index of its first recipient
     * @param last index behind its last recipient
     * @return whether to send it, since nobody who was told of it has cut the burst off
     */
    bool BeginPass(std::size_t first, std::size_t last);
    /// @brief If there is a pass under way, cut it off.
    void CutPresentPass();
    /**
     * @brief Let the end of a pass arrive at its recipients, and the end of the burst at all.
     * @param over whether the burst is over
     */
    void ScheduleArrivals(bool over);
    /**
     * @brief The end of a pass, and perhaps of the burst, arrives at a group.
     *
     * @param group index of the group
     * @param first index of the pass's first recipient
     * @param last index behind the pass's last recipient
     * @param over whether the burst is over
     */
    void ArriveAtGroup(std::size_t group, std::size_t first, std::size_t last, bool over);
    /**
     * @param recipient a recipient of the pass that ended
     * @param now the present moment
     */
    void FinishPassAt(std::size_t recipient, const Time& now);
    /// @param recipient any recipient of the burst, which is over
    void FinishBurstAt(std::size_t recipient);
    /**
     * @brief Hand the packet up, or what there is of a divisible one.
     *
     * @param recipient a recipient that has it
     * @param now the present moment
     */
    void DeliverAt(std::size_t recipient, const Time& now);
    /**
     * @param recipient a recipient that has not got everything
     * @return why not
     */
    D2dLossReason ExplainLoss(const D2dRecipient& recipient) const;
    /// @brief The burst is over everywhere.
    void Conclude();
    /// @brief Give up what was not delivered, and count what was lost.
    void SettleOutcomes();
    /**
     * @param index index of a recipient
     * @return all about the burst there
     */
    D2dReceiverOutcome MakeOutcome(std::size_t index);
    /// @return all about the burst
    D2dBurstReport MakeReport();
    /// @return how long the sender has transmitted so far
    Time GetAirtime() const;
    /// @return fragments that it has transmitted so far, the one on air included
    uint64_t CountAttempts() const;
    /// @return whether each fragment is sent until it is acknowledged, and then the next one
    bool IsStopAndWait() const;
    /// @return fragments that it has transmitted, each counted once, when the burst is over
    uint64_t CountSent() const;
    /**
     * @param sent fragments that have been transmitted, each counted once
     * @return bytes of the packet in them
     */
    uint64_t CountBytes(uint64_t sent) const;
    /// @brief After the update period of links, if there is one, read them again.
    void ScheduleLinkUpdate();
    /**
     * @param recipient recipient whose losses are to be found, over its link
     * @param noiseW noise power in the band of the burst [W]
     */
    void FindLosses(D2dRecipient& recipient, double noiseW) const;
    /**
     * @param recipient the recipient of a burst that it combines
     * @param worst what interferes with it there
     * @return of what is sent to it
     */
    D2dQuality FindQuality(const D2dRecipient& recipient, const D2dDisturbance& worst = {}) const;
    /// @brief When links have faded anew, if fading is correlated in time, look at them again.
    void ScheduleFading();
    /// @brief Read the links again.
    void UpdateLinks();
    /// @brief Links have faded anew.
    void UpdateFading();
    /**
     * @brief Find losses again, and go on with these.
     *
     * @param updated the recipients, with the links that hold from now on
     * @return whether the burst goes on
     */
    bool UpdateLosses(std::vector<D2dRecipient>& updated);
    /// @brief Where signals can interfere, find out where the next fragments are heard.
    void UpdateReach();
    /// @brief Find out who overhears the burst, and, where signals can interfere, let those that
    /// hear it defer to it.
    void OccupyMedium();
    /// @brief The sender is done: the medium is free again.
    void FreeMedium();

    std::function<void()> m_toldDone;             //!< told when the sender is done
    std::function<D2dBurstCallback()> m_toldOver; //!< see D2dTransmissionOrder::over
    bool m_showsFragments;  //!< whether traces show fragments, or else whole bursts
    bool m_cutsAtReceivers; //!< whether it is to be told that a receiver went off, since something
                            //!< of the burst may have arrived there that nobody has looked at
    bool m_unicast;         //!< whether there is one recipient by address
    bool m_fades;           //!< whether fading is correlated in time
    Address m_source;       //!< the burst's source
    std::vector<std::size_t> m_heardBy;                     //!< recipients that m_signal is for
    std::vector<Ptr<D2dPhy>> m_deferring;                   //!< who defers to the burst
    std::vector<std::vector<uint32_t>> m_acknowledgedUnits; //!< of a divisible packet, by recipient
    std::size_t m_next = 0; //!< next recipient to be served by a pass of its own
    D2dLossReason m_reason = D2dLossReason::NONE;  //!< why the burst was cut off
    bool m_inPass = false;                         //!< whether a pass has begun and not ended
    bool m_done = false;                           //!< whether the sender is done
    bool m_concluded = false;                      //!< whether the burst is over everywhere
    bool m_transmitting = false;                   //!< whether the sender transmits
    bool m_senderListening = false;                //!< whether it listens for acknowledgments
    uint64_t m_transmittingEpoch = 0;              //!< the sender's epoch when it began to transmit
    uint64_t m_listeningEpoch = 0;                 //!< the same when it began to listen
    Time m_transmittingSince;                      //!< since when it transmits
    Time m_airtime;                                //!< how long it transmitted before
    EventId m_linkUpdate;                          //!< when links are read again
    EventId m_fading;                              //!< when they have faded anew
    std::unique_ptr<D2dOverhearers> m_overhearers; //!< who listens for nothing; null for nobody
    std::vector<D2dLink> m_updatedLinks;           //!< what was read, by recipient
    Time m_start;                                  //!< when the burst began
    Time m_end;                                    //!< when the sender was done
};

} // namespace collab
} // namespace ns3

#endif /* D2D_TRANSMISSION_H */
