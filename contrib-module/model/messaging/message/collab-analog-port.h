/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_ANALOG_PORT_H
#define COLLAB_ANALOG_PORT_H

#include "ns3/d2d-analog-air.h"

namespace ns3::collab
{

/// @ingroup collab-messaging
/// @brief A device's way to send numbers to another one at once with others, or to receive them.
struct AnalogPort
{
    Ptr<D2dAnalogAir> air; //!< what to send or receive by
    Ptr<D2dPhy> radio;     //!< of the device
    Ptr<D2dPhy> peer;      //!< of the other one
};

} // namespace ns3::collab

#endif /* COLLAB_ANALOG_PORT_H */
