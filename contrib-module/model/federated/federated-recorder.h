/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_RECORDER_H
#define FEDERATED_RECORDER_H

#include "federated-server-application.h"

#include "ns3/application-container.h"
#include "ns3/collab-depletion-watch.h"
#include "ns3/collab-table-store.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ns3::collab
{

struct FederatedSetExchange;
struct ParticipationRow;
struct ServerRow;

/**
 * @ingroup collab
 * @brief Writes who took part in which round, and the server's own account.
 *
 * - participation: one row a device and round;
 * - server: one row a round, with the joules and bytes of the server, which are in no other table.
 */
class FederatedRecorder
{
  public:
    /// @param store where to write; must live as long as this recorder
    /// @param server the FederatedServerApplication; its node with its Transport already
    /// @param clients the devices' FederatedClientApplications
    FederatedRecorder(TableStore& store,
                      Ptr<FederatedServerApplication> server,
                      const ApplicationContainer& clients);
    /// Writes the rows that wait for late updates.
    ~FederatedRecorder();

    FederatedRecorder(const FederatedRecorder&) = delete;
    FederatedRecorder& operator=(const FederatedRecorder&) = delete;

    /// @return lines that say that rounds ended while devices trained that had received the model
    /// and were to send an update, or exchanges within sets while their devices trained, if these
    /// were more than one of a hundred; and that no update at all was used; empty otherwise
    std::string FindShortWaits() const;

  private:
    /// A round whose rows are not written yet
    struct Round
    {
        ParticipationRecord record;  //!< what the server knows of it
        std::set<uint32_t> received; //!< devices that have received the model
        std::set<uint32_t> late;     //!< devices whose updates were late
        bool ended = false;          //!< whether the server has ended it
        Time end;                    //!< when
    };

    /// @param record what the server knows of a round
    void HandleParticipation(const ParticipationRecord& record);
    /// @param round an update's round
    /// @param device its sender
    void HandleLate(uint32_t round, uint32_t device);
    /// @param device a device
    /// @param round round of the model that it received
    void HandleModel(uint32_t device, uint32_t round);
    /// @brief Count devices of a set that train while others stop waiting for them.
    /// @param exchange within a set that has ended
    void HandleExchange(const FederatedSetExchange& exchange);
    /// @return a line that says that rounds ended while devices trained; empty if few did, or if
    /// the server has no rounds
    std::string FindShortRounds() const;
    /// @return a line that says that the server has used no update, and why if it has refused some;
    /// empty if it has used one
    std::string FindUnused() const;
    /// @return a line that tells whose updates the server has never used, though it has asked for
    /// them; empty if they are few, or if it has used none at all
    std::string FindNeverUsed() const;
    /// @param server number of its device
    /// @param reason why it has refused a message
    void HandleReject(uint32_t server, const std::string& reason);
    /// @return a line that says that exchanges did; empty if few did, or if there are none
    std::string FindShortExchanges() const;
    /// @brief Count devices that train at the end of a round.
    /// @param round a round that ends now
    void CountTraining(const Round& round);
    /// @param record a round that the server has ended
    void HandleServerRound(const RoundRecord& record);
    /// @brief Write the rows of rounds, in their order.
    /// @param before which round
    /// @param latest end of such a round
    void WriteRounds(uint32_t before, Time latest);
    /// @brief Write the row of a device.
    /// @param round a round that has ended
    /// @param device the device
    void WriteRow(const Round& round, uint32_t device);

    TableOf<ParticipationRow> m_participation;     //!< the table participation
    TableOf<ServerRow> m_server;                   //!< the table server
    Ptr<FederatedServerApplication> m_application; //!< of the server
    Ptr<Transport> m_transport;                    //!< of the server
    Ptr<DepletionWatch> m_energy;                  //!< of the server; null if it has no source
    std::vector<uint32_t> m_devices;               //!< all devices
    std::map<uint32_t, Round> m_open;              //!< rounds whose rows are not written yet
    bool m_answers;                                //!< whether updates are due in their round
    uint64_t m_uploaded = 0;                       //!< updates that were in time
    std::set<uint32_t> m_sampled;                  //!< devices that it has asked
    std::set<uint32_t> m_used;                     //!< those whose updates were in time
    uint64_t m_refused = 0;                        //!< messages that the server has refused
    std::string m_reason;                          //!< why it has refused the last one
    uint64_t m_asked = 0;                          //!< models that devices were to train
    uint64_t m_training = 0;                       //!< those that they had not when rounds ended
    Ptr<Application> m_member;                     //!< a device of a set; null without sets
    uint64_t m_wanted = 0;                         //!< models of others in sets
    uint64_t m_untrained = 0;                      //!< those that were not trained in time
};

} // namespace ns3::collab

#endif /* FEDERATED_RECORDER_H */
