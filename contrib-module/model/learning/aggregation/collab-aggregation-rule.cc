/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-aggregation-rule.h"

#include "collab-coordinate-aggregation.h"
#include "collab-geometric-median.h"
#include "collab-krum.h"
#include "collab-mixing-aggregation.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-specification.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

namespace ns3::collab
{

namespace
{

/// "mean"
class MeanRule : public AggregationRule
{
  public:
    /// @param specification specification without parameters
    explicit MeanRule(const Specification& specification)
    {
        specification.CheckKeys();
    }

    void
    CheckCount(std::size_t count) const override
    {
        CheckMajority("mean", count, 0);
    }

    void
    Aggregate(const VectorStack& vectors,
              const std::vector<double>& weights,
              float* result) const override
    {
        WeightedMean(vectors, weights, result);
    }
};

/// "median"
class MedianRule : public AggregationRule
{
  public:
    /// @param specification specification with f
    explicit MedianRule(Specification& specification)
        : m_byzantine(specification.GetCount("f", 0))
    {
        specification.CheckKeys();
    }

    void
    CheckCount(std::size_t count) const override
    {
        CheckMajority("median", count, m_byzantine);
    }

    void
    Aggregate(const VectorStack& vectors,
              const std::vector<double>& /*weights*/,
              float* result) const override
    {
        CheckCount(vectors.Count());
        CoordinateMedian(vectors, result);
    }

  private:
    std::size_t m_byzantine; //!< f
};

/// "trimmed-mean"
class TrimmedMeanRule : public AggregationRule
{
  public:
    /// @param specification specification with b or beta
    explicit TrimmedMeanRule(Specification& specification)
        : m_isFraction(specification.Has("beta")),
          m_trimmed(specification.GetCount("b", 0)),
          m_beta(specification.GetNumber("beta", 0, 0, std::nextafter(0.5, 0.0)))
    {
        specification.CheckKeys();
        CheckArgument(specification.Has("b") != m_isFraction,
                      "aggregation rule trimmed-mean needs either b=COUNT or beta=FRACTION");
    }

    void
    CheckCount(std::size_t count) const override
    {
        const std::size_t trimmed = Trimmed(count);
        CheckArgument(count != 0 && trimmed <= (count - 1) / 2,
                      "trimmed-mean of {} vectors with b = {}, but more than 2 b are needed",
                      count,
                      trimmed);
    }

    void
    Aggregate(const VectorStack& vectors,
              const std::vector<double>& /*weights*/,
              float* result) const override
    {
        TrimmedMean(vectors, Trimmed(vectors.Count()), result);
    }

  private:
    /// @param count n
    /// @return b
    std::size_t
    Trimmed(std::size_t count) const
    {
        // 0.29 * 100 is a little less than 29
        constexpr double ROUNDING = 1e-9;
        return m_isFraction ? static_cast<std::size_t>(
                                  std::floor(m_beta * static_cast<double>(count) + ROUNDING))
                            : m_trimmed;
    }

    bool m_isFraction;     //!< whether beta was given
    std::size_t m_trimmed; //!< b, if it was not
    double m_beta;         //!< beta, if it was
};

/// "krum" and "multi-krum"
class KrumRule : public AggregationRule
{
  public:
    /// @param specification specification with f, and m if several are selected
    /// @param several whether it is Multi-Krum
    KrumRule(Specification& specification, bool several)
        : m_byzantine(specification.GetCount("f", 0))
    {
        CheckArgument(specification.Has("f"),
                      "aggregation rule {} needs f=COUNT, the number of Byzantine vectors to bear",
                      specification.GetName());
        if (!several)
        {
            m_selected = 1;
        }
        else if (specification.Has("m"))
        {
            m_selected = specification.GetCount("m", 1, 1);
        }
        specification.CheckKeys();
    }

    void
    CheckCount(std::size_t count) const override
    {
        CheckKrumCount(count, m_byzantine);
        if (m_selected && *m_selected > count - m_byzantine)
        {
            throw std::invalid_argument(fmt::format(
                "multi-krum of {} vectors with f = {} and m = {}, allowed are m from 1 to {}",
                count,
                m_byzantine,
                *m_selected,
                count - m_byzantine));
        }
    }

