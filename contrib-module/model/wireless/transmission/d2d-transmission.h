/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_TRANSMISSION_H
#define D2D_TRANSMISSION_H

#include "d2d-burst-on-air.h"
#include "d2d-sender-radio.h"

#include "ns3/address.h"
#include "ns3/event-id.h"

#include <functional>
#include <utility>
#include <vector>

namespace ns3::collab
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
class D2dTransmission : public D2dBurstOnAir
{
  public:
    /// @brief Begin; the sender has the medium.
    void Start();
    /// @brief Nothing more is sent.
    /// @param reason reason for that
    /// @return whether it was not over yet
    bool Abort(D2dLossReason reason);
    /// @brief The run is over: conclude with what has come about by now. Radios stay as they are, and
    /// nothing may be simulated afterwards.
    void EndRun();
    void HandleGone(const D2dPhyState& receiver) override;
    void HandlePowerChange() override;
    void HandleNewPower() override;
    /// @brief The sender, which has a duty cycle, begins or stops to listen to others besides.
    virtual void
    HandleListening()
    {
        // What it listens for by turns, it hears by itself
    }
    /// @return bytes of the packet that have gone on air so far, see D2dBurstReport; of
    /// stop-and-wait, as many as so many transmissions bring through on average
    uint64_t GetBytesSent() const;

  protected:
    /// @param order what is sent, and how
    /// @param showsFragments whether traces show fragments, or else whole bursts
    D2dTransmission(D2dTransmissionOrder order, bool showsFragments);

    /// @brief Send every fragment once, to the recipients of the pass; calls EndPass() in the end.
    virtual void SendOnce() = 0;
    /// @brief Send one recipient what it has not acknowledged; calls EndPass() in the end.
    /// @param recipient index of the recipient
    /// @param maxAttempts transmissions that each fragment may have
    virtual void Repeat(std::size_t recipient, uint32_t maxAttempts) = 0;
    /// @brief The end of a pass has arrived at a recipient: its counts must now say what it has, if
    /// they did not when the pass ended.
    virtual void
    CompletePassAt(std::size_t /* recipient */)
    {
    }
    /// @brief The pass, which has begun, is cut off: count what of it has been received.
    virtual void CutPass() = 0;
    /// @brief A recipient of the pass went off: count what it has received, and no more from now
    /// on. That is nothing where fragments arrive one after the other.
    virtual void
    CutPassAt(std::size_t /* recipient */)
    {
    }
    /// @param recipient index of a recipient
    /// @return state of every fragment there, in agreement with its counts
    virtual std::vector<D2dFragmentState> GetStates(std::size_t recipient) = 0;

    /// @return how long the sender has transmitted beyond what m_radio knows of
    virtual Time
    GetPassAirtime() const
    {
        return m_radio.GetPresentAirtime();
    }

    /// @brief The sender begins to transmit. Who is told of it may switch the sender off, as an energy
    /// source does that finds itself empty, or cancel the burst: look at m_aborted afterwards.
    void BeginTransmitting();
    /// @brief The present pass is over for the sender.
    void EndPass();
    /// @return whether traces show fragments, or else whole bursts
    bool
    ShowsFragments() const
    {
        return m_showsFragments;
    }
    /// @brief What these recipients lacked is sent: as soon as it arrives, they hand the packet up.
    /// @param recipients their indices, ascending
    void ScheduleHandingUp(const std::vector<std::size_t>& recipients);
    /// @brief A recipient has everything: it hands the packet up, if it has not.
    /// @param recipient its index
    void HandUpAt(std::size_t recipient);

    D2dSenderRadio m_radio; //!< what the sender's radio does
    EventId m_event;        //!< next event of the present pass at the sender

  private:
    /// @return whether there is another pass; it is m_next's then
    bool FindNextPass();
    /// @brief Begin a pass.
    /// @param first index of its first recipient
    /// @param last index behind its last recipient
    /// @return whether to send it, since nobody who was told of it has cut the burst off
    bool BeginPass(std::size_t first, std::size_t last);
    /// @brief If there is a pass under way, cut it off.
    void
    CutPresentPass()
    {
        if (std::exchange(m_inPass, false))
        {
            CutPass();
        }
    }
    /// @brief Let the end of a pass arrive at its recipients, and the end of the burst at all.
    /// @param over whether the burst is over
    void ScheduleArrivals(bool over);
    /// @brief The end of a pass, and perhaps of the burst, arrives at a group.
    /// @param group index of the group
    /// @param first index of the pass's first recipient
    /// @param last index behind the pass's last recipient
    /// @param over whether the burst is over
    void ArriveAtGroup(std::size_t group, std::size_t first, std::size_t last, bool over);
    /// @param recipient a recipient of the pass that ended
    /// @param now the present moment
    void FinishPassAt(std::size_t recipient, const Time& now);
    /// @param recipient any recipient of the burst, which is over
    void FinishBurstAt(std::size_t recipient);
    /// @brief Hand the packet up, or what there is of a divisible one.
    /// @param recipient a recipient that has it
    /// @param now the present moment
    void DeliverAt(std::size_t recipient, const Time& now);
    /// @param recipient a recipient that has not got everything
    /// @return why not
    D2dLossReason ExplainLoss(const D2dRecipient& recipient) const;
    /// @brief The burst is over everywhere.
    void Conclude();
    /// @brief Give up what was not delivered, and count what was lost.
    void SettleOutcomes();
    /// @param index index of a recipient
    /// @return all about the burst there
    D2dReceiverOutcome MakeOutcome(std::size_t index);
    /// @return all about the burst
    D2dBurstReport MakeReport();
    /// @return how long the sender has transmitted so far
    Time
    GetAirtime() const
    {
        return m_radio.GetAirtime() + GetPassAirtime();
    }
    /// @return fragments that it has transmitted so far, the one on air included
    uint64_t CountAttempts() const;
    /// @return fragments that it has transmitted, each counted once, when the burst is over
    uint64_t CountSent() const;
    /// @brief The sender is done: the medium is free again.
    void Finish();

    std::function<void()> m_toldDone;             //!< told when the sender is done
    std::function<D2dBurstCallback()> m_toldOver; //!< see D2dTransmissionOrder::over
    bool m_showsFragments;  //!< whether traces show fragments, or else whole bursts
    bool m_cutsAtReceivers; //!< whether it is to be told that a receiver went off, since something
                            //!< of the burst may have arrived there that nobody has looked at
    Address m_source;       //!< the burst's source
    std::vector<std::vector<uint32_t>> m_acknowledgedUnits; //!< of a divisible packet, by recipient
    std::size_t m_next = 0; //!< next recipient to be served by a pass of its own
    D2dLossReason m_reason = D2dLossReason::NONE; //!< why the burst was cut off
    bool m_inPass = false;                        //!< whether a pass has begun and not ended
    bool m_done = false;                          //!< whether the sender is done
    bool m_concluded = false;                     //!< whether the burst is over everywhere
    Time m_start;                                 //!< when the burst began
    Time m_end;                                   //!< when the sender was done
};

} // namespace ns3::collab

#endif /* D2D_TRANSMISSION_H */
