/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_ALGORITHMS_H
#define FEDERATED_ALGORITHMS_H

#include "ns3/federated-strategy.h"

#include <cstdint>
#include <memory>

namespace ns3::collab
{

/// @param mu weight of the proximal term
/// @return FedProx
std::unique_ptr<FederatedStrategy> MakeFedProx(double mu);
/// @param serverRate the server's step size eta_g
/// @return SCAFFOLD
std::unique_ptr<FederatedStrategy> MakeScaffold(double serverRate);
/// @param alpha weight of the regularizer
/// @return FedDyn
std::unique_ptr<FederatedStrategy> MakeFedDyn(double alpha);
/// @return FedSGD
std::unique_ptr<FederatedStrategy> MakeFedSgd();
/// @param momentum beta
/// @return FedAvgM
std::unique_ptr<FederatedStrategy> MakeFedAvgM(double momentum);
/// @param momentum rho of the devices' SGD
/// @return FedNova
std::unique_ptr<FederatedStrategy> MakeFedNova(double momentum);
/// @param rate eta_g, the server's step size
/// @param weight how staleness weighs
/// @return FedBuff
std::unique_ptr<FederatedStrategy> MakeFedBuff(double rate, StalenessWeight weight);

/// @param staleness tau, steps of the server since the model that an update started from
/// @param weight how staleness weighs
/// @return s(tau): 1 / sqrt(1 + tau) (Nguyen et al.), or always 1
double GetStalenessFactor(uint32_t staleness, StalenessWeight weight);

} // namespace ns3::collab

#endif /* FEDERATED_ALGORITHMS_H */
