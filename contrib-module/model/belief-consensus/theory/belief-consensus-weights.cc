/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus-weights.h"

#include "ns3/collab-check-argument.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/reverse_graph.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/range/iterator_range.hpp>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace ns3::collab
{

namespace
{

/// Edges lead from who hears to who is heard.
using ListeningGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;

constexpr double ROW_TOLERANCE = 1e-9; //!< of a row of W

/// @param value any number
/// @return whether it is a probability
bool
IsProbability(double value)
{
    return value >= 0 && value <= 1;
}

/// @param matrix of losses, or of weights that were given
/// @param users number of rows and columns that it must have
/// @param name of the matrix
void
CheckSize(const Matrix<double>& matrix, std::size_t users, const char* name)
{
    CheckArgument(matrix.rows == users && matrix.columns == users,
                  "{} of {} users are a {} x {} matrix",
                  name,
                  users,
                  matrix.rows,
                  matrix.columns);
}

/// @param neighborhoods by user
/// @param user index of one
/// @param settings rule and what it needs; not GIVEN
/// @return its row of W
WeightRow
MakeRow(const Neighborhoods& neighborhoods, uint32_t user, const WeightSettings& settings)
{
    const auto& heard = neighborhoods[user];
    if (settings.rule == WeightRule::METROPOLIS)
    {
        std::vector<uint32_t> degrees;
        for (const uint32_t j : heard)
        {
            degrees.push_back(static_cast<uint32_t>(neighborhoods[j].size()));
        }
        return MakeMetropolisRow(degrees);
    }
    if (settings.rule == WeightRule::RELIABILITY)
    {
        std::vector<double> losses;
        for (const uint32_t j : heard)
        {
            losses.push_back(settings.lossProbabilities(user, j));
        }
        return MakeReliabilityRow(losses);
    }
    if (settings.rule == WeightRule::CONFIDENCE)
    {
        return MakeConfidenceRow(
            static_cast<uint32_t>(neighborhoods.size()), user, settings.confidence);
    }
    return MakeUniformRow(heard.size());
}

/// @param neighborhoods by user
/// @param settings rule and what it needs
void
CheckSettings(const Neighborhoods& neighborhoods, const WeightSettings& settings)
{
    CheckNeighborhoods(neighborhoods);
    CheckArgument(settings.rule != WeightRule::METROPOLIS || IsUndirected(neighborhoods),
                  "Metropolis weights need an undirected graph");
    CheckArgument(settings.rule != WeightRule::CONFIDENCE || IsStar(neighborhoods),
                  "weights by confidence need a star with user 0 as its center");
    if (settings.rule == WeightRule::RELIABILITY)
    {
        CheckSize(settings.lossProbabilities, neighborhoods.size(), "loss probabilities");
    }
    if (settings.rule == WeightRule::GIVEN)
    {
        CheckSize(settings.given, neighborhoods.size(), "weights");
        CheckWeights(settings.given);
    }
}

/// @param neighborhoods by user
/// @param given W; no user has a weight there whom the other does not hear
void
CheckHeard(const Neighborhoods& neighborhoods, const Matrix<double>& given)
{
    const Neighborhoods weighed = ComputeNeighborhoods(given);
    for (std::size_t i = 0; i < weighed.size(); ++i)
    {
        for (const uint32_t j : weighed[i])
        {
            CheckArgument(std::binary_search(neighborhoods[i].begin(), neighborhoods[i].end(), j),
                          "user {} gives user {}, whom it does not hear, a weight of {}",
                          i,
                          j,
                          given(i, j));
        }
    }
}

/// @param w row-stochastic matrix
/// @return its graph, with an edge from a user to itself for a weight of its own
ListeningGraph
MakeGraph(const Matrix<double>& w)
{
    ListeningGraph graph(w.rows);
    for (std::size_t i = 0; i < w.rows; ++i)
    {
        for (std::size_t j = 0; j < w.columns; ++j)
        {
            if (w(i, j) > 0)
            {
                boost::add_edge(i, j, graph);
            }
        }
    }
    return graph;
}

constexpr uint64_t UNREACHED = UINT64_MAX; //!< no number of steps

/// @param graph any, or one reversed
/// @param start a user
/// @return by user: the least number of steps from start to it, or UNREACHED
template <typename Graph>
std::vector<uint64_t>
CountSteps(const Graph& graph, std::size_t start)
{
    std::vector<uint64_t> steps(boost::num_vertices(graph), UNREACHED);
    steps[start] = 0;
    auto recorder = boost::record_distances(steps.data(), boost::on_tree_edge());
    boost::breadth_first_search(graph, start, boost::visitor(boost::make_bfs_visitor(recorder)));
    return steps;
}

/// @param graph any
/// @param components by user: index of its strongly connected component
/// @param start first user of one
/// @return greatest common divisor of the lengths of the component's cycles: that of all
/// steps(a) + 1 - steps(b) of its edges from a to b; 0 if it has none
uint64_t
ComputePeriod(const ListeningGraph& graph,
              const std::vector<uint32_t>& components,
              std::size_t start)
{
    const std::vector<uint64_t> steps = CountSteps(graph, start);
    uint64_t period = 0;
    for (const auto& edge : boost::make_iterator_range(boost::edges(graph)))
    {
        const std::size_t a = boost::source(edge, graph);
        const std::size_t b = boost::target(edge, graph);
        // Paths that leave a component never return: the steps to its users stay inside
        if (components[a] == components[start] && components[b] == components[start])
        {
            period = std::gcd(period, steps[a] + 1 - steps[b]);
        }
    }
    return period;
}

/// @param graph not strongly connected
/// @param components how many it has
/// @return a sentence with two users of whom one never hears of the other
std::string
DescribeSeparation(const ListeningGraph& graph, uint32_t components)
{
    const auto describe = [&](std::size_t from, std::size_t to) {
        return fmt::format("the graph is not strongly connected but in {} parts: what user {} "
                           "believes never reaches user {}",
                           components,
                           from,
                           to);
    };
    const auto heard = CountSteps(graph, 0);
    const auto unheard = std::find(heard.begin(), heard.end(), UNREACHED);
    if (unheard != heard.end())
    {
        return describe(unheard - heard.begin(), 0);
    }
    const auto hears = CountSteps(boost::make_reverse_graph(graph), 0);
    return describe(0, std::find(hears.begin(), hears.end(), UNREACHED) - hears.begin());
}

} // namespace

WeightRow
MakeUniformRow(std::size_t neighborCount)
{
    const double weight = 1 / (static_cast<double>(neighborCount) + 1);
    return {weight, std::vector<double>(neighborCount, weight)};
}

WeightRow
MakeMetropolisRow(const std::vector<uint32_t>& neighborDegrees)
{
    WeightRow row;
    for (const uint32_t degree : neighborDegrees)
    {
        CheckArgument(degree != 0,
                      "Metropolis weights need an undirected graph: a neighbor hears nobody");
        const std::size_t greater = std::max<std::size_t>(degree, neighborDegrees.size());
        row.neighbors.push_back(1 / (1 + static_cast<double>(greater)));
        row.self -= row.neighbors.back();
    }
    return row;
}

WeightRow
MakeReliabilityRow(const std::vector<double>& lossProbabilities)
{
    WeightRow row;
    double sum = 1;
    for (const double loss : lossProbabilities)
    {
        CheckArgument(IsProbability(loss), "a probability of loss of {} is not from 0 to 1", loss);
        row.neighbors.push_back(1 - loss);
        sum += 1 - loss;
    }
    for (double& weight : row.neighbors)
    {
        weight /= sum;
    }
    row.self = 1 / sum;
    return row;
}

WeightRow
MakeConfidenceRow(uint32_t users, uint32_t user, double confidence)
{
    CheckArgument(user < users, "a star of {} users has no user {}", users, user);
    CheckArgument(IsProbability(confidence), "a confidence of {} is not from 0 to 1", confidence);
    return user == 0 ? MakeUniformRow(users - 1) : WeightRow{1 - confidence, {confidence}};
}

Matrix<double>
MakeWeights(const Neighborhoods& neighborhoods, const WeightSettings& settings)
{
    CheckSettings(neighborhoods, settings);
    if (settings.rule == WeightRule::GIVEN)
    {
        CheckHeard(neighborhoods, settings.given);
        return settings.given;
    }
    Matrix<double> w(neighborhoods.size(), neighborhoods.size());
    for (uint32_t i = 0; i < neighborhoods.size(); ++i)
    {
        const WeightRow row = MakeRow(neighborhoods, i, settings);
        w(i, i) = row.self;
        for (std::size_t k = 0; k < row.neighbors.size(); ++k)
        {
            w(i, neighborhoods[i][k]) = row.neighbors[k];
        }
    }
    return w;
}

void
CheckWeights(const Matrix<double>& w)
{
    CheckArgument(w.rows != 0 && w.rows == w.columns,
                  "W is a {} x {} matrix: a square one is expected",
                  w.rows,
                  w.columns);
    for (std::size_t i = 0; i < w.rows; ++i)
    {
        double sum = 0;
        for (std::size_t j = 0; j < w.columns; ++j)
        {
            CheckArgument(
                IsProbability(w(i, j)), "W({}, {}) is {}: from 0 to 1 is expected", i, j, w(i, j));
            sum += w(i, j);
        }
        CheckArgument(std::abs(sum - 1) <= ROW_TOLERANCE,
                      "row {} of W sums to {:.12g}: 1 is expected",
                      i,
                      sum);
    }
}

Neighborhoods
ComputeNeighborhoods(const Matrix<double>& w)
{
    CheckWeights(w);
    Neighborhoods neighborhoods(w.rows);
    for (std::size_t i = 0; i < w.rows; ++i)
    {
        for (std::size_t j = 0; j < w.columns; ++j)
        {
            if (j != i && w(i, j) > 0)
            {
                neighborhoods[i].push_back(static_cast<uint32_t>(j));
            }
        }
    }
    return neighborhoods;
}

GraphReport
CheckGraph(const Matrix<double>& w)
{
    CheckWeights(w);
    const ListeningGraph graph = MakeGraph(w);
    std::vector<uint32_t> components(w.rows);
    GraphReport report;
    const auto componentOf = boost::make_iterator_property_map(
        components.begin(), boost::get(boost::vertex_index, graph));
    report.components = static_cast<uint32_t>(boost::strong_components(graph, componentOf));
    std::vector<bool> isClosed(report.components, true);
    for (const auto& edge : boost::make_iterator_range(boost::edges(graph)))
    {
        const uint32_t from = components[boost::source(edge, graph)];
        isClosed[from] = isClosed[from] && from == components[boost::target(edge, graph)];
    }
    report.closed = static_cast<uint32_t>(std::count(isClosed.begin(), isClosed.end(), true));
    report.period = 1;
    for (uint32_t c = 0; c < report.components; ++c)
    {
        const auto first = std::find(components.begin(), components.end(), c);
        const uint64_t period = ComputePeriod(graph, components, first - components.begin());
        report.period = std::lcm(report.period, std::max<uint64_t>(period, 1));
    }
    for (uint32_t i = 0; i < w.rows; ++i)
    {
        if (isClosed[components[i]])
        {
            report.sources.push_back(i);
        }
    }
    if (!report.IsStronglyConnected())
    {
        report.problem = DescribeSeparation(graph, report.components);
    }
    else if (!report.IsAperiodic())
    {
        report.problem = fmt::format("W is periodic: all cycles of its graph have lengths that are "
                                     "multiples of {}; a weight W_ii > 0 of one user ends that",
                                     report.period);
    }
    return report;
}

} // namespace ns3::collab
