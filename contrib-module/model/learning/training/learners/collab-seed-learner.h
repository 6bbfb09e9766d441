/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_SEED_LEARNER_H
#define COLLAB_SEED_LEARNER_H

#include "ns3/collab-learner.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-learning
 * @brief Models that differ from one another along K directions only, which seeds stand for.
 *
 * A model is w_0 - sum_j a_j z_j: w_0 is what all devices begin with, and z_j is normal, drawn from
 * candidate seed j. So K numbers a_j say all of it (Qin et al., Federated Full-Parameter Tuning of
 * Billion-Sized Language Models with Communication Cost under 18 Kilobytes, ICML 2024).
 *
 * Any number of threads may use one.
 */
class SeedModel
{
  public:
    /// @param first w_0: trained numbers, then state, which stays as it is
    /// @param trained number of trained numbers
    /// @param seeds K, number of candidate seeds
    /// @param origin what candidate seeds are derived from
    /// @throws std::invalid_argument if there are no trained numbers or no seeds
    SeedModel(FlatVector first, std::size_t trained, uint32_t seeds, uint64_t origin);

    /// @return K
    uint32_t CountSeeds() const;
    /// @return number of trained numbers
    std::size_t CountTrained() const;
    /// @param seed j, below K
    /// @return z_j: of the outputs u of SplitMix64, two by two and as parts of 1, the pairs
    /// sqrt(-2 log u) cos(2 pi u'), sqrt(-2 log u) sin(2 pi u') (Box and Muller)
    std::vector<float> DrawDirection(uint32_t seed) const;
    /// @param scalars a, K numbers
    /// @return the model's weights; devices that hold the same vector share them
    FlatVector Build(const FlatVector& scalars);

    /// @param directions number of directions
    /// @return operations of drawing them, and of adding each to a model
    uint64_t CountFlops(uint64_t directions) const;

  private:
    FlatVector m_first;    //!< w_0
    std::size_t m_trained; //!< number of trained numbers
    uint32_t m_seeds;      //!< K
    uint64_t m_origin;     //!< what candidate seeds are derived from
    std::mutex m_access;   //!< to what follows
    FlatVector m_scalars;  //!< of the model that was built last
    FlatVector m_built;    //!< this model
};

/// @ingroup collab-learning
/// @brief How a learner takes steps along directions of a SeedModel.
struct SeedSteps
{
    double smoothing = 5e-4;    //!< epsilon: how far from the model losses are taken; positive
    double learningRate = 1e-3; //!< eta, if a job has none; positive
    uint32_t batchSize = 64;    //!< samples of a step; at least 1
    uint64_t shuffleSeed = 2;   //!< of the order of samples and of the choice of seeds
};

/**
 * @brief Make a learner that trains by forward passes alone, and whose weights are K scalars.
 *
 * FedKSeed (Qin et al., algorithm 1: ClientTraining). A step draws a candidate seed j and takes the
 * losses l+ and l- of a batch at w + epsilon z_j and w - epsilon z_j, with g = (l+ - l-) / (2
 * epsilon): w -= eta g z_j, and so a_j += eta g. Scalars are those of steps, not of gradients, so
 * that devices with rates of their own understand each other. GetWeights() and SetWeights() are a;
 * a mean of scalars is the mean of the models. There is no gradient, no optimizer and no dropout,
 * and running statistics stay as they are.
 *
 * Operations of a training: of building the model from all a_j that are not 0, and of each step two
 * predictions with their loss, the direction, and three sums with it.
 *
 * @param learner learner whose model learns; its weights are the model's w_0
 * @param samples the device's own samples
 * @param model of all devices
 * @param steps how it takes them
 * @return the learner
 * @throws std::invalid_argument if something is missing or not allowed
 */
std::unique_ptr<Learner> MakeSeedLearner(std::unique_ptr<Learner> learner,
                                         DataView samples,
                                         std::shared_ptr<SeedModel> model,
                                         const SeedSteps& steps);

} // namespace ns3::collab

#endif /* COLLAB_SEED_LEARNER_H */
