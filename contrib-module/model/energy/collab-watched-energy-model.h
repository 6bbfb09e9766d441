/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_WATCHED_ENERGY_MODEL_H
#define COLLAB_WATCHED_ENERGY_MODEL_H

#include "collab-energy-kind.h"

#include "ns3/collab-compat.h"
#include "ns3/device-energy-model.h"

namespace ns3::collab
{

/// @ingroup collab-energy
/// @brief What draws from an energy source, as seen by the DepletionWatch between the two.
class WatchedEnergyModel : public DeviceEnergyModel
{
  public:
    /// @return present power, all kinds together [W]
    virtual double GetPowerW() const = 0;
    /// @return most power since RestartPeak() was last called [W]
    virtual double GetPeakW() const = 0;
    /// @param watts power up to which the watch need not be told again [W]
    virtual void RestartPeak(double watts) = 0;
    /// @return energy spent on each kind up to now [J]
    virtual EnergyByKind GetEnergyByKindJ() const = 0;
    /// @return energy spent since TakeUnreportedJ() was last called [J]
    virtual double GetUnreportedJ() const = 0;
    /// @return the same, for the last time: the source has been told of it [J]
    virtual double TakeUnreportedJ() = 0;
    /// @return whether the source has run empty
    virtual bool IsDepleted() const = 0;
};

} // namespace ns3::collab

#endif /* COLLAB_WATCHED_ENERGY_MODEL_H */
