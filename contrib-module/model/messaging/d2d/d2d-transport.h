/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_TRANSPORT_H
#define D2D_TRANSPORT_H

#include "ns3/collab-transport.h"
#include "ns3/d2d-net-device.h"

namespace ns3::collab
{

/**
 * @ingroup collab-messaging
 * @brief Messages straight over D2dNetDevices: one message, one burst.
 *
 * A node may have several radios on channels of their own, such as one for other devices and one
 * for a base station. A message takes the first radio whose channel has its receiver; broadcasts
 * and neighbors are those of the first radio.
 */
class D2dTransport : public Transport
{
  public:
    /// Protocol number of messages (IEEE 802 local experimental Ethertype 1)
    static constexpr uint16_t PROTOCOL = 0x88B5;

    /// @return the object TypeId
    static TypeId GetTypeId();

    /// @param device a radio to use; it must be on a channel and on the node of the other radios
    void AddDevice(Ptr<D2dNetDevice> device);

    std::vector<uint32_t> GetNeighbors() const override;
    std::optional<LinkQuality> GetLinkQuality(uint32_t sender) const override;
    bool
    MeasuresLinks() const override
    {
        return true;
    }
    Time GetAirtime(uint64_t bytes, std::optional<uint32_t> receiver = std::nullopt) const override;
    Time GetContendedAirtime(uint64_t bytes, uint32_t senders) const override;
    bool HearsWhileSending() const override;
    uint32_t CountUnitParts(uint32_t bytes) const override;
    Time GetListeningTime() const override;
    AnalogPort GetAnalogPort(uint32_t peer) const override;

  protected:
    void DoDispose() override;
    void DoSend(Destination to,
                Ptr<Packet> packet,
                std::shared_ptr<const Message> message,
                SendOptions options) override;
    bool DoCancel(uint32_t sequence) override;
    void DoEndRun() override;
    uint64_t GetBytesUnderWay() const override;

  private:
    /// A message that the radio is not done with
    struct Underway
    {
        Ptr<D2dNetDevice> device; //!< the radio
        uint32_t burst = 0;       //!< number of its burst
    };

    /// @param peer number of another device
    /// @return the radio that reaches it; null if none does
    Ptr<D2dNetDevice> FindRadio(uint32_t peer) const;
    /// @param to whom a message is for
    /// @return the radio that sends it
    Ptr<D2dNetDevice> ChooseRadio(const Destination& to) const;
    /// @param burst a burst that has arrived
    /// @param units its units that have, if it is divisible
    void HandleBurst(const D2dBurst& burst, const std::vector<uint32_t>& units);
    /// @param report the end of a burst of this device
    /// @param device the radio that sent it
    /// @param message what it carried
    /// @param delivered whom the protocol wants told
    void HandleBurstEnd(const D2dBurstReport& report,
                        const D2dNetDevice& device,
                        const Message& message,
                        const DeliveryCallback& delivered);
    /// @param report the end of a burst of this device
    /// @param sequence number of the message that it carried
    /// @return what the sender knows of it
    DeliveryReport MakeDeliveryReport(const D2dBurstReport& report, uint32_t sequence) const;
    /// @param report the end of a burst of this device
    /// @param message what it carried
    void TraceOutcomes(const D2dBurstReport& report, const Message& message);

    std::vector<Ptr<D2dNetDevice>> m_devices; //!< the radios
    std::map<uint32_t, Underway> m_underway;  //!< by sequence number
};

} // namespace ns3::collab

#endif /* D2D_TRANSPORT_H */
