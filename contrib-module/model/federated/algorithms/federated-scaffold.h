/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_SCAFFOLD_H
#define FEDERATED_SCAFFOLD_H

#include "ns3/federated-algorithm.h"

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief SCAFFOLD: Karimireddy et al., ICML 2020, algorithm 1 with option II.
 *
 * A device adds the correction c - c_k to each gradient, then c_k+ = c_k - c + (x - y) / (K eta)
 * if the server uses its update: the memory c_k gains the control change as it was sent, so that
 * with the rule "mean" c stays the mean of all c_k.
 * The server: x += serverRate A and c += |S| / N times the aggregated control changes, both
 * unweighted.
 */
class Scaffold : public FederatedStrategy
{
  public:
    /// @param serverRate the server's step size eta_g
    explicit Scaffold(double serverRate);

    bool HasControls() const override;
    bool HasMemory() const override;
    bool IsWeighted() const override;
    void Prepare(const FlatVector& model,
                 const FlatVector& control,
                 const std::vector<float>& memory,
                 std::size_t trained,
                 TrainTask& task) const override;
    void Finish(const FederatedTraining& training, FederatedUpdate& update) const override;
    std::vector<float> GetMemoryChange(const FederatedUpdate& sent,
                                       std::size_t trained) const override;
    uint64_t CountDeviceFlops(std::size_t trained) const override;
    void Begin(std::size_t dimension) override;
    FlatVector GetControl() const override;
    void Step(const FederatedRound& round, std::vector<float>& model) override;
    uint64_t CountServerFlops(std::size_t updates,
                              std::size_t dimension,
                              std::size_t trained) const override;

  private:
    double m_serverRate;  //!< the server's step size
    FlatVector m_control; //!< of the server: c
};

} // namespace collab
} // namespace ns3

#endif /* FEDERATED_SCAFFOLD_H */
