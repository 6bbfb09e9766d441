/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCHEDULE_DICE_H
#define SCHEDULE_DICE_H

#include "ns3/collab-random.h"
#include "ns3/committee-misbehavior.h"

#include <boost/random/uniform_01.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace tests
{

/// What random schedules are drawn with
class ScheduleDice
{
  public:
    /// @param seed of the schedule
    explicit ScheduleDice(uint64_t seed)
        : m_generator(seed)
    {
    }

    /// @param least number
    /// @param greatest number
    /// @return one of them
    uint64_t
    Number(uint64_t least, uint64_t greatest)
    {
        return boost::random::uniform_int_distribution<uint64_t>(least, greatest)(m_generator);
    }

    /// @param probability of true
    /// @return true or false
    bool
    Chance(double probability)
    {
        return boost::random::uniform_01<double>()(m_generator) < probability;
    }

    /// @param values to choose from
    /// @return one of them
    double
    Pick(const std::vector<double>& values)
    {
        return values[Number(0, values.size() - 1)];
    }

    /// @param values to choose from
    /// @return about half of them
    std::set<uint32_t>
    Half(const std::vector<uint32_t>& values)
    {
        std::set<uint32_t> half;
        for (const uint32_t value : values)
        {
            if (Chance(0.5))
            {
                half.insert(value);
            }
        }
        return half;
    }

    /// @return names of some misbehaviors, for ParseMisbehavior(), but those that schedules of an
    /// adversary choose who owns a part of all devices
    std::string
    Misbehavior()
    {
        std::string names;
        for (const std::string& name : ns3::collab::GetMisbehaviorNames())
        {
            if (OWNERS.count(name) == 0)
            {
                names += Chance(0.35) ? name + "+" : "";
            }
        }
        return names;
    }

    /// @return for other distributions
    ns3::collab::RandomGenerator&
    GetGenerator()
    {
        return m_generator;
    }

  private:
    /// See Misbehavior()
    const std::set<std::string> OWNERS = {
        "admit", "double-votes", "flood", "hide-blocks", "stuff", "usurp"};

    ns3::collab::RandomGenerator m_generator; //!< of all draws
};

} // namespace tests

#endif /* SCHEDULE_DICE_H */