    void
    Aggregate(const VectorStack& vectors,
              const std::vector<double>& /*weights*/,
              float* result) const override
    {
        const std::size_t n = vectors.Count();
        CheckCount(n);
        MultiKrum(vectors, m_byzantine, m_selected.value_or(n - m_byzantine - 2), result);
    }

  private:
    std::size_t m_byzantine;               //!< f
    std::optional<std::size_t> m_selected; //!< m; if none, n - f - 2
};

/// "geometric-median"
class GeometricMedianRule : public AggregationRule
{
  public:
    /// @param specification specification with f and the fields of GeometricMedianOptions
    explicit GeometricMedianRule(Specification& specification)
        : m_byzantine(specification.GetCount("f", 0))
    {
        constexpr double LARGE = 1e30;
        m_options.smoothing = specification.GetNumber("nu", m_options.smoothing, 1e-30, LARGE);
        m_options.tolerance = specification.GetNumber("tolerance", m_options.tolerance, 0, LARGE);
        m_options.iterations =
            static_cast<uint32_t>(specification.GetCount("iterations", m_options.iterations, 1));
        specification.CheckKeys();
    }

    void
    CheckCount(std::size_t count) const override
    {
        CheckMajority("geometric-median", count, m_byzantine);
    }

    void
    Aggregate(const VectorStack& vectors,
              const std::vector<double>& weights,
              float* result) const override
    {
        CheckCount(vectors.Count());
        GeometricMedian(vectors, weights, m_options, result);
    }

  private:
    std::size_t m_byzantine;          //!< f
    GeometricMedianOptions m_options; //!< when to stop
};

/// "centered-clipping"
class CenteredClippingRule : public AggregationRule
{
  public:
    /// @param specification specification with tau and iterations
    explicit CenteredClippingRule(Specification& specification)
        : m_radius(specification.GetNumber("tau", 0, 1e-30, 1e30)),
          m_iterations(static_cast<uint32_t>(specification.GetCount("iterations", 1, 1)))
    {
        specification.CheckKeys();
        CheckArgument(specification.Has("tau"),
                      "aggregation rule centered-clipping needs tau=RADIUS");
    }

    void
    CheckCount(std::size_t count) const override
    {
        CheckMajority("centered-clipping", count, 0);
    }

    void
    Aggregate(const VectorStack& vectors,
              const std::vector<double>& weights,
              float* result) const override
    {
        AggregateFrom(vectors, weights, nullptr, result);
    }

    bool
    StartsFromLast() const override
    {
        return true;
    }

    void
    AggregateFrom(const VectorStack& vectors,
                  const std::vector<double>& /*weights*/,
                  const float* last,
                  float* result) const override
    {
        if (last)
        {
            std::copy_n(last, vectors.Dimension(), result);
        }
        else
        {
            std::fill_n(result, vectors.Dimension(), 0);
        }
        ClipAround(vectors, m_radius, m_iterations, result);
    }

  private:
    double m_radius;       //!< tau
    uint32_t m_iterations; //!< L
};

/// A rule after something that is done to the vectors
class MixedRule : public AggregationRule
{
  public:
    /// Makes as many vectors of n, which bears f
    using Mixing = Matrix<float> (*)(const VectorStack& vectors, std::size_t byzantine);

    /// @param specification specification with f
    /// @param mixing what is done
    /// @param rule what gets the vectors then
    MixedRule(Specification& specification,
              Mixing mixing,
              std::unique_ptr<const AggregationRule> rule)
        : m_name(specification.GetName()),
          m_byzantine(specification.GetCount("f", 0)),
          m_mixing(mixing),
          m_rule(std::move(rule))
    {
        specification.CheckKeys();
        CheckArgument(specification.Has("f"),
                      "aggregation rule {} needs f=COUNT, the number of Byzantine vectors to bear",
                      m_name);
    }

    void
    CheckCount(std::size_t count) const override
    {
        CheckMajority(m_name.c_str(), count, m_byzantine);
        m_rule->CheckCount(count);
    }

    void
    Aggregate(const VectorStack& vectors,
              const std::vector<double>& weights,
              float* result) const override
    {
        AggregateFrom(vectors, weights, nullptr, result);
    }

