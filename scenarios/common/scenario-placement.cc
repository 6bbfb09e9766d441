/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scenario-placement.h"

#include "inputs/scenario-checks.h"
#include "scenario-samples.h"

#include "ns3/box.h"
#include "ns3/channel-list.h"
#include "ns3/d2d-link-budget.h"
#include "ns3/d2d-net-device.h"
#include "ns3/d2d-phy.h"
#include "ns3/d2d-rss-model.h"
#include "ns3/d2s-helper.h"
#include "ns3/double.h"
#include "ns3/mobility-module.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/string.h"

#include <algorithm>
#include <boost/geometry/algorithms/convex_hull.hpp>
#include <boost/geometry/geometries/multi_point.hpp>
#include <boost/geometry/geometries/point_xy.hpp>
#include <boost/geometry/geometries/ring.hpp>
#include <boost/geometry/strategies/strategies.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>
#include <limits>
#include <sstream>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// Of the random streams of the devices' movement, apart from those of the network
constexpr int64_t MOBILITY_STREAM = 1LL << 40;

/// Where something can be during a run
struct Extent
{
    Vector least;    //!< least coordinates [m]
    Vector greatest; //!< greatest ones [m]

    /// Make it reach to what is there
    void
    Add(const Vector& place)
    {
        least = Vector(
            std::min(least.x, place.x), std::min(least.y, place.y), std::min(least.z, place.z));
        greatest = Vector(std::max(greatest.x, place.x),
                          std::max(greatest.y, place.y),
                          std::max(greatest.z, place.z));
    }

    /// Make it reach to all of a way
    void
    Add(const D2dWay& way)
    {
        for (const D2dWaypoint& point : way)
        {
            Add(point.position);
        }
    }
};

/// @param place a position [m]
/// @return an extent with one place in it
Extent
MakeExtent(const Vector& place)
{
    return {place, place};
}

/// @return greatest distance of a place of one extent and a place of the other [m]
double
FindFarthest(const Extent& a, const Extent& b)
{
    const auto apart = [&](double Vector::*axis) {
        return std::max(std::abs(a.greatest.*axis - b.least.*axis),
                        std::abs(b.greatest.*axis - a.least.*axis));
    };
    return Vector(apart(&Vector::x), apart(&Vector::y), apart(&Vector::z)).GetLength();
}

/// @return positions anywhere in a disc of radius 1
std::vector<Vector>
ScatterInDisc(uint32_t devices)
{
    constexpr double TWO_PI = 6.283185307179586;
    RandomGenerator generator(SeedFor(RandomPurpose::PLACEMENT));
    boost::random::uniform_real_distribution<double> uniform(0.0, 1.0);
    std::vector<Vector> positions;
    for (uint32_t i = 0; i < devices; ++i)
    {
        const double r = std::sqrt(uniform(generator));
        const double angle = TWO_PI * uniform(generator);
        positions.emplace_back(r * std::cos(angle), r * std::sin(angle), 0);
    }
    return positions;
}

/// @return greatest distance between two of some places in a plane, which corners of their hull
/// have
double
FindLongest(const std::vector<Vector>& places)
{
    using Point = boost::geometry::model::d2::point_xy<double>;
    boost::geometry::model::multi_point<Point> points;
    for (const Vector& place : places)
    {
        points.emplace_back(place.x, place.y);
    }
    boost::geometry::model::ring<Point> hull;
    boost::geometry::convex_hull(points, hull);
    double longest = 0;
    for (const Point& a : hull)
    {
        for (const Point& b : hull)
        {
            const double distance = Vector(a.x() - b.x(), a.y() - b.y(), 0).GetLength();
            longest = std::max(longest, distance);
        }
    }
    return longest;
}

/// @return positions in a disc whose longest link has the outage probability asked for
std::vector<Vector>
ScatterByOutage(const CommonParameters& p)
{
    std::vector<Vector> positions = ScatterInDisc(p.devices);
    const double scale = p.GetLongestByOutage() / FindLongest(positions);
    for (Vector& position : positions)
    {
        position = Vector(position.x * scale, position.y * scale, D2D_DEVICE_HEIGHT);
    }
    return positions;
}

