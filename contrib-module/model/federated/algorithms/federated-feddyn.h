/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_FEDDYN_H
#define FEDERATED_FEDDYN_H

#include "ns3/federated-algorithm.h"

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief FedDyn: Acar et al., ICLR 2021, algorithm 1.
 *
 * A device adds alpha / 2 |w - x|^2 and the correction -g_k, the gradient of its last local loss,
 * then g_k+ = g_k - alpha (y - x) if the server uses its update, of the change y - x as it was
 * sent: so with the rule "mean" h stays the mean of all g_k. The server: h -= alpha |S| / N A, and
 * x += A - h / alpha, unweighted.
 */
class FedDyn : public FederatedStrategy
{
  public:
    /// @param alpha weight of the regularizer
    explicit FedDyn(double alpha);

    bool HasMemory() const override;
    bool IsWeighted() const override;
    void Prepare(const FlatVector& model,
                 const FlatVector& control,
                 const std::vector<float>& memory,
                 std::size_t trained,
                 TrainTask& task) const override;
    std::vector<float> GetMemoryChange(const FederatedUpdate& sent,
                                       std::size_t trained) const override;
    uint64_t CountDeviceFlops(std::size_t trained) const override;
    void Begin(std::size_t dimension) override;
    void Step(const FederatedRound& round, std::vector<float>& model) override;
    uint64_t CountServerFlops(std::size_t updates,
                              std::size_t dimension,
                              std::size_t trained) const override;

  private:
    double m_alpha;              //!< weight of the regularizer
    std::vector<float> m_memory; //!< of the server: h
};

} // namespace collab
} // namespace ns3

#endif /* FEDERATED_FEDDYN_H */
