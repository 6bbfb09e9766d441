/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-personal-learner.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-learner-checks.h"
#include "ns3/collab-number.h"
#include "ns3/collab-tensor-names.h"
#include "ns3/collab-vector-stack.h"

#include <algorithm>
#include <fmt/ranges.h>
#include <set>
#include <utility>

namespace ns3::collab
{

namespace
{

/// @param spec specification of a tensor
/// @return name of its layer
std::string
LayerOf(const WeightSpec& spec)
{
    return spec.name.substr(0, spec.name.rfind('.'));
}

/// @param specs tensors of a model
/// @param count number of its last layers with weights
/// @return names of all tensors of these layers
std::set<std::string>
NameLast(const std::vector<WeightSpec>& specs, std::size_t count)
{
    std::vector<std::string> layers;
    for (const WeightSpec& spec : specs)
    {
        if (spec.trainable && (layers.empty() || layers.back() != LayerOf(spec)))
        {
            layers.push_back(LayerOf(spec));
        }
    }
    CheckArgument(count != 0 && count < layers.size(),
                  "{} personal layers of a model of {} ({}), expected 1 to {}",
                  count,
                  layers.size(),
                  fmt::join(layers, ", "),
                  layers.size() - 1);
    const std::set<std::string> last(layers.end() - static_cast<std::ptrdiff_t>(count),
                                     layers.end());
    std::set<std::string> names;
    for (const WeightSpec& spec : specs)
    {
        if (last.count(LayerOf(spec)) > 0)
        {
            names.insert(spec.name);
        }
    }
    return names;
}

/// @param specs tensors of a model
/// @param isShared tells whether devices exchange a tensor
/// @return weights of those that they do
template <typename IsShared>
SharedWeights
ShareThose(const std::vector<WeightSpec>& specs, IsShared isShared)
{
    SharedWeights shared;
    std::size_t begin = 0;
    for (const WeightSpec& spec : specs)
    {
        const std::size_t next = begin + spec.Size();
        for (; begin < next && isShared(spec); ++begin)
        {
            shared.places.push_back(begin);
            shared.trained += spec.trainable ? 1 : 0;
        }
        begin = next;
    }
    return shared;
}

/// The learner of MakePersonalLearner()
class PersonalLearner : public Learner
{
  public:
    /// @param learner learner that learns
    /// @param shared what it shows
    PersonalLearner(std::unique_ptr<Learner> learner, SharedWeights shared)
        : m_learner(std::move(learner)),
          m_shared(std::move(shared)),
          m_kept(m_learner->GetWeights())
    {
    }

    TrainReport
    Train(const TrainTask& task) override
    {
        TrainTask expanded = task;
        Expand(expanded);
        TrainReport report = m_learner->Train(expanded);
        report.lastGradient = report.lastGradient ? Gather(*report.lastGradient) : nullptr;
        return report;
    }

    Matrix<float>
    Predict(const DataView& inputs) override
    {
        return m_learner->Predict(inputs);
    }

    Matrix<float>
    PredictScores(const DataView& inputs) override
    {
        return m_learner->PredictScores(inputs);
    }

    Score
    Evaluate(const DataView& labelled) override
    {
        return m_learner->Evaluate(labelled);
    }

    uint64_t
    CountTrainFlops(const TrainTask& task) const override
    {
        TrainTask expanded = task;
        Expand(expanded);
        return m_learner->CountTrainFlops(expanded);
    }

    uint64_t
    CountMostTrainFlops(const TrainTask& task) const override
    {
        TrainTask expanded = task;
        Expand(expanded);
        return m_learner->CountMostTrainFlops(expanded);
    }

    uint64_t
    CountPredictFlops(std::size_t samples) const override
    {
        return m_learner->CountPredictFlops(samples);
    }

    uint64_t
    GetParameterCount() const override
    {
        return m_shared.trained;
    }

    FlatVector
    GetWeights() const override
    {
        const FlatVector all = m_learner->GetWeights();
        if (all != m_all)
        {
            m_all = all;
            m_shown = Gather(*all);
        }
        return m_shown;
    }

    FlatVector
    GetAllWeights() const override
    {
        return m_learner->GetAllWeights();
    }

    void
    SetWeights(FlatVector weights) override
    {
        CheckArgument(weights, "weights: there are none");
        if (weights == GetWeights())
        {
            return;
        }
        m_learner->SetWeights(Scatter(weights, "weights", *GetFinite()));
        m_all = m_learner->GetWeights();
        m_kept = m_all;
        m_shown = std::move(weights);
    }

