/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-gradient-attack.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-random.h"
#include "ns3/collab-specification.h"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <utility>

namespace ns3::collab
{

namespace
{

constexpr double LARGE = 1e30; //!< limit of parameters

/// An attack that changes the attacker's own update
class OwnUpdateAttack : public GradientAttack
{
  public:
    /// Changes the update; arguments: generator, update of d elements, d, result
    using Change = std::function<void(
        RandomGenerator& generator, const float* own, std::size_t dimension, float* forged)>;

    /// @param change what the attack does
    /// @param needsOwn whether it reads the update
    explicit OwnUpdateAttack(Change change, bool needsOwn = true)
        : m_change(std::move(change)),
          m_needsOwn(needsOwn)
    {
    }

    bool
    NeedsOwn() const override
    {
        return m_needsOwn;
    }

    bool
    NeedsHonest() const override
    {
        return false;
    }

    void
    Forge(const AttackKnowledge& knowledge, float* forged) const override
    {
        if (m_needsOwn)
        {
            CheckArgument(knowledge.own,
                          "this attack changes the attacker's own update, but there is none");
            VectorStack({knowledge.own}, knowledge.dimension).CheckFinite();
        }
        RandomGenerator generator(knowledge.seed);
        m_change(generator, knowledge.own, knowledge.dimension, forged);
    }

  private:
    Change m_change; //!< what the attack does
    bool m_needsOwn; //!< whether it reads the update
};

/// @param knowledge of an attacker
/// @return the honest updates that it has seen
/// @throws std::invalid_argument if it knows none, or they are not as they should be
const VectorStack&
GetHonest(const AttackKnowledge& knowledge)
{
    CheckArgument(knowledge.honest, "this attack needs honest updates, but knows none");
    CheckArgument(knowledge.honest->Dimension() == knowledge.dimension,
                  "honest updates of {} elements, expected {}",
                  knowledge.honest->Dimension(),
                  knowledge.dimension);
    knowledge.honest->CheckFinite();
    return *knowledge.honest;
}

/// "mimic"
class MimicAttack : public GradientAttack
{
  public:
    bool
    NeedsOwn() const override
    {
        return false;
    }

    bool
    NeedsHonest() const override
    {
        return true;
    }

    void
    Forge(const AttackKnowledge& knowledge, float* forged) const override
    {
        std::copy_n(GetHonest(knowledge).Row(0), knowledge.dimension, forged);
    }
};

/// An attack made of the mean and the standard deviation of honest updates
class HonestUpdatesAttack : public GradientAttack
{
  public:
    /// The factors of mean and standard deviation in the forged update
    using Factors = std::pair<double, double>;

    /// @param factors factors that depend on what is known
    explicit HonestUpdatesAttack(std::function<Factors(const AttackKnowledge&)> factors)
        : m_factors(std::move(factors))
    {
    }

    bool
    NeedsOwn() const override
    {
        return false;
    }

    bool
    NeedsHonest() const override
    {
        return true;
    }

    void
    Forge(const AttackKnowledge& knowledge, float* forged) const override
    {
        const VectorStack& honest = GetHonest(knowledge);
        const Factors factors = m_factors(knowledge);
        const auto n = static_cast<double>(honest.Count());
        for (std::size_t k = 0; k < knowledge.dimension; ++k)
        {
            double mean = 0;
            for (const float* row : honest.Rows())
            {
                mean += row[k] / n;
            }
            double variance = 0;
            for (const float* row : honest.Rows())
            {
                variance += (row[k] - mean) * (row[k] - mean) / n;
            }
            forged[k] =
                static_cast<float>(factors.first * mean + factors.second * std::sqrt(variance));
        }
    }