/// @return positions in the square of the area
std::vector<Vector>
ScatterInArea(const CommonParameters& p)
{
    const double side = p.places.area;
    std::vector<Vector> positions;
    if (p.places.positions == "disc")
    {
        for (const Vector& unit : ScatterInDisc(p.devices))
        {
            positions.emplace_back(
                (1 + unit.x) * side / 2, (1 + unit.y) * side / 2, D2D_DEVICE_HEIGHT);
        }
        return positions;
    }
    RandomGenerator generator(SeedFor(RandomPurpose::PLACEMENT));
    boost::random::uniform_real_distribution<double> uniform(0.0, side);
    const auto columns = static_cast<uint32_t>(std::ceil(std::sqrt(p.devices)));
    const double cell = side / columns;
    for (uint32_t i = 0; i < p.devices; ++i)
    {
        if (p.places.positions == "grid")
        {
            positions.emplace_back(
                (i % columns + 0.5) * cell, (i / columns + 0.5) * cell, D2D_DEVICE_HEIGHT);
            continue;
        }
        const double x = uniform(generator);
        positions.emplace_back(x, uniform(generator), D2D_DEVICE_HEIGHT);
    }
    return positions;
}

/// @return a random variable that has one value
std::string
Constant(double value)
{
    return fmt::format("ns3::ConstantRandomVariable[Constant={}]", value);
}

/// @param p parameters of a run whose devices move in the area
/// @return a model that goes in a new direction after a tenth of the area's side
Ptr<MobilityModel>
MakeAreaModel(const PlaceParameters& p)
{
    ObjectFactory factory;
    const double step = p.area / 10;
    if (p.mobility == "random-walk")
    {
        factory.SetTypeId("ns3::RandomWalk2dMobilityModel");
        factory.Set("Bounds", RectangleValue(Rectangle(0, p.area, 0, p.area)));
        factory.Set("Mode", StringValue("Distance"));
        factory.Set("Distance", DoubleValue(step));
        factory.Set("Speed", StringValue(Constant(p.speed)));
    }
    else if (p.mobility == "random-waypoint")
    {
        const auto uniform = fmt::format("ns3::UniformRandomVariable[Max={}]", p.area);
        const auto destinations = CreateObject<RandomRectanglePositionAllocator>();
        destinations->SetAttribute("X", StringValue(uniform));
        destinations->SetAttribute("Y", StringValue(uniform));
        destinations->SetZ(D2D_DEVICE_HEIGHT);
        factory.SetTypeId("ns3::RandomWaypointMobilityModel");
        factory.Set("PositionAllocator", PointerValue(destinations));
        factory.Set("Pause", StringValue(Constant(0)));
        factory.Set("Speed", StringValue(Constant(p.speed)));
    }
    else
    {
        constexpr double HIGH = 1e7; // it stays where it is
        const double spread = p.speed / 5;
        factory.SetTypeId("ns3::GaussMarkovMobilityModel");
        factory.Set("Bounds", BoxValue(Box(0, p.area, 0, p.area, -HIGH, HIGH)));
        factory.Set("TimeStep", TimeValue(Seconds(step / p.speed)));
        factory.Set("Alpha", DoubleValue(0.85)); // of 1 a device never turns
        factory.Set("MeanVelocity", StringValue(Constant(p.speed)));
        factory.Set("MeanPitch", StringValue(Constant(0)));
        factory.Set("NormalVelocity",
                    StringValue(fmt::format("ns3::NormalRandomVariable[Variance={}|Bound={}]",
                                            spread * spread,
                                            2 * spread)));
        factory.Set("NormalPitch", StringValue("ns3::NormalRandomVariable[Variance=0|Bound=1]"));
    }
    return factory.Create<MobilityModel>();
}