    bool
    StartsFromLast() const override
    {
        return m_rule->StartsFromLast();
    }

    void
    AggregateFrom(const VectorStack& vectors,
                  const std::vector<double>& weights,
                  const float* last,
                  float* result) const override
    {
        const Matrix<float> mixed = m_mixing(vectors, m_byzantine);
        m_rule->AggregateFrom(VectorStack(mixed), weights, last, result);
    }

  private:
    std::string m_name;                            //!< of what is done
    std::size_t m_byzantine;                       //!< f
    Mixing m_mixing;                               //!< what is done
    std::unique_ptr<const AggregationRule> m_rule; //!< what gets the vectors then
};

/// @return all that can be done to vectors before a rule, by name
const std::map<std::string, MixedRule::Mixing>&
GetMixings()
{
    static const std::map<std::string, MixedRule::Mixing> mixings = {{"arc", ClipAdaptively},
                                                                     {"nnm", MixNearest}};
    return mixings;
}

/// Makes a rule
using RuleFactory = std::unique_ptr<const AggregationRule> (*)(Specification& specification);

/// @return all rules by name
const std::map<std::string, RuleFactory>&
GetRuleFactories()
{
    using Rule = std::unique_ptr<const AggregationRule>;
    static const std::map<std::string, RuleFactory> factories = {
        {"centered-clipping",
         [](Specification& s) -> Rule { return std::make_unique<CenteredClippingRule>(s); }},
        {"geometric-median",
         [](Specification& s) -> Rule { return std::make_unique<GeometricMedianRule>(s); }},
        {"krum", [](Specification& s) -> Rule { return std::make_unique<KrumRule>(s, false); }},
        {"mean", [](Specification& s) -> Rule { return std::make_unique<MeanRule>(s); }},
        {"median", [](Specification& s) -> Rule { return std::make_unique<MedianRule>(s); }},
        {"multi-krum",
         [](Specification& s) -> Rule { return std::make_unique<KrumRule>(s, true); }},
        {"trimmed-mean",
         [](Specification& s) -> Rule { return std::make_unique<TrimmedMeanRule>(s); }},
    };
    return factories;
}

/// @param specification "name:key=value", or several with plus signs
/// @return position of the plus sign before the next name, which begins with a letter: that of 1e+5
/// is none; npos if there is none
std::size_t
FindNextName(const std::string& specification)
{
    std::size_t plus = specification.find('+');
    while (plus != std::string::npos &&
           (plus + 1 == specification.size() ||
            std::isalpha(static_cast<unsigned char>(specification[plus + 1])) == 0))
    {
        plus = specification.find('+', plus + 1);
    }
    return plus;
}

} // namespace

bool
AggregationRule::StartsFromLast() const
{
    return false;
}

void
AggregationRule::AggregateFrom(const VectorStack& vectors,
                               const std::vector<double>& weights,
                               const float* /*last*/,
                               float* result) const
{
    Aggregate(vectors, weights, result);
}

std::unique_ptr<const AggregationRule>
MakeAggregationRule(const std::string& specification)
{
    const std::size_t plus = FindNextName(specification);
    Specification parsed("aggregation rule", specification.substr(0, plus));
    const auto mixing = GetMixings().find(parsed.GetName());
    if (plus != std::string::npos && mixing != GetMixings().end())
    {
        return std::make_unique<MixedRule>(
            parsed, mixing->second, MakeAggregationRule(specification.substr(plus + 1)));
    }
    CheckArgument(mixing == GetMixings().end(),
                  "aggregation rule {} needs another one after it, as in {}:f=2+median:f=2",
                  parsed.GetName(),
                  parsed.GetName());
    const auto factory = GetRuleFactories().find(parsed.GetName());
    if (plus != std::string::npos || factory == GetRuleFactories().end())
    {
        parsed.RefuseName(plus == std::string::npos ? GetAggregationRuleNames()
                                                    : GetNames(GetMixings()));
    }
    return factory->second(parsed);
}

std::vector<std::string>
GetAggregationRuleNames()
{
    return GetNames(GetRuleFactories());
}

} // namespace ns3::collab
