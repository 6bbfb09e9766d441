/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_CLIENT_H
#define FEDERATED_CLIENT_H

#include "federated-algorithm.h"

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief The mathematics of a device: what it adds to its training, and what it remembers.
 *
 * In SCAFFOLD and FedDyn the server remembers the mean of what devices do. That holds only if a
 * device remembers exactly the updates that the server has used, as they were sent: what comes of
 * one is provisional until Settle().
 */
class FederatedClient
{
  public:
    /// @param options which algorithm
    /// @param trained number of trained numbers; what follows is state, without a correction
    /// @throws std::invalid_argument if a constant is not allowed
    FederatedClient(const FederatedOptions& options, std::size_t trained);

    /// @brief Say how long the device trains, if that is the algorithm's to say.
    /// @param samples n_k, number of its samples
    /// @param[in,out] task the job
    void Plan(uint32_t samples, TrainTask& task) const;

    /// @brief Add the algorithm's terms to a training job.
    /// @param model x, as received
    /// @param control SCAFFOLD: c, as received; null otherwise
    /// @param[in,out] task the job
    void Prepare(const FlatVector& model, const FlatVector& control, TrainTask& task) const;

    /// @brief Look at what the training has done.
    /// @param model x, as received
    /// @param control SCAFFOLD: c, as received; null otherwise
    /// @param trainedModel y, weights after training
    /// @param steps K, steps taken; at least 1 for SCAFFOLD
    /// @param learningRate eta of the steps; positive for SCAFFOLD
    /// @return the update without the number of samples
    /// @throws std::invalid_argument if lengths differ, or steps or rate are not allowed
    FederatedUpdate Finish(const std::vector<float>& model,
                           const FlatVector& control,
                           const std::vector<float>& trainedModel,
                           uint64_t steps,
                           double learningRate) const;

    /// @brief Remember an update, provisionally.
    /// @param sent what the server reads if it gets the update
    void Remember(const FederatedUpdate& sent);
    /// @brief Keep what is provisional if the server has used it, and forget it otherwise.
    /// @param isOdd whether the server has used an odd number of the device's updates so far: since
    /// no more than one is provisional, that tells whether it is among them, whatever messages were
    /// lost in between
    void Settle(bool isOdd);

    /// @return SCAFFOLD: c_k; FEDDYN: g_k; empty otherwise and as long as it is 0
    const std::vector<float>& GetMemory() const;

    /// @param dimension number of weights
    /// @return floating-point operations of Prepare(), Finish(), Remember() and Settle()
    uint64_t CountFlops(std::size_t dimension) const;

  private:
    std::unique_ptr<FederatedStrategy> m_strategy; //!< the algorithm
    std::size_t m_trained;                         //!< number of trained numbers
    std::vector<float> m_memory;                   //!< of updates that the server has used
    std::vector<float> m_provisional;              //!< what it may gain; empty for nothing
    bool m_isOdd = false;                          //!< whether these updates are an odd number
};

} // namespace ns3::collab

#endif /* FEDERATED_CLIENT_H */
