/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DISTILLATION_LABEL_CACHE_H
#define DISTILLATION_LABEL_CACHE_H

#include "distillation-pooling.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief Labels of X* that are used again in later rounds: the soft-label caching of SCARLET
 * (Azuma et al., arXiv:2504.19602, 2025).
 *
 * Server and devices have one each. A label that was made in round t is used up to round t + D, and
 * nobody sends predictions of its sample meanwhile. With D = 0 each round has its own labels.
 */
class LabelCache
{
  public:
    /// @param samples number of samples of X*
    /// @param classes number of classes
    /// @param duration D
    LabelCache(std::size_t samples, std::size_t classes, uint32_t duration);

    /// @param round a round
    /// @return samples without a label that is valid in it, ascending
    std::vector<uint32_t> FindDue(uint32_t round) const;
    /// @param round round in which they were made
    /// @param labels labels, in the place of those that there were
    void Store(uint32_t round, const LabeledRows& labels);
    /// @param round a round
    /// @return all labels that are valid in it
    LabeledRows GetValid(uint32_t round) const;
    /// @param round a round
    /// @param samples ascending
    /// @return those of these samples that are valid in it
    LabeledRows GetValid(uint32_t round, const std::vector<uint32_t>& samples) const;

  private:
    /// @param sample a sample
    /// @param round a round
    /// @return whether there is a label of it that is valid
    bool IsValid(uint32_t sample, uint32_t round) const;

    Matrix<float> m_labels;                      //!< of X*
    std::vector<std::optional<uint32_t>> m_made; //!< rounds; none without a label
    uint32_t m_duration;                         //!< D
};

} // namespace ns3::collab

#endif /* DISTILLATION_LABEL_CACHE_H */
