/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2S_POSITION_ALLOCATOR_H
#define D2S_POSITION_ALLOCATOR_H

#include "ns3/position-allocator.h"
#include "ns3/vector.h"

#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-wireless
 * @brief Puts a base station far from the devices that it serves, in relation to how far these are
 * from each other.
 *
 * The base station stands above the middle of the devices, so that it is about equally far from
 * all of them, at the height at which the mean distance between a device and the base station is
 * D2sDistanceFactor times the mean distance of two devices (Wagle et al., "Multi-Agent
 * Reinforcement Learning for Graph Discovery in D2D-Enabled Federated Learning", take 3).
 */
class D2sPositionAllocator : public PositionAllocator
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    /// @param positions where the devices are [m]; at least two
    void SetDevices(std::vector<Vector> positions);

    /// @return where the base station is [m], the same at each call
    /// @throws UserError if no height is low enough for the factor
    Vector GetNext() const override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    /// @param position a place
    /// @return mean distance of the devices from it [m]
    double GetMeanDistance(const Vector& position) const;
    /// @return mean distance of two devices; of more than 10 000 over 256 partners of each [m]
    double GetMeanDeviceDistance() const;

    std::vector<Vector> m_devices; //!< where the devices are [m]
    double m_factor;               //!< attribute D2sDistanceFactor
};

} // namespace ns3::collab

#endif /* D2S_POSITION_ALLOCATOR_H */
