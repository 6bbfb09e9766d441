/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_TRANSMISSION_FACTORY_H
#define D2D_TRANSMISSION_FACTORY_H

#include "d2d-transmission-order.h"
#include "d2d-transmission.h"

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @param order what is sent, and how
/// @return a transmission of the channel's fidelity
Ptr<D2dTransmission> MakeD2dTransmission(D2dTransmissionOrder order);

} // namespace ns3::collab

#endif /* D2D_TRANSMISSION_FACTORY_H */
