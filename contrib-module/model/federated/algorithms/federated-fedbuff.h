/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_FEDBUFF_H
#define FEDERATED_FEDBUFF_H

#include "ns3/federated-algorithm.h"

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief FedBuff: J. Nguyen et al., "Federated Learning with Buffered Asynchronous Aggregation",
 * AISTATS 2022, algorithm 1.
 *
 * The server's step of a buffer of K updates is x += eta_g (1/K) sum of s(tau_i) delta_i, not
 * weighted by numbers of samples; see GetStalenessFactor() for s. It divides by K, not by the sum
 * of the s. State is averaged as it is, without eta_g and s.
 */
class FedBuff : public FederatedStrategy
{
  public:
    /**
     * @param rate eta_g, the server's step size
     * @param weight how staleness weighs
     */
    FedBuff(double rate, StalenessWeight weight);

    bool IsWeighted() const override;
    void Step(const FederatedRound& round, std::vector<float>& model) override;
    uint64_t CountServerFlops(std::size_t updates,
                              std::size_t dimension,
                              std::size_t trained) const override;

  private:
    double m_rate;            //!< eta_g
    StalenessWeight m_weight; //!< how staleness weighs
};

/**
 * @param staleness tau, steps of the server since the model that an update started from
 * @param weight how staleness weighs
 * @return s(tau): 1 / sqrt(1 + tau) (Nguyen et al.), or always 1
 */
double GetStalenessFactor(uint32_t staleness, StalenessWeight weight);

} // namespace collab
} // namespace ns3

#endif /* FEDERATED_FEDBUFF_H */
