/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-log-options.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-random.h"

#include <algorithm>
#include <functional>

namespace ns3::collab
{

uint32_t
GetGreatestFaults(std::size_t members)
{
    return members == 0 ? 0 : static_cast<uint32_t>((members - 1) / 3);
}

std::size_t
GetCertificateQuorum(std::size_t members)
{
    return (members + GetGreatestFaults(members) + 2) / 2;
}

void
LogOptions::Check() const
{
    const std::size_t count = members.size();
    CheckArgument(std::binary_search(members.begin(), members.end(), self) &&
                      std::adjacent_find(members.begin(), members.end(), std::greater_equal<>()) ==
                          members.end(),
                  "member {} of a committee of {}, which must be ascending and have it",
                  self,
                  count);
    CheckArgument(IsCertified() || primaryVotes || count >= 3,
                  "a committee of {}: with the paper's quorum of {} replicas it needs 3 members, "
                  "or the primary's vote must count",
                  count,
                  GetQuorum());
    CheckArgument(!IsCertified() || 3 * static_cast<std::size_t>(faults) < count,
                  "{} Byzantine members of {}, allowed are fewer than a third",
                  faults,
                  count);
    CheckArgument(maxAttempts != 0 && attemptTimeoutNs != 0,
                  "attempts and timeouts of a committee must not be 0");
}

uint32_t
LogOptions::GetPrimary(CommitteeVote vote, uint32_t attempt) const
{
    const auto count = static_cast<uint32_t>(members.size());
    const uint64_t turn = attempt / count;
    RandomGenerator generator(MixSeed(1 + COMMITTEE_VOTES * turn + static_cast<uint64_t>(vote)));
    return members[DrawPermutation(count, generator)[attempt % count]];
}

bool
LogOptions::IsInOffice(const Statement& evidence) const
{
    if (evidence.round >= round || !history)
    {
        return evidence.round == round && Contains(members, evidence.member);
    }
    return Contains(history->at(evidence.round), evidence.member);
}

} // namespace ns3::collab
