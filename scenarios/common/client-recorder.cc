/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "client-recorder.h"

#include "ns3/collab-vector-stack.h"

#include <algorithm>
#include <limits>

using namespace ns3;
using namespace ns3::collab;

/// A round, as the researcher sees it
struct AdversaryRow
{
    uint32_t round;               //!< its number
    uint64_t maliciousTraining;   //!< N1
    uint64_t maliciousCommittee;  //!< N2
    uint64_t maliciousAggregated; //!< N3
    uint64_t training;            //!< devices that train
    uint64_t committee;           //!< members
    uint64_t aggregated;          //!< devices in the aggregation set

    /// @return the table adversaries
    static TableColumns<AdversaryRow>
    GetTable()
    {
        using Row = AdversaryRow;
        return {"adversaries",
                "a round, as the researcher sees it",
                {{"round", "", "number of the round, from 0", &Row::round},
                 {"malicious_training",
                  "",
                  "N1, malicious devices among those that train",
                  &Row::maliciousTraining},
                 {"malicious_committee",
                  "",
                  "N2, malicious members of the committee",
                  &Row::maliciousCommittee},
                 {"malicious_aggregated",
                  "",
                  "N3, malicious devices among those aggregated",
                  &Row::maliciousAggregated},
                 {"training",
                  "",
                  "devices that ended the round having trained; with a server those asked to",
                  &Row::training},
                 {"committee",
                  "",
                  "devices that ended the round as members of the committee; 0 with a server",
                  &Row::committee},
                 {"aggregated",
                  "",
                  "devices in the aggregation set of the round's block, 0 if it was abandoned; "
                  "with a server those whose updates its rule got",
                  &Row::aggregated}}};
    }
};

/// A device at the end of the run, as the researcher sees it
struct ClientRow
{
    uint32_t device;     //!< its number
    bool malicious;      //!< whether it is
    uint64_t training;   //!< rounds in which it trained
    uint64_t committee;  //!< rounds in which it was a member
    uint64_t aggregated; //!< rounds in which it was aggregated
    double accuracy;     //!< of the last model on its own test samples

    /// @return the table clients
    static TableColumns<ClientRow>
    GetTable()
    {
        using Row = ClientRow;
        return {
            "clients",
            "a device, at the end of the run, as the researcher sees it",
            {{"device", "", "the device", &Row::device},
             {"malicious", "", "1 if it is malicious, else 0", &Row::malicious},
             {"training",
              "",
              "rounds in which it trained; with a server was asked to",
              &Row::training},
             {"committee", "", "rounds in which it was a member of the committee", &Row::committee},
             {"aggregated", "", "rounds in which it was aggregated", &Row::aggregated},
             {"accuracy",
              "1",
              "fraction of its own test samples that the last model labels right; nan in "
              "regression",
              &Row::accuracy}}};
    }
};

ClientRecorder::ClientRecorder(TableStore& store,
                               uint32_t devices,
                               const std::vector<uint32_t>& malicious)
    : m_devices(devices),
      m_malicious(malicious.begin(), malicious.end()),
      m_adversaries(store.Add<AdversaryRow>()),
      m_clients(store.Add<ClientRow>()),
      m_training(devices),
      m_member(devices),
      m_aggregated(devices)
{
}

void
ClientRecorder::FollowCommittee(const ApplicationContainer& applications)
{
    for (auto it = applications.Begin(); it != applications.End(); ++it)
    {
        (*it)->TraceConnectWithoutContext("Round",
                                          MakeCallback(&ClientRecorder::HandleRound, this));
        m_applications.push_back(DynamicCast<CommitteeApplication>(*it));
    }
    std::stable_partition(
        m_applications.begin(), m_applications.end(), [this](const auto& application) {
            return m_malicious.count(application->GetNode()->GetId()) == 0;
        });
}

