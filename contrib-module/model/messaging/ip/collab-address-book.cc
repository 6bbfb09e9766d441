/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-address-book.h"

#include "collab-ip-link.h"

#include "ns3/abort.h"

namespace ns3::collab
{

void
AddressBook::Add(uint32_t device, const Address& address, Ptr<NetDevice> netDevice)
{
    NS_ABORT_MSG_UNLESS(m_addresses.emplace(device, address).second,
                        "AddressBook::Add: device " << device << " is in the book already");
    NS_ABORT_MSG_UNLESS(m_devices.emplace(address, device).second,
                        "AddressBook::Add: device " << device << " has the address "
                                                    << IpLink::Format(address) << " of device "
                                                    << m_devices.at(address));
    if (netDevice)
    {
        m_netDevices.emplace(device, netDevice);
    }
}

std::optional<Address>
AddressBook::FindAddress(uint32_t device) const
{
    const auto found = m_addresses.find(device);
    return found == m_addresses.end() ? std::nullopt : std::make_optional(found->second);
}

std::optional<uint32_t>
AddressBook::FindDevice(const Address& address) const
{
    const auto found = m_devices.find(address);
    return found == m_devices.end() ? std::nullopt : std::make_optional(found->second);
}

Ptr<NetDevice>
AddressBook::FindNetDevice(uint32_t device) const
{
    const auto found = m_netDevices.find(device);
    return found == m_netDevices.end() ? nullptr : found->second;
}

} // namespace ns3::collab
