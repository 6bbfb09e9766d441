/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PREDICTION_CONSENSUS_PANEL_H
#define PREDICTION_CONSENSUS_PANEL_H

#include "prediction-consensus-trust.h"

#include "ns3/collab-fields.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief How an agent judges others in a regression, of which the paper gives no formula.
enum class RegressionTrust
{
    DISTANCE, //!< by ComputeValueAffinity()
    COSINE,   //!< by ComputeValueCosine(), eq. (6) taken literally
};

/// @ingroup collab
/// @brief What agents agree on.
enum class ConsensusMode
{
    SOFT_LABELS,   //!< weighted mean of probabilities, eq. (1)
    MEDIAN,        //!< weighted median of probabilities
    MAJORITY_VOTE, //!< class with the greatest weight of votes; only classes travel
};

/// @ingroup collab
/// @brief Predictions on X* that an agent has at hand in a round.
struct TrustPanel
{
    /// Predictions, shared with the message that they came in
    using Predictions = std::shared_ptr<const Matrix<float>>;

    /// @brief Take one more agent, after those with lower numbers.
    /// @param agent its number
    /// @param round round in which it made them
    /// @param labels its predictions; where samples have not come, what stands in for them
    /// @param come samples that have
    void Add(uint32_t agent, uint32_t round, Predictions labels, Arrival come = {});

    std::vector<uint32_t> agents;         //!< ascending, the own one among them
    std::vector<uint32_t> rounds;         //!< of each, in which it made its predictions
    std::vector<Predictions> predictions; //!< of each
    std::vector<Arrival> arrived;         //!< of each, samples by which it is judged
    std::size_t self = 0;                 //!< index of the own one
};

/// @ingroup collab
/// @brief How an agent judges those of a panel.
struct TrustPlan
{
    std::vector<std::size_t> judged; //!< agents of the panel to judge
    std::vector<double> known;       //!< affinity to each of the panel, where it is not judged
    double knownOwn = 1;             //!< the agent's to itself, in the unit of those
    TrustOptions options;            //!< confidence of classifiers
    TrustPanel::Predictions own;     //!< own predictions, exact
    std::vector<double> importance;  //!< of each of the panel, for ideal trust; none for eq. (6)
    bool isRegression = false;       //!< whether predictions are values
    ConsensusMode mode = ConsensusMode::SOFT_LABELS;             //!< how predictions are pooled
    RegressionTrust regressionTrust = RegressionTrust::DISTANCE; //!< of values
    double scale = 1;                                            //!< of DISTANCE

    /// @param self index of the agent that judges
    /// @return whether some are judged in a later round than the agent itself
    bool JudgesLateOnes(std::size_t self) const;
};

/// @ingroup collab
/// @brief What an agent thinks of a panel.
struct TrustResult
{
    std::vector<double> affinities;  //!< to each agent of the panel, eq. (6)
    std::vector<double> weights;     //!< of each agent of the panel; they add up to 1
    TrustPanel::Predictions targets; //!< pseudo-labels, eq. (1)
};

/// @ingroup collab
/// @brief What an agent has thought of its peers, as last computed.
class TrustMemory
{
  public:
    /// @brief Say whom of a panel to judge, and what is known of the others.
    /// @param panel predictions at hand
    /// @param judgesAnew whether nothing counts that was known
    /// @param[in,out] plan gets known, of as many agents, judged and knownOwn
    void Recall(const TrustPanel& panel, bool judgesAnew, TrustPlan& plan) const;
    /// @param panel predictions that were at hand
    /// @param result affinities
    void Keep(const TrustPanel& panel, const TrustResult& result);

  private:
    /// What eq. (6) has said of a peer
    struct Affinity
    {
        double value = 1; //!< to the peer
        double own = 1;   //!< to oneself, in the same round
    };

    std::map<uint32_t, Affinity> m_affinities; //!< by peer
};

/// @param weights of agents
/// @param predictions of the same agents, all of one shape
/// @param isRegression whether predictions are values
/// @param mode how they are pooled else
/// @return pseudo-labels
Matrix<float> PoolPredictions(const std::vector<double>& weights,
                              const std::vector<const Matrix<float>*>& predictions,
                              bool isRegression,
                              ConsensusMode mode);

/// @ingroup collab
/// @brief Weigh the agents of a panel, and mix their predictions.
/// @param panel predictions at hand
/// @param plan how to judge
/// @return weights and pseudo-labels
TrustResult ComputeTrust(const TrustPanel& panel, const TrustPlan& plan);

/// @ingroup collab
/// @param samples number of samples of X*
/// @param columns classes, or outputs in regression
/// @param judged number of agents to judge
/// @param mixed number of agents whose predictions are mixed
/// @param plan how to judge
/// @return floating-point operations of ComputeTrust()
uint64_t CountTrustFlops(std::size_t samples,
                         std::size_t columns,
                         std::size_t judged,
                         std::size_t mixed,
                         const TrustPlan& plan);

} // namespace ns3::collab

#endif /* PREDICTION_CONSENSUS_PANEL_H */
