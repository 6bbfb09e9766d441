/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_MOVEMENT_FILE_H
#define D2D_MOVEMENT_FILE_H

#include "ns3/nstime.h"
#include "ns3/vector.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @brief A point of a device's way.
struct D2dWaypoint
{
    Time time;       //!< when the device is there
    Vector position; //!< where [m]
};

/// @ingroup collab-wireless
/// @brief The way of a device: straight and at constant speed from one point to the next, by
/// strictly ascending time, the first one at 0. After the last one the device stands still.
using D2dWay = std::vector<D2dWaypoint>;

/// @ingroup collab-wireless
/// @brief What a file says of where devices are.
struct D2dMovement
{
    std::vector<D2dWay> devices; //!< a way a device, of one point if it stands still
    D2dWay server;               //!< of the server; empty if the file has none
};

/// @ingroup collab-wireless
/// @brief Which devices a file has to have.
struct D2dMovementUse
{
    uint32_t devices = 0;   //!< their number
    bool hasServer = false; //!< whether the device "server" is allowed
};

/// Height of a device for which a file gives none [m]
constexpr double D2D_DEVICE_HEIGHT = 1.5;

/**
 * @ingroup collab-wireless
 * @brief Read how devices move.
 *
 * Either CSV with the header time,device,x,y or time,device,x,y,z [s, m], in which also the table
 * positions of a run is (time_s,device,x_m,y_m,z_m), or the format of ns-2's setdest. A line that
 * is empty or begins with # counts for nothing.
 *
 * @param path path of the file
 * @param use which devices it has to have
 * @return their ways
 * @throws DataFileError that names the line, for a device without a position at time 0, an unknown
 * one, a time that does not ascend, and whatever is no number
 */
D2dMovement ReadD2dMovementFile(const std::string& path, const D2dMovementUse& use);

/// @ingroup collab-wireless
/// @brief Read where devices are: CSV with the header device,x,y or device,x,y,z [m].
/// @param path path of the file
/// @param use which devices it has to have
/// @return ways of one point each
/// @throws DataFileError that names the line, for a device that is missing, unknown or there twice,
/// and whatever is no number
D2dMovement ReadD2dPositionFile(const std::string& path, const D2dMovementUse& use);

} // namespace ns3::collab

#endif /* D2D_MOVEMENT_FILE_H */
