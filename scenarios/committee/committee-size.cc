/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-scenario.h"

#include "ns3/collab-error.h"
#include "ns3/collab-given-attributes.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

using namespace ns3::collab;

namespace
{

constexpr double ANY_PERCENT = 45;     //!< omega that does with any 6 active devices or more [%]
constexpr uint32_t FEWEST_DEVICES = 6; //!< that have a committee of 3 and the next one
constexpr uint32_t MOST_DEVICES = 100; //!< that are recommended: data sets have so many samples

/// @param primaryVotes whether the primary's vote counts
/// @return members that a committee must have to agree
uint32_t
GetLeastMembers(const CommitteeParameters& p, bool primaryVotes)
{
    return p.Get("quorum") == "paper" && !primaryVotes ? 3 : 1;
}

/// @return whether a committee can agree, and the next one comes from the training clients
bool
IsPossible(const CommitteeSizes& sizes, uint32_t least)
{
    return sizes.CountMembers() >= least && sizes.CountClients() >= sizes.CountMembers();
}

/// @return the nearest whole number of a percentage with which the run would do; 0 if there is none
int
FindPercent(CommitteeSizes sizes, double CommitteeSizes::*percent, uint32_t least)
{
    std::vector<int> values(100);
    std::iota(values.begin(), values.end(), 1);
    const double given = sizes.*percent;
    std::stable_sort(values.begin(), values.end(), [given](int a, int b) {
        return std::abs(a - given) < std::abs(b - given);
    });
    const auto found = std::find_if(values.begin(), values.end(), [&](int value) {
        sizes.*percent = value;
        return IsPossible(sizes, least);
    });
    return found == values.end() ? 0 : *found;
}

/// @param p parameters of a run that are not possible
/// @return arguments that would make them so, the ways apart
std::vector<std::string>
FindWays(const CommitteeParameters& p)
{
    const CommitteeSizes sizes = p.GetSizes();
    const uint32_t least = GetLeastMembers(p, p.Get<bool>("primaryVotes"));
    std::vector<std::string> ways;
    for (const auto& [name, percent] :
         {std::pair("activePercent", &CommitteeSizes::activePercent),
          std::pair("committeePercent", &CommitteeSizes::committeePercent)})
    {
        if (const int value = FindPercent(sizes, percent, least))
        {
            ways.push_back(fmt::format("--{}={}", name, value));
        }
    }
    CommitteeSizes larger = sizes;
    while (larger.devices < MOST_DEVICES && !IsPossible(larger, least))
    {
        ++larger.devices;
    }
    if (IsPossible(larger, least))
    {
        ways.push_back(fmt::format("--devices={}", larger.devices));
    }
    if (IsPossible(sizes, GetLeastMembers(p, true)))
    {
        ways.emplace_back("--primaryVotes=true");
    }
    if (ways.empty())
    {
        ways.push_back(fmt::format("--devices={} --activePercent=100 --committeePercent={}",
                                   std::max(p.devices, FEWEST_DEVICES),
                                   ANY_PERCENT));
    }
    return ways;
}

} // namespace

void
CheckCommitteeSize(const CommitteeParameters& p)
{
    const CommitteeSizes sizes = p.GetSizes();
    const uint32_t least = GetLeastMembers(p, p.Get<bool>("primaryVotes"));
    if (IsPossible(sizes, least))
    {
        return;
    }
    const std::string type = "ns3::collab::CommitteeApplication";
    const bool isOfAttributes =
        IsAttributeGiven(type + "::CommitteeSize") || IsAttributeGiven(type + "::TrainingClients");
    throw UserError(fmt::format(
        "a committee of {} beside {} training clients is not allowed ({}); it must have at least "
        "{} of the active devices and at most 50 % of them, for the next committee comes from the "
        "training clients; {}",
        sizes.CountMembers(),
        sizes.CountClients(),
        isOfAttributes ? fmt::format("attributes {0}::CommitteeSize and {0}::TrainingClients", type)
                       : fmt::format("--devices={} --activePercent={} --committeePercent={}",
                                     p.devices,
                                     p.activePercent,
                                     p.committeePercent),
        least,
        isOfAttributes ? "give both of them"
                       : fmt::format("these would do: {}", fmt::join(FindWays(p), ", or "))));
}
