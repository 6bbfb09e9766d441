/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scenario-places.h"

#include "scenario-checks.h"

#include "ns3/collab-given-attributes.h"
#include "ns3/collab-number.h"
#include "ns3/mobility-model.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::collab;

namespace
{

const std::vector<std::string> SHAPES = {"disc", "grid", "square"};
const std::vector<std::string> AREA_MODELS = {"random-walk", "random-waypoint", "gauss-markov"};

bool
Contains(const std::vector<std::string>& names, const std::string& name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// @param text x,y or x,y,z [m]
/// @return the position; nothing if it is none
std::optional<Vector>
ParsePosition(const std::string& text)
{
    std::vector<double> coordinates;
    for (const std::string& coordinate : SplitList(text))
    {
        const double number = ParseNumber(coordinate).value_or(NAN);
        if (!std::isfinite(number))
        {
            return std::nullopt;
        }
        coordinates.push_back(number);
    }
    if (coordinates.size() == 2)
    {
        coordinates.push_back(D2D_DEVICE_HEIGHT);
    }
    return coordinates.size() == 3
               ? std::optional(Vector(coordinates[0], coordinates[1], coordinates[2]))
               : std::nullopt;
}

/// @param given x,y;x,y [m]
/// @return the places
/// @throws UserError if there are not as many, or one is none
D2dMovement
ParseList(const std::string& given, uint32_t devices)
{
    D2dMovement places;
    for (const std::string& text : SplitList(given, ';'))
    {
        const auto position = ParsePosition(text);
        Require(position.has_value(),
                "positions",
                given,
                "disc, grid, square, file:PATH, or numbers as x,y;x,y;... or x,y,z");
        places.devices.push_back({{Time(), *position}});
    }
    Require(places.devices.size() == devices,
            "positions",
            given,
            fmt::format("of {} devices (--devices), not {}", devices, places.devices.size()));
    return places;
}

} // namespace

void
PlaceParameters::DeclarePlaces(ParameterList& list)
{
    list.Add("positions",
             positions,
             "where devices are at the start: disc (by maxOutage, or as wide as area), grid or "
             "square (anywhere) in area, file:PATH of CSV with device,x,y[,z], or x,y;x,y;...")
        .Suggestions({SHAPES.begin(), SHAPES.end()})
        .OnlyIf([this]() { return !FindFile(mobility); }, "devices that no --mobility=file: places")
        .Unit("m");
    list.Add("mobility",
             mobility,
             "how devices move: not (static), within area, as file:PATH says (CSV with "
             "time,device,x,y[,z], or setdest of ns-2), or by a mobility model of ns-3, such as "
             "ns3::RandomWalk2dMobilityModel[Mode=Time|Time=10s]")
        .Suggestions({"static", "random-walk", "random-waypoint", "gauss-markov"});
    const auto isByModel = [this]() { return Contains(AREA_MODELS, mobility); };
    list.Add("speed", speed, "of devices that move within area, its mean with gauss-markov")
        .Unit("m/s")
        .AtLeast(0)
        .AtMost(1e4)
        .OnlyIf(isByModel, "movement within --area");
    list.Add("area",
             area,
             "side of the square of positions and movement, from 0,0 on; 0: across its diagonal a "
             "link has maxOutage")
        .Unit("m")
        .AtLeast(1e-3)
        .AtMost(1e7)
        .OrComputed()
        .OnlyIf(
            [this, isByModel]() {
                return isByModel() || (!FindFile(mobility) && Contains(SHAPES, positions));
            },
            "positions or movement within it");
    list.Add("positionInterval",
             positionInterval,
             "time between rows of the table positions; 0: 5 s if devices move, else there is none")
        .Unit("s")
        .AtLeast(1e-3)
        .Below(1e9)
        .OrComputed()
        .OnlyIf([this]() { return Moves(); }, "devices that move (--mobility)");
}

void
PlaceParameters::DeclareServerPosition(ParameterList& list, const std::function<bool()>& hasServer)
{
    m_hasServer = true;
    list.Add("serverPosition",
             serverPosition,
             "where the server is, as x,y or x,y,z; if empty where positions or mobility have the "
             "device server, or above the middle of the devices as "
             "ns3::collab::D2sPositionAllocator::D2sDistanceFactor says")
        .Unit("m")
        .OnlyIf(hasServer, "runs with a server");
}

void
PlaceParameters::CompletePlaces(const std::function<double()>& longest)
{
    constexpr double INTERVAL = 5; // [s]
    m_isAreaGiven = area > 0;
    if (!m_isAreaGiven && UsesArea())
    {
        area = longest() / std::sqrt(2.0);
    }
    if (positionInterval == 0 && Moves())
    {
        positionInterval = INTERVAL;
    }
}

void
PlaceParameters::ValidatePlaces(const ParameterList& list, uint32_t devices) const
{
    if (mobility != "static" && !Contains(AREA_MODELS, mobility) && !FindFile(mobility))
    {
        const std::string fault = FindObjectFault(MobilityModel::GetTypeId(), mobility);
        Require(fault.empty(),
                "mobility",
                mobility,
                fmt::format("static, {}, file:PATH, or a mobility model of ns-3: {}",
                            fmt::join(AREA_MODELS, ", "),
                            fault));
    }
    Require(!FindFile(mobility) || !list.Find("positions")->IsGiven(),
            "positions",
            positions,
            "left out with --mobility=" + mobility + ", which has positions at time 0");
    const auto given = GetGiven(devices);
    const auto isInside = [this](const D2dWay& way) {
        const Vector& place = way.front().position;
        return place.x > 0 && place.x < area && place.y > 0 && place.y < area;
    };
    Require(!given || !MovesInArea() ||
                std::all_of(given->devices.begin(), given->devices.end(), isInside),
            "positions",
            positions,
            fmt::format("between 0 and {:g} (--area) with --mobility={}", area, mobility));
    constexpr double MOST_CROSSINGS = 10; // of the area in a second: each has ten events
    Require(!MovesInArea() || speed <= MOST_CROSSINGS * area,
            "speed",
            speed,
            fmt::format("{:g} or less, ten times --area in a second", MOST_CROSSINGS * area));
    Require(serverPosition.empty() || ParsePosition(serverPosition),
            "serverPosition",
            serverPosition,
            "x,y or x,y,z");
    Require(serverPosition.empty() || !given || given->server.empty(),
            "serverPosition",
            serverPosition,
            "left out with a file that has the device server");
}

bool
PlaceParameters::Moves() const
{
    return inUse && mobility != "static" && (!Contains(AREA_MODELS, mobility) || speed > 0);
}

bool
PlaceParameters::MovesInArea() const
{
    return Moves() && Contains(AREA_MODELS, mobility);
}

bool
PlaceParameters::MovesByFile() const
{
    return Moves() && FindFile(mobility);
}

bool
PlaceParameters::UsesArea() const
{
    return inUse && (positions == "grid" || positions == "square" ||
                     Contains(AREA_MODELS, mobility) || (area > 0 && positions == "disc"));
}

bool
PlaceParameters::AreByOutage() const
{
    return !m_isAreaGiven && !FindFile(mobility) &&
           (Contains(SHAPES, positions) || Contains(AREA_MODELS, mobility));
}

std::optional<Vector>
PlaceParameters::GetServerPosition() const
{
    return serverPosition.empty() ? std::nullopt : ParsePosition(serverPosition);
}

std::shared_ptr<const D2dMovement>
PlaceParameters::GetGiven(uint32_t devices) const
{
    if (!m_given && inUse)
    {
        m_given = ReadGiven(devices);
    }
    return m_given;
}

std::shared_ptr<const D2dMovement>
PlaceParameters::ReadGiven(uint32_t devices) const
{
    const D2dMovementUse use = {devices, m_hasServer};
    D2dMovement given;
    if (const auto moves = FindFile(mobility))
    {
        CheckArgument<DataFileError>(
            "mobility", mobility, [&]() { given = ReadD2dMovementFile(*moves, use); });
    }
    else if (Contains(SHAPES, positions))
    {
        return nullptr;
    }
    else if (const auto places = FindFile(positions))
    {
        CheckArgument<DataFileError>(
            "positions", positions, [&]() { given = ReadD2dPositionFile(*places, use); });
    }
    else
    {
        given = ParseList(positions, devices);
    }
    return std::make_shared<const D2dMovement>(std::move(given));
}
