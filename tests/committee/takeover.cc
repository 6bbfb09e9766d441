/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee/takeover.h"

#include "committee/csv-table.h"

#include "ns3/collab-random.h"
#include "ns3/committee-misbehavior.h"

#include <algorithm>
#include <boost/random/normal_distribution.hpp>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

using namespace ns3::collab;

namespace tests
{

namespace
{

/// Elements of a gradient
constexpr std::size_t DIMENSION = 16;

/// A federation, and the part of it that is owned
struct Federation
{
    uint32_t devices = 0; //!< K
    uint32_t members = 0; //!< C
    uint32_t clients = 0; //!< n
    uint32_t percent = 0; //!< epsilon

    /// @return owned devices: those with the lowest numbers
    uint32_t
    GetOwned() const
    {
        return devices * percent / 100;
    }
};

/// How committees are elected
struct ElectionRule
{
    const char* name;             //!< in tables
    ElectionStrategy election;    //!< of committees
    ScoreCombination combination; //!< of scores
};

const ElectionRule RULES[] = {
    {"middle of means", ElectionStrategy::MIDDLE, ScoreCombination::MEAN},
    {"middle of medians", ElectionStrategy::MIDDLE, ScoreCombination::MEDIAN},
    {"random", ElectionStrategy::RANDOM, ScoreCombination::MEDIAN},
};

/// @param federation to draw from
/// @return probability that of C devices drawn at random more than f are owned
double
ComputeLoss(const Federation& federation)
{
    const auto logChoose = [](double n, double k) {
        return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
    };
    const double all = federation.devices;
    const double owned = federation.GetOwned();
    const double drawn = federation.members;
    double sum = 0;
    for (double x = GetGreatestFaults(federation.members) + 1; x <= std::min(owned, drawn); ++x)
    {
        if (drawn - x <= all - owned)
        {
            sum += std::exp(logChoose(owned, x) + logChoose(all - owned, drawn - x) -
                            logChoose(all, drawn));
        }
    }
    return sum;
}

/// Plays elections of one federation
class Takeover
{
  public:
    Takeover(const Federation& federation, const ElectionRule& rule, uint64_t seed)
        : m_federation(federation),
          m_generator(seed),
          m_devices(federation.devices)
    {
        std::iota(m_devices.begin(), m_devices.end(), 0);
        m_options.seed = seed;
        m_options.rule = QuorumRule::BYZANTINE;
        m_options.election = rule.election;
        m_options.combination = rule.combination;
        for (uint32_t device = 0; device < federation.GetOwned(); ++device)
        {
            m_accomplices.insert(device);
        }
        m_options.members = DrawDevices(m_devices, {}, federation.members, seed);
    }

    /// @return whether the present committee is lost
    bool
    IsLost() const
    {
        const auto owned = std::count_if(m_options.members.begin(),
                                         m_options.members.end(),
                                         [this](uint32_t m) { return m_accomplices.count(m) > 0; });
        return owned > GetGreatestFaults(m_options.members.size());
    }

    /// @brief Elect the next committee.
    void
    Elect()
    {
        ++m_options.round;
        const auto clients =
            DrawDevices(m_devices, m_options.members, m_federation.clients, m_generator());
        const auto gradients = MakeGradients(clients);
        ScoreTables tables;
        for (const uint32_t member : m_options.members)
        {
            const auto own = Draw();
            ClientScores scores;
            for (std::size_t i = 0; i < clients.size(); ++i)
            {
                scores[clients[i]] = ComputeScore(gradients[i].data(), own.data(), DIMENSION);
            }
            const bool lies = m_accomplices.count(member) > 0;
            tables[member] = lies ? PromoteScores(m_options, scores, m_accomplices) : scores;
        }
        m_options.members = m_options.Elect(m_options.Rank(tables));
    }

  private:
    /// @return an honest gradient; devices differ in how far theirs are from the middle
    std::vector<float>
    Draw()
    {
        boost::random::normal_distribution<double> normal;
        const double length = std::exp(0.5 * normal(m_generator));
        std::vector<float> gradient(DIMENSION);
        for (float& element : gradient)
        {
            element = static_cast<float>(length * normal(m_generator));
        }
        return gradient;
    }

    /// @param clients that train
    /// @return their gradients
    std::vector<std::vector<float>>
    MakeGradients(const std::vector<uint32_t>& clients)
    {
        std::vector<std::vector<float>> gradients;
        for (const uint32_t client : clients)
        {
            gradients.push_back(Draw());
            if (m_accomplices.count(client) > 0)
            {
                auto& own = gradients.back();
                const double norm =
                    std::sqrt(std::inner_product(own.begin(), own.end(), own.begin(), 0.0));
                for (float& element : own) // as long as an honest one is in the middle
                {
                    element *= static_cast<float>(std::sqrt(DIMENSION) / norm);
                }
            }
        }
        return gradients;
    }

