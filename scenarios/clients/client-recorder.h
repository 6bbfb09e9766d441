/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CLIENT_RECORDER_H
#define CLIENT_RECORDER_H

#include "common/scenario-samples.h"

#include "ns3/application-container.h"
#include "ns3/collab-application.h"
#include "ns3/collab-shared-evaluation.h"
#include "ns3/collab-table-store.h"
#include "ns3/committee-application.h"
#include "ns3/federated-server-application.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

struct AdversaryRow;
struct ClientRow;

/**
 * @brief Writes what the researcher sees of clients, which no device knows.
 *
 * - adversaries: a row a round, with the malicious devices among those that train (N1), in the
 *   committee (N2) and among those that are aggregated (N3);
 * - clients: a row a device, with how often it trained and was aggregated, and how well the last
 *   model predicts its own test samples.
 */
class ClientRecorder
{
  public:
    /// @param store where to write; must live as long as this recorder
    /// @param devices number of devices, which are the first nodes
    ClientRecorder(ns3::collab::TableStore& store,
                   uint32_t devices,
                   const std::vector<uint32_t>& malicious);

    ClientRecorder(const ClientRecorder&) = delete;
    ClientRecorder& operator=(const ClientRecorder&) = delete;

    void FollowCommittee(const ns3::ApplicationContainer& applications);
    /// @param server server to be followed: what it gets is what its rule aggregates
    void FollowServer(ns3::Ptr<ns3::collab::FederatedServerApplication> server);

    /// @brief Write the table clients, at the end of the run.
    /// @param learners learners of all devices; they get the model
    /// @param model the last one
    void WriteClients(const std::vector<std::shared_ptr<ns3::collab::Learner>>& learners,
                      const ns3::collab::FlatVector& model,
                      const std::vector<ns3::collab::DataView>& test);

  private:
    /// Who did what in a round
    struct Round
    {
        std::set<uint32_t> training;   //!< clients that trained to be aggregated
        std::set<uint32_t> committee;  //!< members
        std::set<uint32_t> aggregated; //!< clients in the aggregation set
        uint32_t ended = 0;            //!< devices that have ended it
    };

    void HandleRound(const ns3::collab::RoundRecord& record);
    /// @return the aggregation set of the round's block, as an honest device has it, if one does;
    /// nobody if the round was abandoned
    std::set<uint32_t> FindAggregated(uint32_t round) const;
    void HandleParticipation(const ns3::collab::ParticipationRecord& record);
    /// Write the row of a round, and count
    void WriteRound(uint32_t number);
    /// @return how many of them are malicious
    uint64_t CountMalicious(const std::set<uint32_t>& devices) const;

    uint32_t m_devices;                               //!< number of devices
    std::set<uint32_t> m_malicious;                   //!< malicious devices
    ns3::collab::TableOf<AdversaryRow> m_adversaries; //!< the table adversaries
    ns3::collab::TableOf<ClientRow> m_clients;        //!< the table clients
    std::map<uint32_t, Round> m_rounds;               //!< not written yet
    /// of the committee mechanism, honest ones first; nobody with a server
    std::vector<ns3::Ptr<ns3::collab::CommitteeApplication>> m_applications;
    std::vector<uint64_t> m_training;   //!< rounds that each device trained in
    std::vector<uint64_t> m_member;     //!< rounds that each device was a member in
    std::vector<uint64_t> m_aggregated; //!< rounds that each device was aggregated in
};

/// @return measures on all devices' own test samples
std::shared_ptr<ns3::collab::SharedEvaluation> MakeClientEvaluation(const ScenarioSamples& samples);

#endif /* CLIENT_RECORDER_H */
