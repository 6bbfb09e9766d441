/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-links.h"

#include "inputs/scenario-presence.h"

#include "ns3/belief-consensus-topology.h"
#include "ns3/d2d-channel.h"
#include "ns3/d2d-matrix-file.h"
#include "ns3/d2d-matrix-outage-model.h"
#include "ns3/d2d-matrix-rss-model.h"
#include "ns3/d2d-phy.h"

#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>
#include <functional>
#include <iostream>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// @param nodes to be scattered in a square of 100 m
/// @return positions in a square of 100 m
std::vector<Vector>
Scatter(uint32_t users)
{
    RandomGenerator generator(SeedFor(RandomPurpose::PLACEMENT));
    boost::random::uniform_real_distribution<double> uniform(0.0, 100.0);
    std::vector<Vector> positions;
    for (uint32_t i = 0; i < users; ++i)
    {
        const double x = uniform(generator);
        positions.emplace_back(x, uniform(generator), 1.5);
    }
    return positions;
}

/// @return who hears whom
Neighborhoods
MakeNeighborhoods(const BeliefParameters& p, const std::vector<Vector>& positions)
{
    std::vector<UserPosition> places;
    for (const auto& position : positions)
    {
        places.push_back({position.x, position.y, position.z});
    }
    const auto geometric = [&]() {
        const double radius = p.radius > 0 ? p.radius : ComputeConnectingRadius(places);
        return MakeGeometricNeighborhoods(places, radius);
    };
    const std::map<std::string, std::function<Neighborhoods()>> graphs = {
        {"complete", [&]() { return MakeCompleteNeighborhoods(p.devices); }},
        {"ring", [&]() { return MakeRingNeighborhoods(p.devices); }},
        {"star", [&]() { return MakeStarNeighborhoods(p.devices); }},
        {"grid", [&]() { return MakeGridNeighborhoods(p.devices); }},
        {"geometric", geometric},
        {"nearest", [&]() { return MakeNearestNeighborhoods(places, p.degree, true); }}};
    return p.IsTogether() ? graphs.at(p.topology)() : Neighborhoods(places.size());
}

/// @brief Let exactly those hear each other that the graph says.
/// @param d2d helper that makes the radios
void
SetGraphLinks(const BeliefParameters& p, const Neighborhoods& neighborhoods, D2dHelper& d2d)
{
    for (const char* attribute : {"ns3::collab::D2dChannel::PropagationLossModel",
                                  "ns3::collab::D2dChannel::OutageModel",
                                  "ns3::collab::D2dMatrixRssModel::FileName",
                                  "ns3::collab::D2dMatrixOutageModel::FileName"})
    {
        if (IsAttributeGiven(attribute))
        {
            throw UserError(fmt::format("argument --{} is not allowed with --links=graph, whose "
                                        "links have no other loss than --outage; give "
                                        "--links=radio too",
                                        attribute));
        }
    }
    // -60 dBm and far under that, or on both sides of the sensitivity that is given
    const double sensitivity = CreateObject<D2dPhy>()->GetRxSensitivityW();
    const double heard = std::max(1e-9, 10 * sensitivity);
    const double unheard = std::min(1e-30, sensitivity / 10);
    const std::size_t users = neighborhoods.size();
    std::vector<std::vector<double>> rss(users, std::vector<double>(users, unheard));
    for (std::size_t i = 0; i < users; ++i)
    {
        for (const uint32_t j : neighborhoods[i])
        {
            rss[i][j] = heard;
            rss[j][i] = heard; // for acknowledgments
        }
    }
    const std::vector<std::vector<double>> outage(users, std::vector<double>(users, p.outage));
    Ptr<D2dMatrixRssModel> rssModel = CreateObject<D2dMatrixRssModel>();
    rssModel->SetMatrix(rss);
    Ptr<D2dMatrixOutageModel> outageModel = CreateObject<D2dMatrixOutageModel>();
    outageModel->SetMatrix(outage);
    d2d.SetChannelAttribute("PropagationLossModel", PointerValue(rssModel));
    d2d.SetChannelAttribute("OutageModel", PointerValue(outageModel));
}

