/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_CONSENSUS_NETWORK_H
#define BELIEF_CONSENSUS_NETWORK_H

#include "belief-consensus-belief.h"

#include "ns3/collab-data-set.h"
#include "ns3/collab-learner.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief Everything that defines a user whose belief is about the weights of a network.
 *
 * An instant trains the learner from rho^(k-1) on. What it takes of the own data:
 * - replay: all of it at every instant, which counts it again and again (a cold posterior);
 * - stream: the next batchSize samples of one random order, so that each sample counts once. The
 *   last batch has the remainder, too: few samples let the divergence, which is divided by their
 *   number, make steps unstable. An instant after the last sample has no data: b^(k) is rho^(k-1),
 *   for no operations.
 *
 * With (5) divided by the number n of the instant's samples, the gradient of a step is that of mean
 * loss + klScale / evidencePower KL(q || rho^(k-1)) / n, the loss being that of the step's batch.
 */
struct NetworkBeliefConfig
{
    /// as it is now, the prior rho^(0); the same weights at all users, or their hidden units do not
    /// match. Nobody else may use it
    std::unique_ptr<Learner> learner;
    uint32_t samples = 0;       //!< the learner's own; at least 1
    bool stream = false;        //!< whether each sample is seen once; else replay
    uint32_t batchSize = 32;    //!< samples of a step, and in a stream of an instant; at least 1
    uint64_t streamSeed = 1;    //!< of the order of a stream
    uint32_t steps = 2;         //!< of the optimizer, an instant; at least 1
    double learningRate = 0.05; //!< of instant 0; positive
    double decay = 1;           //!< of the learning rate from instant to instant; over 0, at most 1
    double evidencePower = 1;   //!< of the likelihood of each sample; positive
    /// replay of mean-field beliefs: v_i, if the own data is to count once; see BeliefSite
    std::optional<double> influence;
    /// of the divergence; not negative. 1 if the loss is minus the log-likelihood, as cross-entropy
    /// is; 2 alpha^2 / outputs in regression with noise of the standard deviation alpha
    double klScale = 1;
    std::shared_ptr<const DataView> test; //!< with labels or targets; null: not measured
    std::vector<int64_t> seenLabels;      //!< that the own data has; not read in regression
    /// test samples of labels that no user has, whose predictions ought to be uncertain; null: not
    /// measured
    std::shared_ptr<const DataView> novel;
};

/**
 * @ingroup collab
 * @brief What families of beliefs about a network's weights share: training and testing.
 *
 * Beliefs are the learner's numbers in double precision, exactly; the learner gets back what is
 * nearest in single precision, in which beliefs travel.
 */
class NetworkBelief : public BeliefModel
{
  public:
    bool IsLight() const override;
    Belief Update(const Belief& prior, uint32_t instant) override;
    uint64_t CountUpdateFlops(uint32_t instant) const override;
    bool IsDouble() const override;
    std::vector<double> ToWire(const Belief& belief) const override;
    Belief FromWire(const std::vector<double>& numbers) const override;
    Belief FromSharedWire(const Belief& numbers) const override;
    bool IsProper(const Belief& belief) const override;
    std::vector<Metric> GetMetrics() const override;
    std::vector<double> Evaluate(const Belief& belief) override;
    std::vector<std::pair<std::string, double>> Describe(const Belief& belief) const override;

  protected:
    /// @param config what to build
    /// @throws std::invalid_argument if a value is not allowed
    explicit NetworkBelief(NetworkBeliefConfig config);

    /// @param belief a proper one
    /// @return what is nearest to it in single precision
    static FlatVector ToWeights(const std::vector<double>& belief);
    /// @param pooling the rule
    /// @throws std::invalid_argument if beliefs about networks do not have it
    static void CheckPooling(BeliefPooling pooling);
    /// @param strength of OVERCONFIDENT
    /// @throws std::invalid_argument if it is not positive and finite
    static void CheckStrength(double strength);

    /**
     * @brief As std::find_if_not(), without a branch for each number as long as all are good.
     *
     * Each receiver looks at each belief: with branches that takes longer than the pool.
     *
     * @param begin of numbers
     * @param end of numbers
     * @param isGood what a number must be
     * @return the first number that is not; end if there is none
     */
    template <typename Iterator, typename IsGood>
    static Iterator
    FindNot(Iterator begin, Iterator end, IsGood isGood)
    {
        bool areGood = true;
        for (auto number = begin; number != end; ++number)
        {
            areGood &= isGood(*number);
        }
        return areGood ? end : std::find_if_not(begin, end, isGood);
    }

    /// @param numbers of a belief
    /// @return why they are no distribution; empty if they are one
    virtual std::string FindFault(const std::vector<double>& numbers) const;

    /// @brief Let a job know the prior, if it needs it.
    /// @param weights the prior as the learner has it
    /// @param[in,out] task the job
    virtual void AddPrior(const FlatVector& weights, TrainTask& task) const = 0;

    const NetworkBeliefConfig m_config; //!< what was built

  private:
    /// @throws std::invalid_argument if a number is not allowed
    void CheckNumbers() const;
    /// @throws std::invalid_argument if the test samples cannot be judged
    void CheckTest() const;
    /// @throws std::invalid_argument if the learner cannot do its jobs
    void CheckJobs() const;

    /// @return instants of a stream that have data
    uint32_t CountBatches() const;
    /// @param instant k
    /// @return whether the stream has ended before it
    bool HasEnded(uint32_t instant) const;
    /// @param instant k, with data
    /// @return its job, without a prior
    TrainTask MakeTask(uint32_t instant) const;

    /// @param probabilities predicted for the test samples
    /// @return accuracy, its kin and calibration
    std::vector<double> ScoreClassification(const Matrix<float>& probabilities) const;
    /// @param probabilities predicted for the test samples; the learner is still as it predicted
    /// @return calibration on unseen labels, and whether entropy separates novel ones
    std::vector<double> ScoreNovelty(const Matrix<float>& probabilities) const;

    std::vector<uint32_t> m_order; //!< of the samples of a stream
    bool m_hasDiverged = false;    //!< whether the last training ended without a distribution
};

} // namespace ns3::collab

#endif /* BELIEF_CONSENSUS_NETWORK_H */
