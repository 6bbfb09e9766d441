/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-fedprox.h"

namespace ns3
{
namespace collab
{

FedProx::FedProx(double mu)
    : m_mu(mu)
{
}

void
FedProx::Prepare(const FlatVector& model,
                 const FlatVector&,
                 const std::vector<float>&,
                 std::size_t,
                 TrainTask& task) const
{
    task.center = model;
    task.mu = m_mu;
}

} // namespace collab
} // namespace ns3
