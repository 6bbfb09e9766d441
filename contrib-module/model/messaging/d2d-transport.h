/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_TRANSPORT_H
#define D2D_TRANSPORT_H

#include "collab-transport.h"

#include "ns3/d2d-net-device.h"

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief Messages straight over a D2dNetDevice: one message, one burst.
 */
class D2dTransport : public Transport
{
  public:
    /// Protocol number of messages (IEEE 802 local experimental Ethertype 1)
    static constexpr uint16_t PROTOCOL = 0x88B5;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @param device the radio to use; it must be on a node and a channel
     */
    void SetDevice(Ptr<D2dNetDevice> device);

    std::vector<uint32_t> GetNeighbors() const override;
    std::optional<LinkQuality> GetLinkQuality(uint32_t sender) const override;
    Time GetAirtime(uint64_t bytes) const override;

  protected:
    void DoDispose() override;
    void DoSend(uint32_t receiver,
                Ptr<Packet> packet,
                std::shared_ptr<const Message> message,
                SendOptions options) override;
    bool DoCancel(uint32_t sequence) override;

  private:
    /**
     * @param receiver number of a device, or BROADCAST
     * @return its address on this channel
     */
    Mac48Address FindAddress(uint32_t receiver) const;
    /**
     * @param address of a device of this channel
     * @return its number
     */
    uint32_t FindDeviceId(Mac48Address address) const;
    /**
     * @param burst a burst that has arrived
     * @param units its units that have, if it is divisible
     */
    void HandleBurst(const D2dBurst& burst, const std::vector<uint32_t>& units);
    /**
     * @param report the end of a burst of this device
     * @param message what it carried
     * @param delivered whom the protocol wants told
     */
    void HandleBurstEnd(const D2dBurstReport& report,
                        const Message& message,
                        const DeliveryCallback& delivered);
    /**
     * @param report the end of a burst of this device
     * @param sequence number of the message that it carried
     * @return what the sender knows of it
     */
    DeliveryReport MakeDeliveryReport(const D2dBurstReport& report, uint32_t sequence) const;
    /**
     * @param report the end of a burst of this device
     * @param message what it carried
     */
    void TraceOutcomes(const D2dBurstReport& report, const Message& message);

    Ptr<D2dNetDevice> m_device;            //!< the radio
    Ptr<D2dChannel> m_channel;             //!< its channel
    std::map<uint32_t, uint32_t> m_bursts; //!< bursts that are not over, by message
};

} // namespace collab
} // namespace ns3

#endif /* D2D_TRANSPORT_H */
