/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-size.h"

#include "ns3/collab-error.h"
#include "ns3/collab-given-attributes.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <vector>

using namespace ns3::collab;

namespace
{

constexpr double ANY_PERCENT = 45;     //!< omega that does with any 6 active devices or more [%]
constexpr uint32_t FEWEST_DEVICES = 6; //!< that have a committee of 3 and the next one
constexpr uint32_t MOST_DEVICES = 100; //!< that are recommended: data sets have so many samples

/// @return members that a committee must have to agree
uint32_t
GetLeastMembers(const CommitteeParameters& p)
{
    return p.quorum == "paper" && !p.primaryVotes ? 3 : 1;
}

/// @return whether the committee can agree, and the next one comes from the training clients
bool
IsPossible(const CommitteeParameters& p)
{
    return p.GetCommitteeSize() >= GetLeastMembers(p) &&
           p.GetTrainingClients() >= p.GetCommitteeSize();
}

/**
 * @param p parameters of a run
 * @param argument one of them, a percentage
 * @return whether the run would do with another whole number, the nearest of which it gets
 */
bool
Mend(CommitteeParameters& p, double CommitteeParameters::*argument)
{
    std::vector<double> values;
    for (double value = 1; value <= 100; ++value)
    {
        values.push_back(value);
    }
    const double given = p.*argument;
    std::stable_sort(values.begin(), values.end(), [given](double a, double b) {
        return std::abs(a - given) < std::abs(b - given);
    });
    const auto found = std::find_if(values.begin(), values.end(), [&](double value) {
        p.*argument = value;
        return IsPossible(p);
    });
    return found != values.end();
}

/**
 * @param p parameters of a run that are not possible
 * @return arguments that would make them so, the ways apart
 */
std::vector<std::string>
FindWays(const CommitteeParameters& p)
{
    std::vector<std::string> ways;
    CommitteeParameters other = p;
    if (Mend(other, &CommitteeParameters::activePercent))
    {
        ways.push_back(fmt::format("--activePercent={}", other.activePercent));
    }
    other = p;
    if (Mend(other, &CommitteeParameters::committeePercent))
    {
        ways.push_back(fmt::format("--committeePercent={}", other.committeePercent));
    }
    other = p;
    while (other.devices < MOST_DEVICES && !IsPossible(other))
    {
        ++other.devices;
    }
    if (IsPossible(other))
    {
        ways.push_back(fmt::format("--devices={}", other.devices));
    }
    other = p;
    other.primaryVotes = true;
    if (IsPossible(other))
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
    if (IsPossible(p))
    {
        return;
    }
    const std::string type = "ns3::collab::CommitteeApplication";
    const bool isOfAttributes =
        IsAttributeGiven(type + "::CommitteeSize") || IsAttributeGiven(type + "::TrainingClients");
    throw UserError(fmt::format(
        "a committee of {} beside {} training clients is not allowed ({}); it must have at least "
        "{} "
        "of the active devices and at most 50 % of them, for the next committee comes from the "
        "training clients; {}",
        p.GetCommitteeSize(),
        p.GetTrainingClients(),
        isOfAttributes ? fmt::format("attributes {0}::CommitteeSize and {0}::TrainingClients", type)
                       : fmt::format("--devices={} --activePercent={} --committeePercent={}",
                                     p.devices,
                                     p.activePercent,
                                     p.committeePercent),
        GetLeastMembers(p),
        isOfAttributes ? "give both of them"
                       : fmt::format("these would do: {}", fmt::join(FindWays(p), ", or "))));
}
