/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus-mean-field.h"

#include "belief-consensus-site.h"

#include "ns3/collab-check-argument.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

namespace ns3::collab
{

namespace
{

/// The user of MakeMeanFieldBelief()
class MeanFieldBelief : public NetworkBelief
{
  public:
    /// @param config what to build
    explicit MeanFieldBelief(NetworkBeliefConfig config)
        : NetworkBelief(std::move(config))
    {
        if (m_config.influence)
        {
            m_site.emplace(*m_config.influence, CountWeights());
        }
        TrainTask task;
        AddPrior(m_config.learner->GetWeights(), task);
        m_config.learner->CountTrainFlops(task); // refuses a prior unless it is variational
        const std::string fault = FindFault(*GetPrior());
        CheckArgument(fault.empty(), "prior: {}", fault);
    }

    Belief
    Update(const Belief& prior, uint32_t instant) override
    {
        Belief belief = NetworkBelief::Update(prior, instant);
        if (m_site && IsProper(prior) && IsProper(belief)) // else it is undone
        {
            m_site->Add(*prior, *belief);
        }
        return belief;
    }

    void
    SetInfluence(double influence) override
    {
        NetworkBelief::SetInfluence(influence);
        if (m_site)
        {
            m_site->SetInfluence(influence);
        }
    }

    uint64_t
    CountUpdateFlops(uint32_t instant) const override
    {
        return NetworkBelief::CountUpdateFlops(instant) +
               (m_site ? BeliefSite::FLOPS * CountWeights() : 0);
    }

    Belief
    Pool(const std::vector<WeightedBelief>& beliefs, BeliefPooling pooling) const override
    {
        CheckPooling(pooling);
        std::vector<double> pool = pooling == BeliefPooling::WASSERSTEIN ? SumBeliefs(beliefs)
                                   : pooling == BeliefPooling::MOMENT    ? PoolMoments(beliefs)
                                                                         : PoolLogarithms(beliefs);
        return std::make_shared<const std::vector<double>>(std::move(pool));
    }

    uint64_t
    CountPoolFlops(std::size_t beliefs, BeliefPooling pooling) const override
    {
        CheckPooling(pooling);
        const uint64_t sum = 2 * beliefs - 1; // of numbers with weights
        switch (pooling)
        {
        case BeliefPooling::WASSERSTEIN:
            return 2 * sum * CountWeights();
        case BeliefPooling::MOMENT: // square; difference, its square, sum; root
            return (2 * sum + 4 * beliefs + 1) * CountWeights();
        default: // square and inverse; two sums, W tau being in both; division; root and inverse
            return (2 * sum + 2 * beliefs + 3) * CountWeights();
        }
    }

    double
    GetDistance(const Belief& first, const Belief& second) const override
    {
        const std::size_t count = CountWeights();
        double sum = 0;
        for (std::size_t i = 0; i < count; ++i)
        {
            const double ownDeviation = (*first)[count + i];
            const double otherDeviation = (*second)[count + i];
            const double distance = (*first)[i] - (*second)[i];
            const double own = distance / ownDeviation;
            const double other = distance / otherDeviation;
            // r^2 + 1 / r^2 - 2 without cancellation, r being the deviations' ratio
            const double gap = ownDeviation / otherDeviation - otherDeviation / ownDeviation;
            sum += gap * gap + own * own + other * other;
        }
        return std::sqrt(sum / 2);
    }

    uint64_t
    CountDistanceFlops() const override
    {
        return 12 * CountWeights() +
               1; // differences 2, quotients 4, squares 3, sums 3; half and root
    }

    std::vector<double>
    Forge(BeliefLie lie, double strength, const Belief& belief) const override
    {
        std::vector<double> numbers = *belief;
        const auto deviations = numbers.begin() + static_cast<std::ptrdiff_t>(CountWeights());
        switch (lie)
        {
        case BeliefLie::WRONG:
            std::transform(numbers.begin(), deviations, numbers.begin(), std::negate<>());
            return numbers;
        case BeliefLie::NEGATIVE_PRECISION:
            std::transform(deviations, numbers.end(), deviations, std::negate<>());
            return numbers;
        case BeliefLie::NOT_A_NUMBER:
            return std::vector<double>(numbers.size(), std::numeric_limits<double>::quiet_NaN());
        case BeliefLie::OVERCONFIDENT:
            CheckStrength(strength);
            std::transform(deviations, numbers.end(), deviations, [=](double deviation) {
                return deviation / std::sqrt(strength);
            });
            return numbers;
        default:
            throw std::invalid_argument("mean-field beliefs have no such lie");
        }
    }

