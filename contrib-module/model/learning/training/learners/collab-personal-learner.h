/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_PERSONAL_LEARNER_H
#define COLLAB_PERSONAL_LEARNER_H

#include "ns3/collab-learner.h"
#include "ns3/collab-network-plan.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief Which numbers of a flat vector of weights devices exchange.
struct SharedWeights
{
    std::vector<std::size_t> places; //!< in the flat vector, ascending
    std::size_t trained = 0;         //!< how many of them are trained numbers, which come first
};

/**
 * @brief Find what devices exchange if some layers of a model are personal.
 *
 * The layer of a tensor is its name without what follows the last point; state goes with its layer.
 *
 * @param specs tensors of the model, in the order of its flat vector: see ListWeights()
 * @param personal how many of the last layers with weights are personal; or names of tensors, as
 * FindTensors() takes them
 * @return all other weights, without those that are frozen, which all devices have alike
 * @throws std::invalid_argument if it is neither, if a name fits no tensor, or if nothing that is
 * trained is left
 */
SharedWeights FindShared(const std::vector<WeightSpec>& specs, const std::string& personal);

/// @brief Find what devices exchange if that is said by names.
/// @param specs tensors of the model, in the order of its flat vector: see ListWeights()
/// @param names names of tensors, as FindTensors() takes them
/// @return their weights
/// @throws std::invalid_argument if a name fits no tensor, or if none of them is trained
SharedWeights FindNamed(const std::vector<WeightSpec>& specs, const std::string& names);

/// @param specs tensors of the model, in the order of its flat vector: see ListWeights()
/// @return all weights but those that are frozen
SharedWeights FindUnfrozen(const std::vector<WeightSpec>& specs);

/**
 * @brief Make a learner that shows others only a part of its weights, and keeps the rest.
 *
 * Federated learning with personalization layers (FedPer: Arivazhagan et al., arXiv:1912.00818): a
 * training changes all weights, of which GetWeights(), SetWeights(), GetParameterCount(), gradients
 * and corrections are the shared ones, in their order. The personal ones stay as the last training
 * left them. A correction of them is 0, and a proximal term pulls them to where they were when the
 * job began.
 *
 * @param learner learner that learns
 * @param shared what it shows
 * @return the learner that others see
 * @throws std::invalid_argument if there is no learner, or a place is not that of a weight
 */
std::unique_ptr<Learner> MakePersonalLearner(std::unique_ptr<Learner> learner,
                                             SharedWeights shared);

} // namespace ns3::collab

#endif /* COLLAB_PERSONAL_LEARNER_H */
