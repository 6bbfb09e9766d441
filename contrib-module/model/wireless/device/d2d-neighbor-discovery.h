/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_NEIGHBOR_DISCOVERY_H
#define D2D_NEIGHBOR_DISCOVERY_H

#include "d2d-neighbor-table.h"

#include "ns3/d2d-phy.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::collab
{

class D2dMac;

/// @ingroup collab-wireless
/// @brief How a device knows which others are near, and how well it hears them.
enum class D2dDiscovery
{
    IDEAL,    //!< from the link budget, as if pilots had been measured for long before
    MEASURED, //!< from what it has received, beacons for one, which tells mean powers
    RSS,      //!< as MEASURED, with the fading of what was received
    BEACONS,  //!< as RSS, and outage from the share of beacons that were missed
};

/**
 * @ingroup collab-wireless
 * @brief What a D2D device knows of the devices near it.
 *
 * Who measures has heard whomever a burst came from, and sends beacons, so that others hear it. It
 * knows links towards itself alone: what others are to know of them a protocol has to tell. Rates
 * that adapt follow what the sender has measured of the receiver, as links are reciprocal.
 *
 * With RSS, outage is that of the outage model at the moving average of received powers: soon
 * known, but powers of what is lost are not in the average. With BEACONS it is the share of beacons
 * that were missed in NeighborTimeout, as ETX counts probes (De Couto, Aguayo, Bicket and Morris,
 * "A High-Throughput Path Metric for Multi-Hop Wireless Routing", MobiCom 2003): without a model,
 * of interference as well, and as coarse as there are few of them.
 */
class D2dNeighborDiscovery : public Object
{
  public:
    /// Protocol number of beacons (IEEE 802 local experimental Ethertype 2)
    static constexpr uint16_t BEACON_PROTOCOL = 0x88B6;

    /// @return the object TypeId
    static TypeId GetTypeId();

    D2dNeighborDiscovery();
    ~D2dNeighborDiscovery() override;

    /// @param mac MAC of the device, with its radio
    void SetMac(Ptr<D2dMac> mac);

    /// @return nodes of the devices that this one hears, ascending (attribute NeighborDiscovery);
    /// with ideal discovery, of those that hear it as well
    std::vector<uint32_t> GetNeighbors() const;
    /// @param node node of another device
    /// @return its mean received signal strength here, as this device can measure it [W]; nothing
    /// if it does not hear it
    std::optional<double> GetMeasuredRssW(uint32_t node) const;
    /// @param node node of another device
    /// @return probability of losing a fragment from it: for its measured signal strength, in the
    /// bandwidth of this device and at the rate at which this device would answer: by attribute,
    /// or, with adaptive rates, the one that suits this link alone; or of losing its beacons; 1 if
    /// this device does not hear it
    double GetMeasuredOutage(uint32_t node) const;
    /// @return how long a device listens until it has heard who counts as a neighbor: for
    /// NeighborTimeout if neighbors are measured by beacons, else not at all
    Time GetListeningTime() const;
    /// @return whether neighbors are measured, and this device is one only while it has something
    /// to say: it sends no beacons
    bool IsSilent() const;
    /// @throws UserError if there are no beacons to count, or the channel's outage model does not
    /// tell from a received power how probable losses are
    void CheckAttributes() const;

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    /// @param discovery how neighbors are known
    void SetDiscovery(D2dDiscovery discovery);
    /// @return how neighbors are known
    D2dDiscovery
    GetDiscovery() const
    {
        return m_discovery;
    }
    /// @return whether the device knows what it has received alone
    bool IsMeasuring() const;
    /// @return share of the beacons of a node that were missed in NeighborTimeout
    double GetMissedBeacons(uint32_t node) const;
    /// @brief Let the radio tell of what it hears, if that matters.
    void Listen();
    /// @brief Something of a burst was received.
    void HandleHeard(const D2dPhy::Heard& heard);
    /// @return the radio
    D2dPhy& GetPhy() const;
    /// @brief Tell others that this device is there, again and again.
    void SendBeacon();

    Ptr<D2dMac> m_mac;                              //!< sends beacons
    D2dDiscovery m_discovery = D2dDiscovery::IDEAL; //!< attribute NeighborDiscovery
    Time m_neighborTimeout;                         //!< attribute NeighborTimeout
    Time m_beaconInterval;                          //!< attribute BeaconInterval
    uint32_t m_beaconSize;                          //!< attribute BeaconSize [byte]
    Time m_rssMemory;                               //!< attribute RssMemory
    Time m_begin;                                   //!< since when it listens
    D2dNeighborTable m_neighbors;                   //!< whom it has heard
    EventId m_beaconEvent;                          //!< the next beacon
};

} // namespace ns3::collab

#endif /* D2D_NEIGHBOR_DISCOVERY_H */
