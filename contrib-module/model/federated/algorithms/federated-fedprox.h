/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_FEDPROX_H
#define FEDERATED_FEDPROX_H

#include "ns3/federated-algorithm.h"

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief FedProx: T. Li et al., MLSys 2020, algorithm 2. Devices add mu / 2 |w - x|^2 to their
 * loss; the server is that of FedAvg.
 */
class FedProx : public FederatedStrategy
{
  public:
    /// @param mu weight of the proximal term
    explicit FedProx(double mu);

    void Prepare(const FlatVector& model,
                 const FlatVector& control,
                 const std::vector<float>& memory,
                 std::size_t trained,
                 TrainTask& task) const override;

  private:
    double m_mu; //!< weight of the proximal term
};

} // namespace collab
} // namespace ns3

#endif /* FEDERATED_FEDPROX_H */
