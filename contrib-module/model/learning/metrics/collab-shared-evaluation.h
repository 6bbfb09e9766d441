/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_SHARED_EVALUATION_H
#define COLLAB_SHARED_EVALUATION_H

#include "ns3/collab-learner.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-learning
 * @brief Scores of models on labelled samples, which devices may share.
 *
 * Where devices have the same model, it is measured once. Any thread may call it.
 */
class SharedEvaluation
{
  public:
    /// @param name suffix of metrics
    /// @param labelled samples with the labels to judge by
    /// @param kept models whose scores are kept: some if devices, which are a few rounds apart,
    /// share it; 0 if they do not
    SharedEvaluation(std::string name,
                     std::shared_ptr<const DataView> labelled,
                     std::size_t kept = 4);
    /// @brief Measure on the samples of several views, e.g. of all devices, as if they were one.
    /// @param name suffix of metrics
    /// @param labelled samples with the labels to judge by; balanced accuracy and determination are
    /// means of those of each view
    /// @param kept see above
    SharedEvaluation(std::string name,
                     std::vector<std::shared_ptr<const DataView>> labelled,
                     std::size_t kept = 4);
    ~SharedEvaluation();

    /// @return suffix of metrics
    const std::string& GetName() const;
    /// @return whether the samples are of a regression
    bool IsRegression() const;
    /// @return whether the samples are of several views
    bool HasSeveralViews() const;
    /// @param learner learner that has the weights now
    /// @return its score
    Score Evaluate(Learner& learner);

  private:
    struct State;
    /// @param learner learner that has the weights now
    /// @return its score, measured
    Score Measure(Learner& learner) const;

    std::string m_name;                                      //!< suffix of metrics
    std::vector<std::shared_ptr<const DataView>> m_labelled; //!< samples to judge by
    std::size_t m_kept;                                      //!< models whose scores are kept
    std::unique_ptr<State> m_state;                          //!< scores of the last few models
};

} // namespace ns3::collab

#endif /* COLLAB_SHARED_EVALUATION_H */
