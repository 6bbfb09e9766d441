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
 * Within a pass the order is simplified: the sender transmits first and then listens for
 * acknowledgments, and receivers send theirs in one go. Durations, and so energy, are those of the
 * same pass in fidelity Packet.
 *
 * A device that goes off in mid-pass is the one case that the fidelities tell apart: here the pass
 * counts for nothing at a receiver that goes off, or at any receiver if the sender does, and the
 * sender plays the pass to the end that was drawn for it even if its only receiver is gone.
 */
class D2dBurstTransmission : public D2dTransmission
{
  public:
    /**
     * @param sender the device that sends
     * @param burst what it sends
     * @param links to the devices that the burst is meant for
     */
    D2dBurstTransmission(Ptr<D2dNetDevice> sender,
                         std::shared_ptr<const D2dBurst> burst,
                         std::vector<D2dLink> links);

  private:
    /// What a pass brings to a recipient that follows it to its end
    struct Draw
    {
        D2dFragmentCounts counts;     //!< what the recipient has afterwards
        uint64_t acknowledgments = 0; //!< acknowledgments that it sends
    };

    void SendOnce() override;
    void StopAndWait(std::size_t recipient, uint32_t maxAttempts) override;

    /**
     * @brief Occupy the sender for a pass.
     * @param attempts fragment transmissions of the pass
     */
    void Transmit(uint64_t attempts);
    /**
     * @brief The sender has sent everything; what is left are acknowledgments.
     * @param attempts fragment transmissions of the pass
     */
    void AwaitAcknowledgments(uint64_t attempts);
    /// @brief What acknowledgments there are have come in.
    void EndAttempts();

    std::vector<Draw> m_draws; //!< of the recipients of the present pass
    D2dArqSampler m_sampler;   //!< draws the outcomes
};

} // namespace collab
} // namespace ns3

#endif /* D2D_BURST_TRANSMISSION_H */
