/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_PAYLOADS_H
#define FEDERATED_PAYLOADS_H

#include "ns3/collab-compression.h"
#include "ns3/collab-learner.h"
#include "ns3/collab-message.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief A vector as it travels: the bytes of a Compressor, and what a receiver reads in them.
 */
class EncodedVector
{
  public:
    /// @brief No vector.
    EncodedVector() = default;
    /**
     * @param values to encode
     * @param compressor what to encode with
     * @param seed of what is random in it
     * @throws std::invalid_argument if a value is not finite
     */
    EncodedVector(const std::vector<float>& values, const Compressor& compressor, uint64_t seed);
    /**
     * @brief Encode each value as many equal ones by "float32"; see Learner::GetMultiplicity().
     *
     * @param values to encode; if one is not finite, receivers refuse all
     * @param multiplicity how many numbers each value stands for
     */
    EncodedVector(FlatVector values, uint32_t multiplicity);
    /**
     * @param bytes of a Compressor
     * @param size number of bytes
     * @param dimension elements that there must be
     * @param multiplicity how many numbers each element stands for
     * @throws PayloadError if they are not one encoding of so many finite elements
     */
    EncodedVector(const uint8_t* bytes,
                  std::size_t size,
                  std::size_t dimension,
                  uint32_t multiplicity = 1);

    /// @return what a receiver reads; null for no vector
    const FlatVector& GetValues() const;
    /// @return bytes of the encoding; 0 for no vector
    uint64_t GetSize() const;
    /// @param[in,out] bytes gets the encoding appended; nothing for no vector
    void Serialize(std::vector<uint8_t>& bytes) const;

    /**
     * @param dimension elements that there must be; 0 if there must be no vector
     * @param name what to call it
     * @throws PayloadError if there are not as many, or one is not finite
     */
    void Check(std::size_t dimension, const char* name) const;

  private:
    FlatVector m_values;          //!< what a receiver reads
    std::vector<uint8_t> m_bytes; //!< the encoding; empty if it is "float32", made when needed
    uint32_t m_multiplicity = 1;  //!< how many numbers each value stands for
};

/**
 * @ingroup collab
 * @brief The global model on its way to devices, with the control variate if there is one.
 *
 * On the wire, little-endian: number of participants (4 bytes); their numbers (4 each); in SCAFFOLD
 * and FedDyn a bit for each of them, from the least one of a byte on; size of the encoded model
 * (4); the encoded model; the encoded control variate, or nothing.
 */
class FederatedModelPayload : public Payload
{
  public:
    /**
     * @param participants devices that are to train, ascending; with none, whoever receives it
     * only takes note of the model
     * @param model the global model
     * @param control the server's control variate, or no vector
     * @param parities of participants: whether the server has used an odd number of updates of
     * each; none if they do not travel
     */
    FederatedModelPayload(std::vector<uint32_t> participants,
                          EncodedVector model,
                          EncodedVector control,
                          std::optional<std::vector<bool>> parities = std::nullopt);

    uint64_t WireSize() const override;
    void Serialize(std::vector<uint8_t>& bytes) const override;

    /**
     * @param bytes wire format
     * @param size number of bytes
     * @param dimension number of weights
     * @param hasControl whether there must be a control variate
     * @param multiplicity how many numbers each weight stands for
     * @param hasParities whether there must be a bit for each participant
     * @return the payload
     * @throws PayloadError if the bytes are not exactly one
     */
    static std::shared_ptr<const FederatedModelPayload> Parse(const uint8_t* bytes,
                                                              std::size_t size,
                                                              std::size_t dimension,
                                                              bool hasControl,
                                                              uint32_t multiplicity = 1,
                                                              bool hasParities = false);

    /**
     * @brief Decide whether it can be believed.
     *
     * @param dimension number of weights
     * @param hasControl whether there must be a control variate
     * @param hasParities whether there must be a bit for each participant
     * @throws PayloadError if a length differs, a number is not finite, or participants are not
     * ascending
     */
    void Check(std::size_t dimension, bool hasControl, bool hasParities = false) const;

