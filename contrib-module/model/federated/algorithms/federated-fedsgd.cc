/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-fedsgd.h"

namespace ns3
{
namespace collab
{

void
FedSgd::Plan(uint32_t samples, TrainTask& task) const
{
    task.steps = 1;
    task.batchSize = samples;
}

} // namespace collab
} // namespace ns3