    Federation m_federation;
    RandomGenerator m_generator;
    std::vector<uint32_t> m_devices;
    std::set<uint32_t> m_accomplices;
    ConsensusOptions m_options;
};

/// @param federation to be taken over
/// @param rule of elections
/// @param runs to play
/// @param rounds of each
/// @return part of the runs in which a committee was lost by the round, for each from the first one
std::vector<double>
Play(const Federation& federation, const ElectionRule& rule, uint32_t runs, uint32_t rounds)
{
    std::vector<double> lost(rounds);
    for (uint32_t run = 1; run <= runs; ++run)
    {
        Takeover takeover(federation, rule, run);
        uint32_t round = 0;
        while (round < rounds && !takeover.IsLost())
        {
            takeover.Elect();
            ++round;
        }
        for (; round < rounds; ++round)
        {
            lost[round] += 1.0 / runs;
        }
    }
    return lost;
}

/// @brief What the closed form says: in a round, and rounds until a risk of 1 %.
/// @return rows of a table
std::vector<std::vector<std::string>>
MakeClosedForm()
{
    const std::vector<uint32_t> parts = {1, 5, 10, 20, 30};
    std::vector<std::string> head = {"K, C (f)"};
    for (const uint32_t percent : parts)
    {
        head.push_back(fmt::format("{} %", percent));
    }
    std::vector<std::vector<std::string>> table = {head};
    for (const auto& [devices, sizes] :
         {std::pair(100U, std::vector<uint32_t>{4, 7, 9, 12, 25, 40}),
          std::pair(3550U, std::vector<uint32_t>{4, 13, 40, 142, 355})})
    {
        for (const uint32_t members : sizes)
        {
            std::vector<std::string> row = {
                fmt::format("{}, {} ({})", devices, members, GetGreatestFaults(members))};
            for (const uint32_t percent : parts)
            {
                const double loss = ComputeLoss({devices, members, 0, percent});
                const double rounds = std::log(0.99) / std::log1p(-std::min(loss, 1 - 1e-12));
                row.push_back(loss == 0 ? "never"
                              : rounds >= 1e6
                                  ? fmt::format("{:.0e}; > 1e6", loss)
                                  : fmt::format("{:.2g}; {:.0f}", loss, std::floor(rounds)));
            }
            table.push_back(row);
        }
    }
    return table;
}

} // namespace

void
PlayTakeover(uint32_t runs, uint32_t rounds, uint32_t largest, const std::string& files)
{
    const std::string note =
        fmt::format("committee-schedules --schedules=0 --takeover={} --rounds={} --largest={}",
                    runs,
                    rounds,
                    largest);
    WriteCsvTable(files + "-drawn.csv", note, MakeClosedForm());
    std::vector<std::string> head = {"K, C, n, owned"};
    for (const auto& rule : RULES)
    {
        head.push_back(rule.name);
    }
    head.push_back("closed form, random");
    std::vector<std::vector<std::string>> ends = {head};
    std::ofstream table(files + "-rounds.csv");
    table << "# " << note << "\ndevices,members,clients,percent,rule,round,lost\n";
    for (const Federation& size :
         {Federation{100, 12, 18, 0}, Federation{100, 25, 38, 0}, Federation{3550, 142, 213, 0}})
    {
        for (const uint32_t percent : {1, 5, 10, 20})
        {
            Federation federation = size;
            federation.percent = percent;
            if (federation.devices > largest)
            {
                continue;
            }
            std::vector<std::string> row = {fmt::format("{}, {}, {}, {} %",
                                                        federation.devices,
                                                        federation.members,
                                                        federation.clients,
                                                        percent)};
            const auto add = [&](const std::string& name, const std::vector<double>& lost) {
                row.push_back(fmt::format(
                    "{:.3f} ({:.3f})", lost.back(), lost[std::max(1U, rounds / 10) - 1]));
                for (uint32_t round = 0; round < rounds; ++round)
                {
                    table << fmt::format("{},{},{},{},{},{},{}\n",
                                         federation.devices,
                                         federation.members,
                                         federation.clients,
                                         percent,
                                         name,
                                         round + 1,
                                         lost[round]);
                }
            };
            for (const auto& rule : RULES)
            {
                add(rule.name, Play(federation, rule, runs, rounds));
            }
            const double loss = ComputeLoss(federation);
            std::vector<double> closed(rounds);
            for (uint32_t round = 0; round < rounds; ++round)
            {
                closed[round] = -std::expm1((round + 1) * std::log1p(-loss));
            }
            add("closed form", closed);
            ends.push_back(row);
        }
    }
    WriteCsvTable(files + ".csv", note, ends);
}

} // namespace tests
