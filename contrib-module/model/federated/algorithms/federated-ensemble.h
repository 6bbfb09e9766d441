/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_ENSEMBLE_H
#define FEDERATED_ENSEMBLE_H

#include "ns3/collab-learner.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief What FedDF's server does after FedAvg: it distills the models of the devices into their
 * mean (Lin et al., Ensemble Distillation for Robust Model Fusion, NeurIPS 2020, algorithm 1).
 *
 * The student x starts from the mean of the models x_k. A step descends by the gradient of
 * KL(softmax(mean_k f(x_k, d)), softmax(f(x, d))), mean over a batch d of X*, f being the class
 * scores (logits). The paper anneals the step size and stops early by a validation set; here the
 * server takes so many steps, all alike.
 */
class FederatedEnsemble
{
  public:
    /// @param learner the server's, whose weights are taken and set
    /// @param inputs X*; its labels are not read
    /// @param steps in a round; at least 1
    FederatedEnsemble(std::shared_ptr<Learner> learner,
                      std::shared_ptr<const DataView> inputs,
                      uint32_t steps);

    /// @param start mean of the models
    /// @param models models of the devices; at least one
    /// @return the student; the mean of the models, if it has diverged
    FlatVector Distill(const FlatVector& start, const std::vector<FlatVector>& models) const;

    /// @param models number of models
    /// @return floating-point operations of Distill(): predictions of each, their mean and its
    /// softmax, and the steps
    uint64_t CountFlops(std::size_t models) const;

  private:
    /// @param models models of the devices
    /// @return softmax of the mean of their scores
    std::shared_ptr<const Matrix<float>> MakeTargets(const std::vector<FlatVector>& models) const;
    /// @param targets labels of X*
    /// @return the server's training
    TrainTask MakeTask(std::shared_ptr<const Matrix<float>> targets) const;

    std::shared_ptr<Learner> m_learner;       //!< the server's
    std::shared_ptr<const DataView> m_inputs; //!< X*
    uint32_t m_steps;                         //!< in a round
};

} // namespace ns3::collab

#endif /* FEDERATED_ENSEMBLE_H */
