/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-payloads.h"

#include "ns3/collab-wire-format.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace ns3
{
namespace collab
{

namespace
{

constexpr uint8_t LEFT_OUT = 128; //!< added to the number of a cluster that the receiver knows

/**
 * @param count a number of datapoints
 * @param countBytes 0, 1 or 2
 * @param[in,out] bytes gets it appended
 */
void
PutCount(uint32_t count, uint32_t countBytes, std::vector<uint8_t>& bytes)
{
    if (countBytes == 1)
    {
        PutLittle(static_cast<uint8_t>(count), bytes);
    }
    else if (countBytes == 2)
    {
        PutLittle(static_cast<uint16_t>(count), bytes);
    }
}

/**
 * @param reader where it is
 * @param countBytes 0, 1 or 2
 * @return a number of datapoints; 0 without bytes
 */
uint32_t
TakeCount(WireReader& reader, uint32_t countBytes)
{
    switch (countBytes)
    {
    case 1:
        return reader.TakeNumber<uint8_t>();
    case 2:
        return reader.TakeNumber<uint16_t>();
    default:
        return 0;
    }
}

/**
 * @param reader where they are
 * @param rows of a matrix
 * @param columns of it
 * @return the matrix
 * @throws PayloadError if a number is not finite
 */
Matrix<float>
TakeMatrix(WireReader& reader, std::size_t rows, std::size_t columns)
{
    Matrix<float> matrix;
    matrix.rows = rows;
    matrix.columns = columns;
    matrix.values = reader.TakeFloats(rows * columns);
    CheckFloats(&matrix.values, rows * columns, "matrix");
    return matrix;
}

/// @param values to write in single precision
/// @param[in,out] bytes gets them appended
void
PutRounded(const std::vector<double>& values, std::vector<uint8_t>& bytes)
{
    const std::vector<float> rounded(values.begin(), values.end());
    PutFloats(rounded.data(), rounded.size(), 1, bytes);
}

/**
 * @param reader where they are
 * @param dimension d
 * @return mean and covariance of a cluster
 * @throws PayloadError if they cannot be those of one
 */
std::shared_ptr<const GaussianCluster>
TakeStatistics(WireReader& reader, std::size_t dimension)
{
    const Matrix<float> mean = TakeMatrix(reader, 1, dimension);
    const Matrix<float> covariance = TakeMatrix(reader, dimension, dimension);
    auto cluster = std::make_shared<GaussianCluster>();
    cluster->mean.assign(mean.values.begin(), mean.values.end());
    cluster->covariance = Matrix<double>(dimension, dimension);
    std::copy(
        covariance.values.begin(), covariance.values.end(), cluster->covariance.values.begin());
    CheckCluster(cluster.get(), dimension);
    return cluster;
}

} // namespace

void
CheckCluster(const GaussianCluster* cluster, std::size_t dimension)
{
    const std::size_t size = dimension * dimension;
    if (!cluster || cluster->mean.size() != dimension || cluster->covariance.rows != dimension ||
        cluster->covariance.columns != dimension || cluster->covariance.values.size() != size)
    {
        throw PayloadError(fmt::format("what is no cluster of {} numbers", dimension));
    }
    // Comparisons that are false of NaN
    const auto isIn = [](const std::vector<double>& values, double greatest) {
        return std::all_of(values.begin(), values.end(), [greatest](double value) {
            return std::abs(value) <= greatest;
        });
    };
    bool isGood = isIn(cluster->mean, GREATEST_NUMBER) &&
                  isIn(cluster->covariance.values, GREATEST_NUMBER * GREATEST_NUMBER);
    for (std::size_t i = 0; i < dimension; ++i)
    {
        isGood = isGood && cluster->covariance(i, i) > 0;
        for (std::size_t k = 0; k < i; ++k)
        {
            isGood = isGood && cluster->covariance(i, k) == cluster->covariance(k, i);
        }
    }
    if (!isGood)
    {
        throw PayloadError(
            "a cluster out of range, or with a covariance that is not symmetric with "
            "a positive diagonal");
    }
}

PartitionCountsPayload::PartitionCountsPayload(PartitionCounts counts, uint32_t countBytes)
    : m_counts(std::move(counts)),
      m_countBytes(countBytes)
{
}

uint64_t
PartitionCountsPayload::WireSize() const
{
    return m_counts.size() * m_countBytes;
}

void
PartitionCountsPayload::Serialize(std::vector<uint8_t>& bytes) const
{
    for (const uint32_t count : m_counts)
    {
        PutCount(count, m_countBytes, bytes);
    }
}

std::shared_ptr<const PartitionCountsPayload>
PartitionCountsPayload::Parse(const uint8_t* bytes, std::size_t size, uint32_t countBytes)
{
    WireReader reader(bytes, size);
    PartitionCounts counts(size / countBytes);
    for (uint32_t& count : counts)
    {
        count = TakeCount(reader, countBytes);
    }
    reader.CheckEnd();
    return std::make_shared<const PartitionCountsPayload>(std::move(counts), countBytes);
}

const PartitionCounts&
PartitionCountsPayload::GetCounts() const
{
    return m_counts;
}

LinkRewardPayload::LinkRewardPayload(float reward, uint32_t points)
    : m_reward(reward),
      m_points(
          static_cast<uint16_t>(std::min<uint32_t>(points, std::numeric_limits<uint16_t>::max())))
{
}

uint64_t
LinkRewardPayload::WireSize() const
{
    return SIZE;
}

void
LinkRewardPayload::Serialize(std::vector<uint8_t>& bytes) const
{
    PutFloats(&m_reward, 1, 1, bytes);
    PutLittle(m_points, bytes);
}

std::shared_ptr<const LinkRewardPayload>
LinkRewardPayload::Parse(const uint8_t* bytes, std::size_t size)
{
    WireReader reader(bytes, size);
    const std::vector<float> reward = reader.TakeFloats(1);
    const auto points = reader.TakeNumber<uint16_t>();
    reader.CheckEnd();
    CheckFloats(&reward, 1, "reward");
    return std::make_shared<const LinkRewardPayload>(reward[0], points);
}

float
LinkRewardPayload::GetReward() const
{
    return m_reward;
}

uint32_t
LinkRewardPayload::GetPoints() const
{
    return m_points;
}

NumbersPayload::NumbersPayload(Matrix<float> numbers)
    : m_numbers(std::move(numbers))
{
}

uint64_t
NumbersPayload::WireSize() const
{
    return m_numbers.values.size() * WIRE_WORD;
}

void
NumbersPayload::Serialize(std::vector<uint8_t>& bytes) const
{
    PutFloats(m_numbers.values.data(), m_numbers.values.size(), 1, bytes);
}

std::shared_ptr<const NumbersPayload>
NumbersPayload::Parse(const uint8_t* bytes, std::size_t size, std::size_t rows, std::size_t columns)
{
    WireReader reader(bytes, size);
    Matrix<float> numbers = TakeMatrix(reader, rows, columns);
    reader.CheckEnd();
    return std::make_shared<const NumbersPayload>(std::move(numbers));
}

const Matrix<float>&
NumbersPayload::GetNumbers() const
{
    return m_numbers;
}

ClusterRequestPayload::ClusterRequestPayload(const ClusterFormat& format,
                                             uint32_t requested,
                                             uint16_t known,
                                             std::shared_ptr<const Matrix<float>> centroids)
    : m_format(format),
      m_requested(requested),
      m_known(known),
      m_centroids(std::move(centroids))
{
}

uint64_t
ClusterRequestPayload::WireSize() const
{
    return m_format.countBytes + (m_format.caches ? sizeof(m_known) : 0) +
           (m_centroids ? m_centroids->values.size() * WIRE_WORD : 0);
}

void
ClusterRequestPayload::Serialize(std::vector<uint8_t>& bytes) const
{
    PutCount(m_requested, m_format.countBytes, bytes);
    if (m_format.caches)
    {
        PutLittle(m_known, bytes);
    }
    if (m_centroids)
    {
        PutFloats(m_centroids->values.data(), m_centroids->values.size(), 1, bytes);
    }
}

std::shared_ptr<const ClusterRequestPayload>
ClusterRequestPayload::Parse(const uint8_t* bytes, std::size_t size, const ClusterFormat& format)
{
    WireReader reader(bytes, size);
    const uint32_t requested = TakeCount(reader, format.countBytes);
    const uint16_t known = format.caches ? reader.TakeNumber<uint16_t>() : 0;
    std::shared_ptr<const Matrix<float>> centroids;
    if (reader.GetLeft() > 0)
    {
        const std::size_t rows = reader.GetLeft() / (format.dimension * WIRE_WORD);
        centroids =
            std::make_shared<const Matrix<float>>(TakeMatrix(reader, rows, format.dimension));
    }
    reader.CheckEnd();
    return std::make_shared<const ClusterRequestPayload>(
        format, requested, known, std::move(centroids));
}

uint32_t
ClusterRequestPayload::GetRequested() const
{
    return m_requested;
}

uint16_t
ClusterRequestPayload::GetKnown() const
{
    return m_known;
}

const std::shared_ptr<const Matrix<float>>&
ClusterRequestPayload::GetCentroids() const
{
    return m_centroids;
}

std::shared_ptr<const GaussianCluster>
RoundCluster(const GaussianCluster& cluster)
{
    auto rounded = std::make_shared<GaussianCluster>(cluster);
    const std::size_t d = rounded->mean.size();
    double trace = 0;
    for (double& value : rounded->mean)
    {
        value = static_cast<float>(value);
    }
    for (std::size_t i = 0; i < d; ++i)
    {
        trace += cluster.covariance(i, i);
    }
    // Rounding can take what makes a nearly flat cluster positive definite
    for (double ridge = 0;; ridge = ridge > 0 ? 4 * ridge : trace / static_cast<double>(d) * 1e-7)
    {
        for (std::size_t i = 0; i < d * d; ++i)
        {
            const bool isDiagonal = i % (d + 1) == 0;
            rounded->covariance.values[i] =
                static_cast<float>(cluster.covariance.values[i] + (isDiagonal ? ridge : 0.0));
        }
        try
        {
            FactoredCluster check(*rounded);
            return rounded;
        }
        catch (const std::invalid_argument&)
        {
            continue;
        }
    }
}

ClusterStatisticsPayload::ClusterStatisticsPayload(const ClusterFormat& format,
                                                   std::vector<ClusterEntry> entries)
    : m_format(format),
      m_entries(std::move(entries))
{
}

uint64_t
ClusterStatisticsPayload::WireSize() const
{
    const std::size_t d = m_format.dimension;
    uint64_t size = 0;
    for (const auto& entry : m_entries)
    {
        size += (m_format.caches ? 1 : 0) + m_format.countBytes +
                (entry.statistics ? (d + d * d) * WIRE_WORD : 0);
    }
    return size;
}

void
ClusterStatisticsPayload::Serialize(std::vector<uint8_t>& bytes) const
{
    for (const auto& entry : m_entries)
    {
        if (m_format.caches)
        {
            bytes.push_back(
                static_cast<uint8_t>(entry.cluster + (entry.statistics ? 0 : LEFT_OUT)));
        }
        PutCount(entry.points, m_format.countBytes, bytes);
        if (entry.statistics)
        {
            PutRounded(entry.statistics->mean, bytes);
            PutRounded(entry.statistics->covariance.values, bytes);
        }
    }
}

std::shared_ptr<const ClusterStatisticsPayload>
ClusterStatisticsPayload::Parse(const uint8_t* bytes, std::size_t size, const ClusterFormat& format)
{
    WireReader reader(bytes, size);
    std::vector<ClusterEntry> entries;
    while (reader.GetLeft() > 0)
    {
        ClusterEntry entry;
        bool isLeftOut = false;
        entry.cluster = static_cast<uint8_t>(entries.size());
        if (format.caches)
        {
            const auto number = reader.TakeNumber<uint8_t>();
            isLeftOut = number >= LEFT_OUT;
            entry.cluster = number % LEFT_OUT;
            if (!entries.empty() && entry.cluster <= entries.back().cluster)
            {
                throw PayloadError("clusters that are not in ascending order");
            }
        }
        entry.points = TakeCount(reader, format.countBytes);
        if (!isLeftOut)
        {
            entry.statistics = TakeStatistics(reader, format.dimension);
        }
        entries.push_back(std::move(entry));
    }
    return std::make_shared<const ClusterStatisticsPayload>(format, std::move(entries));
}

const std::vector<ClusterEntry>&
ClusterStatisticsPayload::GetEntries() const
{
    return m_entries;
}

} // namespace collab
} // namespace ns3
