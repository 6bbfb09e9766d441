/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-application.h"

#include "ns3/abort.h"
#include "ns3/collab-compat.h"
#include "ns3/collab-read-attribute.h"
#include "ns3/double.h"
#include "ns3/string.h"

#include <limits>
#include <utility>

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(FederatedApplication);

TypeId
FederatedApplication::GetTypeId()
{
    using App = FederatedApplication;
    static TypeId tid =
        AddPartialLossPolicy(AddAlgorithm(TypeId("ns3::collab::FederatedApplication")
                                              .SetParent<LearningApplication>()
                                              .SetGroupName("Collab")),
                             LossPolicy::RELIABLE)
            .AddAttribute("Compression",
                          "How vectors that this one sends are encoded; see MakeCompressor().",
                          StringValue("float32"),
                          MakeStringAccessor(&App::SetCompression, &App::GetCompression),
                          MakeStringChecker())
            .AddAttribute(
                "Uplink",
                "How devices send their updates, the same on server and devices: each by "
                "a message, or all at once by analog aggregation (D2dAnalogAir). That is "
                "for FedAvg, FedProx, FedAvgM and FedSgd with the rule mean.",
                compat::EnumAttribute(FederatedUplink::DIGITAL),
                compat::EnumAccessor(&App::m_uplink),
                compat::EnumChecker(
                    FederatedUplink::DIGITAL, "Digital", FederatedUplink::ANALOG, "Analog"));
    return tid;
}

TypeId
FederatedApplication::AddAlgorithm(TypeId type)
{
    using App = FederatedApplication;
    return type
        .AddAttribute("Algorithm",
                      "How one model is learned; the same on server and devices.",
                      compat::EnumAttribute(FederatedAlgorithm::FEDAVG),
                      compat::EnumAccessor(&App::m_algorithm),
                      compat::EnumChecker(FederatedAlgorithm::FEDAVG,
                                          "FedAvg",
                                          FederatedAlgorithm::FEDPROX,
                                          "FedProx",
                                          FederatedAlgorithm::SCAFFOLD,
                                          "Scaffold",
                                          FederatedAlgorithm::FEDDYN,
                                          "FedDyn",
                                          FederatedAlgorithm::FEDSGD,
                                          "FedSgd",
                                          FederatedAlgorithm::SEMI_DECENTRALIZED,
                                          "SemiDecentralized",
                                          FederatedAlgorithm::FEDAVGM,
                                          "FedAvgM",
                                          FederatedAlgorithm::FEDNOVA,
                                          "FedNova",
                                          FederatedAlgorithm::FEDBUFF,
                                          "FedBuff",
                                          FederatedAlgorithm::FEDDF,
                                          "FedDf",
                                          FederatedAlgorithm::FEDKSEED,
                                          "FedKSeed"))
        .AddAttribute("Mu",
                      "FedProx: weight of half the squared distance to the global model.",
                      DoubleValue(0.01),
                      MakeDoubleAccessor(&App::m_mu),
                      MakeDoubleChecker<double>(0.0))
        .AddAttribute("Alpha",
                      "FedDyn: weight of the dynamic regularizer.",
                      DoubleValue(0.01),
                      MakeDoubleAccessor(&App::m_alpha),
                      MakeDoubleChecker<double>(1e-9))
        .AddAttribute("ServerRate",
                      "SCAFFOLD, FedBuff: step size of the server.",
                      DoubleValue(1.0),
                      MakeDoubleAccessor(&App::m_serverRate),
                      MakeDoubleChecker<double>(1e-9))
        .AddAttribute("ServerMomentum",
                      "FedAvgM: momentum of the server.",
                      DoubleValue(0.9),
                      MakeDoubleAccessor(&App::m_serverMomentum),
                      MakeDoubleChecker<double>(0.0, 1 - 1e-9))
        .AddAttribute("LocalMomentum",
                      "FedNova: momentum of the devices' SGD, by which their steps add up; 0 "
                      "for plain SGD, and for other optimizers, whose steps count alike.",
                      DoubleValue(0.0),
                      MakeDoubleAccessor(&App::m_localMomentum),
                      MakeDoubleChecker<double>(0.0, 1 - 1e-9))
        .AddAttribute(
            "StalenessWeight",
            "FedBuff: what an update is multiplied by that started from a model of "
            "tau steps before: 1 / sqrt(1 + tau), or 1.",
            compat::EnumAttribute(StalenessWeight::POLYNOMIAL),
            compat::EnumAccessor(&App::m_stalenessWeight),
            compat::EnumChecker(
                StalenessWeight::POLYNOMIAL, "Polynomial", StalenessWeight::CONSTANT, "Constant"));
}

