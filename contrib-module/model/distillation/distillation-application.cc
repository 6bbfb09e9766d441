/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "distillation-application.h"

#include "ns3/collab-compat.h"
#include "ns3/collab-message-header.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(DistillationApplication);

TypeId
DistillationApplication::GetTypeId()
{
    using App = DistillationApplication;
    static TypeId tid =
        AddLossPolicy(TypeId("ns3::collab::DistillationApplication")
                          .SetParent<LearningApplication>()
                          .SetGroupName("Collab"),
                      LossPolicy::RELIABLE)
            .AddAttribute("Algorithm",
                          "What devices send of X*, and what the server makes of it.",
                          compat::EnumAttribute(DistillationAlgorithm::FEDMD),
                          compat::EnumAccessor(&App::m_algorithm),
                          compat::EnumChecker(DistillationAlgorithm::FEDMD,
                                              "FedMd",
                                              DistillationAlgorithm::DS_FL,
                                              "DsFl",
                                              DistillationAlgorithm::SELECTIVE_FD,
                                              "SelectiveFd"))
            .AddAttribute("LabelAggregation",
                          "DS-FL: what labels are made of the mean of probabilities: a softmax of "
                          "it with a low temperature (ERA), or the mean itself (SA).",
                          compat::EnumAttribute(LabelAggregation::ENTROPY_REDUCTION),
                          compat::EnumAccessor(&App::m_aggregation),
                          compat::EnumChecker(LabelAggregation::ENTROPY_REDUCTION,
                                              "EntropyReduction",
                                              LabelAggregation::SIMPLE,
                                              "Simple"))
            .AddAttribute("Temperature",
                          "DS-FL with ERA: temperature of the softmax.",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&App::m_temperature),
                          MakeDoubleChecker<double>(1e-3))
            .AddAttribute("ServerThreshold",
                          "Selective-FD: greatest l1 distance from the nearest one-hot label of a "
                          "label that the server passes on.",
                          DoubleValue(1.5),
                          MakeDoubleAccessor(&App::m_serverThreshold),
                          MakeDoubleChecker<double>(0.0, 2.0))
            .AddAttribute("CacheDuration",
                          "Rounds for which a label is used again, and no predictions of its "
                          "sample are sent, after that in which it was made (SCARLET).",
                          UintegerValue(0),
                          MakeUintegerAccessor(&App::m_cacheDuration),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("PretrainingRounds",
                          "Rounds of local training before the first exchange.",
                          UintegerValue(5),
                          MakeUintegerAccessor(&App::m_pretrainingRounds),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "RoundDeadline",
                "Longest wait of the server for predictions, from its labels of the round "
                "before on; a device waits twice as long for labels.",
                TimeValue(Seconds(60)),
                MakeTimeAccessor(&App::m_deadline),
                MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("FirstDeadline",
                          "The same in the first exchange, before which all rounds of pretraining "
                          "are; RoundDeadline if that is longer.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&App::m_firstDeadline),
                          MakeTimeChecker(Seconds(0)));
    return tid;
}

DistillationApplication::DistillationApplication() = default;

void
DistillationApplication::SetShape(std::size_t samples, std::size_t classes)
{
    m_samples = samples;
    m_classes = classes;
}

std::size_t
DistillationApplication::CountSamples() const
{
    return m_samples;
}

std::size_t
DistillationApplication::CountClasses() const
{
    return m_classes;
}

PoolingOptions
DistillationApplication::GetOptions() const
{
    return {m_algorithm, m_aggregation, m_temperature, m_serverThreshold};
}

uint32_t
DistillationApplication::GetCacheDuration() const
{
    return m_cacheDuration;
}

uint32_t
DistillationApplication::GetPretrainingRounds() const
{
    return m_pretrainingRounds;
}

Time
DistillationApplication::GetPatience() const
{
    return GetRound() == m_pretrainingRounds ? std::max(m_deadline, m_firstDeadline) : m_deadline;
}

uint64_t
DistillationApplication::GetMessageSize() const
{
    return MessageHeader::SIZE + (m_samples + 7) / 8 + m_samples * m_classes * sizeof(float);
}

} // namespace ns3::collab
