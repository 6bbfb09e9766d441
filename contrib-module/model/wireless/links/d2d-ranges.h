/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_RANGES_H
#define D2D_RANGES_H

#include "d2d-propagation.h"
#include "d2d-spatial-index.h"

#include "ns3/propagation-loss-model.h"
#include "ns3/ptr.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @brief How far each device reaches, so that receivers are found without looking at all pairs: by
/// a spatial index, if the chain of loss models allows to say how far power reaches.
class D2dRanges
{
  public:
    /// @param ends the devices; outlive this
    explicit D2dRanges(const std::vector<D2dLinkEnd>& ends);

    /// @brief Find all ranges anew.
    /// @param model head of the chain that gives the received power
    /// @param leastDbm power from which on a signal matters to any device [dBm]
    /// @param anyMoves whether a device moves by itself
    void Find(Ptr<PropagationLossModel> model, double leastDbm, bool anyMoves);
    /// @param device index of a device whose power has changed
    void HandleChange(uint32_t device);
    /// @param dbm a power [dBm]
    /// @return whether less power matters to a device of this sensitivity than to all before
    bool IsMoreSensitive(double dbm) const;
    /// @param heightM height of a device [m]
    /// @return whether antennas that stand so high may reach farther than all before
    bool IsHigher(double heightM) const;
    /// @param transmitter index of a device
    /// @return indices of other devices that may be in range of it
    std::vector<uint32_t> FindCandidates(uint32_t transmitter);
    /// @param transmitter index of a device
    /// @param receiver index of another one
    /// @return whether it would be one of FindCandidates()
    bool IsCandidate(uint32_t transmitter, uint32_t receiver);

  private:
    /// @brief Make the spatial index, if ranges are known.
    void MakeIndex();
    /// @param txPowerDbm a power [dBm]
    /// @return how far it reaches; infinite if that is not known [m]
    double FindRangeM(double txPowerDbm);
    /// @param transmitter index of a device, if there is a spatial index
    /// @return how far it reaches at most [m]
    double GetRangeM(uint32_t transmitter);

    const std::vector<D2dLinkEnd>& m_ends;    //!< the devices
    Ptr<PropagationLossModel> m_model;        //!< gives the received power
    std::unique_ptr<D2dSpatialIndex> m_index; //!< finds devices by place; null without a range
    std::size_t m_indexed = 0;                //!< devices in it
    double m_cell = 0;                        //!< edge of its cells [m]
    std::vector<double> m_rangeM; //!< reach of each device, if there is an index; NaN to be found
    std::map<double, double> m_rangeOfM; //!< the same by power [dBm]
    double m_leastDbm = 0;               //!< least power that matters to a device [dBm]
    double m_heightM = 0;                //!< greatest height of a device [m]
    bool m_heightMatters = false;        //!< whether power reaches farther from there
};

} // namespace ns3::collab

#endif /* D2D_RANGES_H */
