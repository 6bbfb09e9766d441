/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCENARIO_PLACEMENT_H
#define SCENARIO_PLACEMENT_H

#include "scenario-parameters.h"

#include "ns3/d2d-channel.h"
#include "ns3/node-container.h"
#include "ns3/propagation-loss-model.h"
#include "ns3/vector.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

/// @return where devices are at the start [m]: by default in a disc, scaled so that the two
/// farthest apart have the outage asked for
std::vector<ns3::Vector> FindPlaces(const CommonParameters& p);

/// @brief Put the devices where they are at the start, from where they move as the user says.
/// @param positions where; by default as FindPlaces() has them [m]
/// @return their positions [m]
/// @throws UserError for a place that is outside the bounds of a mobility model
std::vector<ns3::Vector> PlaceDevices(
    const CommonParameters& p,
    const ns3::NodeContainer& nodes,
    const std::optional<std::vector<ns3::Vector>>& positions = std::nullopt);

/// Put the server where the user wants it, or above the middle of the devices
void PlaceServer(const CommonParameters& p,
                 const ns3::Ptr<ns3::Node>& server,
                 const ns3::NodeContainer& nodes);

/// @param server node of the server in place, whose links are meant; null for those of devices
/// @return length of the longest link that there can be during the run; nothing if devices move
/// without bounds that are known [m]
std::optional<double> FindLongestLink(const CommonParameters& p,
                                      const ns3::Ptr<ns3::Node>& server = nullptr);

/**
 * @brief All links as bad as movement can make them, for as long as this lives: what is computed of
 * links meanwhile, such as waits, holds wherever devices move to.
 *
 * Links are as long as FindLongestLink() says, but in range. With another path loss than
 * log-distance, or without bounds, they are barely in range.
 */
class WorstLinks
{
  public:
    /// @param p parameters of the run; nothing happens unless devices move
    explicit WorstLinks(const CommonParameters& p);
    /// Links are again what they were
    ~WorstLinks();

    WorstLinks(const WorstLinks&) = delete;
    WorstLinks& operator=(const WorstLinks&) = delete;

  private:
    /// Channels, and what gives the received power there
    std::vector<std::pair<ns3::Ptr<ns3::collab::D2dChannel>, ns3::Ptr<ns3::PropagationLossModel>>>
        m_models;
};

#endif /* SCENARIO_PLACEMENT_H */
