/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_SPATIAL_INDEX_H
#define D2D_SPATIAL_INDEX_H

#include "ns3/mobility-model.h"
#include "ns3/vector.h"

#include <array>
#include <boost/functional/hash.hpp>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-wireless
 * @brief Finds the devices near a place without looking at all of them.
 *
 * Devices that stand still (those whose model is exactly ns3::ConstantPositionMobilityModel) are
 * kept in the cells of a cubic grid, and put in another cell when they are given a new position.
 * All other mobility models are asked for their position at every query.
 */
class D2dSpatialIndex
{
  public:
    /// @param cellSize edge of a cell [m]; positive. The range of the usual query is a good one
    explicit D2dSpatialIndex(double cellSize);
    ~D2dSpatialIndex();
    D2dSpatialIndex(const D2dSpatialIndex&) = delete;
    D2dSpatialIndex& operator=(const D2dSpatialIndex&) = delete;

    /// @param mobility mobility model of a device; devices of one node have the same
    /// @return index of the device: 0 for the first, 1 for the second, and so on
    uint32_t Add(Ptr<MobilityModel> mobility);

    /**
     * @brief Find all devices whose distance is at most a range, now.
     *
     * Costs O(found devices + cells that the range touches + devices that can move by themselves).
     *
     * @param position middle of the search [m]
     * @param range the range [m]; may be infinite, and finds nothing if it is negative
     * @return indices of the devices, ascending; with the one that stands at the position itself
     */
    std::vector<uint32_t> FindWithin(const Vector& position, double range) const;

  private:
    /// A cell of the grid: position / cellSize along x, y and z, rounded down
    using Cell = std::array<int64_t, 3>;

    /// A device that stands still.
    struct Entry
    {
        uint32_t index;  //!< of the device
        Vector position; //!< where it stands
    };

    /// A device, by its index.
    struct Device
    {
        Ptr<MobilityModel> mobility; //!< its mobility model
        bool still;                  //!< whether it is in the grid
        Cell cell;                   //!< its cell if it is
    };

    /// A search.
    struct Query
    {
        Vector position; //!< its middle
        double range;    //!< its range [m]
        Cell least;      //!< corner of the cells that it touches
        Cell greatest;   //!< opposite corner
    };

    /// @param position a position
    /// @return the cell that it is in
    Cell GetCell(const Vector& position) const;
    /// @param query a search
    /// @param found where the indices of the devices in the grid go, in any order
    void SearchGrid(const Query& query, std::vector<uint32_t>& found) const;
    /// @param query a search
    /// @param entries devices of one cell
    /// @param found where the indices of those within the range go
    static void SearchCell(const Query& query,
                           const std::vector<Entry>& entries,
                           std::vector<uint32_t>& found);
    /// @param mobility mobility model, of devices in the grid, that was given a new position
    void Move(Ptr<const MobilityModel> mobility);
    /// @param index index of a device in the grid that was given a new position
    void MoveDevice(uint32_t index);

    double m_cellSize;              //!< edge of a cell [m]
    std::vector<Device> m_devices;  //!< in the order of adding
    std::vector<uint32_t> m_moving; //!< those not in the grid
    /// Indices by mobility model; only looked up in
    std::unordered_map<const MobilityModel*, std::vector<uint32_t>> m_indicesOf;
    /// Cells that are not empty
    std::unordered_map<Cell, std::vector<Entry>, boost::hash<Cell>> m_occupied;
};

} // namespace ns3::collab

#endif /* D2D_SPATIAL_INDEX_H */
