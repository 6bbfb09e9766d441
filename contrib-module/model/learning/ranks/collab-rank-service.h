/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_RANK_SERVICE_H
#define COLLAB_RANK_SERVICE_H

#include "collab-rank-shelf.h"

#include "ns3/collab-learner.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace ns3::collab
{

class RankReader;
class RankWriter;

/// What rank 0 asks a learner at another rank for
enum class RankAction : uint8_t
{
    MAKE,           //!< of a configuration and weights; no other action goes before it
    DROP,           //!< end it
    TRAIN,          //!< Learner::Train(), and its weights since
    GRADIENT,       //!< Learner::ComputeGradient()
    PREDICT,        //!< Learner::Predict()
    PREDICT_SCORES, //!< Learner::PredictScores()
    EVALUATE,       //!< Learner::Evaluate()
    COUNT,          //!< Learner::CountTrainFlops()
    EPSILON,        //!< Learner::GetEpsilon()
    GET_STATE,      //!< Learner::GetState()
    SET_STATE,      //!< Learner::SetState()
    GET_WEIGHTS,    //!< Learner::GetWeights()
};

/// How an answer begins
enum class RankStatus : uint8_t
{
    DONE,             //!< the result follows
    INVALID_ARGUMENT, //!< the text of a std::invalid_argument follows
    ERROR,            //!< the text of another exception follows
};

/**
 * @brief The learners at a rank, as rank 0 calls them.
 *
 * A request is an action, the learner's number, weights that it gets first, or null, and the
 * arguments of the action.
 */
class RankService
{
  public:
    /// @param request a request
    /// @return the answer
    std::string Answer(std::string request);

  private:
    /// @brief Do what a request says.
    /// @param request the request
    /// @param answer gets the result
    void Do(RankReader& request, RankWriter& answer);
    /// @brief Do what is asked of a learner that is here.
    /// @param action what
    /// @param learner the learner
    /// @param request its arguments
    /// @param answer gets the result
    static void Call(RankAction action, Learner& learner, RankReader& request, RankWriter& answer);

    RankShelf m_shelf;                                       //!< what rank 0 has sent
    std::map<uint32_t, std::unique_ptr<Learner>> m_learners; //!< by number
};

} // namespace ns3::collab

#endif /* COLLAB_RANK_SERVICE_H */
