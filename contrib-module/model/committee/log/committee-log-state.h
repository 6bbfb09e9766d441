/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_LOG_STATE_H
#define COMMITTEE_LOG_STATE_H

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

    /// @return whether it is not lower
    bool
    Raise(uint32_t member, uint32_t view)
    {
        uint32_t& known = m_views.at(member);
        const bool isLower = view < known;
        known = std::max(known, view);
        return !isLower;
    }

    /// @return members that have reached it, this one too
    std::size_t
    CountReached(uint32_t view) const
    {
        return 1 + static_cast<std::size_t>(
                       std::count_if(m_views.begin(), m_views.end(), [view](const auto& peer) {
                           return peer.second >= view;
                       }));
    }

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

/// @ingroup collab
/// @brief What a member has promised in one entry of a log, which it keeps when it loses its
/// memory.
/// @tparam Entry of the log
template <typename Entry>
struct LogMemory
{
    /// A consent that it gave
    struct Consented
    {
        uint32_t view = 0; //!< in which it consented
        Digest block = {}; //!< to which entry
    };

    std::optional<Certified<Entry>> lock;               //!< see LogMember
    std::optional<Consented> promises[COMMITTEE_VOTES]; //!< the last one of each vote

    /// @brief Promise to consent, if no promise stands against it.
    /// @return whether none does
    bool
    Promise(CommitteeVote vote, uint32_t view, const Digest& block)
    {
        for (const auto& promise : promises)
        {
            if (promise && promise->view > view)
            {
                return false;
            }
        }
        auto& promise = promises[PlaceOf(vote)];
        if (promise && promise->view == view && promise->block != block)
        {
            return false;
        }
        promise = Consented{view, block};
        return true;
    }

    /// @param prepared in the first vote, checked: be locked on it if its view is the highest
    void
    Lock(const Certified<Entry>& prepared)
    {
        if (!lock || prepared.view > lock->view)
        {
            lock = prepared;
        }
    }
};

} // namespace ns3::collab

#endif /* COMMITTEE_LOG_STATE_H */