/// @throws UserError if the model has bounds that the place is outside of
void
RequireInside(const PlaceParameters& p, const Ptr<MobilityModel>& model, const Vector& place)
{
    const auto isBetween = [](double least, double value, double greatest) {
        return least < value && value < greatest; // ns-3's walks never leave a corner
    };
    RectangleValue rectangle;
    BoxValue box;
    bool isInside = true;
    if (model->GetAttributeFailSafe("Bounds", rectangle))
    {
        const Rectangle bounds = rectangle.Get();
        isInside = isBetween(bounds.xMin, place.x, bounds.xMax) &&
                   isBetween(bounds.yMin, place.y, bounds.yMax);
    }
    else if (model->GetAttributeFailSafe("Bounds", box))
    {
        const Box bounds = box.Get();
        isInside = isBetween(bounds.xMin, place.x, bounds.xMax) &&
                   isBetween(bounds.yMin, place.y, bounds.yMax) && bounds.zMin <= place.z &&
                   place.z <= bounds.zMax;
    }
    Require(isInside,
            "mobility",
            p.mobility,
            fmt::format("a model whose Bounds are around all positions, such as {:g},{:g}",
                        place.x,
                        place.y));
}

/// @return a model that follows it
Ptr<MobilityModel>
MakeWay(const D2dWay& way)
{
    if (way.size() == 1)
    {
        const auto model = CreateObject<ConstantPositionMobilityModel>();
        model->SetPosition(way.front().position);
        return model;
    }
    const auto model = CreateObject<WaypointMobilityModel>();
    model->SetAttribute("LazyNotify", BooleanValue(true)); // without an event a point
    for (const D2dWaypoint& point : way)
    {
        model->AddWaypoint(Waypoint(point.time, point.position));
    }
    return model;
}

/// @return what moves a device from its place at the start on
Ptr<MobilityModel>
MakeMobility(const CommonParameters& p, uint32_t device, const Vector& place)
{
    if (const auto given = p.places.GetGiven(p.devices); given && p.places.MovesByFile())
    {
        return MakeWay(given->devices[device]);
    }
    if (!p.places.Moves())
    {
        return MakeWay({{Time(), place}});
    }
    Ptr<MobilityModel> model;
    if (p.places.MovesInArea())
    {
        model = MakeAreaModel(p.places);
    }
    else
    {
        ObjectFactory factory;
        std::istringstream(p.places.mobility) >> factory;
        model = factory.Create<MobilityModel>();
    }
    RequireInside(p.places, model, place);
    model->SetPosition(place);
    return model;
}

/// @return where devices can be; nothing if they move without bounds that are known
std::optional<Extent>
FindDeviceExtent(const CommonParameters& p)
{
    const auto given = p.places.GetGiven(p.devices);
    if (p.places.MovesInArea())
    {
        Extent extent = {Vector(0, 0, D2D_DEVICE_HEIGHT),
                         Vector(p.places.area, p.places.area, D2D_DEVICE_HEIGHT)};
        for (std::size_t i = 0; given && i < given->devices.size(); ++i)
        {
            extent.Add(given->devices[i]); // whose heights are others
        }
        return extent;
    }
    if (!p.places.MovesByFile())
    {
        return std::nullopt;
    }
    Extent extent = MakeExtent(given->devices.front().front().position);
    for (const D2dWay& way : given->devices)
    {
        extent.Add(way);
    }
    return extent;
}

/// @param devices number of devices that are no server
/// @return node of the server on the channel; null if there is none
Ptr<Node>
FindServer(const Ptr<D2dChannel>& channel, uint32_t devices)
{
    for (std::size_t i = 0; i < channel->GetNDevices(); ++i)
    {
        const Ptr<Node> node = channel->GetDevice(i)->GetNode();
        if (node->GetId() >= devices)
        {
            return node;
        }
    }
    return nullptr;
}

/// @return head of the chain that gives the received power
Ptr<PropagationLossModel>
GetLossModel(const Ptr<D2dChannel>& channel)
{
    PointerValue model;
    channel->GetAttribute("PropagationLossModel", model);
    return model.Get<PropagationLossModel>();
}