FederatedApplication::FederatedApplication() = default;

void
FederatedApplication::SetCompression(std::string specification)
{
    m_compressor = ReadAttribute("Compression", specification, MakeCompressor);
    m_compression = std::move(specification);
}

std::string
FederatedApplication::GetCompression() const
{
    return m_compression;
}

std::shared_ptr<const Compressor>
FederatedApplication::GetCompressor() const
{
    return m_compressor;
}

bool
FederatedApplication::IsAnalog() const
{
    return m_uplink == FederatedUplink::ANALOG;
}

void
FederatedApplication::CheckUplink(std::size_t numbers, std::size_t trained) const
{
    const auto require = [this](bool isSo, const std::string& what) {
        NS_ABORT_MSG_UNLESS(isSo || !IsAnalog(),
                            "FederatedApplication on node "
                                << GetDeviceId() << ": the Uplink Analog needs " << what);
    };
    require(
        m_algorithm == FederatedAlgorithm::FEDAVG || m_algorithm == FederatedAlgorithm::FEDPROX ||
            m_algorithm == FederatedAlgorithm::FEDAVGM || m_algorithm == FederatedAlgorithm::FEDSGD,
        "an Algorithm whose server asks for nothing but the mean of changes: FedAvg, FedProx, "
        "FedAvgM or FedSgd");
    require(GetLossPolicy() == LossPolicy::RELIABLE,
            "the LossPolicy Reliable, for what the server has to know of the changes");
    require(numbers == trained,
            "a model without state beside its weights, such as running variances, which noise "
            "would make negative");
}

FederatedOptions
FederatedApplication::GetOptions() const
{
    FederatedOptions options;
    options.algorithm = m_algorithm;
    options.mu = m_mu;
    options.alpha = m_alpha;
    options.serverRate = m_serverRate;
    options.serverMomentum = m_serverMomentum;
    options.localMomentum = m_localMomentum;
    options.stalenessWeight = m_stalenessWeight;
    return options;
}

EncodedPair
FederatedApplication::ExpectVectors(std::size_t dimension, uint32_t multiplicity) const
{
    NS_ABORT_MSG_IF(multiplicity > 1 && m_compression != "float32",
                    "FederatedApplication on node "
                        << GetDeviceId() << ": the attribute Compression must be float32 for a "
                        << "learner whose weights stand for several numbers each");
    const bool hasControls = GetOptions().GetTraits().hasControls;
    return {EncodedVector::Expect(dimension, multiplicity),
            EncodedVector::Expect(hasControls ? dimension : 0, multiplicity)};
}

FederatedModel
FederatedApplication::ExpectModel(std::size_t dimension, uint32_t multiplicity) const
{
    FederatedModel model;
    model.vectors = ExpectVectors(dimension, multiplicity);
    model.hasMemory = GetOptions().GetTraits().hasMemory;
    return model;
}

FederatedUpload
FederatedApplication::ExpectUpload(std::size_t dimension, uint32_t multiplicity) const
{
    const FederatedTraits traits = GetOptions().GetTraits();
    FederatedUpload upload;
    upload.vectors = ExpectVectors(dimension, multiplicity);
    upload.sendsSteps = traits.sendsSteps;
    upload.isAsynchronous = traits.isAsynchronous;
    upload.maxSamples = std::numeric_limits<uint32_t>::max();
    upload.maxSteps = std::numeric_limits<uint32_t>::max();
    return upload;
}

} // namespace ns3::collab
