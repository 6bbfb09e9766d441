/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gossip-matching.h"

#include "ns3/collab-random.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/max_cardinality_matching.hpp>
#include <functional>
#include <iterator>
#include <numeric>

namespace ns3::collab
{

namespace
{

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;

/// Matches devices, step by step, those left over with other links
class Matcher
{
  public:
    /// @param count number of devices
    /// @param seed of the order in which they are looked at
    Matcher(std::size_t count, uint64_t seed)
        : m_mate(count, count)
    {
        RandomGenerator generator(seed);
        m_order = DrawPermutation(static_cast<uint32_t>(count), generator);
    }

    /// @brief Match as many as possible of those that are not matched yet.
    /// @param allowed whether two of them may be
    void
    Add(const std::function<bool(std::size_t, std::size_t)>& allowed)
    {
        std::vector<uint32_t> free;
        std::copy_if(m_order.begin(), m_order.end(), std::back_inserter(free), [this](uint32_t i) {
            return m_mate[i] == m_mate.size();
        });
        Graph graph(free.size());
        for (std::size_t a = 0; a < free.size(); ++a)
        {
            for (std::size_t b = a + 1; b < free.size(); ++b)
            {
                if (allowed(free[a], free[b]))
                {
                    boost::add_edge(a, b, graph);
                }
            }
        }
        std::vector<Graph::vertex_descriptor> mate(free.size());
        boost::edmonds_maximum_cardinality_matching(graph, mate.data());
        for (std::size_t a = 0; a < free.size(); ++a)
        {
            if (mate[a] != boost::graph_traits<Graph>::null_vertex())
            {
                m_mate[free[a]] = free[mate[a]];
            }
        }
    }

    /// @return for each device the other one, or the number of devices
    const std::vector<std::size_t>&
    GetMates() const
    {
        return m_mate;
    }

  private:
    std::vector<std::size_t> m_mate; //!< the other one; the number of devices for none
    std::vector<uint32_t> m_order;   //!< in which they are looked at
};

/// @param rates of links above 0
/// @param quantile part of them below the result
/// @return that quantile; 0 if there are none
double
GetQuantile(std::vector<double> rates, double quantile)
{
    if (rates.empty())
    {
        return 0;
    }
    const auto place = std::min(
        static_cast<std::size_t>(quantile * static_cast<double>(rates.size())), rates.size() - 1);
    const auto nth = rates.begin() + static_cast<std::ptrdiff_t>(place);
    std::nth_element(rates.begin(), nth, rates.end());
    return *nth;
}

} // namespace

void
LinkRates::Set(uint32_t receiver, uint32_t sender, double bitsPerSecond)
{
    m_rates[{receiver, sender}] = bitsPerSecond;
}

double
LinkRates::Get(uint32_t first, uint32_t second) const
{
    const auto there = m_rates.find({first, second});
    const auto back = m_rates.find({second, first});
    if (there == m_rates.end() || back == m_rates.end())
    {
        return there != m_rates.end() ? there->second : back != m_rates.end() ? back->second : 0.0;
    }
    return std::min(there->second, back->second);
}

void
RecentPairs::Note(uint32_t round, const std::vector<GossipPair>& pairs)
{
    for (const auto& pair : pairs)
    {
        uint32_t& last = m_last[pair];
        last = std::max(last, round);
    }
}

std::vector<std::size_t>
RecentPairs::GetParts(const std::vector<uint32_t>& devices, uint32_t round, uint32_t window) const
{
    Graph graph(devices.size());
    const auto place = [&devices](uint32_t device) {
        return static_cast<std::size_t>(std::lower_bound(devices.begin(), devices.end(), device) -
                                        devices.begin());
    };
    for (const auto& [pair, last] : m_last)
    {
        const std::size_t first = place(pair.first);
        const std::size_t second = place(pair.second);
        if (last < round && last + window >= round && first < devices.size() &&
            second < devices.size())
        {
            boost::add_edge(first, second, graph);
        }
    }
    std::vector<std::size_t> parts(devices.size());
    boost::connected_components(graph, parts.data());
    return parts;
}

std::vector<GossipPair>
MatchPeers(const std::vector<uint32_t>& devices,
           const LinkRates& rates,
           const RecentPairs& recent,
           uint32_t round,
           const MatchOptions& options,
           uint64_t seed)
{
    const std::size_t count = devices.size();
    std::vector<std::vector<double>> rate(count, std::vector<double>(count, 0));
    std::vector<double> known;
    for (std::size_t a = 0; a < count; ++a)
    {
        for (std::size_t b = a + 1; b < count; ++b)
        {
            rate[a][b] = rate[b][a] = rates.Get(devices[a], devices[b]);
            if (rate[a][b] > 0)
            {
                known.push_back(rate[a][b]);
            }
        }
    }
    const double threshold = GetQuantile(std::move(known), options.quantile);
    const auto parts = recent.GetParts(devices, round, options.window);
    Matcher matcher(count, seed);
    // Within the first T rounds there is nothing to be reconnected
    if (round >= options.window)
    {
        matcher.Add(
            [&](std::size_t a, std::size_t b) { return rate[a][b] > 0 && parts[a] != parts[b]; });
    }
    matcher.Add(
        [&](std::size_t a, std::size_t b) { return rate[a][b] > 0 && rate[a][b] >= threshold; });
    matcher.Add([&](std::size_t a, std::size_t b) { return rate[a][b] > 0; });
    std::vector<GossipPair> pairs;
    for (std::size_t a = 0; a < count; ++a)
    {
        if (matcher.GetMates()[a] < count && devices[a] < devices[matcher.GetMates()[a]])
        {
            pairs.emplace_back(devices[a], devices[matcher.GetMates()[a]]);
        }
    }
    return pairs;
}

} // namespace ns3::collab
