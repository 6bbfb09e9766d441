/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-data-messages.h"

#include "graph-discovery-holdings.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-fields.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace ns3::collab
{

namespace
{

constexpr uint32_t BYTE_BITS = 8;        //!< in a byte
constexpr uint16_t NO_LABEL = 0xffff;    //!< label of 2 bytes that is none
constexpr uint8_t NO_SHORT_LABEL = 0xff; //!< label of 1 byte that is none

/// @param data a data set
/// @return bytes of a label, 0 in regression
uint32_t
CountLabelBytes(const DataSet& data)
{
    if (data.outputs > 0)
    {
        return 0;
    }
    return data.classes <= NO_SHORT_LABEL ? 1 : 2;
}

/// @param values of all samples
/// @param index of a sample
/// @param size numbers of a sample
/// @param[in,out] bytes gets them appended
template <typename T>
void
PutSample(const std::vector<T>& values,
          uint32_t index,
          std::size_t size,
          std::vector<uint8_t>& bytes)
{
    for (std::size_t i = index * size; i < (index + 1) * size; ++i)
    {
        detail::PutNumber(values[i], bytes);
    }
}

/// @param reader where they are
/// @param size numbers of a sample
/// @param[in,out] values gets them appended
template <typename T>
void
TakeSample(WireReader& reader, std::size_t size, std::vector<T>& values)
{
    for (std::size_t i = 0; i < size; ++i)
    {
        values.push_back(detail::TakeNumber<T>(reader));
    }
}

/// @param reader where it is
/// @param labelBytes 1 or 2
/// @return the label; -1 for none
int64_t
TakeLabel(WireReader& reader, uint32_t labelBytes)
{
    if (labelBytes == 1)
    {
        const auto label = reader.TakeNumber<uint8_t>();
        return label == NO_SHORT_LABEL ? -1 : int64_t{label};
    }
    const auto label = reader.TakeNumber<uint16_t>();
    return label == NO_LABEL ? -1 : int64_t{label};
}

/// @param data features of samples from a peer
/// @throws PayloadError if one cannot be believed
void
CheckSamples(const DataSet& data)
{
    const auto isFinite = [](float value) { return std::isfinite(value); };
    Require<PayloadError>(std::all_of(data.numbers.begin(), data.numbers.end(), isFinite) &&
                              std::all_of(data.targets.begin(), data.targets.end(), isFinite),
                          "a datapoint with a number that is not finite");
    const auto vocabulary = static_cast<int64_t>(data.vocabulary);
    Require<PayloadError>(
        std::none_of(data.tokens.begin(),
                     data.tokens.end(),
                     [vocabulary](int32_t token) { return token < 0 || token >= vocabulary; }),
        "a datapoint with an unknown token");
}

} // namespace

void
CheckDatapoints(const DataView& samples, const DataView& own)
{
    Require<PayloadError>(samples.data && !samples.transform && samples.Size() != 0,
                          "no plain datapoints");
    const DataSet& data = *samples.data;
    if (samples.data != own.data)
    {
        try
        {
            CheckAlike(data, *own.data);
            data.Validate();
        }
        catch (const std::invalid_argument& error)
        {
            throw PayloadError(error.what());
        }
        CheckSamples(data);
    }
    const std::size_t count = data.Size();
    const auto classes = static_cast<int64_t>(data.classes);
    const bool isInRange =
        std::all_of(samples.indices.begin(),
                    samples.indices.end(),
                    [count](uint32_t index) { return index < count; }) &&
        std::all_of(samples.labels.begin(), samples.labels.end(), [classes](int64_t label) {
            return label >= 0 && label < classes;
        });
    Require<PayloadError>(isInRange, "a datapoint or label that does not exist");
    const std::size_t labels = own.Size() == 0      ? samples.labels.size()
                               : own.labels.empty() ? 0
                                                    : samples.Size();
    Require<PayloadError>(samples.labels.size() == labels &&
                              (samples.labels.empty() || samples.labels.size() == samples.Size()),
                          "{} labels of {} datapoints, expected {}",
                          samples.labels.size(),
                          samples.Size(),
                          labels);
}

uint32_t
Datapoints::CountUnits() const
{
    return static_cast<uint32_t>(samples.Size());
}

uint32_t
Datapoints::GetUnitSize() const
{
    return CountUnitBytes(*samples.data);
}

uint32_t
Datapoints::CountUnitBytes(const DataSet& data)
{
    return static_cast<uint32_t>(data.SampleBytes()) + CountLabelBytes(data) +
           data.outputs * static_cast<uint32_t>(WIRE_WORD);
}

Datapoints
Datapoints::Select(const std::vector<uint32_t>& units) const
{
    Datapoints selected;
    selected.samples.data = samples.data;
    for (const uint32_t unit : units)
    {
        selected.samples.indices.push_back(samples.indices[unit]);
        if (!samples.labels.empty())
        {
            selected.samples.labels.push_back(samples.labels[unit]);
        }
    }
    return selected;
}

uint64_t
Datapoints::WireSize() const
{
    return uint64_t{CountUnits()} * GetUnitSize();
}

void
Datapoints::Write(std::vector<uint8_t>& bytes) const
{
    const DataSet& data = *samples.data;
    const std::size_t size = data.SampleSize();
    const uint32_t labelBytes = CountLabelBytes(data);
    for (std::size_t i = 0; i < samples.Size(); ++i)
    {
        const uint32_t index = samples.indices[i];
        switch (data.kind)
        {
        case FeatureKind::BYTES:
            PutSample(data.features, index, size, bytes);
            break;
        case FeatureKind::NUMBERS:
            PutSample(data.numbers, index, size, bytes);
            break;
        case FeatureKind::TOKENS:
            PutSample(data.tokens, index, size, bytes);
            break;
        }
        const int64_t label = samples.labels.empty() ? -1 : samples.labels[i];
        if (labelBytes == 1)
        {
            bytes.push_back(static_cast<uint8_t>(label)); // -1 sets all bits
        }
        else if (labelBytes == 2)
        {
            PutLittle(static_cast<uint16_t>(label), bytes);
        }
        PutSample(data.targets, index, data.outputs, bytes);
    }
}

void
Datapoints::Read(WireReader& reader)
{
    auto data = std::make_shared<DataSet>(MakeEmptyLike(*samples.data));
    const std::size_t sampleSize = data->SampleSize();
    const uint32_t labelBytes = CountLabelBytes(*data);
    samples = DataView();
    while (reader.GetLeft() > 0)
    {
        switch (data->kind)
        {
        case FeatureKind::BYTES:
            TakeSample(reader, sampleSize, data->features);
            break;
        case FeatureKind::NUMBERS:
            TakeSample(reader, sampleSize, data->numbers);
            break;
        case FeatureKind::TOKENS:
            TakeSample(reader, sampleSize, data->tokens);
            break;
        }
        if (labelBytes > 0)
        {
            const int64_t label = TakeLabel(reader, labelBytes);
            Require<PayloadError>(label < int64_t{data->classes},
                                  "label {}, expected below {}",
                                  label,
                                  data->classes);
            data->labels.push_back(std::max<int64_t>(label, 0));
            if (label >= 0)
            {
                samples.labels.push_back(label);
            }
        }
        TakeSample(reader, data->outputs, data->targets);
        samples.indices.push_back(static_cast<uint32_t>(samples.indices.size()));
    }
    Require<PayloadError>(samples.labels.empty() || samples.labels.size() == samples.indices.size(),
                          "datapoints of which some have labels and some have none");
    CheckSamples(*data);
    samples.data = std::move(data);
}

uint64_t
DatapointReceipt::WireSize() const
{
    return (sent + BYTE_BITS - 1) / BYTE_BITS;
}

void
DatapointReceipt::Write(std::vector<uint8_t>& bytes) const
{
    const std::size_t begin = bytes.size();
    bytes.resize(begin + WireSize());
    for (const uint32_t unit : units)
    {
        bytes[begin + unit / BYTE_BITS] |= static_cast<uint8_t>(1U << (unit % BYTE_BITS));
    }
}

void
DatapointReceipt::Read(WireReader& reader)
{
    units.clear();
    sent = 0;
    while (reader.GetLeft() > 0)
    {
        const auto bits = reader.TakeNumber<uint8_t>();
        for (uint32_t bit = 0; bit < BYTE_BITS; ++bit, ++sent)
        {
            if ((bits >> bit) & 1U)
            {
                units.push_back(sent);
            }
        }
    }
}

} // namespace ns3::collab
