/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_ADDRESS_BOOK_H
#define COLLAB_ADDRESS_BOOK_H

#include "ns3/address.h"
#include "ns3/net-device.h"

#include <cstdint>
#include <map>
#include <optional>

namespace ns3::collab
{

/// @ingroup collab-messaging
/// @brief Which device has which IPv4 or IPv6 address, as all devices of a deployment were told in
/// advance.
class AddressBook
{
  public:
    /// @param device number of a device that is not in the book yet
    /// @param address its address, which no other device has
    /// @param netDevice what has the address, whose link-layer address all others know; null if
    /// they have to ask for that
    void Add(uint32_t device, const Address& address, Ptr<NetDevice> netDevice = nullptr);

    /// @param device number of a device
    /// @return its address; nothing if it is not in the book
    std::optional<Address> FindAddress(uint32_t device) const;
    /// @param address an address
    /// @return number of the device that has it; nothing if none has
    std::optional<uint32_t> FindDevice(const Address& address) const;
    /// @param device number of a device
    /// @return what has its address; null if others have to ask for its link-layer address
    Ptr<NetDevice> FindNetDevice(uint32_t device) const;
    /// @return addresses by device
    const std::map<uint32_t, Address>&
    GetAddresses() const
    {
        return m_addresses;
    }

  private:
    std::map<uint32_t, Address> m_addresses;         //!< by device
    std::map<Address, uint32_t> m_devices;           //!< by address
    std::map<uint32_t, Ptr<NetDevice>> m_netDevices; //!< by device, where known
};

} // namespace ns3::collab

#endif /* COLLAB_ADDRESS_BOOK_H */
