/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_STRATEGY_H
#define FEDERATED_STRATEGY_H

#include "ns3/collab-aggregation-rule.h"
#include "ns3/collab-fields.h"
#include "ns3/collab-learner.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief How much updates count less that started from an old model.
enum class StalenessWeight : uint8_t
{
    POLYNOMIAL, //!< 1 / sqrt(1 + tau) after tau steps of the server
    CONSTANT,   //!< not less
};

/// @ingroup collab
/// @brief What applications have to know of an algorithm.
struct FederatedTraits
{
    bool hasControls = false;    //!< whether control variates travel with models and updates
    bool hasMemory = false;      //!< whether devices remember updates: FederatedClient::Settle()
    bool sendsSteps = false;     //!< whether numbers of steps travel with updates
    bool isWeighted = true;      //!< whether updates are weighed by numbers of samples
    bool isAsynchronous = false; //!< whether a buffer of updates makes a model, without rounds
};

/// @ingroup collab
/// @brief What a device sends to the server after its training.
struct FederatedUpdate
{
    double samples = 0;       //!< n_k, number of its samples
    FlatVector change;        //!< y_k - x, weights after training less those received
    Arrival arrived = {};     //!< numbers of the change that there are
    FlatVector controlChange; //!< SCAFFOLD: c_k+ - c_k; null otherwise
    uint64_t steps = 0;       //!< FEDNOVA: tau_k, steps of the training; 0 otherwise
    /// FEDBUFF: tau, steps of the server since the model x that it started from; 0 otherwise
    uint32_t staleness = 0;
};

/// @ingroup collab
/// @brief Let numbers that have not come stand for the mean of those that have.
///
/// A mean of all updates then is, for each number of the model, that of the devices whose number
/// has come: if numbers are lost independently of their values, its expectation is that of the mean
/// of all. Of a number that has come from nobody the change is 0.
///
/// @param[in,out] updates of devices, weighed by samples
/// @param isWeighted whether devices are weighed by their samples, or all alike
/// @param dimension numbers of the model
void CompleteUpdates(std::vector<FederatedUpdate>& updates, bool isWeighted, std::size_t dimension);

/// @ingroup collab
/// @brief What a device knows of a training that has ended.
struct FederatedTraining
{
    FlatVector control;      //!< SCAFFOLD: c, as received; null otherwise
    std::size_t trained = 0; //!< number of trained numbers; what follows is state
    uint64_t steps = 0;      //!< K, steps taken
    double learningRate = 0; //!< eta of the steps
};

/// @ingroup collab
/// @brief What the server has got in a round, and how it aggregates.
struct FederatedRound
{
    const std::vector<FederatedUpdate>& updates; //!< of the devices that took part; of one length
    std::vector<double> weights;                 //!< what they are weighed by
    const AggregationRule& rule;                 //!< how vectors are aggregated
    std::vector<float>& last;                    //!< aggregated last, if the rule wants that
    std::size_t trained;                         //!< number of trained numbers; then comes state
    double share;                                //!< |S| / N, which part of all took part

    /// @param vectors one a device, in their order
    /// @param dimension elements of each
    /// @param name what to call one of them
    /// @return their aggregation
    /// @throws std::invalid_argument if one is null or has not as many, or is not finite
    std::vector<float> Aggregate(const std::vector<FlatVector>& vectors,
                                 std::size_t dimension,
                                 const char* name) const;
    /// @param dimension elements of a change
    /// @return the aggregated changes
    /// @throws std::invalid_argument as Aggregate()
    std::vector<float> AggregateChanges(std::size_t dimension) const;
};

/**
 * @ingroup collab
 * @brief The mathematics of an algorithm, apart from what all have in common: see FederatedServer
 * and FederatedClient.
 *
 * An object belongs to the server or to one device. That of the server has what it remembers from
 * round to round; what a device remembers is with its FederatedClient. What is said of a device is
 * never called at the server, and the other way round.
 */
class FederatedStrategy
{
  public:
    virtual ~FederatedStrategy();

    /// @return what applications have to know of it
    const FederatedTraits& GetTraits() const;

    /// @brief Device: say how long it trains, if that is the algorithm's to say.
    /// @param samples n_k, number of its samples
    /// @param[in,out] task the job
    virtual void Plan(uint32_t samples, TrainTask& task) const;
    /// @brief Device: add the algorithm's terms to its objective.
    /// @param model x, as received
    /// @param control SCAFFOLD: c, as received; null otherwise
    /// @param memory what it remembers; empty for 0
    /// @param trained number of trained numbers; what follows is state, without a correction
    /// @param[in,out] task the job
    /// @throws std::invalid_argument if lengths differ
    virtual void Prepare(const FlatVector& model,
                         const FlatVector& control,
                         const std::vector<float>& memory,
                         std::size_t trained,
                         TrainTask& task) const;
    /// @brief Device: say what it sends besides the change of its model.
    /// @param training that has ended
    /// @param[in,out] update with the change
    /// @throws std::invalid_argument if lengths differ, or steps or rate are not allowed
    virtual void Finish(const FederatedTraining& training, FederatedUpdate& update) const;
    /// @param sent an update as its receiver reads it
    /// @param trained number of trained numbers; what follows is state, which no memory has
    /// @return Device: what is added to its memory if the server uses it; empty for nothing
    virtual std::vector<float> GetMemoryChange(const FederatedUpdate& sent,
                                               std::size_t trained) const;
    /// @param trained number of trained numbers
    /// @return Device: floating-point operations of Prepare(), Finish() and its memory
    virtual uint64_t CountDeviceFlops(std::size_t trained) const;

    /// @param dimension Server: number of weights of the first model
    virtual void Begin(std::size_t dimension);
    /// @return Server: SCAFFOLD's control variate c; null otherwise
    virtual FlatVector GetControl() const;
    /// @brief Server: make the next model of what has come.
    /// @param round what has come
    /// @param[in,out] model x
    /// @throws std::invalid_argument if a vector cannot be used; model and memory stay as they were
    virtual void Step(const FederatedRound& round, std::vector<float>& model);
    /// @param updates number of devices that took part
    /// @param dimension number of weights
    /// @param trained number of trained numbers
    /// @return Server: floating-point operations of Step() with the rule "mean"
    virtual uint64_t CountServerFlops(std::size_t updates,
                                      std::size_t dimension,
                                      std::size_t trained) const;

  protected:
    FederatedTraits m_traits; //!< see GetTraits(); set by the constructor

    /// @brief Add a vector to the model, element by element.
    /// @param vector to add
    /// @param from first element
    /// @param[in,out] model x
    static void Add(const std::vector<float>& vector, std::size_t from, std::vector<float>& model);
};

/// @param vector a vector
/// @param dimension elements that it should have
/// @param name what to call it
/// @throws std::invalid_argument if it is null or has not as many
void CheckDimension(const FlatVector& vector, std::size_t dimension, const char* name);

/// @brief Average what devices of a set have changed of one model.
/// @param updates with changes from that model, of one length; at least one
/// @return the mean change, weighted by numbers of samples, which stands for all samples together
/// @throws std::invalid_argument if lengths differ
FederatedUpdate AverageUpdates(const std::vector<FederatedUpdate>& updates);

/// @param dimension number of weights
/// @param updates number of updates
/// @return floating-point operations of AverageUpdates(), and of adding the mean to the model
uint64_t CountAverageFlops(std::size_t dimension, std::size_t updates);

} // namespace ns3::collab

#endif /* FEDERATED_STRATEGY_H */
