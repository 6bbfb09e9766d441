/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_LEARNING_APPLICATION_H
#define COLLAB_LEARNING_APPLICATION_H

#include "ns3/collab-application.h"
#include "ns3/collab-evaluations.h"
#include "ns3/collab-gradient-adversary.h"
#include "ns3/collab-learner.h"
#include "ns3/collab-random.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief What came of a training.
struct Trained
{
    TrainReport report;        //!< what was done
    bool isFinite = true;      //!< whether all weights are finite since
    std::vector<Score> scores; //!< of the model since, on each of the evaluations
};

/// @ingroup collab
/// @brief What goes with a training.
struct TrainOptions
{
    uint64_t moreFlops = 0; //!< operations of the device beside those of the learner
    bool measures = true;   //!< whether the model is evaluated after it
    /// Called then, in the same job; may be empty
    std::function<void(Learner&, const Trained&)> after;
};

class LearningApplication;

/// @ingroup collab
/// @brief Waits for a training, and takes note of one that has diverged.
class TrainWait : public JobWait<Trained>
{
  public:
    /// @param application application of the device
    /// @param flops floating-point operations
    /// @param work the training
    TrainWait(LearningApplication& application, uint64_t flops, std::function<Trained()> work);

    Trained await_resume();

  private:
    LearningApplication& m_application; //!< of the device
};

/**
 * @ingroup collab
 * @brief A protocol of devices each of which has a model and data of its own.
 *
 * What the learner does is awaited, and counts its own operations: Train(), Predict(), Evaluate().
 */
class LearningApplication : public CollaborationApplication
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    LearningApplication();
    ~LearningApplication() override;

    /// @brief Say what the device learns with, at any time before it starts.
    /// @param learner the device's model and data
    /// @param samples number of its samples
    void SetLearner(std::shared_ptr<Learner> learner, uint32_t samples = 0);
    /**
     * @brief Measure the model on some labelled samples whenever it has changed.
     *
     * Measuring takes no simulated time and no energy: it is the researcher's, not the device's.
     *
     * @param evaluation may be shared with other devices
     */
    void AddEvaluation(std::shared_ptr<SharedEvaluation> evaluation);
    /// @brief Measure the model on some labelled samples of this device alone.
    /// @param name suffix of the metrics, such as "accuracy_NAME"
    /// @param labelled samples with the labels to judge by
    void AddEvaluation(const std::string& name, std::shared_ptr<const DataView> labelled);
    /// @brief Let a malicious device know what its accomplices have learned; needed if its
    /// GradientAttack reads that.
    /// @param collusion of all devices that plan together
    void SetCollusion(std::shared_ptr<GradientCollusion> collusion);

    /// @return "accuracy_NAME" and "loss_NAME" of each evaluation, for algorithms that measure
    /// nothing else
    std::vector<Metric> GetMetrics() const override;

  protected:
    void DoDispose() override;

    /// @brief Give an algorithm the attributes LocalEpochs, LocalSteps, LearningRate and
    /// ResetsOptimizer.
    /// @param type of the algorithm's application
    /// @return the type
    static TypeId AddTraining(TypeId type);
    /// @brief Give an algorithm the attribute LocalEpochs.
    /// @param type of the algorithm's application
    /// @return the type
    static TypeId AddLocalEpochs(TypeId type);
    /// @brief Give an algorithm the attributes GradientAttack and AttackTarget.
    /// @param type of the algorithm's application
    /// @return the type
    static TypeId AddAttack(TypeId type);

    /// @return the device's model and data; null before SetLearner()
    const std::shared_ptr<Learner>& GetLearner() const;
    /// @return number of its samples
    uint32_t GetSamples() const;
    /// @return accuracy and loss, of what most algorithms tell nothing else
    static const std::vector<ScoreMetric>& GetCommonMeasures();
    /// @return what the model is measured on
    const Evaluations& GetEvaluations() const;
    /// @return attribute LearningRate
    double GetLearningRate() const;
    /// @return attribute ResetsOptimizer
    bool ResetsOptimizer() const;

    /// @return a training as the attributes say
    TrainTask MakeTask() const;
    /// @brief Train on the own samples, phase "train".
    /// @param task what to do
    /// @param options what goes with it
    /// @return something to wait for
    TrainWait Train(const TrainTask& task, TrainOptions options = {});
    /// @brief Predict samples, phase "predict".
    /// @param inputs samples
    /// @return something to wait for
    JobWait<Matrix<float>> Predict(std::shared_ptr<const DataView> inputs);
    /// @brief Measure the model, which takes no simulated time.
    /// @param weights that it is to have first; null for those that it has
    /// @return something to wait for
    JobWait<std::vector<Score>> Evaluate(FlatVector weights = nullptr);

    /// @return attribute GradientAttack: whether and how the device forges what it sends
    const GradientAdversary& GetAdversary() const;
    /// @return attribute AttackTarget
    AttackTarget GetAttackTarget() const;
    /// @brief Wait until the device knows what it sends in place of what it has learned.
    /// @param upload what it would send; its target is AttackTarget
    /// @param isOver whether nobody waits for it any more; empty: never
    /// @return it: the same, unless the device is malicious; null if it is over
    ProcessOf<FlatVector> Forge(GradientAdversary::Upload upload,
                                std::function<bool()> isOver = nullptr);

    /// @param scores all that was measured in the round, by Evaluate() or Train(); see GetMetrics()
    void ReportScores(std::vector<Score> scores);
    /// @param scores all that was measured at a time, by Evaluate() or Train()
    /// @return it by the names of LearningApplication::GetMetrics()
    MetricValues ReadScores(std::vector<Score> scores) const;

    /// @param seed seed of the times before messages are sent again, in place of ns-3's stream
    void SeedRetries(uint64_t seed);
    double DrawDelay(double longest) override;

  private:
    friend class TrainWait;

    /// What is measured of all algorithms
    struct Measured
    {
        std::shared_ptr<std::vector<Score>> scores; //!< on each of the evaluations
    };

    /// @return columns of Measured
    Columns<Measured> GetColumns() const;
    /// @param specification attribute GradientAttack; UserError if it is none
    void SetGradientAttack(std::string specification);
    /// @return attribute GradientAttack
    std::string GetGradientAttack() const;

    uint32_t m_localEpochs = 1;                           //!< attribute LocalEpochs
    uint32_t m_localSteps = 0;                            //!< attribute LocalSteps
    double m_learningRate = 0;                            //!< attribute LearningRate
    bool m_resetsOptimizer = false;                       //!< attribute ResetsOptimizer
    std::shared_ptr<Learner> m_learner;                   //!< the model and its data
    uint32_t m_samples = 0;                               //!< number of its samples
    Evaluations m_evaluations;                            //!< what the model is measured on
    GradientAdversary m_adversary;                        //!< attribute GradientAttack
    AttackTarget m_attackTarget = AttackTarget::GRADIENT; //!< attribute AttackTarget
    std::optional<RandomGenerator> m_retryGenerator;      //!< see SeedRetries()
};

} // namespace ns3::collab

#endif /* COLLAB_LEARNING_APPLICATION_H */
