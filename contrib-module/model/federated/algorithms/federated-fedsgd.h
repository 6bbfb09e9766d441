/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_FEDSGD_H
#define FEDERATED_FEDSGD_H

#include "ns3/federated-algorithm.h"

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief FedSGD: McMahan et al., AISTATS 2017, section 2. A device takes one step on all of its
 * samples; the server is that of FedAvg, so that with plain SGD x -= eta times the gradient of the
 * loss on all samples of the devices that took part.
 */
class FedSgd : public FederatedStrategy
{
  public:
    void Plan(uint32_t samples, TrainTask& task) const override;
};

} // namespace collab
} // namespace ns3

#endif /* FEDERATED_FEDSGD_H */
