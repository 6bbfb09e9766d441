/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_BURST_TRANSMISSION_H
#define D2D_BURST_TRANSMISSION_H

#include "d2d-transmission.h"

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief A transmission whose passes are drawn as a whole (fidelity Burst).
 *
 * The number of fragment transmissions and what each receiver gets of them come from D2dArqSampler.
 * Within a pass the order is simplified: the sender transmits first, then listens for
 * acknowledgments, then backs off, and receivers send their acknowledgments in one go. Durations,
 * and so energy, are those of the same pass in fidelity Packet.
 *
 * A burst that is cut off, or a device that goes off in mid-pass, is the one case that the
 * fidelities tell apart. Here the first pass over all fragments counts up to the fragment that was
 * on air; a pass of repetitions that is cut off counts for nothing, as does any pass at a receiver
 * that goes off, and the sender plays the pass to the end that was drawn for it even if its only
 * receiver is gone.
 */
class D2dBurstTransmission : public D2dTransmission
{
  public:
    /**
     * @param sender the device that sends
     * @param burst what it sends
     * @param audience the devices that the burst is meant for
     * @param spectralEfficiency rate r of its fragments [bit/s/Hz]
     */
    D2dBurstTransmission(Ptr<D2dNetDevice> sender,
                         std::shared_ptr<const D2dBurst> burst,
                         std::shared_ptr<const D2dAudience> audience,
                         double spectralEfficiency);

  private:
    /// What a pass brings to a recipient that follows it to its end
    struct Draw
    {
        D2dFragmentCounts counts;     //!< what the recipient has afterwards
        uint64_t acknowledgments = 0; //!< acknowledgments that it sends
    };

    void SendOnce() override;
    void Repeat(std::size_t recipient, uint32_t maxAttempts) override;
    void CompletePassAt(std::size_t recipient) override;
    void CutPass() override;
    std::vector<D2dFragmentState> GetStates(std::size_t recipient) override;
    bool ShowsFragments() const override;

    /// @brief Occupy the sender for the pass that was drawn.
    void Transmit();
    /// @brief The sender has sent everything; what is left are acknowledgments and waiting.
    void EndTransmission();
    /// @brief What acknowledgments there are have come in.
    void EndAcknowledgments();
    /// @brief The sender is done with the pass.
    void ApplyPass();

    std::vector<Draw> m_draws;                           //!< of the recipients of the present pass
    D2dPassCost m_cost;                                  //!< of the present pass, at the sender
    Time m_passStart;                                    //!< when it began
    bool m_repeating = false;                            //!< whether it is a pass of repetitions
    D2dArqSampler m_sampler;                             //!< draws the outcomes
    std::vector<std::vector<D2dFragmentState>> m_states; //!< by recipient, once asked for
};

} // namespace collab
} // namespace ns3

#endif /* D2D_BURST_TRANSMISSION_H */
