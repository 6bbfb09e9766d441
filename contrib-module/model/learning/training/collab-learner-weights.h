/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_LEARNER_WEIGHTS_H
#define COLLAB_LEARNER_WEIGHTS_H

#include "collab-learner.h"

#include <memory>
#include <vector>

namespace ns3::collab
{

/// A flat vector of weights that learners share until one of them changes its own.
class LearnerWeights
{
  public:
    /// @return the weights, to be shared
    const FlatVector& Get() const;
    /// @param weights weights that others may have as well
    void Set(FlatVector weights);
    /// @param weights weights that nobody else can write to
    void Set(std::shared_ptr<std::vector<float>> weights);

    /// @brief Get weights of one's own, by a copy if others can see them.
    /// @return whether they had to be copied
    bool BeginWriting();
    /// @return the weights after BeginWriting()
    std::vector<float>& GetOwn();

  private:
    FlatVector m_weights;                //!< as others see them
    std::vector<float>* m_own = nullptr; //!< the same if it was made here, else null
};

} // namespace ns3::collab

#endif /* COLLAB_LEARNER_WEIGHTS_H */
