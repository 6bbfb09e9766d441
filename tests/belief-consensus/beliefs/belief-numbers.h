/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_CONSENSUS_BELIEF_NUMBERS_H
#define BELIEF_CONSENSUS_BELIEF_NUMBERS_H

#include "support/refusals.h"

#include "ns3/belief-consensus-belief.h"
#include "ns3/collab-matrix.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tests
{

/// @return a belief of these numbers
inline ns3::collab::Belief
MakeBelief(std::vector<double> numbers)
{
    return std::make_shared<const std::vector<double>>(std::move(numbers));
}

/// @return what FromWire() says of improper numbers
inline std::string
GetComplaint(const ns3::collab::BeliefModel& model, const std::vector<double>& numbers)
{
    return ErrorOf<ns3::collab::ImproperBelief>([&] { model.FromWire(numbers); });
}

/// @param models of users
/// @param w trust
/// @param rounds instants
/// @return beliefs of users after each instant if nothing is lost: (2) and (3), and nothing else
inline std::vector<std::vector<std::vector<double>>>
Learn(const std::vector<std::unique_ptr<ns3::collab::BeliefModel>>& models,
      const ns3::collab::Matrix<double>& w,
      uint32_t rounds)
{
    using namespace ns3::collab;
    const std::size_t users = models.size();
    std::vector<Belief> rho;
    for (const auto& model : models)
    {
        rho.push_back(model->GetPrior());
    }
    std::vector<std::vector<std::vector<double>>> all(users);
    for (uint32_t k = 0; k < rounds; ++k)
    {
        std::vector<Belief> b;
        for (std::size_t i = 0; i < users; ++i)
        {
            b.push_back(models[i]->Update(rho[i], k));
        }
        for (std::size_t i = 0; i < users; ++i)
        {
            std::vector<WeightedBelief> pool;
            for (std::size_t j = 0; j < users; ++j)
            {
                pool.push_back({b[j], w(i, j)});
            }
            rho[i] = models[i]->Pool(pool, BeliefPooling::LOGARITHMIC);
            all[i].push_back(*rho[i]);
        }
    }
    return all;
}

/// @return the belief of a user alone after some instants
inline ns3::collab::Belief
RunAlone(ns3::collab::BeliefModel& user, uint32_t instants)
{
    ns3::collab::Belief belief = user.GetPrior();
    for (uint32_t k = 0; k < instants; ++k)
    {
        belief = user.Update(belief, k);
    }
    return belief;
}

/// @return a user with everybody's observers
template <typename Config>
Config
MakeCentralConfig(const std::vector<Config>& users)
{
    Config central = users.front();
    for (std::size_t i = 1; i < users.size(); ++i)
    {
        central.observers.push_back(users[i].observers.front());
        central.seeds.push_back(users[i].seeds.front());
    }
    return central;
}

} // namespace tests

#endif /* BELIEF_CONSENSUS_BELIEF_NUMBERS_H */
