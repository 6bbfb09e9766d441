/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2S_HELPER_H
#define D2S_HELPER_H

#include "d2d-helper.h"

#include "ns3/node.h"

namespace ns3::collab
{

/**
 * @ingroup collab-helper
 * @brief Makes links between devices and a server at a base station (D2S), beside their D2D links.
 *
 * The base station and its devices have a channel of their own, with attributes of its own; on a
 * device that has a D2D radio its transport then has two radios: messages to the server take the
 * second, all others and broadcasts the first. Install the D2D radios before.
 */
class D2sHelper : public D2dHelper
{
  public:
    /// @brief Put the base station where D2sPositionAllocator says, if it is nowhere yet.
    /// @param server node of the base station; gets a ConstantPositionMobilityModel
    /// @param devices nodes with mobility models, at least two
    static void PlaceServer(Ptr<Node> server, const NodeContainer& devices);

    /// @brief Make a radio on the server and one on every device, all on one new channel.
    /// @param server node of the base station, with a mobility model or to be placed
    /// @param devices the devices that it serves
    /// @return the radios, that of the server first
    NetDeviceContainer InstallServer(Ptr<Node> server, const NodeContainer& devices);
};

} // namespace ns3::collab

#endif /* D2S_HELPER_H */
