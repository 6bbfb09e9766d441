/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-rank-learner.h"

#include "collab-rank-archive.h"
#include "collab-rank-group.h"
#include "collab-rank-service.h"

#include <exception>
#include <future>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3::collab
{

namespace
{

/// The learner of MakeRankLearner()
class RankLearner : public Learner
{
  public:
    /// @param group where it computes
    /// @param config what to build
    /// @param weights weights to start from, as given: a belief would be rounded on its way back
    /// @param twin the same learner here, which never trains
    RankLearner(std::shared_ptr<RankGroup> group,
                const TorchLearnerConfig& config,
                const FlatVector& weights,
                std::unique_ptr<Learner> twin)
        : m_group(std::move(group)),
          m_rank(m_group->ChooseRank()),
          m_number(m_group->TakeNumber()),
          m_drawsLots(config.dpSgd.has_value()),
          m_twin(std::move(twin))
    {
        m_made = m_group->Ask(m_rank, [&](RankWriter& request) {
            request << RankAction::MAKE << m_number << weights << config;
        });
    }

    ~RankLearner() override
    {
        try
        {
            m_group->Ask(m_rank, [this](RankWriter& request) {
                request << RankAction::DROP << m_number << FlatVector();
            });
        }
        catch (const std::exception&) // the other process is gone, and with it the learner
        {
        }
    }

    RankLearner(const RankLearner&) = delete;
    RankLearner& operator=(const RankLearner&) = delete;

    TrainReport
    Train(const TrainTask& task) override
    {
        RankReader answer = Ask(RankAction::TRAIN, task);
        auto report = answer.Read<TrainReport>();
        m_trained = answer.Read<FlatVector>();
        return report;
    }

    Matrix<float>
    Predict(const DataView& inputs) override
    {
        return Ask(RankAction::PREDICT, inputs).Read<Matrix<float>>();
    }

    Matrix<float>
    PredictScores(const DataView& inputs) override
    {
        return Ask(RankAction::PREDICT_SCORES, inputs).Read<Matrix<float>>();
    }

    Score
    Evaluate(const DataView& labelled) override
    {
        return Ask(RankAction::EVALUATE, labelled).Read<Score>();
    }

    uint64_t
    CountTrainFlops(const TrainTask& task) const override
    {
        return m_drawsLots ? Ask(RankAction::COUNT, task).Read<uint64_t>()
                           : m_twin->CountTrainFlops(task);
    }

    uint64_t
    CountMostTrainFlops(const TrainTask& task) const override
    {
        return m_twin->CountMostTrainFlops(task);
    }

    uint64_t
    CountPredictFlops(std::size_t samples) const override
    {
        return m_twin->CountPredictFlops(samples);
    }

    uint64_t
    GetParameterCount() const override
    {
        return m_twin->GetParameterCount();
    }

    FlatVector
    GetWeights() const override
    {
        return m_trained ? m_trained : m_twin->GetWeights();
    }

    void
    SetWeights(FlatVector weights) override
    {
        m_twin->SetWeights(weights); // which refuses what a learner does not take
        m_pending = std::move(weights);
        m_trained = nullptr;
    }

    double
    GetEpsilon(double delta) const override
    {
        return Ask(RankAction::EPSILON, delta).Read<double>();
    }

    LearnerState
    GetState() const override
    {
        return Ask(RankAction::GET_STATE).Read<LearnerState>();
    }

    void
    SetState(const LearnerState& state) override
    {
        Ask(RankAction::SET_STATE, state);
        m_trained = Ask(RankAction::GET_WEIGHTS).Read<FlatVector>();
    }

    GradientReport
    ComputeGradient(const GradientTask& task) override
    {
        return Ask(RankAction::GRADIENT, task).Read<GradientReport>();
    }

    uint64_t
    CountGradientFlops(const GradientTask& task) const override
    {
        return m_twin->CountGradientFlops(task);
    }

  private:
    /// @brief Let the learner do something, after it has got the weights that were set.
    /// @param action what
    /// @param arguments of the action
    /// @return the result
    /// @throws what the learner throws; RankError if its process is gone
    template <typename... Arguments>
    RankReader
    Ask(RankAction action, const Arguments&... arguments) const
    {
        if (m_made.valid())
        {
            Read(m_made.get());
        }
        const auto write = [&](RankWriter& request) {
            request << action << m_number << m_pending;
            static_cast<void>((request << ... << arguments));
        };
        auto answer = m_group->Ask(m_rank, write, action == RankAction::TRAIN);
        m_pending = nullptr;
        return Read(answer.get());
    }

    /// @param bytes an answer
    /// @return the result in it
    RankReader
    Read(std::string bytes) const
    {
        m_group->CountAnswer(m_rank, bytes.size());
        RankReader answer(std::move(bytes));
        const auto status = answer.Read<RankStatus>();
        if (status == RankStatus::INVALID_ARGUMENT)
        {
            throw std::invalid_argument(answer.Read<std::string>());
        }
        if (status == RankStatus::ERROR)
        {
            throw std::runtime_error(answer.Read<std::string>());
        }
        return answer;
    }

    std::shared_ptr<RankGroup> m_group;      //!< where it computes
    uint32_t m_rank;                         //!< of the process
    uint32_t m_number;                       //!< of the learner
    bool m_drawsLots;                        //!< whether its random state decides operations
    std::unique_ptr<Learner> m_twin;         //!< counts and checks
    FlatVector m_trained;                    //!< weights since a training; null: those of the twin
    mutable FlatVector m_pending;            //!< weights to be sent with the next action
    mutable std::future<std::string> m_made; //!< whether it was made
};

} // namespace

std::unique_ptr<Learner>
MakeRankLearner(TorchLearnerConfig config, FlatVector weights)
{
    const auto group = GetRankGroup();
    if (!group)
    {
        return MakeTorchLearner(std::move(config), std::move(weights));
    }
    return std::make_unique<RankLearner>(group, config, weights, MakeTorchLearner(config, weights));
}

} // namespace ns3::collab
