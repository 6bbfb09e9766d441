/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-scenario.h"
#include "common/scenario-network.h"

#include "ns3/collab-message-header.h"
#include "ns3/collab-transport.h"
#include "ns3/committee-application.h"
#include "ns3/committee-message.h"
#include "ns3/node.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <vector>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// How long what a device sends in a round is on air, at most
class CommitteeAirtimes
{
  public:
    CommitteeAirtimes(const CommitteeParameters& p, const ApplicationContainer& applications)
        : m_waits(MakeWaitEstimator(applications)),
          m_isShared(m_waits.CountSharing() > 1),
          m_isByzantine(p.Get("quorum") == "byzantine"),
          m_isBroadcast(p.Get("upload") == "broadcast"),
          m_members(p.GetSizes().CountMembers()),
          m_clients(p.GetSizes().CountClients()),
          m_repeats(m_waits.CountSendings())
    {
        ConsensusMessage message = MakeLargest(p.authenticator);
        for (const auto kind : {ConsensusKind::SCORES,
                                ConsensusKind::REQUEST,
                                ConsensusKind::REPLY,
                                ConsensusKind::COMMIT})
        {
            message.kind = kind;
            m_bytes[kind] = MessageHeader::SIZE + CountBytes(message);
        }
    }

    /// @return the gradients to a member and those from a client, one after the other, or all
    Time
    GetGradients(const CommitteeApplication& application) const
    {
        const int64_t uploads = m_isBroadcast ? 1 : int64_t{m_members};
        return m_repeats * (m_isShared ? uploads * application.GetModelAirtime(m_clients)
                                       : (m_clients + uploads) * application.GetModelAirtime(1));
    }

    /// @return tables that all members send to each other; who is half-duplex hears or sends
    Time
    GetScores(const CommitteeApplication& application) const
    {
        return m_repeats * (m_members - 1) *
               (GetVote(application, ConsensusKind::SCORES, m_members) +
                GetVote(application, ConsensusKind::SCORES, 1));
    }

    /// @return votes on what a primary proposes, and what they wait for
    Time
    GetAttempt(const CommitteeApplication& application) const
    {
        const Time replies = GetVote(application, ConsensusKind::REPLY, m_members);
        const auto tellAll = [&](ConsensusKind kind) {
            return (int64_t{m_members} - 1) * (GetVote(application, kind, 1) + replies);
        };
        const int64_t commits = m_isByzantine ? 2 : 1; // with PAPER each vote has its own patience
        return m_repeats *
                   (tellAll(ConsensusKind::REQUEST) + commits * tellAll(ConsensusKind::COMMIT)) +
               GetTurns(application);
    }

    /// @return the model, and what it waits for
    Time
    GetModel(const CommitteeApplication& application) const
    {
        const double sendings = m_waits.CountBroadcastSendings(application.GetNode());
        const double once = application.GetModelAirtime(1).GetSeconds();
        return Seconds(once * sendings) + GetTurns(application);
    }

    /// @return how long who votes aggregates one after the other
    Time
    GetAggregating(const CommitteeApplication& application) const
    {
        return int64_t{m_isByzantine ? 2 : 1} * application.GetAggregatingDuration();
    }

  private:
    /**
     * @brief How long a device waits for its turn, while clients that have the new model already
     * send gradients.
     *
     * They do that at once if the medium lets them. Else, and if half-duplex radios broadcast, who
     * comes next is drawn by lot: among k it takes 4 k turns and a quarter more for 99 of 100.
     *
     * @return the time
     */
    Time
    GetTurns(const CommitteeApplication& application) const
    {
        constexpr int64_t LOTS = 4;
        const Time once = application.GetModelAirtime(1);
        const bool inTurns =
            m_isBroadcast && !application.GetNode()->GetObject<Transport>()->HearsWhileSending();
        const Time each = inTurns ? int64_t{m_clients} * once : Time();
        const Time all = std::max(each, application.GetModelAirtime(m_clients));
        return (all > once ? LOTS : m_repeats) * all;
    }

    /// @param authenticatorBytes size of an authenticator [B]
    /// @return with all that a message of any kind has, but for proofs of lies
    ConsensusMessage
    MakeLargest(uint32_t authenticatorBytes) const
    {
        std::vector<uint32_t> clients(m_clients);
        std::iota(clients.begin(), clients.end(), 0);
        ConsensusMessage table;
        table.rule = m_isByzantine ? QuorumRule::BYZANTINE : QuorumRule::PAPER;
        table.authenticator.resize(authenticatorBytes);
        for (const uint32_t client : clients)
        {
            table.scores[client] = 0;
            table.gradients[client] = {};
        }
        ConsensusMessage largest = table;
        largest.proposal.clients = clients;
        largest.tables.assign(m_members, table);
        CertifiedBlock ballot;
        ballot.block.clients = clients;
        ballot.block.committee.resize(m_members);
        ballot.consents.assign(m_members, {0, table.authenticator});
        largest.ballot = ballot;
        return largest;
    }

    /// @param senders that send one each
    /// @return how long the largest messages of a kind are on air, one of each sender
    Time
    GetVote(const CommitteeApplication& application, ConsensusKind kind, uint32_t senders) const
    {
        return application.GetNode()->GetObject<Transport>()->GetContendedAirtime(m_bytes.at(kind),
                                                                                  senders);
    }

    WaitEstimator m_waits;                     //!< of all devices
    bool m_isShared;                           //!< whether devices send one after the other
    bool m_isByzantine;                        //!< whether the rule is BYZANTINE
    bool m_isBroadcast;                        //!< whether a client sends one gradient to all
    uint32_t m_members;                        //!< C
    uint32_t m_clients;                        //!< n
    int64_t m_repeats;                         //!< a part is sent that often, on average, or less
    std::map<ConsensusKind, uint64_t> m_bytes; //!< of the largest message of each kind
};

} // namespace

void
SetTimeouts(CommitteeParameters& p, const ApplicationContainer& applications)
{
    using App = CommitteeApplication;
    const WorstLinks worst(p);
    const CommitteeAirtimes airtimes(p, applications);
    const auto find = [&applications](Time least, const auto& duration) {
        return WaitEstimator::Longest<App>(applications, least, duration);
    };
    const auto round = [&](const App& app) {
        return app.GetComputingDuration() + airtimes.GetGradients(app);
    };
    const auto scores = [&](const App& app) { return round(app) + airtimes.GetScores(app); };
    const auto attempt = [&](const App& app) {
        return airtimes.GetAggregating(app) + airtimes.GetAttempt(app);
    };
    const auto model = [&](const App& app) { return airtimes.GetModel(app); };
    SetWait("GradientTimeout", find(Seconds(60), round), p.gradientTimeout, applications);
    SetWait("ScoreTimeout", find(Seconds(5), scores), p.scoreTimeout, applications);
    SetWait("AttemptTimeout", find(Seconds(5), attempt), p.attemptTimeout, applications);
    SetWait("ModelTimeout", find(Seconds(30), model), p.modelTimeout, applications);
}
