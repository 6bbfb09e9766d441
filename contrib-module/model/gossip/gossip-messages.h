/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOSSIP_MESSAGES_H
#define GOSSIP_MESSAGES_H

#include "gossip-merge.h"

#include "ns3/collab-fields.h"
#include "ns3/collab-learner.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::collab
{

/// What devices that learn by gossip tell each other. Small messages begin with the number of their
/// words.
namespace gossip
{

/// A message that says no more than what it is
struct Sign
{
    template <typename V>
    void
    Fields(V& fields)
    {
        fields.Constant(0);
    }
};

/// Numbers
struct Words
{
    std::vector<uint32_t> numbers; //!< as many as there are

    template <typename V>
    void
    Fields(V& fields)
    {
        fields(numbers);
    }
};

/// @ingroup collab
/// @brief BrainTorrent: asks for the version of a model.
struct Ping : public Sign
{
    static constexpr uint16_t KIND = 0x0501;
    static constexpr const char* NAME = "ping";
};

/// @ingroup collab
/// @brief BrainTorrent: the version of a model.
struct Version
{
    static constexpr uint16_t KIND = 0x0502;
    static constexpr const char* NAME = "version";

    template <typename V>
    void
    Fields(V& fields)
    {
        fields.Constant(1);
        fields(version);
    }

    uint32_t version = 0; //!< of the sender's model
};

/// @ingroup collab
/// @brief BrainTorrent: asks for a model.
struct Fetch : public Sign
{
    static constexpr uint16_t KIND = 0x0503;
    static constexpr const char* NAME = "fetch";
};

/// @ingroup collab
/// @brief BrainTorrent: a turn is over.
struct Done : public Sign
{
    static constexpr uint16_t KIND = 0x0505;
    static constexpr const char* NAME = "done";
};

/// @ingroup collab
/// @brief GossipFL: the rate at which a device sends; each other one, and the rate from it [bit/s].
struct Rates : public Words
{
    static constexpr uint16_t KIND = 0x0511;
    static constexpr const char* NAME = "rates";
};

/// @ingroup collab
/// @brief GossipFL: who exchanges with whom in a round, two numbers for each pair.
struct Pairs : public Words
{
    static constexpr uint16_t KIND = 0x0512;
    static constexpr const char* NAME = "pairs";
};

/// @ingroup collab
/// @brief Segmented gossip: asks for a segment.
struct Pull
{
    static constexpr uint16_t KIND = 0x0521;
    static constexpr const char* NAME = "pull";

    template <typename V>
    void
    Fields(V& fields)
    {
        fields.Constant(1);
        fields(segment);
    }

    uint32_t segment = 0; //!< its number
};

/**
 * @ingroup collab
 * @brief Weights of a device, with the number of its samples.
 *
 * All devices have models of one shape, so that nothing of it travels. The values are all weights
 * or a part; each travels as often as it is repeated.
 */
struct Weights : public FlatUnits
{
    uint32_t samples = 1;      //!< data size of the sender
    std::size_t numbers = 0;   //!< that all weights of a model, or of the part, stand for
    uint32_t multiplicity = 1; //!< how many each weight stands for; see Learner::GetMultiplicity()
    uint32_t maxSamples = 0;   //!< greatest data size that is believed

    /// @return bytes of each of its weights
    uint32_t
    GetUnitSize() const
    {
        return multiplicity * FlatUnits::GetUnitSize();
    }

    /// @param expected what all know
    /// @throws PayloadError if the data size is 0 or above maxSamples
    void
    Check(const Weights& expected) const
    {
        if (samples == 0 || samples > expected.maxSamples)
        {
            throw PayloadError(std::to_string(samples) + " samples, expected 1 to " +
                               std::to_string(expected.maxSamples));
        }
    }

  protected:
    /// @param fields visitor of the shape that all know
    template <typename V>
    void
    Shape(V& fields)
    {
        fields.Shape(numbers, "numbers in weights");
        fields.Shape(multiplicity, "numbers of a weight");
    }
};

/// @ingroup collab
/// @brief BrainTorrent: a model.
struct Model : public Weights
{
    static constexpr uint16_t KIND = 0x0504;
    static constexpr const char* NAME = "model";

    template <typename V>
    void
    Fields(V& fields)
    {
        Shape(fields);
        fields(version, samples);
        fields.Units(values, numbers, "weights", arrived, multiplicity);
    }

    uint32_t version = 0; //!< of the model
};

/// @ingroup collab
/// @brief GossipFL: the part of a model that is exchanged in a round.
struct Part : public Weights
{
    static constexpr uint16_t KIND = 0x0513;
    static constexpr const char* NAME = "part";

    template <typename V>
    void
    Fields(V& fields)
    {
        Shape(fields);
        fields.Constant(0);
        fields(samples);
        fields.Units(values, numbers, "weights", arrived, multiplicity);
    }
};

/// @ingroup collab
/// @brief Segmented gossip: a segment of a model.
struct Segment : public Weights
{
    static constexpr uint16_t KIND = 0x0522;
    static constexpr const char* NAME = "segment";

    template <typename V>
    void
    Fields(V& fields)
    {
        Shape(fields);
        fields.Shape(segments, "segments");
        fields(segment, samples);
        fields.Units(
            values, GetSegment(numbers, segments, segment).count, "weights", arrived, multiplicity);
    }

    uint32_t segment = 0;  //!< its number
    uint32_t segments = 1; //!< of a model
};

} // namespace gossip

} // namespace ns3::collab

#endif /* GOSSIP_MESSAGES_H */
