/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_REPLAY_H
#define BELIEF_REPLAY_H

#include "belief-consensus/belief-network.h"

#include "ns3/belief-consensus-effective-weights.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tests
{

/// Does (2) and (3) again with what each user has received, in the order of a run's events, and
/// compares: what is told, effective weights, their sources, and every belief.
class BeliefReplay
{
  public:
    /// How users were set
    struct Settings
    {
        BeliefMatrix w; //!< trust
        ns3::collab::MissingBeliefPolicy policy =
            ns3::collab::MissingBeliefPolicy::SELF;                                   //!< theirs
        ns3::collab::BeliefPooling pooling = ns3::collab::BeliefPooling::LOGARITHMIC; //!< theirs
        double radius = 0; //!< of clipping
        ns3::collab::BeliefPrecision precision =
            ns3::collab::BeliefPrecision::FLOAT64; //!< on wires
        std::set<uint32_t> liars;                  //!< who tells something else than its belief
    };

    /// @param models with the data of the run's
    /// @param settings of the run
    BeliefReplay(std::vector<std::unique_ptr<ns3::collab::BeliefModel>> models, Settings settings)
        : m_models(std::move(models)),
          m_settings(std::move(settings)),
          m_users(m_models.size())
    {
        for (std::size_t i = 0; i < m_users.size(); ++i)
        {
            m_users[i].belief = m_models[i]->GetPrior();
        }
    }

    /// @param events of a run
    void
    Play(const std::vector<BeliefEvent>& events)
    {
        for (const auto& event : events)
        {
            if (event.kind == BeliefEvent::OUTCOME && !event.text.empty())
            {
                m_arrivals[{event.device, event.peer, event.round}] = event.time;
            }
        }
        for (const auto& event : events)
        {
            Play(event);
        }
    }

    uint32_t pools = 0;                      //!< that were compared
    std::map<std::string, uint32_t> sources; //!< how often each was in a pool

  private:
    /// A neighbor's messages
    struct Heard
    {
        std::map<uint32_t, ns3::collab::Belief> beliefs;        //!< by instant
        std::pair<int64_t, ns3::collab::Belief> newest{-1, {}}; //!< of the latest instant
    };

    /// A user
    struct User
    {
        ns3::collab::Belief belief;                             //!< rho
        ns3::collab::Belief told;                               //!< b
        ns3::collab::Belief pool;                               //!< what rho will be
        std::map<uint32_t, Heard> heard;                        //!< by neighbor
        std::map<uint32_t, std::pair<double, std::string>> row; //!< weights and sources
        bool isOver = false;                                    //!< whether it has ended
    };

    /// @param event that comes next
    void
    Play(const BeliefEvent& event)
    {
        User& user = m_users[event.device];
        if (event.kind == BeliefEvent::PHASE && event.text == "update")
        {
            user.told = m_models[event.device]->Update(user.belief, event.round);
        }
        else if (event.kind == BeliefEvent::SENT && m_settings.liars.count(event.device) == 0)
        {
            const ns3::collab::PublicBelief told(m_models[event.device]->ToWire(user.told),
                                                 m_settings.precision);
            EXPECT_EQ(event.numbers, told.numbers) << event.device << " " << event.round;
        }
        else if (event.kind == BeliefEvent::RECEIVED)
        {
            Hear(event);
        }
        else if (event.kind == BeliefEvent::PHASE && event.text == "exchange")
        {
            Collect(event);
        }
        else if (event.kind == BeliefEvent::POOLED)
        {
            Compare(event);
        }
        else if (event.kind == BeliefEvent::ROUND)
        {
            Compare(*user.pool, event.numbers, event);
            user.belief = std::make_shared<const Numbers>(event.numbers);
        }
        user.isOver = user.isOver || event.kind == BeliefEvent::END;
    }

    /// @param event message that was received
    void
    Hear(const BeliefEvent& event)
    {
        if (m_users[event.device].isOver || m_settings.w(event.device, event.peer) == 0)
        {
            return;
        }
        try
        {
            Heard& heard = m_users[event.device].heard[event.peer];
            const auto belief = m_models[event.device]->FromWire(event.numbers);
            heard.beliefs[event.round] = belief;
            if (event.round >= heard.newest.first)
            {
                heard.newest = {event.round, belief};
            }
        }
        catch (const ns3::collab::ImproperBelief&)
        {
            ++refused;
        }
    }

    /// @param event end of an exchange
    void
    Collect(const BeliefEvent& event)
    {
        using ns3::collab::MissingBeliefPolicy;
        User& user = m_users[event.device];
        double self = 1;
        double missing = 0;
        std::vector<std::pair<uint32_t, ns3::collab::WeightedBelief>> members;
        user.row.clear();
        for (uint32_t j = 0; j < m_users.size(); ++j)
        {
            const double weight = j == event.device ? 0 : m_settings.w(event.device, j);
            if (weight == 0)
            {
                continue;
            }
            self -= weight;
            Heard& heard = user.heard[j];
            const bool isFresh = heard.beliefs.count(event.round) > 0;
            ExpectArrival({event.device, j, event.round}, event.time, isFresh);
            if (isFresh || (m_settings.policy == MissingBeliefPolicy::STALE && heard.newest.second))
            {
                members.push_back(
                    {j, {isFresh ? heard.beliefs[event.round] : heard.newest.second, weight}});
                user.row[j].second = isFresh ? "fresh" : "stale";
            }
            else
            {
                missing += weight;
                user.row[j].second = "missing";
            }
        }
        const bool goesToSelf = m_settings.policy == MissingBeliefPolicy::SELF || members.empty();
        const double scale = goesToSelf ? 1 : 1 / (1 - missing);
        const double own = goesToSelf ? self + missing : self * scale;
        members.insert(members.begin(), {event.device, {user.told, own}});
        for (std::size_t i = 1; i < members.size(); ++i)
        {
            members[i].second.weight *= scale;
        }
        Pool(event.device, std::move(members));
    }

    /// @param device that pools
    /// @param members of the pool by device, its own first
    void
    Pool(uint32_t device, std::vector<std::pair<uint32_t, ns3::collab::WeightedBelief>> members)
    {
        User& user = m_users[device];
        std::vector<ns3::collab::WeightedBelief> beliefs = {members[0].second};
        for (std::size_t i = 1; i < members.size(); ++i)
        {
            beliefs.push_back(members[i].second);
            if (m_settings.pooling == ns3::collab::BeliefPooling::CLIPPED)
            {
                const double distance =
                    m_models[device]->GetDistance(beliefs[0].belief, beliefs[i].belief);
                const double kept = beliefs[i].weight * std::min(1.0, m_settings.radius / distance);
                beliefs[0].weight += beliefs[i].weight - kept;
                beliefs[i].weight = kept;
            }
        }
        for (std::size_t i = 0; i < members.size(); ++i)
        {
            user.row[members[i].first].first = beliefs[i].weight;
        }
        user.row[device].second = "self";
        user.pool = beliefs.size() == 1 ? beliefs[0].belief
                                        : m_models[device]->Pool(beliefs, m_settings.pooling);
    }

    /// @param message receiver, sender and instant
    /// @param end of the receiver's wait
    /// @param isFresh whether it was there by then
    void
    ExpectArrival(const std::tuple<uint32_t, uint32_t, uint32_t>& message,
                  ns3::Time end,
                  bool isFresh) const
    {
        const auto arrival = m_arrivals.find(message);
        if (m_settings.liars.empty())
        {
            EXPECT_EQ(isFresh, arrival != m_arrivals.end() && arrival->second <= end)
                << std::get<0>(message) << " " << std::get<1>(message) << " "
                << std::get<2>(message);
        }
    }

    /// @param event weights
    void
    Compare(const BeliefEvent& event)
    {
        ++pools;
        const auto& row = m_users[event.device].row;
        ASSERT_EQ(event.entries.size(), row.size());
        EXPECT_EQ(event.entries[0].peer, event.device);
        double sum = 0;
        for (const auto& entry : event.entries)
        {
            ++sources[entry.source];
            const auto expected = row.at(entry.peer);
            EXPECT_EQ(entry.source, expected.second) << event.device << " " << event.round;
            EXPECT_NEAR(entry.weight, expected.first, 1e-12) << event.device << " " << event.round;
            EXPECT_GE(entry.weight, 0);
            sum += entry.weight;
        }
        EXPECT_NEAR(sum, 1, 1e-12);
    }

    /// @param expected numbers
    /// @param numbers of a belief
    /// @param event that has told it
    static void
    Compare(const Numbers& expected, const Numbers& numbers, const BeliefEvent& event)
    {
        ASSERT_EQ(numbers.size(), expected.size());
        for (std::size_t i = 0; i < numbers.size(); ++i)
        {
            EXPECT_NEAR(numbers[i], expected[i], 1e-12 * (1 + std::abs(expected[i])))
                << "device " << event.device << ", instant " << event.round;
        }
    }

    std::vector<std::unique_ptr<ns3::collab::BeliefModel>> m_models; //!< with the run's data
    Settings m_settings;                                             //!< of the run
    std::vector<User> m_users;                                       //!< by device
    /// When messages have arrived, by receiver, sender and instant
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, ns3::Time> m_arrivals;

  public:
    uint32_t refused = 0; //!< messages with what is no belief
};

} // namespace tests

#endif /* BELIEF_REPLAY_H */
