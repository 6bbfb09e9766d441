/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_MESSAGES_H
#define FEDERATED_MESSAGES_H

#include "ns3/collab-encoded-vector.h"
#include "ns3/federated-strategy.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief A vector of weights or of their change, in SCAFFOLD with one of control variates.
 *
 * On the wire: size of the first one (4 bytes); the first one; the second one, or nothing.
 */
struct EncodedPair
{
    EncodedVector weights;   //!< or their change
    EncodedVector control;   //!< or its change; no vector in other algorithms
    std::size_t missing = 0; //!< values of the first one that have not come

    /// @return bytes on the wire
    uint64_t WireSize() const;
    /// @param[in,out] bytes gets both appended
    void Write(std::vector<uint8_t>& bytes) const;
    /// @param reader with nothing else than both
    /// @throws PayloadError if they are not as expected
    void Read(WireReader& reader);
};

/// @ingroup collab
/// @brief The global model on its way to devices, with the control variate if there is one.
struct FederatedModel
{
    static constexpr uint16_t KIND = 0x0401;
    static constexpr const char* NAME = "global-model";

    /// Devices that are to train, ascending; with none, whoever receives it takes note of the model
    std::vector<uint32_t> participants;
    /// With memory: a bit for each, from the lowest of a byte on; see IsOdd()
    std::vector<uint8_t> parities;
    EncodedPair vectors;    //!< the model, and the server's control variate
    bool hasMemory = false; //!< whether parities travel

    /// @param device that is to train, above all others up to now
    /// @param isOdd whether the server has used an odd number of its updates
    void AddParticipant(uint32_t device, bool isOdd);
    /// @param device any device
    /// @return whether it is to train
    bool Asks(uint32_t device) const;
    /// @param device a device
    /// @return whether the server has used an odd number of its updates; false if that does not
    /// travel
    bool IsOdd(uint32_t device) const;

    template <typename V>
    void
    Fields(V& fields)
    {
        fields.Shape(hasMemory, "bits of participants");
        fields(participants);
        fields.Vector(parities, hasMemory ? (participants.size() + 7) / 8 : 0, "bytes of bits");
        fields(vectors);
    }

    /// @throws PayloadError if vectors are not as expected, or participants not in order
    void Check(const FederatedModel& expected) const;
};

/// @ingroup collab
/// @brief What a device has learned on its way to the server.
struct FederatedUpload
{
    static constexpr uint16_t KIND = 0x0402;
    static constexpr const char* NAME = "update";

    uint32_t samples = 0;        //!< of the device
    uint32_t steps = 0;          //!< FedNova: of the training
    uint32_t assignment = 0;     //!< FedBuff: number of the message with the model
    EncodedPair vectors;         //!< the change, and that of the device's control variate
    Arrival arrived;             //!< which numbers of the change have come
    bool sendsSteps = false;     //!< whether steps travel
    bool isAsynchronous = false; //!< whether the assignment does
    uint32_t maxSamples = 0;     //!< expected: the most that are believed
    uint32_t maxSteps = 0;       //!< expected: the most that are believed

    template <typename V>
    void
    Fields(V& fields)
    {
        fields.Shape(sendsSteps, "numbers of steps");
        fields.Shape(isAsynchronous, "assignments");
        fields(samples);
        if (sendsSteps)
        {
            fields(steps);
        }
        if (isAsynchronous)
        {
            fields(assignment);
        }
        fields.Derive([this]() {
            vectors.missing = arrived.IsWhole() ? 0 : arrived.sent - arrived.units.size();
        });
        fields(vectors);
    }

    /// @throws PayloadError if vectors are not as expected, or a number is 0 or too large
    void Check(const FederatedUpload& expected) const;

    /// @return numbers of the change that are of use one by one; 0 if it is encoded
    uint32_t CountUnits() const;
    /// @return bytes of each
    uint32_t GetUnitSize() const;
    /// @param units numbers of the change that have come, ascending
    void Keep(const std::vector<uint32_t>& units);

    /// @return what the mathematics needs of it
    FederatedUpdate ToUpdate() const;
};

/**
 * @ingroup collab
 * @brief A device's model on its way to the other devices of its set.
 *
 * It travels as its change from the round's global model, which all that take part have.
 */
struct FederatedSetModel
{
    static constexpr uint16_t KIND = 0x0403;
    static constexpr const char* NAME = "set-model";

    uint32_t exchange = 0; //!< within the round; expected: how many a round has
    uint32_t samples = 0;  //!< by which it is weighed; expected: the most that are believed
    EncodedVector change;  //!< of the weights

    template <typename V>
    void
    Fields(V& fields)
    {
        fields(exchange, samples, change);
    }

    /// @throws PayloadError if the change is not as expected, or a number is too large
    void Check(const FederatedSetModel& expected) const;
};

} // namespace ns3::collab

#endif /* FEDERATED_MESSAGES_H */
