/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "prediction-consensus-messages.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-float16.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <utility>

namespace ns3::collab
{

static_assert(sizeof(float) == 4, "the wire format is IEEE 754 single precision");

namespace
{

/// Largest distance of the sum of a sample's probabilities from 1
constexpr double TOLERANCE = 1e-3;

/// All probabilities of a sample of which a model that has diverged has none
constexpr float NO_CLASS_SCORE = std::numeric_limits<float>::quiet_NaN();

/// @param classes number of classes
/// @return what is written for the class of a sample that has none: the greatest number
uint32_t
NoClass(std::size_t classes)
{
    return classes <= 0xff ? 0xff : 0xffff;
}

/// @param classes number of classes
/// @return bytes of the number of a class
std::size_t
ClassBytes(std::size_t classes)
{
    return NoClass(classes) == 0xff ? 1 : 2;
}

/// @param format of predictions
/// @return bytes of a number
std::size_t
NumberBytes(const PredictionFormat& format)
{
    return format.precision == LabelPrecision::FLOAT16 ? 2 : 4;
}

/// @param format of predictions
/// @param classes number of classes
/// @return whether only some probabilities of a sample travel
bool
IsSparse(const PredictionFormat& format, std::size_t classes)
{
    return format.kind == PredictionKind::PROBABILITIES && format.topK > 0 && format.topK < classes;
}

/// @param value to write, little endian
/// @param size number of bytes
/// @param[out] bytes gets them appended
void
WriteInteger(uint32_t value, std::size_t size, std::vector<uint8_t>& bytes)
{
    for (std::size_t i = 0; i < size; ++i)
    {
        bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
    }
}

/// @param reader at a number, little endian
/// @param size number of bytes
/// @return the number
uint32_t
ReadInteger(WireReader& reader, std::size_t size)
{
    const uint8_t* bytes = reader.Take(size);
    uint32_t value = 0;
    for (std::size_t i = 0; i < size; ++i)
    {
        value |= uint32_t{bytes[i]} << (8 * i);
    }
    return value;
}

/// @param value to write
/// @param size 2 for half precision, 4 for single
/// @param[out] bytes gets it appended
void
WriteNumber(float value, std::size_t size, std::vector<uint8_t>& bytes)
{
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    WriteInteger(size == 2 ? FloatToHalf(value) : bits, size, bytes);
}

/// @param reader at a number
/// @param size 2 for half precision, 4 for single
/// @return the number
float
ReadNumber(WireReader& reader, std::size_t size)
{
    const uint32_t bits = ReadInteger(reader, size);
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    return size == 2 ? HalfToFloat(static_cast<uint16_t>(bits)) : value;
}

/// @param row numbers of all classes
/// @param classes number of classes
/// @return whether one of them is NaN
bool
HasDiverged(const float* row, std::size_t classes)
{
    return std::any_of(row, row + classes, [](float value) { return std::isnan(value); });
}

/// @param row numbers of all classes, none of which is NaN
/// @param classes number of classes
/// @param count how many to choose, at most classes
/// @return the classes of the greatest numbers, of equals those with the lowest class; ascending
std::vector<uint32_t>
FindGreatest(const float* row, std::size_t classes, std::size_t count)
{
    std::vector<uint32_t> order(classes);
    std::iota(order.begin(), order.end(), 0);
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(count);
    std::partial_sort(order.begin(), end, order.end(), [row](uint32_t a, uint32_t b) {
        return row[a] > row[b] || (row[a] == row[b] && a < b);
    });
    order.resize(count);
    std::sort(order.begin(), order.end());
    return order;
}

/// @brief Keep some numbers of a row, scaled so that they add up to 1.
/// @param[in,out] row numbers of all classes
/// @param classes number of classes
/// @param count how many to keep
void
KeepGreatest(float* row, std::size_t classes, std::size_t count)
{
    std::vector<float> kept(classes, 0.0F);
    double sum = 0;
    const auto greatest = FindGreatest(row, classes, count);
    for (const uint32_t c : greatest)
    {
        sum += row[c];
    }
    for (const uint32_t c : greatest)
    {
        kept[c] = static_cast<float>(row[c] / sum);
    }
    std::copy(kept.begin(), kept.end(), row);
}

/// @param predictions exact ones
/// @param format how they travel
/// @return what is left of them at a receiver
Matrix<float>
Reduce(Matrix<float> predictions, const PredictionFormat& format)
{
    const std::size_t classes = predictions.columns;
    for (std::size_t sample = 0; sample < predictions.rows; ++sample)
    {
        float* row = predictions.Row(sample);
        if (format.kind != PredictionKind::VALUES && HasDiverged(row, classes))
        {
            std::fill(row, row + classes, NO_CLASS_SCORE);
            continue;
        }
        if (format.kind == PredictionKind::CLASSES)
        {
            const auto greatest = std::max_element(row, row + classes) - row;
            std::fill(row, row + classes, 0.0F);
            row[greatest] = 1;
            continue;
        }
        if (IsSparse(format, classes))
        {
            KeepGreatest(row, classes, format.topK);
        }
        if (format.precision == LabelPrecision::FLOAT16)
        {
            std::transform(
                row, row + classes, row, [](float v) { return HalfToFloat(FloatToHalf(v)); });
        }
    }
    return predictions;
}

/// @brief Read one sample whose classes travel.
/// @param reader at its first class
/// @param format how it is written
/// @param classes number of classes
/// @param[out] row gets the numbers that there are
/// @throws PayloadError if a class is unknown or not greater than the one before
void
ReadClasses(WireReader& reader, const PredictionFormat& format, std::size_t classes, float* row)
{
    const bool isSparse = IsSparse(format, classes);
    uint32_t least = 0;
    for (uint32_t i = 0; i < (isSparse ? format.topK : 1); ++i)
    {
        const uint32_t c = ReadInteger(reader, ClassBytes(classes));
        const float number = isSparse ? ReadNumber(reader, NumberBytes(format)) : 1.0F;
        if (c == NoClass(classes))
        {
            std::fill(row, row + classes, NO_CLASS_SCORE);
            continue;
        }
        Require<PayloadError>(c >= least && c < classes,
                              "class {} of soft labels, expected {} to {}",
                              c,
                              least,
                              classes - 1);
        row[c] = number;
        least = c + 1;
    }
}

/// @param predictions to check
/// @param count rows of them that there are
/// @param kind what they are
/// @throws PayloadError as CheckPredictions()
void
CheckRows(const Matrix<float>& predictions, std::size_t count, PredictionKind kind)
{
    const bool isRegression = kind == PredictionKind::VALUES;
    for (std::size_t sample = 0; sample < count; ++sample)
    {
        double sum = 0;
        for (std::size_t c = 0; c < predictions.columns; ++c)
        {
            const float p = predictions(sample, c);
            if (isRegression ? !std::isfinite(p) : !(p >= 0 && p <= 1 + TOLERANCE))
            {
                throw PayloadError(fmt::format("{} is no {} (sample {})",
                                               p,
                                               isRegression ? "finite number" : "probability",
                                               sample));
            }
            sum += p;
        }
        Require<PayloadError>(isRegression || std::abs(sum - 1) <= TOLERANCE,
                              "probabilities of sample {} add up to {}, not 1",
                              sample,
                              sum);
    }
}

} // namespace

Matrix<float>
Falsify(Matrix<float> labels, PredictionAttack attack)
{
    for (std::size_t sample = 0; sample < labels.rows; ++sample)
    {
        float* row = labels.Row(sample);
        if (attack == PredictionAttack::TARGET)
        {
            std::swap(row[0], row[1]);
        }
        else
        {
            std::rotate(row, row + labels.columns - 1, row + labels.columns);
        }
    }
    return labels;
}

uint64_t
PredictionFormat::CountSampleBytes(std::size_t classes) const
{
    if (kind == PredictionKind::CLASSES)
    {
        return ClassBytes(classes);
    }
    return IsSparse(*this, classes) ? topK * (ClassBytes(classes) + NumberBytes(*this))
                                    : classes * NumberBytes(*this);
}

void
CheckPredictions(const Matrix<float>& predictions,
                 std::size_t samples,
                 std::size_t classes,
                 PredictionKind kind)
{
    Require<PayloadError>(predictions.rows == samples && predictions.columns == classes,
                          "soft labels of shape {} x {}, expected {} x {}",
                          predictions.rows,
                          predictions.columns,
                          samples,
                          classes);
    CheckRows(predictions, samples, kind);
}

SoftLabels::SoftLabels(Matrix<float> exact, PredictionFormat howToWrite)
    : predictions(Reduce(std::move(exact), howToWrite)),
      format(howToWrite),
      m_present(predictions.rows)
{
}

void
SoftLabels::Check() const
{
    const std::size_t come = arrived.IsWhole() ? predictions.rows : arrived.units.size();
    Require<PayloadError>(m_present == come &&
                              (arrived.IsWhole() || arrived.sent == predictions.rows),
                          "soft labels of {} samples, expected {} of {}",
                          m_present,
                          come,
                          predictions.rows);
    CheckRows(predictions, m_present, format.kind);
}

uint32_t
SoftLabels::CountUnits() const
{
    return static_cast<uint32_t>(predictions.rows);
}

uint32_t
SoftLabels::GetUnitSize() const
{
    return static_cast<uint32_t>(format.CountSampleBytes(predictions.columns));
}

void
SoftLabels::Keep(const std::vector<uint32_t>& samples)
{
    for (std::size_t i = 0; i < samples.size(); ++i) // in place, since numbers ascend
    {
        std::copy_n(predictions.Row(samples[i]), predictions.columns, predictions.Row(i));
    }
    m_present = samples.size();
}

Matrix<float>
SoftLabels::Complete(const Matrix<float>& others) const
{
    Matrix<float> complete = others;
    for (std::size_t i = 0; i < arrived.units.size(); ++i)
    {
        std::copy_n(predictions.Row(i), predictions.columns, complete.Row(arrived.units[i]));
    }
    return complete;
}

uint64_t
SoftLabels::WireSize() const
{
    return predictions.rows * format.CountSampleBytes(predictions.columns);
}

void
SoftLabels::Write(std::vector<uint8_t>& bytes) const
{
    const std::size_t classes = predictions.columns;
    const bool isSparse = IsSparse(format, classes);
    const std::size_t count = isSparse ? format.topK : 1;
    const auto writeClass = [&](uint32_t number, float probability) {
        WriteInteger(number, ClassBytes(classes), bytes);
        if (isSparse)
        {
            WriteNumber(probability, NumberBytes(format), bytes);
        }
    };
    for (std::size_t sample = 0; sample < predictions.rows; ++sample)
    {
        const float* row = predictions.Row(sample);
        if (!isSparse && format.kind != PredictionKind::CLASSES)
        {
            std::for_each(row, row + classes, [&](float value) {
                WriteNumber(value, NumberBytes(format), bytes);
            });
            continue;
        }
        if (HasDiverged(row, classes))
        {
            for (std::size_t i = 0; i < count; ++i)
            {
                writeClass(NoClass(classes), NO_CLASS_SCORE);
            }
            continue;
        }
        for (const uint32_t c : FindGreatest(row, classes, count))
        {
            writeClass(c, row[c]);
        }
    }
}

void
SoftLabels::Read(WireReader& reader)
{
    const std::size_t classes = predictions.columns;
    predictions = Matrix<float>(predictions.rows, classes);
    m_present = arrived.IsWhole() ? predictions.rows : arrived.units.size();
    for (std::size_t sample = 0; sample < std::min(m_present, predictions.rows); ++sample)
    {
        float* row = predictions.Row(sample);
        if (format.kind == PredictionKind::CLASSES || IsSparse(format, classes))
        {
            ReadClasses(reader, format, classes, row);
            continue;
        }
        std::generate(
            row, row + classes, [&]() { return ReadNumber(reader, NumberBytes(format)); });
    }
}

} // namespace ns3::collab
