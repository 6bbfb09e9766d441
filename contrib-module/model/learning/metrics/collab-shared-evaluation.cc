/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-shared-evaluation.h"

#include <algorithm>
#include <deque>
#include <future>
#include <mutex>
#include <utility>

namespace ns3::collab
{

/// Scores of the last few models
struct SharedEvaluation::State
{
    std::mutex mutex; //!< of what follows
    /// the newest first; a score may still be measured by the thread that found it missing
    std::deque<std::pair<FlatVector, std::shared_future<Score>>> measured;
};

SharedEvaluation::SharedEvaluation(std::string name,
                                   std::shared_ptr<const DataView> labelled,
                                   std::size_t kept)
    : SharedEvaluation(std::move(name), std::vector{std::move(labelled)}, kept)
{
}

SharedEvaluation::SharedEvaluation(std::string name,
                                   std::vector<std::shared_ptr<const DataView>> labelled,
                                   std::size_t kept)
    : m_name(std::move(name)),
      m_labelled(std::move(labelled)),
      m_kept(kept),
      m_state(std::make_unique<State>())
{
}

SharedEvaluation::~SharedEvaluation() = default;

const std::string&
SharedEvaluation::GetName() const
{
    return m_name;
}

bool
SharedEvaluation::IsRegression() const
{
    const auto& data = m_labelled.front()->data; // null for learners that need none
    return data && data->outputs > 0;
}

bool
SharedEvaluation::HasSeveralViews() const
{
    return m_labelled.size() > 1;
}

Score
SharedEvaluation::Measure(Learner& learner) const
{
    if (m_labelled.size() == 1)
    {
        return learner.Evaluate(*m_labelled.front());
    }
    Score sum;
    sum.determination = 0;
    std::size_t samples = 0;
    for (const auto& view : m_labelled)
    {
        samples += view->Size();
    }
    for (const auto& view : m_labelled)
    {
        const Score score = learner.Evaluate(*view);
        const double share = static_cast<double>(view->Size()) / static_cast<double>(samples);
        sum.accuracy += share * score.accuracy;
        sum.balancedAccuracy += share * score.balancedAccuracy;
        sum.loss += share * score.loss;
        sum.determination += share * score.determination;
    }
    return sum;
}

Score
SharedEvaluation::Evaluate(Learner& learner)
{
    if (m_kept == 0)
    {
        return Measure(learner);
    }
    const FlatVector weights = learner.GetAllWeights();
    std::packaged_task<Score()> measure([this, &learner]() { return Measure(learner); });
    std::shared_future<Score> score;
    bool isNew = false;
    {
        const std::lock_guard<std::mutex> lock(m_state->mutex);
        auto& measured = m_state->measured;
        const auto known = std::find_if(measured.begin(), measured.end(), [&](const auto& entry) {
            return entry.first == weights || *entry.first == *weights;
        });
        isNew = known == measured.end();
        score = isNew ? measure.get_future().share() : known->second;
        if (isNew)
        {
            measured.emplace_front(weights, score);
            measured.resize(std::min(measured.size(), m_kept));
        }
    }
    if (isNew)
    {
        measure(); // others may measure other models meanwhile
    }
    return score.get();
}

} // namespace ns3::collab
