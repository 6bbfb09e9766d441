/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOSSIP_AVERAGING_MESSAGES_H
#define GOSSIP_AVERAGING_MESSAGES_H

#include "ns3/collab-encoded-vector.h"
#include "ns3/gossip-messages.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3::collab::gossip
{

/// @ingroup collab
/// @brief A trained model, to be averaged.
struct Push : public Weights
{
    static constexpr uint16_t KIND = 0x0531;
    static constexpr const char* NAME = "push";

    template <typename V>
    void
    Fields(V& fields)
    {
        Shape(fields);
        fields.Units(values, numbers, "weights", arrived, multiplicity);
    }
};

/// @ingroup collab
/// @brief Teleportation: a model that another device trains next.
struct Teleport : public Push
{
    static constexpr uint16_t KIND = 0x0538;
    static constexpr const char* NAME = "teleport";
};

/// @ingroup collab
/// @brief Stochastic gradient push: half of the sender's mass or, with running sums, all that it
/// has sent to the receiver up to now.
struct Mass
{
    static constexpr uint16_t KIND = 0x0532;
    static constexpr const char* NAME = "mass";

    double weight = 1;         //!< w
    FlatVector values;         //!< x
    std::size_t numbers = 0;   //!< that the values stand for
    uint32_t multiplicity = 1; //!< how many each stands for
    double maxWeight = 0;      //!< expected: the most that is believed

    template <typename V>
    void
    Fields(V& fields)
    {
        fields.Shape(numbers, "numbers in a mass");
        fields.Shape(multiplicity, "numbers of a value");
        fields(weight);
        fields.Floats(values, numbers, "numerators", multiplicity);
    }

    /// @param expected what all know
    /// @throws PayloadError if the weight is not positive or above maxWeight
    void
    Check(const Mass& expected) const
    {
        if (!(weight > 0 && weight <= expected.maxWeight))
        {
            throw PayloadError("weight " + std::to_string(weight) + ", expected above 0, at most " +
                               std::to_string(expected.maxWeight));
        }
    }
};

/// @ingroup collab
/// @brief A vector for all neighbors, encoded by the attribute Compression.
struct Encoded
{
    uint32_t neighbors = 0; //!< of the sender
    EncodedVector vector;   //!< what they get

    /// @param expected what all know
    /// @throws PayloadError if the vector is not as expected
    void
    Check(const Encoded& expected) const
    {
        vector.Check(expected.vector, "vector of a neighbor");
    }
};

/// @ingroup collab
/// @brief DFedAvgM: a trained model or, encoded, its change since the round began.
struct Trained : public Encoded
{
    static constexpr uint16_t KIND = 0x0533;
    static constexpr const char* NAME = "trained";

    template <typename V>
    void
    Fields(V& fields)
    {
        fields(neighbors, vector);
    }
};

/// @ingroup collab
/// @brief CHOCO-SGD: a change of the sender's replica, or all of it.
struct Change : public Encoded
{
    static constexpr uint16_t KIND = 0x0534;
    static constexpr const char* NAME = "change";

    uint32_t version = 0; //!< of the replica with the change, from 1 on
    uint32_t isWhole = 0; //!< whether the vector is the replica itself, not a change of it

    template <typename V>
    void
    Fields(V& fields)
    {
        fields(neighbors, version);
        fields.Within(isWhole, 0U, 1U, "for a whole replica");
        fields(vector);
    }
};

/// @ingroup collab
/// @brief CHOCO-SGD: asks for a whole replica, since a change of it was lost.
struct Lost : public Sign
{
    static constexpr uint16_t KIND = 0x0535;
    static constexpr const char* NAME = "lost";
};

/// @ingroup collab
/// @brief Decentralized SGD over the air: how strongly each neighbor can receive the sender's
/// model.
struct AirHead
{
    static constexpr uint16_t KIND = 0x0536;
    static constexpr const char* NAME = "air-head";

    std::vector<uint32_t> neighbors; //!< of the sender, ascending
    std::vector<float>
        limits; //!< for each, maximum amplitude of the model there; 0: none [sqrt(W)]

    template <typename V>
    void
    Fields(V& fields)
    {
        fields(neighbors, limits);
    }

    /// @throws PayloadError if there are not as many limits as neighbors, in order
    void
    Check() const
    {
        const bool isAscending =
            std::adjacent_find(neighbors.begin(), neighbors.end(), std::greater_equal<>()) ==
            neighbors.end();
        const bool isPositive =
            std::all_of(limits.begin(), limits.end(), [](float limit) { return limit >= 0; });
        if (neighbors.size() != limits.size() || !isAscending || !isPositive)
        {
            throw PayloadError("limits of neighbors, expected one each, ascending by neighbor, "
                               "none negative");
        }
    }
};

/// @ingroup collab
/// @brief Decentralized SGD over the air: what neighbors have to know of the sender's slot.
struct AirSlot
{
    static constexpr uint16_t KIND = 0x0537;
    static constexpr const char* NAME = "air-slot";

    float amplitude = 0;          //!< with which a number 1 arrives at the sender [sqrt(W)]
    uint32_t neighbors = 0;       //!< of the sender
    std::vector<uint32_t> takers; //!< who sends, in the order of their pilots, ascending

    template <typename V>
    void
    Fields(V& fields)
    {
        fields(amplitude, neighbors, takers);
    }

    /// @throws PayloadError if the amplitude is not positive
    void
    Check() const
    {
        if (!(amplitude > 0))
        {
            throw PayloadError("an amplitude of " + std::to_string(amplitude));
        }
    }
};

} // namespace ns3::collab::gossip

#endif /* GOSSIP_AVERAGING_MESSAGES_H */