  private:
    std::function<Factors(const AttackKnowledge&)> m_factors; //!< of mean and deviation
};

using Attack = std::unique_ptr<const GradientAttack>;

/// @param specification specification of "scaling"
/// @return the attack
Attack
MakeScaling(Specification& specification)
{
    const double low = specification.GetNumber("low", 0.5, -LARGE, LARGE);
    const double high = specification.GetNumber("high", 1, -LARGE, LARGE);
    const bool shared = specification.GetCount("shared", 0, 0, 1) == 1;
    specification.CheckKeys();
    CheckArgument(low < high, "gradient attack scaling: low {} is not below high {}", low, high);
    return std::make_unique<OwnUpdateAttack>(
        [=](RandomGenerator& generator, const float* own, std::size_t dimension, float* forged) {
            boost::random::uniform_real_distribution<double> draw(low, high);
            const double one = draw(generator);
            for (std::size_t k = 0; k < dimension; ++k)
            {
                forged[k] = static_cast<float>(own[k] * (shared ? one : draw(generator)));
            }
        });
}

/// @param specification specification of "back-gradient"
/// @return the attack
Attack
MakeBackGradient(Specification& specification)
{
    const double scale = specification.GetNumber("scale", 1, 0, LARGE);
    specification.CheckKeys();
    return std::make_unique<OwnUpdateAttack>(
        [=](RandomGenerator&, const float* own, std::size_t dimension, float* forged) {
            std::transform(own, own + dimension, forged, [&](float value) {
                return static_cast<float>(-scale * value);
            });
        });
}

/// @param specification specification of "same-value"
/// @return the attack
Attack
MakeSameValue(Specification& specification)
{
    const double value = specification.GetNumber("value", 0, -LARGE, LARGE);
    specification.CheckKeys();
    return std::make_unique<OwnUpdateAttack>(
        [=](RandomGenerator&, const float*, std::size_t dimension, float* forged) {
            std::fill_n(forged, dimension, static_cast<float>(value));
        },
        false);
}

/// @param specification specification of "gaussian" or "noise"
/// @param added whether the noise is added to the attacker's own update
/// @return the attack
Attack
MakeNoise(Specification& specification, bool added)
{
    const double mean = added ? 0 : specification.GetNumber("mean", 0, -LARGE, LARGE);
    const double sigma = specification.GetNumber("sigma", 1, 0, LARGE);
    specification.CheckKeys();
    return std::make_unique<OwnUpdateAttack>(
        [=](RandomGenerator& generator, const float* own, std::size_t dimension, float* forged) {
            boost::random::normal_distribution<double> draw(mean, sigma);
            for (std::size_t k = 0; k < dimension; ++k)
            {
                forged[k] = static_cast<float>((added ? own[k] : 0) + draw(generator));
            }
        },
        added);
}

/// @param specification specification of "alie"
/// @return the attack
Attack
MakeAlie(Specification& specification)
{
    std::optional<double> given;
    if (specification.Has("z"))
    {
        given = specification.GetNumber("z", 0, -LARGE, LARGE);
    }
    specification.CheckKeys();
    return std::make_unique<HonestUpdatesAttack>([=](const AttackKnowledge& knowledge) {
        const double z = given ? *given : AlieFactor(knowledge.count, knowledge.byzantine);
        return HonestUpdatesAttack::Factors(1, -z);
    });
}

/// @param specification specification of "ipm"
/// @return the attack
Attack
MakeIpm(Specification& specification)
{
    const double epsilon = specification.GetNumber("epsilon", 0.5, 0, LARGE);
    specification.CheckKeys();
    return std::make_unique<HonestUpdatesAttack>(
        [=](const AttackKnowledge&) { return HonestUpdatesAttack::Factors(-epsilon, 0); });
}

/// @return all attacks by name
const std::map<std::string, Attack (*)(Specification&)>&
GetAttackFactories()
{
    static const std::map<std::string, Attack (*)(Specification&)> factories = {
        {"alie", MakeAlie},
        {"back-gradient", MakeBackGradient},
        {"gaussian", [](Specification& s) { return MakeNoise(s, false); }},
        {"ipm", MakeIpm},
        {"mimic",
         [](Specification& s) -> Attack {
             s.CheckKeys();
             return std::make_unique<MimicAttack>();
         }},
        {"noise", [](Specification& s) { return MakeNoise(s, true); }},
        {"same-value", MakeSameValue},
        {"scaling", MakeScaling},
        {"sign-flip", MakeBackGradient},
    };
    return factories;
}

} // namespace

std::unique_ptr<const GradientAttack>
MakeGradientAttack(const std::string& specification)
{
    Specification parsed("gradient attack", specification);
    const auto factory = GetAttackFactories().find(parsed.GetName());
    if (factory == GetAttackFactories().end())
    {
        parsed.RefuseName(GetGradientAttackNames());
    }
    return factory->second(parsed);
}

std::vector<std::string>
GetGradientAttackNames()
{
    return GetNames(GetAttackFactories());
}

double
AlieFactor(std::size_t count, std::size_t byzantine)
{
    CheckArgument(byzantine != 0 && 2 * byzantine < count,
                  "ALIE with n = {} and f = {}, allowed are 1 <= f < n / 2",
                  count,
                  byzantine);
    const std::size_t honest = count - byzantine;
    const std::size_t supporters = count / 2 + 1 - byzantine;
    const double below = static_cast<double>(honest - supporters) / static_cast<double>(honest);
    return -std::sqrt(2.0) * boost::math::erfc_inv(2 * below); // the quantile of N(0, 1)
}

std::vector<int64_t>
FlipLabels(const std::vector<int64_t>& labels, uint32_t classes)
{
    std::vector<int64_t> flipped;
    flipped.reserve(labels.size());
    for (const int64_t label : labels)
    {
        CheckArgument(label >= 0 && label < int64_t{classes},
                      "label {} is not one of {} classes",
                      label,
                      classes);
        flipped.push_back(int64_t{classes} - 1 - label);
    }
    return flipped;
}

} // namespace ns3::collab
