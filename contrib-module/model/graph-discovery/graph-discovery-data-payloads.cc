/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-data-payloads.h"

#include "graph-discovery-holdings.h"

#include "ns3/collab-wire-format.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace collab
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

/**
 * @param values of all samples
 * @param index of a sample
 * @param size numbers of a sample
 * @param[in,out] bytes gets them appended
 */
template <typename T>
void
PutSample(const std::vector<T>& values,
          uint32_t index,
          std::size_t size,
          std::vector<uint8_t>& bytes)
{
    for (std::size_t i = 0; i < size; ++i)
    {
        uint32_t bits;
        static_assert(sizeof(T) == sizeof(bits), "numbers and tokens have 4 bytes");
        std::memcpy(&bits, &values[index * size + i], sizeof(bits));
        PutWord(bits, bytes);
    }
}

/**
 * @param reader where they are
 * @param size numbers of a sample
 * @param[in,out] values gets them appended
 */
template <typename T>
void
TakeSample(WireReader& reader, std::size_t size, std::vector<T>& values)
{
    for (std::size_t i = 0; i < size; ++i)
    {
        const uint32_t bits = reader.TakeWord();
        T value;
        std::memcpy(&value, &bits, sizeof(value));
        values.push_back(value);
    }
}

/**
 * @param reader where it is
 * @param labelBytes 1 or 2
 * @return the label; -1 for none
 */
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

/**
 * @param data features of samples from a peer
 * @throws PayloadError if one cannot be believed
 */
void
CheckSamples(const DataSet& data)
{
    const auto isFinite = [](float value) { return std::isfinite(value); };
    if (!std::all_of(data.numbers.begin(), data.numbers.end(), isFinite) ||
        !std::all_of(data.targets.begin(), data.targets.end(), isFinite))
    {
        throw PayloadError("a datapoint with a number that is not finite");
    }
    const auto vocabulary = static_cast<int64_t>(data.vocabulary);
    if (std::any_of(data.tokens.begin(), data.tokens.end(), [vocabulary](int32_t token) {
            return token < 0 || token >= vocabulary;
        }))
    {
        throw PayloadError("a datapoint with an unknown token");
    }
}

} // namespace

void
CheckDatapoints(const DataView& samples, const DataView& own)
{
    if (!samples.data || samples.transform || samples.Size() == 0)
    {
        throw PayloadError("no plain datapoints");
    }
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
    if (!isInRange)
    {
        throw PayloadError("a datapoint or label that does not exist");
    }
    const std::size_t labels = own.Size() == 0      ? samples.labels.size()
                               : own.labels.empty() ? 0
                                                    : samples.Size();
    if (samples.labels.size() != labels ||
        (!samples.labels.empty() && samples.labels.size() != samples.Size()))
    {
        throw PayloadError(fmt::format("{} labels of {} datapoints, expected {}",
                                       samples.labels.size(),
                                       samples.Size(),
                                       labels));
    }
}

DatapointsPayload::DatapointsPayload(DataView samples)
    : m_samples(std::move(samples))
{
}

uint32_t
DatapointsPayload::GetUnitCount() const
{
    return static_cast<uint32_t>(m_samples.Size());
}

uint32_t
DatapointsPayload::GetUnitSize() const
{
    return CountUnitBytes(*m_samples.data);
}

uint32_t
DatapointsPayload::CountUnitBytes(const DataSet& data)
{
    return static_cast<uint32_t>(data.SampleBytes()) + CountLabelBytes(data) +
           data.outputs * static_cast<uint32_t>(WIRE_WORD);
}

std::shared_ptr<const Payload>
DatapointsPayload::Select(const std::vector<uint32_t>& units) const
{
    DataView selected;
    selected.data = m_samples.data;
    for (const uint32_t unit : units)
    {
        selected.indices.push_back(m_samples.indices[unit]);
        if (!m_samples.labels.empty())
        {
            selected.labels.push_back(m_samples.labels[unit]);
        }
    }
    return std::make_shared<const DatapointsPayload>(std::move(selected));
}

