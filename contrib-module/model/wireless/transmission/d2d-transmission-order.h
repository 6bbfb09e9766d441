/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_TRANSMISSION_ORDER_H
#define D2D_TRANSMISSION_ORDER_H

#include "ns3/d2d-arq-rules.h"
#include "ns3/d2d-audience.h"
#include "ns3/d2d-burst.h"
#include "ns3/ptr.h"

#include <functional>
#include <memory>

namespace ns3::collab
{

class D2dMedium;
class D2dPhy;

/// @ingroup collab-wireless
/// @brief All that a transmission has to know, and whom to tell of its end.
struct D2dTransmissionOrder
{
    Ptr<D2dPhy> sender;                          //!< the radio that sends
    Ptr<D2dMedium> medium;                       //!< what is between it and others
    std::shared_ptr<const D2dBurst> burst;       //!< what it sends
    std::shared_ptr<const D2dAudience> audience; //!< the devices that it is meant for
    double spectralEfficiency = 0;               //!< rate r of its fragments [bit/s/Hz]
    D2dArqRules rules;                           //!< how fragments are repeated, if they are
    std::function<void()> done; //!< told when the burst no longer occupies the sender
    /// Called when the burst is over everywhere; returns who is to be told all about it, or null if
    /// nobody wants to know
    std::function<D2dBurstCallback()> over;
};

} // namespace ns3::collab

#endif /* D2D_TRANSMISSION_ORDER_H */
