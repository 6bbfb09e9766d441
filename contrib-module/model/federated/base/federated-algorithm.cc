/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-algorithm.h"

#include "ns3/collab-check-argument.h"
#include "ns3/federated-algorithms.h"

#include <cmath>
#include <utility>

namespace ns3::collab
{

FederatedTraits
FederatedOptions::GetTraits() const
{
    return MakeFederatedStrategy(*this)->GetTraits();
}

void
FederatedOptions::Check() const
{
    CheckArgument(
        std::isfinite(mu) && mu >= 0, "mu {} is not allowed; it must be 0 or greater", mu);
    CheckArgument(std::isfinite(alpha) && alpha > 0,
                  "alpha {} is not allowed; it must be greater than 0",
                  alpha);
    CheckArgument(std::isfinite(serverRate) && serverRate > 0,
                  "server rate {} is not allowed; it must be greater than 0",
                  serverRate);
    for (const auto& [name, momentum] :
         {std::pair("server", serverMomentum), std::pair("local", localMomentum)})
    {
        CheckArgument(momentum >= 0 && momentum < 1,
                      "{} momentum {} is not allowed; it must be 0 to below 1",
                      name,
                      momentum);
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
    case FederatedAlgorithm::FEDDF:              // what it adds is FederatedEnsemble's
    case FederatedAlgorithm::FEDKSEED:           // and here the devices' learners'
        break;
    }
    return std::make_unique<FederatedStrategy>();
}

} // namespace ns3::collab
