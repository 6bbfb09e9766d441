/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus-point.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace collab
{

namespace
{

/// The user of MakePointBelief()
class PointBelief : public NetworkBelief
{
  public:
    /// @param config what to build
    explicit PointBelief(NetworkBeliefConfig config);

    Belief Pool(const std::vector<WeightedBelief>& beliefs, BeliefPooling pooling) const override;
    uint64_t CountPoolFlops(std::size_t beliefs, BeliefPooling pooling) const override;
    double GetDistance(const Belief& first, const Belief& second) const override;
    uint64_t CountDistanceFlops() const override;
    std::vector<double> Forge(BeliefLie lie, double strength, const Belief& belief) const override;

  protected:
    void AddPrior(const FlatVector& weights, TrainTask& task) const override;
};

PointBelief::PointBelief(NetworkBeliefConfig config)
    : NetworkBelief(std::move(config))
{
    if (GetConfig().evidencePower != 1 || GetConfig().klScale != 1)
    {
        throw std::invalid_argument(
            "evidencePower and klScale weigh a divergence, which points have not");
    }
    TrainTask task;
    task.center = GetConfig().learner->GetWeights();
    GetConfig().learner->CountTrainFlops(task); // refuses a center if it is variational
}

void
PointBelief::AddPrior(const FlatVector& /* weights */, TrainTask& /* task */) const
{
}

Belief
PointBelief::Pool(const std::vector<WeightedBelief>& beliefs, BeliefPooling pooling) const
{
    CheckPooling(pooling);
    return std::make_shared<const std::vector<double>>(SumBeliefs(beliefs));
}

uint64_t
PointBelief::CountPoolFlops(std::size_t beliefs, BeliefPooling pooling) const
{
    CheckPooling(pooling);
    return (2 * beliefs - 1) * GetWireCount();
}

double
PointBelief::GetDistance(const Belief& first, const Belief& second) const
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
PointBelief::CountDistanceFlops() const
{
    return 3 * GetWireCount(); // differences, squares, one sum less, and a root
}

std::vector<double>
PointBelief::Forge(BeliefLie lie, double strength, const Belief& belief) const
{
    if (lie == BeliefLie::NOT_A_NUMBER)
    {
        return std::vector<double>(belief->size(), std::numeric_limits<double>::quiet_NaN());
    }
    if (lie != BeliefLie::WRONG && lie != BeliefLie::OVERCONFIDENT)
    {
        throw std::invalid_argument("beliefs in points have no such lie");
    }
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

} // namespace

std::unique_ptr<BeliefModel>
MakePointBelief(NetworkBeliefConfig config)
{
    return std::make_unique<PointBelief>(std::move(config));
}

} // namespace collab
} // namespace ns3