/// @return the numbers
Matrix<double>
ParseMatrix(const std::string& text)
{
    std::vector<std::vector<double>> rows;
    for (const std::string& line : SplitList(text, ';'))
    {
        rows.push_back(ParseNumbers("matrix", line));
    }
    Matrix<double> matrix(rows.size(), rows[0].size());
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        Require(rows[i].size() == rows[0].size(), "matrix", text, "as many numbers in every row");
        std::copy(rows[i].begin(), rows[i].end(), matrix.Row(i));
    }
    return matrix;
}

/// @return the matrix
Matrix<double>
ReadMatrix(const std::string& given)
{
    if (given.find(';') != std::string::npos)
    {
        return ParseMatrix(given);
    }
    const auto file = ReadD2dMatrixFile(given);
    Matrix<double> matrix(file.values.size(), file.values.size());
    for (std::size_t i = 0; i < matrix.rows; ++i)
    {
        std::copy(file.values[i].begin(), file.values[i].end(), matrix.Row(i));
    }
    return matrix;
}

} // namespace

ScenarioNetwork
InstallBeliefLinks(const BeliefParameters& p, Neighborhoods& neighborhoods)
{
    ScenarioNetwork network;
    network.nodes.Create(p.CountUsers());
    network.positions = PlaceDevices(
        p, network.nodes, p.places.inUse ? FindPlaces(p) : Scatter(network.nodes.GetN()));
    neighborhoods = MakeNeighborhoods(p, network.positions);
    InstallNetwork(p, network, [&](D2dHelper& d2d) {
        UseFullDuplex(d2d);
        if (p.links == "graph")
        {
            SetGraphLinks(p, neighborhoods, d2d);
        }
    });
    if (p.places.Moves())
    {
        network.hints.push_back("neighbors by distance, and W as it is printed, are of the places "
                                "before devices move");
    }
    if (!p.IsCentral())
    {
        SlowDown(p, network.nodes);
        SchedulePresence(Presence(p.presence, p.devices), network.nodes);
    }
    else if (!ParseDevices("slowDevices", p.slowDevices, p.devices).empty())
    {
        network.hints.push_back(fmt::format("--slowDevices={} slows nobody down with --method={}, "
                                            "whose only user is none of the devices",
                                            p.slowDevices,
                                            p.method));
    }
    return network;
}

Matrix<double>
GetOutageProbabilities(const Neighborhoods& neighborhoods, const NodeContainer& nodes)
{
    const std::size_t users = nodes.GetN();
    Matrix<double> outages(users, users);
    for (uint32_t i = 0; i < users; ++i)
    {
        const auto receiver = GetRadio(nodes.Get(i));
        for (const uint32_t j : neighborhoods[i])
        {
            const auto sender = GetRadio(nodes.Get(j));
            outages(i, j) = receiver->GetD2dChannel()->GetOutageProbability(sender, receiver);
        }
    }
    return outages;
}

Matrix<double>
MakeTrustMatrix(const BeliefParameters& p,
                const Neighborhoods& neighborhoods,
                const Matrix<double>& outages)
{
    static const std::map<std::string, WeightRule> RULES = {
        {"uniform", WeightRule::UNIFORM},
        {"metropolis", WeightRule::METROPOLIS},
        {"metropolis-heard", WeightRule::METROPOLIS},
        {"reliability", WeightRule::RELIABILITY},
        {"confidence", WeightRule::CONFIDENCE},
        {"given", WeightRule::GIVEN}};
    WeightSettings settings;
    settings.rule = RULES.at(p.weights);
    settings.lossProbabilities = outages;
    settings.confidence = p.confidence;
    if (settings.rule == WeightRule::GIVEN)
    {
        settings.given = ReadMatrix(p.matrix);
    }
    try
    {
        return MakeWeights(neighborhoods, settings);
    }
    catch (const std::invalid_argument& error)
    {
        throw UserError(fmt::format("arguments --weights={} --topology={}{} are not allowed: {}",
                                    p.weights,
                                    p.topology,
                                    p.matrix.empty() ? "" : " --matrix=" + p.matrix,
                                    error.what()));
    }
}

void
RequireSuitableGraph(const BeliefParameters& p, const Matrix<double>& w)
{
    const GraphReport report = CheckGraph(w);
    if (report.problem.empty())
    {
        return;
    }
    if (p.unsuitable == "refuse")
    {
        throw UserError(fmt::format("arguments --weights={} --topology={} are not allowed: {} "
                                    "(--unsuitable=warn goes on)",
                                    p.weights,
                                    p.topology,
                                    report.problem));
    }
    std::cerr << "warning: " << report.problem << std::endl;
}
