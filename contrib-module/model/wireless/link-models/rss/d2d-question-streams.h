/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_QUESTION_STREAMS_H
#define D2D_QUESTION_STREAMS_H

#include "ns3/attribute.h"
#include "ns3/object.h"
#include "ns3/propagation-delay-model.h"
#include "ns3/propagation-loss-model.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-wireless
 * @brief Lets somebody ask models of propagation without touching the random numbers of the run.
 *
 * Models such as ns-3's NakagamiPropagationLossModel, RandomPropagationLossModel and
 * RandomPropagationDelayModel draw from random variables that they have as attributes. While a
 * question lasts a twin stands in for each of these: of the same class and with the same
 * attributes, but with a stream of its own. So answers have the distribution that a signal has, and
 * it does not matter to the run how often somebody asks.
 *
 * A model whose random variables are no attributes is asked as it is, and so is one with a
 * DeterministicRandomVariable or an EmpiricalRandomVariable, whose numbers are no attributes.
 */
class D2dQuestionStreams
{
  public:
    /// @param firstStream stream of the first twin; the next ones follow
    explicit D2dQuestionStreams(int64_t firstStream);

    /// As long as it lives, models draw from twins
    class Question
    {
      public:
        /// @param streams streams whose twins are used
        /// @param loss head of the chain of loss models; may be null
        /// @param delay the delay model; may be null
        Question(D2dQuestionStreams& streams,
                 const Ptr<PropagationLossModel>& loss,
                 const Ptr<PropagationDelayModel>& delay);
        ~Question();
        Question(const Question&) = delete;
        Question& operator=(const Question&) = delete;

      private:
        D2dQuestionStreams& m_streams; //!< whose twins are used
    };

  private:
    /// A random variable that a model has as an attribute
    struct Variable
    {
        Ptr<Object> model;                     //!< whose attribute it is
        Ptr<const AttributeAccessor> accessor; //!< reads and writes it
        Ptr<RandomVariableStream> original;    //!< what the run draws from
        Ptr<RandomVariableStream> twin;        //!< what questions draw from
    };

    /// @brief Find the random variables anew if there are other models than before.
    /// @param loss head of the chain of loss models; may be null
    /// @param delay the delay model; may be null
    void Follow(const Ptr<PropagationLossModel>& loss, const Ptr<PropagationDelayModel>& delay);
    /// @param model model whose random variables get twins
    void Add(const Ptr<Object>& model);
    /// @brief Put the twins in place.
    void Begin();
    /// @brief Put back what the run draws from.
    void End();
    /// @param variable a random variable that needs a twin for what its model has now
    void MakeTwin(Variable& variable);

    int64_t m_nextStream;              //!< stream of the next twin
    std::vector<Ptr<Object>> m_models; //!< models that were searched
    std::vector<Variable> m_variables; //!< what was found
    int m_depth = 0;                   //!< questions within questions
};

} // namespace ns3::collab

#endif /* D2D_QUESTION_STREAMS_H */
