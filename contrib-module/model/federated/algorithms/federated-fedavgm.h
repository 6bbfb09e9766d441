/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_FEDAVGM_H
#define FEDERATED_FEDAVGM_H

#include "ns3/federated-algorithm.h"

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief FedAvgM: Hsu, Qi and Brown, "Measuring the Effects of Non-Identical Data Distribution for
 * Federated Visual Classification", 2019, section 4.3. With v = 0 at first, v = beta v + A and
 * x += v, weighted by numbers of samples; the paper's v and its change have the other sign.
 */
class FedAvgM : public FederatedStrategy
{
  public:
    /// @param momentum beta
    explicit FedAvgM(double momentum);

    void Begin(std::size_t dimension) override;
    void Step(const FederatedRound& round, std::vector<float>& model) override;
    uint64_t CountServerFlops(std::size_t updates,
                              std::size_t dimension,
                              std::size_t trained) const override;

  private:
    double m_momentum;             //!< beta
    std::vector<float> m_velocity; //!< v
};

} // namespace collab
} // namespace ns3

#endif /* FEDERATED_FEDAVGM_H */
