/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * What instants of belief consensus cost: over a radio that loses nothing, over one that does, and
 * as mathematics alone.
 */

#include "support/device-installation.h"

#include "ns3/belief-consensus-discrete.h"
#include "ns3/belief-consensus-helper.h"
#include "ns3/belief-consensus-topology.h"
#include "ns3/belief-consensus-weights.h"
#include "ns3/collab-application.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <benchmark/benchmark.h>
#include <memory>
#include <vector>

namespace ns3::collab
{
namespace benchmarks
{
namespace
{

constexpr uint32_t USERS = 100;     //!< on a grid
constexpr uint32_t INSTANTS = 1000; //!< of a run

/// @return users that see one of two bits each
std::vector<std::unique_ptr<BeliefModel>>
MakeUsers()
{
    std::vector<std::unique_ptr<BeliefModel>> users;
    for (uint32_t i = 0; i < USERS; ++i)
    {
        DiscreteBeliefConfig config;
        config.observers = {
            std::make_shared<const DiscreteObserver>(MakeBitObserver(2, i % 2, 0.7, 3))};
        config.seeds = {i};
        config.best = {3};
        users.push_back(MakeDiscreteBelief(std::move(config)));
    }
    return users;
}

/// @return W of the grid
Matrix<double>
MakeTrust()
{
    WeightSettings settings;
    settings.rule = WeightRule::METROPOLIS;
    return MakeWeights(MakeGridNeighborhoods(USERS), settings);
}

/// @param outage of every link
/// @param nodes gets radios of which neighbors on the grid hear each other
void
InstallRadios(double outage, const NodeContainer& nodes)
{
    using Rows = std::vector<std::vector<double>>;
    Rows rss(USERS, std::vector<double>(USERS, 1e-30));
    const auto neighborhoods = MakeGridNeighborhoods(USERS);
    for (uint32_t i = 0; i < USERS; ++i)
    {
        for (const uint32_t j : neighborhoods[i])
        {
            rss[i][j] = 1e-9;
        }
    }
    tests::InstallMatrixDevices(nodes, rss, Rows(USERS, std::vector<double>(USERS, outage)));
}

/// A run of 100 users, of whose messages so many percent are lost.
void
BeliefInstants(benchmark::State& state)
{
    RngSeedManager::SetSeed(7);
    for (auto _ : state)
    {
        state.PauseTiming();
        NodeContainer nodes(USERS);
        InstallRadios(static_cast<double>(state.range(0)) / 100, nodes);
        BeliefConsensusHelper helper;
        helper.SetAttribute("Rounds", UintegerValue(INSTANTS));
        helper.SetAttribute("Interval", TimeValue(MilliSeconds(10)));
        helper.SetAttribute("EvaluationInterval", UintegerValue(INSTANTS));
        const auto users = helper.Install(nodes, MakeUsers(), MakeTrust());
        BeliefConsensusHelper::AssignStreams(users, 1000);
        StopWhenAllEnd(users);
        state.ResumeTiming();
        Simulator::Run();
        state.PauseTiming();
        Simulator::Destroy();
        state.ResumeTiming();
    }
    state.counters["instants/s"] = benchmark::Counter(
        static_cast<double>(state.iterations()) * INSTANTS, benchmark::Counter::kIsRate);
}

/// The same updates and pools without a network.
void
BeliefMathematics(benchmark::State& state)
{
    const Matrix<double> w = MakeTrust();
    for (auto _ : state)
    {
        const auto users = MakeUsers();
        std::vector<Belief> beliefs(USERS, users[0]->GetPrior());
        for (uint32_t instant = 0; instant < INSTANTS; ++instant)
        {
            std::vector<Belief> told;
            for (uint32_t i = 0; i < USERS; ++i)
            {
                told.push_back(users[i]->Update(beliefs[i], instant));
            }
            for (uint32_t i = 0; i < USERS; ++i)
            {
                std::vector<WeightedBelief> pool = {{told[i], w(i, i)}};
                for (uint32_t j = 0; j < USERS; ++j)
                {
                    if (j != i && w(i, j) > 0)
                    {
                        pool.push_back({told[j], w(i, j)});
                    }
                }
                beliefs[i] = users[i]->Pool(pool, BeliefPooling::LOGARITHMIC);
            }
        }
        benchmark::DoNotOptimize(beliefs);
    }
    state.counters["instants/s"] = benchmark::Counter(
        static_cast<double>(state.iterations()) * INSTANTS, benchmark::Counter::kIsRate);
}

BENCHMARK(BeliefInstants)->Arg(0)->Arg(30)->Unit(benchmark::kMillisecond);
BENCHMARK(BeliefMathematics)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace benchmarks
} // namespace ns3::collab
