/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-algorithms.h"

#include <memory>

namespace ns3::collab
{

namespace
{

/// @brief FedProx: T. Li et al., MLSys 2020, algorithm 2. Devices add mu / 2 |w - x|^2 to their
/// loss; the server is that of FedAvg.
class FedProx : public FederatedStrategy
{
  public:
    explicit FedProx(double mu)
        : m_mu(mu)
    {
    }

    void
    Prepare(const FlatVector& model,
            const FlatVector&,
            const std::vector<float>&,
            std::size_t,
            TrainTask& task) const override
    {
        task.center = model;
        task.mu = m_mu;
    }

  private:
    double m_mu; //!< weight of the proximal term
};

} // namespace

std::unique_ptr<FederatedStrategy>
MakeFedProx(double mu)
{
    return std::make_unique<FedProx>(mu);
}

} // namespace ns3::collab
