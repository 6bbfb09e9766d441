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
 * A device adds the correction c - c_k to each gradient, then c_k+ = c_k - c + (x - y) / (K eta).
 * The server: x += serverRate A and c += |S| / N times the aggregated control changes, both
 * unweighted.
 */
class Scaffold : public FederatedStrategy
{
  public:
    /// @param serverRate the server's step size eta_g
    explicit Scaffold(double serverRate);

    bool HasControls() const override;
    bool IsWeighted() const override;
    void Prepare(const FlatVector& model,
                 const FlatVector& control,
                 std::size_t trained,
                 TrainTask& task) const override;
    void Finish(const FederatedTraining& training, FederatedUpdate& update) override;
    const std::vector<float>& GetMemory() const override;
    uint64_t CountDeviceFlops(std::size_t trained) const override;
    void Begin(std::size_t dimension) override;
    FlatVector GetControl() const override;
    void Step(const FederatedRound& round, std::vector<float>& model) override;
    uint64_t CountServerFlops(std::size_t updates,
                              std::size_t dimension,
                              std::size_t trained) const override;

  private:
    double m_serverRate;         //!< the server's step size
    std::vector<float> m_memory; //!< of a device: c_k; empty for 0
    FlatVector m_control;        //!< of the server: c
};

} // namespace collab
} // namespace ns3

#endif /* FEDERATED_SCAFFOLD_H */