    /// @return devices that are to train, ascending
    const std::vector<uint32_t>& GetParticipants() const;
    /**
     * @param device a participant
     * @return whether the server has used an odd number of its updates; false if that does not
     * travel
     */
    bool IsOdd(uint32_t device) const;
    /// @return the global model
    const FlatVector& GetModel() const;
    /// @return the server's control variate; null if there is none
    const FlatVector& GetControl() const;

  private:
    std::vector<uint32_t> m_participants;        //!< devices that are to train
    EncodedVector m_model;                       //!< the global model
    EncodedVector m_control;                     //!< the server's control variate
    std::optional<std::vector<bool>> m_parities; //!< of numbers of updates that were used
};

/**
 * @ingroup collab
 * @brief What a device has learned on its way to the server.
 *
 * On the wire, little-endian: number of samples (4 bytes); in FedNova number of steps (4); in
 * FedBuff number of the assignment (4); size of the encoded change (4); the encoded change of the
 * weights; the encoded change of the control variate, or nothing.
 */
class FederatedUpdatePayload : public Payload
{
  public:
    /**
     * @param samples number of the device's samples
     * @param change of the weights
     * @param controlChange of the device's control variate, or no vector
     * @param steps of the training; none if they do not travel
     * @param assignment sequence number of the message with the model that was trained from; none
     * if it does not travel
     */
    FederatedUpdatePayload(uint32_t samples,
                           EncodedVector change,
                           EncodedVector controlChange,
                           std::optional<uint32_t> steps = std::nullopt,
                           std::optional<uint32_t> assignment = std::nullopt);

    uint64_t WireSize() const override;
    void Serialize(std::vector<uint8_t>& bytes) const override;

    /**
     * @param bytes wire format
     * @param size number of bytes
     * @param dimension number of weights
     * @param hasControl whether there must be a control variate
     * @param multiplicity how many numbers each weight stands for
     * @param hasSteps whether there must be a number of steps
     * @param hasAssignment whether there must be a number of the assignment
     * @return the payload
     * @throws PayloadError if the bytes are not exactly one
     */
    static std::shared_ptr<const FederatedUpdatePayload> Parse(const uint8_t* bytes,
                                                               std::size_t size,
                                                               std::size_t dimension,
                                                               bool hasControl,
                                                               uint32_t multiplicity = 1,
                                                               bool hasSteps = false,
                                                               bool hasAssignment = false);

    /**
     * @brief Decide whether it can be believed.
     *
     * @param dimension number of weights
     * @param hasControl whether there must be a control variate
     * @param maxSamples greatest number of samples that a device can have
     * @param maxSteps greatest number of steps that it can have taken; 0 if steps must not travel
     * @param hasAssignment whether there must be a number of the assignment
     * @throws PayloadError if a length differs, a number is not finite, or the number of samples or
     * steps is 0 or above the greatest
     */
    void Check(std::size_t dimension,
               bool hasControl,
               uint32_t maxSamples,
               uint32_t maxSteps = 0,
               bool hasAssignment = false) const;

    /// @return number of the device's samples
    uint32_t GetSamples() const;
    /// @return steps of the training; 0 if they did not travel
    uint32_t GetSteps() const;
    /// @return sequence number of the message with the model; 0 if it did not travel
    uint32_t GetAssignment() const;
    /// @return change of the weights
    const FlatVector& GetChange() const;
    /// @return change of the control variate; null if there is none
    const FlatVector& GetControlChange() const;

  private:
    uint32_t m_samples;                   //!< number of the device's samples
    EncodedVector m_change;               //!< of the weights
    EncodedVector m_controlChange;        //!< of the control variate
    std::optional<uint32_t> m_steps;      //!< of the training
    std::optional<uint32_t> m_assignment; //!< message with the model
};

} // namespace collab
} // namespace ns3

#endif /* FEDERATED_PAYLOADS_H */
