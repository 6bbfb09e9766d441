/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-messages.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-vector-stack.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

namespace ns3::collab
{

namespace
{

constexpr std::size_t BITS = 8; //!< of a byte

/// @param bits of bytes, from the lowest of each on
/// @param place of one of them
/// @return whether it is set
bool
IsSet(const std::vector<uint8_t>& bits, std::size_t place)
{
    return (bits[place / BITS] >> (place % BITS) & 1U) != 0;
}

/// @brief Refuse a number that cannot be.
/// @param number that came
/// @param most the most that is believed
/// @param name what to call it
/// @throws PayloadError if it is 0 or above that
void
CheckNumber(uint32_t number, uint32_t most, const char* name)
{
    Require<PayloadError>(
        number != 0 && number <= most, "{} {}, expected 1 to {}", number, name, most);
}

} // namespace

uint64_t
EncodedPair::WireSize() const
{
    return WIRE_WORD + weights.WireSize() + control.WireSize();
}

void
EncodedPair::Write(std::vector<uint8_t>& bytes) const
{
    PutWord(static_cast<uint32_t>(weights.WireSize()), bytes);
    weights.Write(bytes);
    control.Write(bytes);
}

void
EncodedPair::Read(WireReader& reader)
{
    const std::size_t whole = reader.TakeWord();
    const std::size_t lost = missing * WIRE_WORD;
    Require<PayloadError>(whole >= lost, "{} bytes of a vector, {} are missing", whole, lost);
    const std::size_t size = whole - lost;
    WireReader first(reader.Take(size), size);
    weights.Read(first, missing);
    control.Read(reader);
}

void
FederatedModel::AddParticipant(uint32_t device, bool isOdd)
{
    const std::size_t place = participants.size();
    participants.push_back(device);
    if (hasMemory)
    {
        parities.resize(place / BITS + 1, 0);
        parities.back() |= static_cast<uint8_t>((isOdd ? 1U : 0U) << (place % BITS));
    }
}

bool
FederatedModel::Asks(uint32_t device) const
{
    return std::binary_search(participants.begin(), participants.end(), device);
}

bool
FederatedModel::IsOdd(uint32_t device) const
{
    const auto found = std::lower_bound(participants.begin(), participants.end(), device);
    return hasMemory && Asks(device) &&
           IsSet(parities, static_cast<std::size_t>(found - participants.begin()));
}

void
FederatedModel::Check(const FederatedModel& expected) const
{
    vectors.weights.Check(expected.vectors.weights, "model");
    vectors.control.Check(expected.vectors.control, "control variate");
    Require<PayloadError>(std::adjacent_find(participants.begin(),
                                             participants.end(),
                                             std::greater_equal<uint32_t>()) == participants.end(),
                          "participants that are not in ascending order");
    for (std::size_t place = participants.size(); place < parities.size() * BITS; ++place)
    {
        Require<PayloadError>(!IsSet(parities, place), "bits that stand for nothing");
    }
}

void
FederatedUpload::Check(const FederatedUpload& expected) const
{
    vectors.weights.Check(expected.vectors.weights, "change", arrived);
    vectors.control.Check(expected.vectors.control, "change of the control variate");
    CheckNumber(samples, expected.maxSamples, "samples");
    if (sendsSteps)
    {
        CheckNumber(steps, expected.maxSteps, "steps");
    }
}

uint32_t
FederatedUpload::CountUnits() const
{
    return vectors.weights.IsPlain() && !vectors.control.GetValues()
               ? static_cast<uint32_t>(vectors.weights.GetValues()->size())
               : 0;
}

uint32_t
FederatedUpload::GetUnitSize() const
{
    return WIRE_WORD;
}

void
FederatedUpload::Keep(const std::vector<uint32_t>& units)
{
    vectors.weights.Keep(units);
}

FederatedUpdate
FederatedUpload::ToUpdate() const
{
    FederatedUpdate update;
    update.arrived = arrived;
    update.samples = samples;
    update.change = vectors.weights.GetValues();
    update.controlChange = vectors.control.GetValues();
    update.steps = steps;
    return update;
}

void
FederatedSetModel::Check(const FederatedSetModel& expected) const
{
    change.Check(expected.change, "change");
    Require<PayloadError>(exchange < expected.exchange,
                          "exchange {} of a round, which has {}",
                          exchange,
                          expected.exchange);
    CheckNumber(samples, expected.samples, "samples");
}

} // namespace ns3::collab
