/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_PACKET_TRANSMISSION_H
#define D2D_PACKET_TRANSMISSION_H

#include "d2d-transmission.h"

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief A transmission that plays every fragment by itself (fidelity Packet).
 *
 * Every fragment is a packet with a header of its own, arrives after the propagation delay, meets
 * its own outage at every receiver, and is acknowledged by an acknowledgment that can be lost as
 * well.
 */
class D2dPacketTransmission : public D2dTransmission
{
  public:
    /**
     * @param sender the device that sends
     * @param burst what it sends
     * @param links to the devices that the burst is meant for
     */
    D2dPacketTransmission(Ptr<D2dNetDevice> sender,
                          std::shared_ptr<const D2dBurst> burst,
                          std::vector<D2dLink> links);

  private:
    /// What a fragment is at a recipient
    enum class FragmentState : uint8_t
    {
        MISSING,
        UNACKNOWLEDGED,
        ACKNOWLEDGED,
    };

    void SendOnce() override;
    void StopAndWait(std::size_t recipient, uint32_t maxAttempts) override;

    /// @brief Transmit the present fragment.
    void BeginAttempt();
    /// @brief The present fragment is out.
    void EndFragment();
    /// @brief What acknowledgments there are have come in.
    void EndAttempt();
    /**
     * @param index number of a fragment
     * @return the fragment as it goes on air
     */
    Ptr<Packet> MakeFragment(uint32_t index) const;
    /**
     * @brief A fragment arrives at a recipient, or is lost there.
     *
     * @param recipient index of the recipient
     * @param index number of the fragment
     * @param fragment the fragment
     */
    void ArriveAt(std::size_t recipient, uint32_t index, Ptr<const Packet> fragment);
    /**
     * @brief A recipient acknowledges a fragment.
     *
     * @param recipient index of the recipient
     * @param index number of the fragment
     */
    void Acknowledge(std::size_t recipient, uint32_t index);
    /**
     * @brief An acknowledgment arrives at the sender.
     *
     * @param recipient index of the recipient
     * @param index number of the fragment
     */
    void ReceiveAcknowledgment(std::size_t recipient, uint32_t index);

    std::vector<std::vector<FragmentState>> m_states; //!< of each fragment, by recipient
    std::vector<uint32_t> m_queue;                    //!< fragments of the present pass
    std::size_t m_position = 0;                       //!< the present one of them
    bool m_repeat = false;                            //!< whether the pass repeats fragments
    uint32_t m_attemptsMade = 0; //!< transmissions of the present fragment in this pass
    uint32_t m_maxAttempts = 1;  //!< greatest number of them
    Ptr<Packet> m_fragment;      //!< what is on air
};

} // namespace collab
} // namespace ns3

#endif /* D2D_PACKET_TRANSMISSION_H */
