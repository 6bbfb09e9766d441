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

/// @brief FedSGD: McMahan et al., AISTATS 2017, section 2. A device takes one step on all of its
/// samples; the server is that of FedAvg, so that with plain SGD x -= eta times the gradient of the
/// loss on all samples of the devices that took part.
class FedSgd : public FederatedStrategy
{
  public:
    void
    Plan(uint32_t samples, TrainTask& task) const override
    {
        task.steps = 1;
        task.batchSize = samples;
    }
};

} // namespace

std::unique_ptr<FederatedStrategy>
MakeFedSgd()
{
    return std::make_unique<FedSgd>();
}

} // namespace ns3::collab