void
ClientRecorder::FollowServer(Ptr<FederatedServerApplication> server)
{
    server->TraceConnectWithoutContext("Participation",
                                       MakeCallback(&ClientRecorder::HandleParticipation, this));
}

void
ClientRecorder::HandleRound(const RoundRecord& record)
{
    Round& round = m_rounds[record.round];
    const auto role = std::find_if(record.metrics.begin(),
                                   record.metrics.end(),
                                   [](const auto& metric) { return metric.first == "role"; });
    if (role->second == static_cast<double>(CommitteeRole::TRAINING))
    {
        round.training.insert(record.device);
    }
    else if (role->second == static_cast<double>(CommitteeRole::MEMBER))
    {
        round.committee.insert(record.device);
    }
    if (++round.ended == m_devices)
    {
        WriteRound(record.round);
    }
}

std::set<uint32_t>
ClientRecorder::FindAggregated(uint32_t round) const
{
    const auto isBefore = [](const CertifiedBlock& certified, uint32_t number) {
        return certified.block.round < number;
    };
    for (const auto& application : m_applications)
    {
        const auto& blocks = application->GetChain().GetAll();
        const auto found = std::lower_bound(blocks.begin(), blocks.end(), round, isBefore);
        if (found != blocks.end() && found->block.round == round)
        {
            return {found->block.clients.begin(), found->block.clients.end()};
        }
    }
    return {};
}

void
ClientRecorder::HandleParticipation(const ParticipationRecord& record)
{
    Round& round = m_rounds[record.round];
    round.training.insert(record.sampled.begin(), record.sampled.end());
    round.aggregated.insert(record.uploaded.begin(), record.uploaded.end());
    WriteRound(record.round);
}

uint64_t
ClientRecorder::CountMalicious(const std::set<uint32_t>& devices) const
{
    return static_cast<uint64_t>(
        std::count_if(devices.begin(), devices.end(), [this](uint32_t device) {
            return m_malicious.count(device) > 0;
        }));
}

void
ClientRecorder::WriteRound(uint32_t number)
{
    Round& round = m_rounds.at(number);
    if (!m_applications.empty())
    {
        round.aggregated = FindAggregated(number);
    }
    for (const auto& [devices, counts] : {std::make_pair(&round.training, &m_training),
                                          std::make_pair(&round.committee, &m_member),
                                          std::make_pair(&round.aggregated, &m_aggregated)})
    {
        for (const uint32_t device : *devices)
        {
            ++counts->at(device);
        }
    }
    m_adversaries.Write({number,
                         CountMalicious(round.training),
                         CountMalicious(round.committee),
                         CountMalicious(round.aggregated),
                         round.training.size(),
                         round.committee.size(),
                         round.aggregated.size()});
    m_rounds.erase(number);
}

void
ClientRecorder::WriteClients(const std::vector<std::shared_ptr<Learner>>& learners,
                             const FlatVector& model,
                             const std::vector<DataView>& test)
{
    while (!m_rounds.empty()) // rounds that some devices have not ended
    {
        WriteRound(m_rounds.begin()->first);
    }
    const bool isFinite = AreFinite(*model); // or learners refuse it, as devices have
    for (uint32_t device = 0; device < m_devices; ++device)
    {
        double accuracy = std::numeric_limits<double>::quiet_NaN();
        if (isFinite)
        {
            learners[device]->SetWeights(model);
            accuracy = learners[device]->Evaluate(test[device]).accuracy;
        }
        m_clients.Write({device,
                         m_malicious.count(device) > 0,
                         m_training[device],
                         m_member[device],
                         m_aggregated[device],
                         accuracy});
    }
}

std::shared_ptr<SharedEvaluation>
MakeClientEvaluation(const ScenarioSamples& samples)
{
    std::vector<std::shared_ptr<const DataView>> views;
    for (const auto& view : samples.test)
    {
        views.push_back(std::make_shared<const DataView>(view));
    }
    return std::make_shared<SharedEvaluation>("clients", views);
}
