/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DISTILLATION_APPLICATION_H
#define DISTILLATION_APPLICATION_H

#include "distillation-messages.h"

#include "ns3/collab-learning-application.h"
#include "ns3/nstime.h"

#include <cstddef>
#include <cstdint>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief What the server and the devices of federated distillation have in common.
 *
 * Devices have models of their own, which need not be alike. What travels are predictions on an
 * unlabeled set X* that all have: up those of each device, down one label a sample. All have to be
 * given the same attributes: they are agreed on before the run.
 */
class DistillationApplication : public LearningApplication
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    /// @return bytes of a message about all of X*, with its header
    uint64_t GetMessageSize() const;

  protected:
    DistillationApplication();

    /// @param samples number of samples of X*
    /// @param classes number of classes
    void SetShape(std::size_t samples, std::size_t classes);
    /// @return number of samples of X*
    std::size_t CountSamples() const;
    /// @return number of classes
    std::size_t CountClasses() const;
    /// @return attributes Algorithm to ServerThreshold
    PoolingOptions GetOptions() const;
    /// @return attribute CacheDuration
    uint32_t GetCacheDuration() const;
    /// @return attribute PretrainingRounds
    uint32_t GetPretrainingRounds() const;
    /// @return longest wait for others in the present round
    Time GetPatience() const;

    /// @return a message as all expect it
    template <typename M>
    M
    ExpectMessage() const
    {
        M message;
        message.samples = m_samples;
        message.classes = m_classes;
        message.areScores = GetOptions().UsesScores();
        return message;
    }

    /// @param said what is said of samples
    /// @return a message that says it
    template <typename M>
    M
    MakeMessage(const LabeledRows& said) const
    {
        M message = ExpectMessage<M>();
        message.Set(said);
        return message;
    }

  private:
    DistillationAlgorithm m_algorithm; //!< attribute Algorithm
    LabelAggregation m_aggregation;    //!< attribute LabelAggregation
    double m_temperature;              //!< attribute Temperature
    double m_serverThreshold;          //!< attribute ServerThreshold
    uint32_t m_cacheDuration;          //!< attribute CacheDuration
    uint32_t m_pretrainingRounds;      //!< attribute PretrainingRounds
    Time m_deadline;                   //!< attribute RoundDeadline
    Time m_firstDeadline;              //!< attribute FirstDeadline
    std::size_t m_samples = 0;         //!< of X*
    std::size_t m_classes = 0;         //!< number of classes
};

} // namespace ns3::collab

#endif /* DISTILLATION_APPLICATION_H */
