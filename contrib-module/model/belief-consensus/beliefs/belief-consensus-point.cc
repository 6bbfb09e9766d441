/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus-point.h"

#include "ns3/collab-check-argument.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

namespace ns3::collab
{

namespace
{

/// The user of MakePointBelief()
class PointBelief : public NetworkBelief
{
  public:
    /// @param config what to build
    explicit PointBelief(NetworkBeliefConfig config)
        : NetworkBelief(std::move(config))
    {
        CheckArgument(m_config.evidencePower == 1 && m_config.klScale == 1 && !m_config.influence,
                      "evidencePower, klScale and influence are of a divergence, which points have "
                      "not");
        TrainTask task;
        task.center = m_config.learner->GetWeights();
        m_config.learner->CountTrainFlops(task); // refuses a center if it is variational
    }

    bool
    HasUnits() const override
    {
        return true;
    }

    Belief
    Pool(const std::vector<WeightedBelief>& beliefs, BeliefPooling pooling) const override
    {
        CheckPooling(pooling);
        return std::make_shared<const std::vector<double>>(SumBeliefs(beliefs));
    }

    uint64_t
    CountPoolFlops(std::size_t beliefs, BeliefPooling pooling) const override
    {
        CheckPooling(pooling);
        return (2 * beliefs - 1) * GetWireCount();
    }

    double
    GetDistance(const Belief& first, const Belief& second) const override
    {
        double sum = 0;
        for (std::size_t i = 0; i < first->size(); ++i)
        {
            const double distance = (*first)[i] - (*second)[i];
            sum += distance * distance;
        }
        return std::sqrt(sum);
    }

    uint64_t
    CountDistanceFlops() const override
    {
        return 3 * GetWireCount(); // differences, squares, one sum less, and a root
    }

    std::vector<double>
    Forge(BeliefLie lie, double strength, const Belief& belief) const override
    {
        if (lie == BeliefLie::NOT_A_NUMBER)
        {
            return std::vector<double>(belief->size(), std::numeric_limits<double>::quiet_NaN());
        }
        CheckArgument(lie == BeliefLie::WRONG || lie == BeliefLie::OVERCONFIDENT,
                      "beliefs in points have no such lie");
        if (lie == BeliefLie::OVERCONFIDENT)
        {
            CheckStrength(strength);
        }
        std::vector<double> numbers = *belief;
        const double factor = lie == BeliefLie::WRONG ? -1 : strength;
        std::transform(numbers.begin(), numbers.end(), numbers.begin(), [=](double number) {
            return factor * number;
        });
        return numbers;
    }

  protected:
    void
    AddPrior(const FlatVector& /* weights */, TrainTask& /* task */) const override
    {
    }
};

} // namespace

std::unique_ptr<BeliefModel>
MakePointBelief(NetworkBeliefConfig config)
{
    return std::make_unique<PointBelief>(std::move(config));
}

} // namespace ns3::collab