/// @param lengthM length of all links; nothing if it is not known [m]
/// @return received power of the worst of them, which is in range yet [dBm]
double
FindWorstRss(const Ptr<D2dChannel>& channel, std::optional<double> lengthM)
{
    constexpr double MARGIN_DB = 1e-6; // against rounding
    double powerDbm = std::numeric_limits<double>::infinity();
    double sensitivityDbm = -powerDbm;
    for (std::size_t i = 0; i < channel->GetNDevices(); ++i)
    {
        const auto phy = DynamicCast<D2dNetDevice>(channel->GetDevice(i))->GetPhy();
        powerDbm = std::min(powerDbm, phy->GetTxPowerDbm());
        sensitivityDbm = std::max(sensitivityDbm, phy->GetRxSensitivityDbm());
    }
    const auto model = GetLossModel(channel);
    if (!lengthM || model->GetNext() ||
        model->GetInstanceTypeId() != LogDistancePropagationLossModel::GetTypeId())
    {
        return sensitivityDbm + MARGIN_DB;
    }
    const auto here = MakeWay({{Time(), Vector()}});
    const auto there = MakeWay({{Time(), Vector(*lengthM, 0, 0)}});
    return std::max(sensitivityDbm + MARGIN_DB, model->CalcRxPower(powerDbm, here, there));
}

} // namespace

std::vector<Vector>
FindPlaces(const CommonParameters& p)
{
    if (const auto given = p.places.GetGiven(p.devices))
    {
        std::vector<Vector> positions;
        for (const D2dWay& way : given->devices)
        {
            positions.push_back(way.front().position);
        }
        return positions;
    }
    return p.places.area > 0 ? ScatterInArea(p) : ScatterByOutage(p);
}

std::vector<Vector>
PlaceDevices(const CommonParameters& p,
             const NodeContainer& nodes,
             const std::optional<std::vector<Vector>>& positions)
{
    std::vector<Vector> places = positions ? *positions : FindPlaces(p);
    int64_t stream = MOBILITY_STREAM;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        const auto model = MakeMobility(p, i, places[i]);
        nodes.Get(i)->AggregateObject(model);
        stream += model->AssignStreams(stream);
    }
    return places;
}

void
PlaceServer(const CommonParameters& p, const Ptr<Node>& server, const NodeContainer& nodes)
{
    const auto given = p.places.GetGiven(p.devices);
    if (const auto position = p.places.GetServerPosition())
    {
        server->AggregateObject(MakeWay({{Time(), *position}}));
    }
    else if (given && !given->server.empty())
    {
        server->AggregateObject(MakeWay(given->server));
    }
    D2sHelper::PlaceServer(server, nodes);
}

std::optional<double>
FindLongestLink(const CommonParameters& p, const Ptr<Node>& server)
{
    const auto devices = FindDeviceExtent(p);
    if (!devices)
    {
        return std::nullopt;
    }
    if (!server)
    {
        return FindFarthest(*devices, *devices);
    }
    Extent extent = MakeExtent(server->GetObject<MobilityModel>()->GetPosition());
    if (const auto given = p.places.GetGiven(p.devices))
    {
        extent.Add(given->server);
    }
    return FindFarthest(*devices, extent);
}

WorstLinks::WorstLinks(const CommonParameters& p)
{
    for (uint32_t i = 0; p.places.Moves() && i < ChannelList::GetNChannels(); ++i)
    {
        const auto channel = DynamicCast<D2dChannel>(ChannelList::GetChannel(i));
        if (!channel || channel->GetNDevices() == 0 ||
            DynamicCast<D2dRssModel>(GetLossModel(channel))) // not by places
        {
            continue;
        }
        const auto length = FindLongestLink(p, FindServer(channel, p.devices));
        const auto worst = CreateObject<FixedRssLossModel>();
        worst->SetRss(FindWorstRss(channel, length));
        m_models.emplace_back(channel, GetLossModel(channel));
        channel->SetPropagationLossModel(worst);
    }
}

WorstLinks::~WorstLinks()
{
    for (const auto& [channel, model] : m_models)
    {
        channel->SetPropagationLossModel(model);
    }
}
