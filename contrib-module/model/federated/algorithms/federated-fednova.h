/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_FEDNOVA_H
#define FEDERATED_FEDNOVA_H

#include "ns3/federated-algorithm.h"

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief FedNova: J. Wang et al., NeurIPS 2020, with w_k = p_k.
 *
 * Each change is divided by |a_k|_1, by which the steps of a device add up, and the aggregated
 * quotients D make x += tau D, where tau is the mean of |a_k|_1; both weighted by numbers of
 * samples. |a_k|_1 is that of CountNormalizedSteps().
 */
class FedNova : public FederatedStrategy
{
  public:
    /// @param momentum rho of the devices' SGD
    explicit FedNova(double momentum);

    bool SendsSteps() const override;
    void Finish(const FederatedTraining& training, FederatedUpdate& update) const override;
    void Step(const FederatedRound& round, std::vector<float>& model) override;
    uint64_t CountServerFlops(std::size_t updates,
                              std::size_t dimension,
                              std::size_t trained) const override;

  private:
    double m_momentum; //!< rho
};

/**
 * @brief Sum up how much each of the gradients of a training counts in its change.
 *
 * @param steps tau, steps taken
 * @param momentum rho, from 0 to below 1, of SGD without dampening that begins with none
 * @return |a|_1 = (tau - rho (1 - rho^tau) / (1 - rho)) / (1 - rho) (Wang et al., section 3.2);
 * tau without momentum
 */
double CountNormalizedSteps(uint64_t steps, double momentum);

} // namespace collab
} // namespace ns3

#endif /* FEDERATED_FEDNOVA_H */