    GradientReport
    ComputeGradient(const GradientTask& task) override
    {
        GradientTask expanded = task;
        Expand(expanded);
        GradientReport report = m_learner->ComputeGradient(expanded);
        report.gradient = Gather(*report.gradient);
        return report;
    }

    uint64_t
    CountGradientFlops(const GradientTask& task) const override
    {
        GradientTask expanded = task;
        Expand(expanded);
        return m_learner->CountGradientFlops(expanded);
    }

    double
    GetEpsilon(double delta) const override
    {
        return m_learner->GetEpsilon(delta);
    }

    LearnerState
    GetState() const override
    {
        return m_learner->GetState();
    }

    void
    SetState(const LearnerState& state) override
    {
        m_learner->SetState(state);
    }

  private:
    /// @return the weights; if training has diverged, those with which it last began
    FlatVector
    GetFinite() const
    {
        FlatVector all = m_learner->GetWeights();
        return AreFinite(*all) ? all : m_kept;
    }

    /// @param all one number a weight
    /// @return those of the shared ones
    FlatVector
    Gather(const std::vector<float>& all) const
    {
        std::vector<float> some;
        some.reserve(m_shared.places.size());
        for (const std::size_t place : m_shared.places)
        {
            some.push_back(all[place]);
        }
        return std::make_shared<const std::vector<float>>(std::move(some));
    }

    /// @param some one number a shared weight; may be null
    /// @param what words for them in an error text
    /// @param rest one number a weight
    /// @return the rest with these in their places; null for null
    /// @throws std::invalid_argument if they are not as many
    FlatVector
    Scatter(const FlatVector& some, const std::string& what, std::vector<float> rest) const
    {
        if (!some)
        {
            return nullptr;
        }
        CheckFlatVector(some, what, m_shared.places.size());
        for (std::size_t i = 0; i < some->size(); ++i)
        {
            rest[m_shared.places[i]] = (*some)[i];
        }
        return std::make_shared<const std::vector<float>>(std::move(rest));
    }

    /// @param[in,out] terms terms of a job, with vectors of shared weights; then of all
    void
    Expand(ObjectiveTerms& terms) const
    {
        const FlatVector all = GetFinite();
        terms.center = Scatter(terms.center, "center", *all);
        terms.correction =
            Scatter(terms.correction, "correction", std::vector<float>(all->size(), 0.0F));
    }

    std::unique_ptr<Learner> m_learner; //!< that learns
    SharedWeights m_shared;             //!< what it shows
    FlatVector m_kept;                  //!< weights that SetWeights() has set
    mutable FlatVector m_all;           //!< weights of which m_shown is a part; kept so that
                                        //!< training makes new ones
    mutable FlatVector m_shown;         //!< shared weights
};

} // namespace

SharedWeights
FindShared(const std::vector<WeightSpec>& specs, const std::string& personal)
{
    const auto count = ParseWholeNumber<std::size_t>(personal);
    const std::set<std::string> names =
        count ? NameLast(specs, *count) : FindTensors(specs, personal);
    SharedWeights shared = ShareThose(specs, [&names](const WeightSpec& spec) {
        return !spec.isFrozen && names.count(spec.name) == 0;
    });
    CheckArgument(!names.empty() && shared.trained != 0,
                  "personal layers \"{}\": {} of the model's {} tensors, expected some but not all "
                  "that are trained",
                  personal,
                  names.size(),
                  specs.size());
    return shared;
}

SharedWeights
FindNamed(const std::vector<WeightSpec>& specs, const std::string& names)
{
    const std::set<std::string> found = FindTensors(specs, names);
    SharedWeights shared =
        ShareThose(specs, [&found](const WeightSpec& spec) { return found.count(spec.name) > 0; });
    CheckArgument(
        shared.trained != 0, "of the {} tensors \"{}\" none is trained", found.size(), names);
    return shared;
}

SharedWeights
FindUnfrozen(const std::vector<WeightSpec>& specs)
{
    return ShareThose(specs, [](const WeightSpec& spec) { return !spec.isFrozen; });
}

std::unique_ptr<Learner>
MakePersonalLearner(std::unique_ptr<Learner> learner, SharedWeights shared)
{
    const FlatVector weights = learner ? learner->GetWeights() : nullptr;
    CheckArgument(weights && !shared.places.empty() && shared.trained <= shared.places.size() &&
                      std::is_sorted(shared.places.begin(), shared.places.end()) &&
                      shared.places.back() < weights->size(),
                  "a personal learner that shares {} weights, of which {} are trained",
                  shared.places.size(),
                  shared.trained);
    return std::make_unique<PersonalLearner>(std::move(learner), std::move(shared));
}

} // namespace ns3::collab
