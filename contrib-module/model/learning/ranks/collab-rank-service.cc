/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-rank-service.h"

#include "collab-rank-archive.h"

#include "ns3/collab-torch-learner.h"
#include "ns3/collab-torch-runtime.h"

#include <exception>
#include <stdexcept>
#include <utility>

namespace ns3::collab
{

std::string
RankService::Answer(std::string request)
{
    const auto fail = [](RankStatus status, const std::exception& error) {
        RankWriter answer;
        answer << status << std::string(error.what());
        return answer.Take();
    };
    try
    {
        RankReader reader(std::move(request), &m_shelf);
        RankWriter answer;
        answer << RankStatus::DONE;
        Do(reader, answer);
        return answer.Take();
    }
    catch (const std::invalid_argument& error)
    {
        return fail(RankStatus::INVALID_ARGUMENT, error);
    }
    catch (const std::exception& error)
    {
        return fail(RankStatus::ERROR, error);
    }
}

void
RankService::Do(RankReader& request, RankWriter& answer)
{
    const auto action = request.Read<RankAction>();
    const auto number = request.Read<uint32_t>();
    auto weights = request.Read<FlatVector>();
    if (action == RankAction::MAKE)
    {
        if (m_learners.empty())
        {
            ConfigureTorchProcess();
        }
        m_learners[number] =
            MakeTorchLearner(request.Read<TorchLearnerConfig>(), std::move(weights));
        return;
    }
    if (action == RankAction::DROP)
    {
        m_learners.erase(number);
        return;
    }
    Learner& learner = *m_learners.at(number);
    if (weights)
    {
        learner.SetWeights(std::move(weights));
    }
    Call(action, learner, request, answer);
}

void
RankService::Call(RankAction action, Learner& learner, RankReader& request, RankWriter& answer)
{
    switch (action)
    {
    case RankAction::TRAIN:
        answer << learner.Train(request.Read<TrainTask>()) << learner.GetWeights();
        break;
    case RankAction::GRADIENT:
        answer << learner.ComputeGradient(request.Read<GradientTask>());
        break;
    case RankAction::PREDICT:
        answer << learner.Predict(request.Read<DataView>());
        break;
    case RankAction::PREDICT_SCORES:
        answer << learner.PredictScores(request.Read<DataView>());
        break;
    case RankAction::EVALUATE:
        answer << learner.Evaluate(request.Read<DataView>());
        break;
    case RankAction::COUNT:
        answer << learner.CountTrainFlops(request.Read<TrainTask>());
        break;
    case RankAction::EPSILON:
        answer << learner.GetEpsilon(request.Read<double>());
        break;
    case RankAction::GET_STATE:
        answer << learner.GetState();
        break;
    case RankAction::SET_STATE:
        learner.SetState(request.Read<LearnerState>());
        break;
    case RankAction::GET_WEIGHTS:
        answer << learner.GetWeights();
        break;
    default:
        throw std::logic_error("a rank is asked for something else");
    }
}

} // namespace ns3::collab
