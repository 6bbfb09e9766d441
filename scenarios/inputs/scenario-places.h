/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCENARIO_PLACES_H
#define SCENARIO_PLACES_H

#include "ns3/collab-parameter-list.h"
#include "ns3/d2d-movement-file.h"
#include "ns3/vector.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

/// Where devices are, and how they move
struct PlaceParameters
{
    std::string positions = "disc";  //!< disc, grid, square, file:PATH or "x,y;x,y" [m]
    std::string mobility = "static"; //!< see MakeMobility(), or file:PATH
    double speed = 1;                //!< in an area [m/s]
    double area = 0; //!< side of the square of places and movement; 0: there is none [m]
    double positionInterval = 0; //!< between rows of the table positions; 0: there is none [s]
    std::string serverPosition;  //!< "x,y" or "x,y,z" [m]; empty for above the devices
    bool inUse = true;           //!< whether links depend on places at all; no parameter

    /// @param[in,out] list list that gets the parameters positions to positionInterval
    void DeclarePlaces(ns3::collab::ParameterList& list);
    /// @param[in,out] list list that gets the parameter serverPosition
    /// @param hasServer whether there is a server in the run
    void DeclareServerPosition(ns3::collab::ParameterList& list,
                               const std::function<bool()>& hasServer);

    /// @brief Work out area and positionInterval, unless they are given.
    /// @param longest gives the length of the longest link that there may be [m]
    void CompletePlaces(const std::function<double()>& longest);

    /// @throws UserError that names what was given and what is allowed
    /// @throws DataFileError for a bad file
    void ValidatePlaces(const ns3::collab::ParameterList& list, uint32_t devices) const;

    /// @return whether devices move
    bool Moves() const;
    /// @return whether they move in the area, by a model that has it as its bounds
    bool MovesInArea() const;
    /// @return whether they move as a file says
    bool MovesByFile() const;
    /// @return whether places follow from the outage probability of the longest link
    bool AreByOutage() const;
    /// @return the server's place as given; nothing if it is above the devices
    std::optional<ns3::Vector> GetServerPosition() const;

    /// @return the ways in a file, or a list, of positions or movement; null if there is none
    /// @throws UserError for a list that is none
    /// @throws DataFileError for a bad file
    std::shared_ptr<const ns3::collab::D2dMovement> GetGiven(uint32_t devices) const;

  private:
    /// @return what GetGiven() keeps
    std::shared_ptr<const ns3::collab::D2dMovement> ReadGiven(uint32_t devices) const;
    /// @return whether places or movement are within the area
    bool UsesArea() const;

    bool m_hasServer = false;   //!< whether there can be a server
    bool m_isAreaGiven = false; //!< whether the area is that of the user
    /// See GetGiven()
    mutable std::shared_ptr<const ns3::collab::D2dMovement> m_given;
};

#endif /* SCENARIO_PLACES_H */
