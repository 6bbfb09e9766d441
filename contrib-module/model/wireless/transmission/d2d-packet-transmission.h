/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_PACKET_TRANSMISSION_H
#define D2D_PACKET_TRANSMISSION_H

#include "d2d-transmission.h"

#include <optional>

namespace ns3::collab
{

/**
 * @ingroup collab-wireless
 * @brief A transmission that plays every fragment by itself (fidelity Packet).
 *
 * Every fragment is a packet with a header of its own, arrives after the propagation delay, meets
 * its own outage at every receiver, and is acknowledged by an acknowledgment that can be lost as
 * well.
 */
class D2dPacketTransmission : public D2dTransmission
{
  public:
    /// @param order what is sent
    explicit D2dPacketTransmission(D2dTransmissionOrder order);

  protected:
    /// @param order what is sent
    /// @param showsFragments whether traces show fragments, or else whole bursts
    D2dPacketTransmission(D2dTransmissionOrder order, bool showsFragments);

    void SendOnce() override;
    void Repeat(std::size_t recipient, uint32_t maxAttempts) override;
    void CutPass() override;
    /// @brief Transmit the present fragment.
    virtual void BeginAttempt();
    /// @brief The pass is over.
    virtual void FinishPass();
    /// @brief The present fragment is out.
    void EndFragment();
    /// @brief What acknowledgments there are have come in.
    void EndWindow();
    /// @brief Go on after a window of stop-and-wait.
    void NextFragment();
    /// @brief A recipient has received a fragment.
    /// @param recipient index of the recipient
    /// @param fragment number of the fragment
    void TakeAt(std::size_t recipient, uint32_t fragment);
    /// @brief The sender has heard that a recipient has received a fragment.
    /// @param recipient index of the recipient
    /// @param fragment number of the fragment
    void HearOf(std::size_t recipient, uint32_t fragment);
    /// @brief A fragment arrives at a recipient, or is lost there.
    /// @param recipient index of the recipient
    /// @param fragment number of the fragment
    /// @param loss probability of losing it
    /// @param frame the fragment as it is on air, if it was made
    void ArriveAt(std::size_t recipient, uint32_t fragment, double loss, Ptr<Packet>& frame);
    /// @brief A recipient acknowledges what it received since the last time.
    /// @param recipient index of the recipient
    void Acknowledge(std::size_t recipient);

    std::vector<uint32_t> m_queue; //!< fragments of the present pass
    std::size_t m_position = 0;    //!< the present one of them
    std::size_t m_decisive = 0;    //!< the last one that a recipient lacks; their number for none
    bool m_repeat = false;         //!< whether the pass repeats fragments
    uint32_t m_attemptsMade = 0;   //!< windows of the present fragment, or rounds of all

  private:
    void CompletePassAt(std::size_t recipient) override;
    std::vector<D2dFragmentState> GetStates(std::size_t recipient) override;

    /// @return whether traces show the fragments that are sent
    bool ShowsSent() const;
    /// @param receiver a recipient's radio
    /// @return whether traces show the fragments that it receives
    bool ShowsReceived(const D2dPhy& receiver) const;
    /// @brief Let the present fragment arrive at the recipients of the pass.
    void ScheduleFragmentArrivals();
    /// @return whether it matters which fragments a recipient has, and not only how many
    bool NeedsStates() const;
    /// @param recipient index of a recipient
    /// @param fragment number of a fragment
    /// @return its state there, if that matters
    D2dFragmentState&
    State(std::size_t recipient, uint32_t fragment)
    {
        return m_states[recipient * m_fragmentation.fragments + fragment];
    }
    /// @brief Wait for the acknowledgments of the fragments sent since the last time.
    void AwaitAcknowledgments();
    /// @param recipient a recipient that acknowledges
    /// @return probability of losing an acknowledgment that begins now
    double GetAcknowledgmentLoss(const D2dRecipient& recipient) const;
    /// @brief Go on after a window of selective repeat.
    void NextRound();
    /// @param recipient index of a recipient of the pass
    /// @return probability that it loses the fragment that was just sent
    double GetLossAt(std::size_t recipient) const;
    /// @brief The receiver combines the fragment that was just sent with what it holds of it.
    /// @param recipient index of the recipient
    /// @return 1 if it cannot decode it, or else 0
    double CombineAt(std::size_t recipient);
    /// @brief Make a fragment if that was not done: only traces need it.
    /// @param frame the fragment as it goes on air, or null
    /// @param index number of the fragment
    /// @return the same, not null
    const Ptr<Packet>& RequireFrame(Ptr<Packet>& frame, uint32_t index) const;
    /// @param index number of a fragment
    /// @return the fragment as it goes on air
    Ptr<Packet> MakeFragment(uint32_t index) const;
    /// @param index number of a fragment
    /// @return what of the burst's packet it carries
    Ptr<Packet> CutPacket(uint32_t index) const;

    std::vector<D2dFragmentState> m_states; //!< of fragments, by recipient and fragment, if needed
    uint32_t m_maxAttempts = 1;             //!< greatest number of them
    Ptr<Packet> m_frame;                    //!< what is on air, if it was made
    std::vector<std::optional<D2dDisturbance>>
        m_worst; //!< where others interfere, what met the last fragment, by recipient of the pass
    std::vector<std::vector<uint32_t>> m_toAcknowledge; //!< received and not answered, by recipient
    /// Recipients and fragments of which it has heard in the present window
    std::vector<std::pair<std::size_t, uint32_t>> m_heardNow;
};

} // namespace ns3::collab

#endif /* D2D_PACKET_TRANSMISSION_H */
