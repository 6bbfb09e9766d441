/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scenario-malice.h"

#include "inputs/scenario-checks.h"

#include "ns3/collab-given-attributes.h"
#include "ns3/collab-gradient-attack.h"
#include "ns3/committee-score.h"
#include "ns3/rng-seed-manager.h"

#include <cmath>
#include <numeric>
#include <stdexcept>

using namespace ns3;
using namespace ns3::collab;

namespace
{

constexpr const char* LABEL_FLIP = "label-flip"; //!< an attack on samples, not on gradients
constexpr const char* NONE = "none";             //!< no attack

} // namespace

void
MaliceParameters::DeclareMalice(ParameterList& list, const std::string& type)
{
    const std::string attribute = type + "::GradientAttack";
    list.Add("maliciousPercent", maliciousPercent, "epsilon, malicious devices of all")
        .Unit("%")
        .AtLeast(0)
        .AtMost(100)
        .ExcludedBy(attribute);
    list.Add("attack",
             attack,
             "what malicious devices upload; label-flip is about their samples instead")
        .Suggestions({"back-gradient", "scaling", "alie", LABEL_FLIP, {NONE, ""}})
        .OnlyIf([this]() { return attack == NONE || maliciousPercent > 0; }, MALICIOUS)
        .Follows(attribute);
    list.Take("attackTarget", type + "::AttackTarget")
        .OnlyIf([this]() { return maliciousPercent > 0; }, MALICIOUS);
}

void
MaliceParameters::CompleteMalice(const std::string& attribute)
{
    if (IsAttributeGiven(attribute))
    {
        maliciousPercent = attack == NONE ? 0 : 100;
    }
}

void
MaliceParameters::ValidateMalice() const
{
    try
    {
        const std::string gradientAttack = GetGradientAttack();
        if (!gradientAttack.empty())
        {
            MakeGradientAttack(gradientAttack);
        }
    }
    catch (const std::invalid_argument& error)
    {
        throw UserError(fmt::format("argument --attack={} is not allowed: {}, or {} or {}",
                                    attack,
                                    error.what(),
                                    LABEL_FLIP,
                                    NONE));
    }
}

std::string
MaliceParameters::GetGradientAttack() const
{
    return attack == LABEL_FLIP || attack == NONE ? "" : attack;
}

uint64_t
GetSharedSeed()
{
    return SplitMix64(RngSeedManager::GetSeed()) + RngSeedManager::GetRun();
}

std::vector<uint32_t>
DrawMalicious(const MaliceParameters& malice, uint32_t devices)
{
    std::vector<uint32_t> all(devices);
    std::iota(all.begin(), all.end(), 0);
    const auto count =
        static_cast<std::size_t>(std::lround(devices * malice.maliciousPercent / 100));
    return DrawDevices(all, {}, count, SplitMix64(GetSharedSeed()));
}

void
PoisonSamples(const MaliceParameters& malice,
              const std::vector<uint32_t>& malicious,
              ScenarioSamples& samples)
{
    if (malice.attack != LABEL_FLIP)
    {
        return;
    }
    for (const uint32_t device : malicious)
    {
        DataView& train = samples.train[device];
        Require(train.data->classes > 0,
                "attack",
                malice.attack,
                "another one with a data set that has targets and no labels");
        train.labels = FlipLabels(train.labels, train.data->classes);
    }
}
