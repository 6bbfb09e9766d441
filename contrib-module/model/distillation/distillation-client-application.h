/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DISTILLATION_CLIENT_APPLICATION_H
#define DISTILLATION_CLIENT_APPLICATION_H

#include "distillation-application.h"

#include "ns3/distillation-label-cache.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief A device of federated distillation.
 *
 * A round of the first PretrainingRounds is local training. A later one is
 * - in DS-FL and Selective-FD: local training; predictions of X*, to the server; wait for labels;
 *   DigestEpochs passes over X* toward them, by the cross-entropy;
 * - in FedMD: predictions, to the server; wait for the consensus; "digest": such passes toward it
 *   by the absolute error of class scores, as the authors' program does; "revisit": local training.
 *
 * No predictions are sent of samples of which the device has a label that is still valid
 * (CacheDuration), nor in Selective-FD of those that are unlike its own samples (ClientThreshold),
 * which it finds out once. A device that has missed labels sends its predictions again; the server
 * takes them as a question. A device that gets no labels in time goes on with those that it has.
 */
class DistillationClientApplication : public DistillationApplication
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    DistillationClientApplication();

    /// @param reference the shared set X*; its labels are only read to measure
    void SetReference(std::shared_ptr<const DataView> reference);
    /// @brief Say what the device's own samples look like, which Selective-FD needs.
    /// @param own samples, at least two; their labels are not read
    /// @param seed of what they are compared with
    void SetOwnSamples(std::shared_ptr<const DataView> own, uint64_t seed);

    /// @return how long the device computes in a round, at most, with what it does once
    Time GetComputingDuration() const;
    /// @return how long it computes up to the first exchange
    Time GetPretrainingDuration() const;

    std::vector<Metric> GetMetrics() const override;

  protected:
    void DoDispose() override;
    void DoStart() override;
    Process Round() override;

  private:
    /// What is measured in a round
    struct Metrics
    {
        bool isCollaborative = false;                                //!< whether labels have come
        std::shared_ptr<std::vector<Score>> scores;                  //!< of the model
        double localLoss = std::numeric_limits<double>::quiet_NaN(); //!< of the training
        double distillationLoss = std::numeric_limits<double>::quiet_NaN(); //!< of the digestion
        double labelAccuracy = std::numeric_limits<double>::quiet_NaN();    //!< of the labels
        std::size_t sent = 0;    //!< samples of X* that it has sent predictions of
        std::size_t labeled = 0; //!< samples of X* with a label
    };

    /// @return columns of Metrics
    Columns<Metrics> GetColumns() const;
    /// @brief Send predictions, and wait for the server's labels.
    Process Exchange();
    /// @brief Train toward the labels that are valid.
    Process Digest();
    /// @brief Train on the own samples.
    Process Learn();
    /// @brief Find out which samples of X* are like own ones, once.
    Process Select();
    /// @param samples samples of X*, ascending
    /// @return the same without labels
    std::shared_ptr<const DataView> ViewOf(const std::vector<uint32_t>& samples) const;
    /// @param labels targets
    /// @return a training toward them
    TrainTask MakeDigestion(const LabeledRows& labels) const;
    /// @param labels labels of X*
    /// @return part of them that is right, which only the researcher can tell
    double ScoreLabels(const LabeledRows& labels) const;
    /// @return operations of Select()
    uint64_t CountSelectionFlops() const;

    double m_clientThreshold; //!< attribute ClientThreshold
    uint32_t m_digestEpochs;  //!< attribute DigestEpochs

    std::shared_ptr<const DataView> m_reference; //!< X*
    std::shared_ptr<const DataView> m_own;       //!< the device's own samples
    uint64_t m_seed = 0;                         //!< of what they are compared with
    std::optional<LabelCache> m_cache;           //!< labels at hand
    std::vector<bool> m_selected; //!< samples of X* that it says something of; none before Select()
    Metrics m_metrics;            //!< of this round
};

} // namespace ns3::collab

#endif /* DISTILLATION_CLIENT_APPLICATION_H */