    std::vector<Metric>
    GetMetrics() const override
    {
        std::vector<Metric> metrics = NetworkBelief::GetMetrics();
        metrics.push_back(
            {"deviation_shift",
             "nat",
             "mean | log s / s0 | of the standard deviations and those of the prior"});
        return metrics;
    }

    std::vector<double>
    Evaluate(const Belief& belief) override
    {
        std::vector<double> values = NetworkBelief::Evaluate(belief);
        const std::size_t count = CountWeights();
        const Belief prior = GetPrior();
        double shift = 0;
        for (std::size_t i = count; i < 2 * count; ++i)
        {
            shift += std::abs(std::log((*belief)[i] / (*prior)[i]));
        }
        values.push_back(shift / static_cast<double>(count));
        return values;
    }

  protected:
    std::string
    FindFault(const std::vector<double>& numbers) const override
    {
        std::string fault = NetworkBelief::FindFault(numbers);
        if (!fault.empty())
        {
            return fault;
        }
        // In single precision, or training gets a 0; squares and their inverses are then finite
        // too.
        const auto deviations = numbers.begin() + static_cast<std::ptrdiff_t>(CountWeights());
        const auto wrong = FindNot(deviations, numbers.end(), [](double deviation) {
            return static_cast<float>(deviation) > 0;
        });
        return wrong == numbers.end() ? std::string()
                                      : fmt::format("standard deviation {} is {}, not positive in "
                                                    "single precision",
                                                    wrong - deviations,
                                                    *wrong);
    }

    void
    AddPrior(const FlatVector& weights, TrainTask& task) const override
    {
        task.prior = weights;
        if (m_site)
        {
            const auto cavity = m_site->MakeCavity({weights->begin(), weights->end()});
            task.prior = FindFault(cavity).empty() ? ToWeights(cavity) : weights; // or it overflows
        }
        const double share = m_site ? m_site->GetInfluence() : 1;
        task.klScale = m_config.klScale / (m_config.evidencePower * m_power * share);
    }

  private:
    std::optional<BeliefSite> m_site; //!< if the own data counts once

    /// @return number of weights, half of that of the numbers
    std::size_t
    CountWeights() const
    {
        return GetWireCount() / 2;
    }

    /// @param beliefs to be merged
    /// @return mean and deviation of each weight by (3)
    std::vector<double>
    PoolLogarithms(const std::vector<WeightedBelief>& beliefs) const
    {
        const std::size_t count = CountWeights();
        std::vector<double> pool(2 * count, 0.0); // sums of W tau mu, then of W tau
        for (const auto& [belief, weight] : beliefs)
        {
            for (std::size_t i = 0; i < count; ++i)
            {
                const double deviation = (*belief)[count + i];
                const double precision = weight * (1 / (deviation * deviation));
                pool[i] += precision * (*belief)[i];
                pool[count + i] += precision;
            }
        }
        for (std::size_t i = 0; i < count; ++i)
        {
            pool[i] /= pool[count + i];
            pool[count + i] = 1 / std::sqrt(pool[count + i]);
        }
        return pool;
    }

    /// @param beliefs to be merged
    /// @return mean and deviation of each weight in the mixture
    std::vector<double>
    PoolMoments(const std::vector<WeightedBelief>& beliefs) const
    {
        const std::size_t count = CountWeights();
        std::vector<double> pool = SumBeliefs(beliefs);
        std::fill(pool.begin() + static_cast<std::ptrdiff_t>(count), pool.end(), 0.0);
        for (const auto& [belief, weight] : beliefs)
        {
            for (std::size_t i = 0; i < count; ++i)
            {
                const double deviation = (*belief)[count + i];
                const double distance = (*belief)[i] - pool[i];
                pool[count + i] += weight * (deviation * deviation + distance * distance);
            }
        }
        for (std::size_t i = 0; i < count; ++i)
        {
            pool[count + i] = std::sqrt(pool[count + i]);
        }
        return pool;
    }
};

} // namespace

std::unique_ptr<BeliefModel>
MakeMeanFieldBelief(NetworkBeliefConfig config)
{
    return std::make_unique<MeanFieldBelief>(std::move(config));
}

} // namespace ns3::collab
