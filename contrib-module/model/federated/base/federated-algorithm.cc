/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-algorithm.h"

#include "ns3/federated-algorithms.h"

#include <cmath>
#include <fmt/format.h>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace collab
{

FederatedTraits
FederatedOptions::GetTraits() const
{
    return MakeFederatedStrategy(*this)->GetTraits();
}

void
FederatedOptions::Check() const
{
    if (!(std::isfinite(mu) && mu >= 0))
    {
        throw std::invalid_argument(
            fmt::format("mu {} is not allowed; it must be 0 or greater", mu));
    }
    if (!(std::isfinite(alpha) && alpha > 0))
    {
        throw std::invalid_argument(
            fmt::format("alpha {} is not allowed; it must be greater than 0", alpha));
    }
    if (!(std::isfinite(serverRate) && serverRate > 0))
    {
        throw std::invalid_argument(
            fmt::format("server rate {} is not allowed; it must be greater than 0", serverRate));
    }
    for (const auto& [name, momentum] :
         {std::pair("server", serverMomentum), std::pair("local", localMomentum)})
    {
        if (!(momentum >= 0 && momentum < 1))
        {
            throw std::invalid_argument(fmt::format(
                "{} momentum {} is not allowed; it must be 0 to below 1", name, momentum));
        }
    }
}

std::unique_ptr<FederatedStrategy>
MakeFederatedStrategy(const FederatedOptions& options)
{
    options.Check();
    switch (options.algorithm)
    {
    case FederatedAlgorithm::FEDPROX:
        return MakeFedProx(options.mu);
    case FederatedAlgorithm::SCAFFOLD:
        return MakeScaffold(options.serverRate);
    case FederatedAlgorithm::FEDDYN:
        return MakeFedDyn(options.alpha);
    case FederatedAlgorithm::FEDSGD:
        return MakeFedSgd();
    case FederatedAlgorithm::FEDAVGM:
        return MakeFedAvgM(options.serverMomentum);
    case FederatedAlgorithm::FEDNOVA:
        return MakeFedNova(options.localMomentum);
    case FederatedAlgorithm::FEDBUFF:
        return MakeFedBuff(options.serverRate, options.stalenessWeight);
    case FederatedAlgorithm::FEDAVG:
    case FederatedAlgorithm::SEMI_DECENTRALIZED: // its sets are between the devices
        break;
    }
    return std::make_unique<FederatedStrategy>();
}

} // namespace collab
} // namespace ns3
