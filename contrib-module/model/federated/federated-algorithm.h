/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_ALGORITHM_H
#define FEDERATED_ALGORITHM_H

#include "ns3/collab-aggregation-rule.h"
#include "ns3/collab-learner.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace collab
{

/// @ingroup collab
/// @brief How devices and a server learn one model.
enum class FederatedAlgorithm : uint8_t
{
    FEDAVG,   //!< McMahan et al., AISTATS 2017, algorithm 1
    FEDPROX,  //!< Li et al., MLSys 2020: a proximal term on the devices
    SCAFFOLD, //!< Karimireddy et al., ICML 2020, algorithm 1 with option II: control variates
    FEDDYN,   //!< Acar et al., ICLR 2021, algorithm 1: a dynamic regularizer
    FEDSGD,   //!< McMahan et al., section 2: one step of gradient descent on all samples a round
    SEMI_DECENTRALIZED, //!< Lin et al., JSAC 2021: averages within sets of devices, which the
                        //!< server samples
};

/// @ingroup collab
/// @brief Constants of a federated algorithm.
struct FederatedOptions
{
    FederatedAlgorithm algorithm = FederatedAlgorithm::FEDAVG; //!< which one
    double mu = 0.01;      //!< FEDPROX: weight of |w - x|^2 / 2; not negative
    double alpha = 0.01;   //!< FEDDYN: weight of the regularizer; positive
    double serverRate = 1; //!< SCAFFOLD: the server's step size eta_g; positive

    /// @return whether control variates travel with models and updates
    bool HasControls() const;
    /// @return whether updates are weighed by numbers of samples
    bool IsWeighted() const;

    /**
     * @throws std::invalid_argument if a constant is not allowed
     */
    void Check() const;
};

/**
 * @ingroup collab
 * @brief What a device sends to the server after its training.
 */
struct FederatedUpdate
{
    double samples = 0;       //!< n_k, number of its samples
    FlatVector change;        //!< y_k - x, weights after training less those received
    FlatVector controlChange; //!< SCAFFOLD: c_k+ - c_k; null otherwise
};

/**
 * @ingroup collab
 * @brief The mathematics of the server: a model, and what is remembered from round to round.
 */
class FederatedServer
{
  public:
    /**
     * @param options which algorithm
     * @param model initial weights x
     * @param trained number of trained numbers; what follows is state, which is only averaged
     * @param devices N, number of all devices
     * @param rule how changes are aggregated
     * @throws std::invalid_argument if a constant is not allowed
     */
    FederatedServer(const FederatedOptions& options,
                    FlatVector model,
                    std::size_t trained,
                    std::size_t devices,
                    std::shared_ptr<const AggregationRule> rule);

    /**
     * @brief Make the next model.
     *
     * With A the aggregation of the changes of the devices S that took part:
     * - FEDAVG, FEDPROX, FEDSGD and SEMI_DECENTRALIZED: x += A, weighted by numbers of samples. Of
     *   FEDSGD that is x -= eta times the gradient of the loss on all samples of S.
     * - SCAFFOLD: x += serverRate A and c += |S| / N times the aggregated control changes, both
     *   unweighted.
     * - FEDDYN: h -= alpha |S| / N A, and x += A - h / alpha, unweighted.
     *
     * The named rules are translation-equivariant: to aggregate changes is to aggregate models.
     *
     * @param updates of the devices that took part; of one length
     * @throws std::invalid_argument if the rule does not work with so few, or a number is not
     * finite; model and memory stay as they were
     */
    void Step(const std::vector<FederatedUpdate>& updates);

    /// @return the present model x
    FlatVector GetModel() const;
    /// @return SCAFFOLD: the server's control variate c; null otherwise
    FlatVector GetControl() const;

    /**
     * @param updates number of devices that took part
     * @return floating-point operations of Step() with the rule "mean"; other rules are booked as
     * that
     */
    uint64_t CountFlops(std::size_t updates) const;

  private:
    /**
     * @param vectors changes of one kind, one a device
     * @param weights of the devices
     * @return their aggregation
     */
    std::vector<float> Aggregate(const std::vector<const float*>& vectors,
                                 const std::vector<double>& weights) const;

    FederatedOptions m_options;                    //!< which algorithm
    FlatVector m_model;                            //!< x
    FlatVector m_control;                          //!< SCAFFOLD: c
    std::vector<float> m_memory;                   //!< FEDDYN: h
    std::size_t m_trained;                         //!< number of trained numbers
    std::size_t m_devices;                         //!< N
    std::shared_ptr<const AggregationRule> m_rule; //!< how changes are aggregated
};

/**
 * @ingroup collab
 * @brief The mathematics of a device: what it adds to its training, and what it remembers.
 */
class FederatedClient
{
  public:
    /**
     * @param options which algorithm
     * @param trained number of trained numbers; what follows is state, without a correction
     * @throws std::invalid_argument if a constant is not allowed
     */
    FederatedClient(const FederatedOptions& options, std::size_t trained);

    /**
     * @brief Add the algorithm's terms to a training job.
     *
     * - FEDAVG, FEDSGD and SEMI_DECENTRALIZED: none.
     * - FEDPROX: mu / 2 |w - x|^2.
     * - SCAFFOLD: correction c - c_k.
     * - FEDDYN: alpha / 2 |w - x|^2 and correction -g_k, the gradient of the last local loss.
     *
     * @param model x, as received
     * @param control SCAFFOLD: c, as received; null otherwise
     * @param[in,out] task the job
     */
    void Prepare(const FlatVector& model, const FlatVector& control, TrainTask& task) const;

    /**
     * @brief Look at what the training has done, and remember it.
     *
     * - SCAFFOLD, option II: c_k+ = c_k - c + (x - y) / (K eta).
     * - FEDDYN: g_k+ = g_k - alpha (y - x).
     *
     * @param model x, as received
     * @param control SCAFFOLD: c, as received; null otherwise
     * @param trainedModel y, weights after training
     * @param steps K, steps taken; at least 1 for SCAFFOLD
     * @param learningRate eta of the steps; positive for SCAFFOLD
     * @return the update without the number of samples
     * @throws std::invalid_argument if lengths differ, or steps or rate are not allowed
     */
    FederatedUpdate Finish(const std::vector<float>& model,
                           const FlatVector& control,
                           const std::vector<float>& trainedModel,
                           uint64_t steps,
                           double learningRate);

    /// @return SCAFFOLD: c_k; FEDDYN: g_k; empty otherwise and as long as it is 0
    const std::vector<float>& GetMemory() const;

    /**
     * @param dimension number of weights
     * @return floating-point operations of Prepare() and Finish()
     */
    uint64_t CountFlops(std::size_t dimension) const;

  private:
    FederatedOptions m_options;  //!< which algorithm
    std::size_t m_trained;       //!< number of trained numbers
    std::vector<float> m_memory; //!< c_k or g_k; empty for 0
};

/**
 * @param devices number of devices that can take part
 * @param fraction of them that does; above 0, at most 1
 * @return how many devices SampleParticipants() draws: at least 1
 * @throws std::invalid_argument if the fraction is not allowed
 */
std::size_t CountParticipants(uint32_t devices, double fraction);

/**
 * @brief Draw the devices that take part in a round, each set of that size equally likely.
 *
 * @param devices N, number of devices
 * @param fraction of them that takes part; above 0, at most 1
 * @param seed of the draw
 * @return positions from 0 to N - 1, ascending: round(fraction N) of them, at least one
 * @throws std::invalid_argument if the fraction is not allowed
 */
std::vector<uint32_t> SampleParticipants(uint32_t devices, double fraction, uint64_t seed);

/**
 * @brief Average what devices of a set have changed of one model.
 *
 * @param updates with changes from that model, of one length; at least one
 * @return the mean change, weighted by numbers of samples, which stands for all samples together
 * @throws std::invalid_argument if lengths differ
 */
FederatedUpdate AverageUpdates(const std::vector<FederatedUpdate>& updates);

/**
 * @param dimension number of weights
 * @param updates number of updates
 * @return floating-point operations of AverageUpdates(), and of adding the mean to the model
 */
uint64_t CountAverageFlops(std::size_t dimension, std::size_t updates);

/**
 * @param devices devices, in order
 * @param size of each set; positive
 * @return disjoint sets of neighbors in that order; the last one may be smaller
 * @throws std::invalid_argument if the size is 0
 */
std::vector<std::vector<uint32_t>> MakeSets(const std::vector<uint32_t>& devices, uint32_t size);

/**
 * @brief Draw one device of each set, uniformly at random.
 *
 * @param sets of devices; an empty one gives nobody
 * @param seed of the draws
 * @return the devices, ascending
 */
std::vector<uint32_t> SampleOneOfEach(const std::vector<std::vector<uint32_t>>& sets,
                                      uint64_t seed);

} // namespace collab
} // namespace ns3

#endif /* FEDERATED_ALGORITHM_H */
