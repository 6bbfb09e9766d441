/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PREDICTION_CONSENSUS_APPLICATION_H
#define PREDICTION_CONSENSUS_APPLICATION_H

#include "prediction-consensus-messages.h"
#include "prediction-consensus-metrics.h"
#include "prediction-consensus-panel.h"
#include "prediction-consensus-release.h"

#include "ns3/collab-learning-application.h"

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief How an agent weighs its peers.
enum class TrustMode
{
    NAIVE,   //!< all alike
    STATIC,  //!< by eq. (6), computed once, when a peer's predictions are first at hand
    DYNAMIC, //!< by eq. (6), computed anew every TrustInterval collaborative rounds
    LOCAL,   //!< no peers: local training, the baseline
    IDEAL,   //!< by ComputeIdealTrust(), with an importance of each agent that is given
    ORACLE,  //!< no peers: the true labels of X*, which no message carries, bound what trust can
             //!< give
};

/// @ingroup collab
/// @brief What stands in for predictions that did not arrive in their round.
enum class MissingPolicy
{
    STALE,   //!< the last ones heard from that peer
    EXCLUDE, //!< nothing: the weights of the others are renormalized
};

/// @ingroup collab
/// @brief What a model says of some samples at the end of a round, for traces.
struct PredictionRecord
{
    uint32_t round = 0;                               //!< the round
    uint32_t device = 0;                              //!< the agent
    std::string name;                                 //!< of the samples
    std::shared_ptr<const Matrix<float>> predictions; //!< samples x classes, or x outputs
};

/// @ingroup collab
/// @brief One row of the trust matrix, for traces.
struct TrustRecord
{
    uint32_t round = 0;  //!< collaborative round
    uint32_t device = 0; //!< agent i
    /// One peer j that has a weight
    struct Entry
    {
        uint32_t peer = 0; //!< agent j, or i itself
        double weight = 0; //!< w_ij
        int32_t ageRounds =
            0; //!< rounds since the predictions used were made; 0 for those of this round
    };
    std::vector<Entry> row; //!< ascending by peer; the weights add up to 1
};

/**
 * @ingroup collab
 * @brief Prediction consensus (Fan, Mendler-Duenner, Jaggi, NeurIPS 2023), as one agent runs it.
 *
 * A round of the first PretrainingRounds is local training. Every later one has four phases:
 * - "predict": soft labels of the shared unlabeled set X* by the present model;
 * - "exchange": broadcast them, and wait until those of all neighbors are here, refused or not, or
 * RoundDeadline has passed. A neighbor heard to be in a later round is not waited for: what it sent
 * in this one is lost;
 * - "trust": weights by eq. (6), pseudo-labels by eq. (1);
 * - "train": LocalEpochs epochs on the local loss plus Lambda times the distance to the
 * pseudo-labels, eq. (2).
 *
 * An agent whose own predictions are none, since its training has diverged, still sends them; the
 * others refuse them. It can judge nobody, and trains alone: its round is not collaborative.
 *
 * If the data set of X* is one for regression, predictions and pseudo-labels are its outputs: the
 * distance is squared l2, there is no confidence, and trust goes by RegressionTrust.
 *
 * There is no common clock: agents keep step by waiting for each other's predictions.
 */
