/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_TRANSMISSION_H
#define D2D_TRANSMISSION_H

#include "d2d-arq.h"
#include "d2d-burst.h"
#include "d2d-channel.h"
#include "d2d-net-device.h"

#include "ns3/event-id.h"
#include "ns3/simple-ref-count.h"

#include <memory>
#include <vector>

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief The sending of one burst, from the first fragment to the last acknowledgment.
 *
 * A transmission is a sequence of passes. The first goes to all receivers; with ARQ, a broadcast
 * has one more for each receiver that has not acknowledged everything. What happens within a pass
 * is the subclass's, the fidelity; all the rest is here, so that both fidelities share it.
 *
 * A packet is handed up when the pass that completed it ends; if the sender goes off before, it is
 * lost.
 */
class D2dTransmission : public SimpleRefCount<D2dTransmission>
{
  public:
    virtual ~D2dTransmission() = default;

    /**
     * @param sender the device that sends
     * @param burst what it sends
     * @param links to the devices that the burst is meant for
     * @return a transmission of the channel's fidelity
     */
    static Ptr<D2dTransmission> Create(Ptr<D2dNetDevice> sender,
                                       std::shared_ptr<const D2dBurst> burst,
                                       std::vector<D2dLink> links);

    /// @brief Begin; the sender has the medium.
    void Start();
    /// @brief The sender goes off: nothing more is sent.
    void Abort();

  protected:
    /// One of the devices that the burst is meant for
    struct Recipient
    {
        D2dLink link;               //!< the link to it
        D2dFragmentCounts counts;   //!< what it has
        D2dReceiverOutcome outcome; //!< what becomes of the burst there
        bool following = false;     //!< whether it follows the burst
        bool listening = false;     //!< whether it listens to the present pass
        uint64_t epoch = 0;         //!< the receiver's epoch when the burst began
    };

    /**
     * @param sender the device that sends
     * @param burst what it sends
     * @param links to the devices that the burst is meant for
     */
    D2dTransmission(Ptr<D2dNetDevice> sender,
                    std::shared_ptr<const D2dBurst> burst,
                    std::vector<D2dLink> links);

    /// @brief Send every fragment once, to the recipients of the pass; calls EndPass() in the end.
    virtual void SendOnce() = 0;
    /**
     * @brief Send one recipient what it has not acknowledged; calls EndPass() in the end.
     *
     * @param recipient index of the recipient
     * @param maxAttempts transmissions that each fragment may have
     */
    virtual void StopAndWait(std::size_t recipient, uint32_t maxAttempts) = 0;

    /// @brief The sender begins to transmit.
    void BeginTransmitting();
    /**
     * @brief The sender stops to transmit.
     *
     * Who is told of it may switch the sender off, as an energy source does that finds itself
     * empty: look at m_aborted afterwards.
     */
    void EndTransmitting();
    /// @brief The present pass is over for the sender.
    void EndPass();
    /// @return whether fragments are acknowledged
    bool Acknowledges() const;
    /// @return from a fragment's end to the next fragment's beginning; 0 without acknowledgments
    Time GetAcknowledgmentWindow() const;
    /**
     * @param recipient a recipient
     * @return outage probability of a fragment towards it; 1 if it does not follow the burst
     */
    double GetLoss(const Recipient& recipient) const;
    /**
     * @param recipient a recipient
     * @return probability of losing an acknowledgment; 1 if the way is too long for the turnaround
     * time
     */
    double GetAcknowledgmentLoss(const Recipient& recipient) const;
    /**
     * @param recipient a recipient
     * @return whether it has followed the burst up to now
     */
    bool IsFollowing(const Recipient& recipient) const;

    Ptr<D2dNetDevice> m_sender;              //!< the device that sends
    std::shared_ptr<const D2dBurst> m_burst; //!< what it sends
    D2dFragmentation m_fragmentation;        //!< how it is cut
    std::vector<Recipient> m_recipients;     //!< whom it is meant for
    std::size_t m_passFirst = 0;             //!< first recipient of the present pass
    std::size_t m_passLast = 0;              //!< behind the last one
    bool m_aborted = false;                  //!< whether the sender went off
    EventId m_event;                         //!< next event of the present pass at the sender

  private:
    /// @brief Choose and begin the next pass, or end the transmission.
    void NextPass();
    /**
     * @brief Begin a pass.
     *
     * @param first index of its first recipient
     * @param last index behind its last recipient
     */
    void BeginPass(std::size_t first, std::size_t last);
    /**
     * @brief The end of a pass has arrived at a recipient.
     * @param recipient index of the recipient
     */
    void FinishPassAt(std::size_t recipient);
    /**
     * @brief The end of the burst has arrived at a recipient.
     * @param recipient index of the recipient
     */
    void FinishBurstAt(std::size_t recipient);
    /**
     * @brief Let the sender and all recipients go.
     * @param reason why those that have not got the packet did not; NONE if the burst was sent to
     * its end
     */
    void Finish(D2dLossReason reason);
    /**
     * @param recipient a recipient that has not got the packet
     * @param reason why the burst ended early, or NONE
     * @return why it did not
     */
    D2dLossReason ExplainLoss(const Recipient& recipient, D2dLossReason reason) const;
    /**
     * @brief Report the burst.
     * @param reason why the burst ended early, or NONE
     */
    void Conclude(D2dLossReason reason);
    /// @brief Add the time since m_transmittingSince to the airtime.
    void CountAirtime();

    bool m_unicast;              //!< whether there is one recipient by address
    std::size_t m_next = 0;      //!< next recipient to be served by a pass of its own
    bool m_transmitting = false; //!< whether the sender transmits
    Time m_transmittingSince;    //!< since when
    Time m_airtime;              //!< how long it transmitted before
    Time m_start;                //!< when the burst began
    Time m_end;                  //!< when the sender was done
};

} // namespace collab
} // namespace ns3

#endif /* D2D_TRANSMISSION_H */
