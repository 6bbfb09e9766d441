/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DISTILLATION_MESSAGES_H
#define DISTILLATION_MESSAGES_H

#include "ns3/collab-fields.h"
#include "ns3/collab-learner.h"
#include "ns3/distillation-pooling.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief What is said of some samples of X*, as it travels.
 *
 * A bit for each sample of X*, in bytes from the lowest bit on, which says whether there is a row
 * of it; then the rows, as 4-byte numbers. All know the number of samples and of classes.
 */
struct RowsOnWire
{
    template <typename V>
    void
    Fields(V& fields)
    {
        fields.Shape(samples, "samples of X*");
        fields.Shape(classes, "classes");
        fields.Shape(areScores, "as class scores or probabilities");
        fields.Vector(mask, (samples + 7) / 8, "bytes of samples");
        fields.Derive([this]() { m_present = CountPresent(); });
        fields.Floats(values, m_present * classes, "numbers of the samples");
    }

    /// @param said what is said
    void Set(const LabeledRows& said);
    /// @return what is said
    LabeledRows Get() const;
    /// @throws PayloadError if there are bits of samples that X* has not, or rows that are no
    /// probabilities
    void Check() const;

    std::size_t samples = 0;   //!< of X*
    std::size_t classes = 0;   //!< number of classes
    bool areScores = false;    //!< whether rows are class scores, not probabilities
    std::vector<uint8_t> mask; //!< which samples there are
    FlatVector values;         //!< their rows, one after the other

  private:
    /// @return number of bits that are set
    std::size_t CountPresent() const;

    std::size_t m_present = 0; //!< rows that there are
};

/// @ingroup collab
/// @brief A device's predictions on X*, for the server.
struct DevicePredictions : public RowsOnWire
{
    static constexpr uint16_t KIND = 0x0601;
    static constexpr const char* NAME = "predictions";
};

/// @ingroup collab
/// @brief The server's labels of X*, for all devices.
struct PooledLabels : public RowsOnWire
{
    static constexpr uint16_t KIND = 0x0602;
    static constexpr const char* NAME = "pooled-labels";
};

} // namespace ns3::collab

#endif /* DISTILLATION_MESSAGES_H */