class PredictionConsensusApplication : public LearningApplication
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    /// @param reference the shared set X*; its labels are not read
    void SetReference(std::shared_ptr<const DataView> reference);

    /// @brief Give an agent another importance than 1, for ideal trust.
    /// @param device its number
    /// @param importance pi of section 4.3, up to a common factor; positive
    void SetImportance(uint32_t device, double importance);

    /// @return whether the set given by SetReference() is one for regression
    bool IsRegression() const;

    /**
     * @brief Trace what the model says of some samples at the end of every round.
     *
     * Like measuring, it takes no simulated time and no energy. Nothing is computed as long as
     * nobody listens to the trace source Prediction.
     *
     * @param name of the samples in traces
     * @param inputs samples; their labels are not read
     */
    void AddProbe(const std::string& name, std::shared_ptr<const DataView> inputs);

    /**
     * @brief How long this device computes, at most, from one exchange to the next.
     *
     * By the present settings, the learner, and the node's Processor. A device that does nothing
     * meanwhile waits for no longer than that for this one, besides time on air.
     *
     * @param peers other agents that it hears
     * @return that time
     */
    Time GetComputingDuration(std::size_t peers) const;
    /// @return what agents agree on
    ConsensusMode
    GetConsensusMode() const
    {
        return m_consensusMode;
    }

    /// @return size of a message with this agent's predictions, with its header [byte]
    uint64_t GetMessageSize() const;
    /// @return how long it computes up to the first exchange
    Time GetPretrainingDuration() const;
    /// @return privacy that predictions so far have spent; see PredictionRelease::GetEpsilon()
    double GetPredictionEpsilon() const;

    std::vector<Metric> GetMetrics() const override;

    /// TracedCallback signature for predictions.
    /// @param record what the model says of some samples
    typedef void (*PredictionTracedCallback)(const PredictionRecord& record);

    /// TracedCallback signature for trust.
    /// @param record the agent's row of the trust matrix
    typedef void (*TrustTracedCallback)(const TrustRecord& record);

  protected:
    void DoDispose() override;
    void DoStart() override;
    Process Round() override;

  private:
    /// Predictions on X*
    using Predictions = TrustPanel::Predictions;
    /// Samples by name
    using NamedViews = std::vector<std::pair<std::string, std::shared_ptr<const DataView>>>;

    /// @return pseudo-labels of the present round, eq. (1); null if the device has diverged
    ProcessOf<Predictions> Agree();
    /// @brief Train toward pseudo-labels, eq. (2), and measure.
    /// @param targets pseudo-labels; null for local training
    Process Distill(Predictions targets);
    /// @return how long the device waits for others in the present round
    Time GetPatience() const;
    /// @return number of classes, or of outputs
    std::size_t CountColumns() const;
    /// @return how predictions travel
    PredictionFormat GetFormat() const;
    /// @param targets pseudo-labels; null for local training
    /// @return a round's training
    TrainTask MakeTask(Predictions targets) const;
    /// @return whether trust must be computed anew in this round
    bool IsTrustDue() const;
    /// @param sent own predictions, as the others read them
    /// @return predictions at hand in this round, by the policy for missing ones
    TrustPanel CollectPanel(const Packed<SoftLabels>& sent);
    /// @param panel predictions at hand
    /// @return whom to judge, and how
    TrustPlan PlanTrust(const TrustPanel& panel) const;
    /// @return how agents judge, without whom
    TrustPlan MakePlan() const;
    /// @return how long this device computes its predictions
    Time GetPredictingDuration() const;
    /// @return difference of outputs at which two agents are half alike
    double GetScale() const;
    /// @brief Keep affinities, and trace trust.
    /// @param panel predictions that were at hand
    /// @param result the weights
    void RecordTrust(const TrustPanel& panel, const TrustResult& result);

    uint32_t m_pretrainingRounds;      //!< attribute PretrainingRounds
    double m_lambda;                   //!< attribute Lambda
    PredictionAttack m_attack;         //!< attribute PredictionAttack
    std::string m_predictionPrivacy;   //!< attribute PredictionPrivacy
    ConsensusMode m_consensusMode;     //!< attribute ConsensusMode
    LabelPrecision m_labelPrecision;   //!< attribute LabelPrecision
    uint32_t m_labelTopK;              //!< attribute LabelTopK
    RegressionTrust m_regressionTrust; //!< attribute RegressionTrust
    double m_similarityScale;          //!< attribute SimilarityScale
    TrustMode m_trustMode;             //!< attribute TrustMode
    uint32_t m_trustInterval;          //!< attribute TrustInterval
    bool m_confidenceWeighting;        //!< attribute ConfidenceWeighting
    double m_entropyOffset;            //!< attribute EntropyOffset
    double m_entropyFloor;             //!< attribute EntropyFloor
    MissingPolicy m_missingPolicy;     //!< attribute MissingPolicy
    Time m_deadline;                   //!< attribute RoundDeadline
    Time m_firstDeadline;              //!< attribute FirstDeadline

    std::shared_ptr<const DataView> m_reference; //!< X*
    NamedViews m_probes;                         //!< what to trace predictions of
    TrustMemory m_memory;                        //!< of peers
    std::map<uint32_t, double> m_importance;     //!< by device, where it is not 1
    std::optional<PredictionRelease> m_release;  //!< what is told of own predictions
    Predictions m_own;                           //!< own predictions of this round, exact
    /// on the own samples, of the last training; infinite before it
    double m_localLoss = std::numeric_limits<double>::infinity();
    ConsensusMetrics m_metrics; //!< of this round

    std::optional<TrustRecord> m_trust;              //!< of the present round, for the trace source
    TracedCallback<const TrustRecord&> m_trustTrace; //!< trace source Trust
    TracedCallback<const PredictionRecord&> m_predictionTrace; //!< trace source Prediction
};

} // namespace ns3::collab

#endif /* PREDICTION_CONSENSUS_APPLICATION_H */