void
DatapointsPayload::Serialize(std::vector<uint8_t>& bytes) const
{
    const DataSet& data = *m_samples.data;
    const std::size_t size = data.SampleSize();
    const uint32_t labelBytes = CountLabelBytes(data);
    for (std::size_t i = 0; i < m_samples.Size(); ++i)
    {
        const uint32_t index = m_samples.indices[i];
        switch (data.kind)
        {
        case FeatureKind::BYTES:
        {
            const auto begin = data.features.begin() + static_cast<std::ptrdiff_t>(index * size);
            bytes.insert(bytes.end(), begin, begin + static_cast<std::ptrdiff_t>(size));
            break;
        }
        case FeatureKind::NUMBERS:
            PutSample(data.numbers, index, size, bytes);
            break;
        case FeatureKind::TOKENS:
            PutSample(data.tokens, index, size, bytes);
            break;
        }
        const int64_t label = m_samples.labels.empty() ? -1 : m_samples.labels[i];
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

std::shared_ptr<const DatapointsPayload>
DatapointsPayload::Parse(const uint8_t* bytes, std::size_t size, const DataSet& like)
{
    auto data = std::make_shared<DataSet>(MakeEmptyLike(like));
    const std::size_t sampleSize = data->SampleSize();
    const uint32_t labelBytes = CountLabelBytes(*data);
    WireReader reader(bytes, size);
    DataView samples;
    while (reader.GetLeft() > 0)
    {
        switch (data->kind)
        {
        case FeatureKind::BYTES:
        {
            const uint8_t* features = reader.Take(sampleSize);
            data->features.insert(data->features.end(), features, features + sampleSize);
            break;
        }
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
            if (label >= int64_t{data->classes})
            {
                throw PayloadError(
                    fmt::format("label {}, expected below {}", label, data->classes));
            }
            data->labels.push_back(std::max<int64_t>(label, 0));
            if (label >= 0)
            {
                samples.labels.push_back(label);
            }
        }
        TakeSample(reader, data->outputs, data->targets);
        samples.indices.push_back(static_cast<uint32_t>(samples.indices.size()));
    }
    if (!samples.labels.empty() && samples.labels.size() != samples.indices.size())
    {
        throw PayloadError("datapoints of which some have labels and some have none");
    }
    CheckSamples(*data);
    samples.data = std::move(data);
    return std::make_shared<const DatapointsPayload>(std::move(samples));
}

const DataView&
DatapointsPayload::GetSamples() const
{
    return m_samples;
}

ReceiptPayload::ReceiptPayload(std::vector<uint32_t> units, uint32_t sent)
    : m_units(std::move(units)),
      m_sent(sent)
{
}

uint64_t
ReceiptPayload::WireSize() const
{
    return (m_sent + BYTE_BITS - 1) / BYTE_BITS;
}

void
ReceiptPayload::Serialize(std::vector<uint8_t>& bytes) const
{
    const std::size_t begin = bytes.size();
    bytes.resize(begin + WireSize());
    for (const uint32_t unit : m_units)
    {
        bytes[begin + unit / BYTE_BITS] |= static_cast<uint8_t>(1U << (unit % BYTE_BITS));
    }
}

std::shared_ptr<const ReceiptPayload>
ReceiptPayload::Parse(const uint8_t* bytes, std::size_t size)
{
    std::vector<uint32_t> units;
    for (uint32_t unit = 0; unit < size * BYTE_BITS; ++unit)
    {
        if ((bytes[unit / BYTE_BITS] >> (unit % BYTE_BITS)) & 1U)
        {
            units.push_back(unit);
        }
    }
    return std::make_shared<const ReceiptPayload>(std::move(units),
                                                  static_cast<uint32_t>(size * BYTE_BITS));
}

const std::vector<uint32_t>&
ReceiptPayload::GetUnits() const
{
    return m_units;
}

} // namespace collab
} // namespace ns3
