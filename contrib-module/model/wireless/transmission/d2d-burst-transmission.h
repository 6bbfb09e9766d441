/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_BURST_TRANSMISSION_H
#define D2D_BURST_TRANSMISSION_H

#include "d2d-transmission.h"

namespace ns3::collab
{

/**
 * @ingroup collab-wireless
 * @brief A transmission that plays fragments by rounds (fidelity Burst).
 *
 * A round sends all that is to be sent, then come all acknowledgments. A pass of repetitions by
 * selective repeat has one or more rounds, all other passes have one. What arrives is drawn when a
 * round has been sent, or else up to the fragment on air when something changes: the burst is cut
 * off, a receiver goes off, links are read again. Where others interfere, a round is a signal of
 * fragments in a row, and D2dInterference says how many of them met the same. Fragments are lost
 * independently, and so the counts have exactly the distribution that they have in fidelity Packet.
 *
 * Which fragments a receiver has is said only if somebody asks. As long as rounds go through whole
 * all choices are equally probable, and counts are enough. From the first round on that does not
 * the states of all fragments are kept, unless an indivisible packet is sent once.
 */
class D2dBurstTransmission : public D2dTransmission
{
  public:
    /// @param order what is sent
    explicit D2dBurstTransmission(D2dTransmissionOrder order);

  private:
    /// What a round has brought to a recipient so far
    struct Round
    {
        D2dFragmentCounts waiting;     //!< what of it has not been sent, or not looked at
        uint32_t sent = 0;             //!< fragments of it that were looked at
        uint64_t acknowledgments = 0;  //!< acknowledgments that the recipient owes
        uint32_t next = 0;             //!< first fragment behind these, if states are kept
        std::vector<uint32_t> arrived; //!< fragments that arrived, if states are kept
        uint32_t heard = 0;            //!< acknowledgments that come in in the window
        std::vector<uint32_t> heardOf; //!< fragments that they are of, if states are kept
    };

    void SendOnce() override;
    void Repeat(std::size_t recipient, uint32_t maxAttempts) override;
    void CutPass() override;
    void CutPassAt(std::size_t recipient) override;
    void CatchUp() override;
    void ChangeReach() override;
    std::vector<D2dFragmentState> GetStates(std::size_t recipient) override;

    /// @brief Send all outstanding fragments.
    void BeginRound();
    /// @brief All have been sent; what is left are acknowledgments and waiting.
    void EndTransmission();
    /// @brief What acknowledgments there are have come in.
    void EndWindow();
    /// @param delay propagation delay
    /// @return fragments of the round on air whose end has passed a place as far away
    uint32_t CountSent(Time delay) const;
    /// @brief Find out which fragments have arrived.
    /// @param recipient index of a recipient that follows
    /// @param sent number of fragments of the round that were sent up to now
    void Settle(std::size_t recipient, uint32_t sent);
    /// @brief Find out which of some fragments have arrived that met the same.
    /// @param recipient index of a recipient that follows
    /// @param run these fragments
    void SettleRun(std::size_t recipient, const D2dRun& run);
    /// @brief The same, fragment by fragment.
    /// @param recipient index of a recipient whose states are kept
    /// @param run these fragments
    /// @return those of them that arrived
    D2dArrivals PlayFragments(std::size_t recipient, const D2dRun& run);
    /// @brief Where others interfere, tell them of the fragments of the round that are left.
    void BeginRow();
    /// @brief A fragment has ended: go on with a new signal, for the reach that holds now.
    void RenewRow();
    /// @brief Where others interfere, every now and then settle what has piled up.
    void ScheduleTidying();
    /// @brief Settle it.
    void Tidy();
    /// @brief The row on air, if there is one, is over.
    void EndRow();
    /// @param recipient index of a recipient, which acknowledges what it owes
    void Acknowledge(std::size_t recipient);
    /// @param recipient index of a recipient; its states are kept from now on
    void KeepStates(std::size_t recipient);

    std::vector<Round> m_rounds;                         //!< of the recipients of the present pass
    uint32_t m_inRound = 0;                              //!< fragments of the present round
    uint32_t m_roundsBegun = 0;                          //!< rounds of the present pass
    uint32_t m_maxRounds = 1;                            //!< greatest number of them
    Time m_roundStart;                                   //!< when the present one began
    EventId m_renewal;                                   //!< when its signal is renewed
    EventId m_tidying;                                   //!< when to settle what has piled up
    D2dArqSampler m_sampler;                             //!< draws the outcomes
    std::vector<bool> m_keeps;                           //!< whether states are kept, by recipient
    std::vector<std::vector<D2dFragmentState>> m_states; //!< if they are, or were asked for
};

} // namespace ns3::collab

#endif /* D2D_BURST_TRANSMISSION_H */
