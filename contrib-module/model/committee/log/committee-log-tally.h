/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_LOG_TALLY_H
#define COMMITTEE_LOG_TALLY_H

#include "committee-log-options.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace ns3::collab
{

/// With BYZANTINE: own proposals to which late consents count
constexpr std::size_t MOST_CANDIDACIES = 4;

/// @ingroup collab
/// @brief As a primary: who consents to one's proposals.
class LogTally
{
  public:
    /// @param options of the log; must live as long
    /// @param counters of what is not believed; must live as long
    LogTally(const LogOptions& options, ConsensusCounters& counters)
        : m_options(options),
          m_counters(counters)
    {
    }

    /// @param view of a proposal, to which consents count from now on
    void
    Begin(uint32_t view)
    {
        m_consents[view].resize(COMMITTEE_VOTES);
        if (m_options.IsCertified() && m_consents.size() > MOST_CANDIDACIES)
        {
            m_consents.erase(m_consents.begin());
        }
    }

    /// @param view of a proposal
    /// @return whether consents to it count
    bool
    Has(uint32_t view) const
    {
        return m_consents.count(view) > 0;
    }

    /// @param vote of the consent
    /// @param view of the proposal
    /// @param consent of a member
    /// @return whether enough members consent now, and did not before
    bool
    Count(CommitteeVote vote, uint32_t view, const Consent& consent)
    {
        // There is none if it has lost its memory since
        return Has(view) && Add(consent, m_consents.at(view)[PlaceOf(vote)]);
    }

    /// @param share of a member in the signature under the end of an abandoned round
    /// @return the last view with a proposal, if there are enough shares now, and were not before
    std::optional<uint32_t>
    CountShare(const Consent& share)
    {
        return Add(share, m_shares) && !m_consents.empty()
                   ? std::optional(m_consents.rbegin()->first)
                   : std::nullopt;
    }

    /// @param vote of the consents
    /// @param view of the proposal
    /// @return consents of distinct members
    const std::vector<Consent>&
    GetConsents(CommitteeVote vote, uint32_t view) const
    {
        return m_consents.at(view)[PlaceOf(vote)];
    }

    /// @return shares of distinct members
    const std::vector<Consent>&
    GetShares() const
    {
        return m_shares;
    }

  private:
    /// @param consent of a member
    /// @param[in,out] given consents so far
    /// @return whether there are enough now, and were not before
    bool
    Add(const Consent& consent, std::vector<Consent>& given)
    {
        const bool isKnown = std::any_of(given.begin(), given.end(), [&](const auto& known) {
            return known.member == consent.member;
        });
        m_counters.replayed += isKnown ? 1 : 0;
        if (isKnown || given.size() >= m_options.GetNeededConsents())
        {
            return false;
        }
        given.push_back(consent);
        return given.size() == m_options.GetNeededConsents();
    }

    const LogOptions& m_options;   //!< of the log
    ConsensusCounters& m_counters; //!< of what is not believed
    /// By view of the proposal and place of the vote
    std::map<uint32_t, std::vector<std::vector<Consent>>> m_consents;
    std::vector<Consent> m_shares; //!< see GetShares()
};

/// @ingroup collab
/// @brief How far other members are, and when they were told the end.
class LogPeers
{
  public:
    /// @param options of the log
    explicit LogPeers(const LogOptions& options)
    {
        for (const uint32_t member : options.members)
        {
            if (member != options.self)
            {
                m_views[member] = 0;
            }
        }
    }

    /// @param member that has told its view
    /// @param view that it has reached; a lower one than before does not count
    /// @return whether it is not lower
    bool
    Raise(uint32_t member, uint32_t view)
    {
        uint32_t& known = m_views.at(member);
        const bool isLower = view < known;
        known = std::max(known, view);
        return !isLower;
    }

    /// @param view of the log
    /// @return members that have reached it, this one too
    std::size_t
    CountReached(uint32_t view) const
    {
        return 1 + static_cast<std::size_t>(
                       std::count_if(m_views.begin(), m_views.end(), [view](const auto& peer) {
                           return peer.second >= view;
                       }));
    }

    /// @param doubtful others that may all have told too much
    /// @return the highest view that one other has reached for sure
    uint32_t
    FindReached(std::size_t doubtful) const
    {
        std::vector<uint32_t> views;
        for (const auto& [member, view] : m_views)
        {
            views.push_back(view);
        }
        std::sort(views.begin(), views.end(), std::greater<>());
        return views.size() > doubtful ? views[doubtful] : 0;
    }

    /// @param member that does not know the end
    /// @param nowNs the clock [ns]
    /// @param spacingNs time between two answers [ns]
    /// @return whether to tell it, now
    bool
    MayInform(uint32_t member, uint64_t nowNs, uint64_t spacingNs)
    {
        const auto [informed, isFirst] = m_informed.emplace(member, nowNs);
        if (!isFirst && nowNs < informed->second + spacingNs)
        {
            return false;
        }
        informed->second = nowNs;
        return true;
    }

  private:
    std::map<uint32_t, uint32_t> m_views;    //!< by member
    std::map<uint32_t, uint64_t> m_informed; //!< when it was last told the end [ns]
};

} // namespace ns3::collab

#endif /* COMMITTEE_LOG_TALLY_H */
