/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-messages.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-fields.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace ns3::collab
{

namespace
{

constexpr uint8_t LEFT_OUT = 128; //!< added to the number of a cluster that the receiver knows
constexpr double GREATEST_SQUARE = 1.01; //!< of a unit vector that was rounded

/// @param count a number of datapoints
/// @param countBytes 0, 1 or 2
/// @param[in,out] bytes gets it appended
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

/// @param reader where it is
/// @param countBytes 0, 1 or 2
/// @return a number of datapoints; 0 without bytes
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

/// @param values to write in single precision
/// @param[in,out] bytes gets them appended
void
PutRounded(const std::vector<double>& values, std::vector<uint8_t>& bytes)
{
    for (const double value : values)
    {
        detail::PutNumber(static_cast<float>(value), bytes);
    }
}

/// @param reader where they are
/// @param dimension d
/// @return mean and covariance of a cluster
std::shared_ptr<const GaussianCluster>
TakeStatistics(WireReader& reader, std::size_t dimension)
{
    auto cluster = std::make_shared<GaussianCluster>();
    const auto mean = reader.TakeFloats(dimension);
    const auto covariance = reader.TakeFloats(dimension * dimension);
    cluster->mean.assign(mean.begin(), mean.end());
    cluster->covariance = Matrix<double>(dimension, dimension);
    std::copy(covariance.begin(), covariance.end(), cluster->covariance.values.begin());
    return cluster;
}

/// @brief Decide whether a cluster that came in a message can be believed, but for whether its
/// covariance is positive definite.
/// @param cluster that may not have been parsed; null for none
/// @param dimension d
/// @throws PayloadError if it is none of d numbers in range, with a covariance that is symmetric
/// and has a positive diagonal
void
CheckCluster(const GaussianCluster* cluster, std::size_t dimension)
{
    const std::size_t size = dimension * dimension;
    Require<PayloadError>(
        cluster && cluster->mean.size() == dimension && cluster->covariance.rows == dimension &&
            cluster->covariance.columns == dimension && cluster->covariance.values.size() == size,
        "what is no cluster of {} numbers",
        dimension);
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
    Require<PayloadError>(isGood,
                          "a cluster out of range, or with a covariance that is not symmetric with "
                          "a positive diagonal");
}

} // namespace

void
OutageRow::Check() const
{
    Require<PayloadError>(
        std::all_of(outages.begin(), outages.end(), [](float p) { return p >= 0 && p <= 1; }),
        "an outage probability that is not from 0 to 1");
}

uint64_t
PartitionNumbers::WireSize() const
{
    return counts.size() * countBytes;
}

void
PartitionNumbers::Write(std::vector<uint8_t>& bytes) const
{
    for (const uint32_t count : counts)
    {
        PutCount(count, countBytes, bytes);
    }
}

void
PartitionNumbers::Read(WireReader& reader)
{
    counts.resize(reader.GetLeft() / countBytes);
    for (uint32_t& count : counts)
    {
        count = TakeCount(reader, countBytes);
    }
}

void
LabelOffer::Check() const
{
    Require<PayloadError>(
        std::none_of(counts.begin(), counts.end(), [](uint32_t bit) { return bit > 1; }),
        "an offer of something else than bits");
}

void
SharedComponents::Check() const
{
    bool isGood = count > 0 && components && components->singularValues.size() == count &&
                  components->vectors.rows == count && components->vectors.columns == features &&
                  components->vectors.values.size() == count * features;
    for (std::size_t i = 0; isGood && i < count; ++i)
    {
        const float* vector = components->vectors.Row(i);
        const double square = std::inner_product(vector, vector + features, vector, 0.0);
        // Comparisons that are false of NaN
        const float value = components->singularValues[i];
        isGood = value >= 0 && value <= GREATEST_NUMBER && square <= GREATEST_SQUARE;
    }
    Require<PayloadError>(isGood, "what are no principal components");
}

uint64_t
SharedComponents::WireSize() const
{
    return count * (1 + features) * WIRE_WORD;
}

void
SharedComponents::Write(std::vector<uint8_t>& bytes) const
{
    for (std::size_t i = 0; i < count; ++i)
    {
        PutFloats(&components->singularValues[i], 1, 1, bytes);
        PutFloats(components->vectors.Row(i), features, 1, bytes);
    }
}

void
SharedComponents::Read(WireReader& reader)
{
    auto read = std::make_shared<PrincipalComponents>();
    read->vectors.rows = count;
    read->vectors.columns = features;
    for (std::size_t i = 0; i < count; ++i)
    {
        read->singularValues.push_back(detail::TakeNumber<float>(reader));
        const auto vector = reader.TakeFloats(features);
        read->vectors.values.insert(read->vectors.values.end(), vector.begin(), vector.end());
    }
    components = std::move(read);
}

void
ClusterRequest::Check() const
{
    if (!centroids)
    {
        return;
    }
    Require<PayloadError>(centroids->rows <= format.clusters &&
                              centroids->columns == format.dimension,
                          "{} x {} centroids, expected at most {} x {}",
                          centroids->rows,
                          centroids->columns,
                          format.clusters,
                          format.dimension);
    CheckFloats(&centroids->values, centroids->rows * format.dimension, "centroids");
}

uint64_t
ClusterRequest::WireSize() const
{
    return format.countBytes + (format.caches ? sizeof(known) : 0) +
           (centroids ? centroids->values.size() * WIRE_WORD : 0);
}

void
ClusterRequest::Write(std::vector<uint8_t>& bytes) const
{
    PutCount(requested, format.countBytes, bytes);
    if (format.caches)
    {
        PutLittle(known, bytes);
    }
    if (centroids)
    {
        PutFloats(centroids->values.data(), centroids->values.size(), 1, bytes);
    }
}

void
ClusterRequest::Read(WireReader& reader)
{
    requested = TakeCount(reader, format.countBytes);
    known = format.caches ? reader.TakeNumber<uint16_t>() : 0;
    centroids.reset();
    if (reader.GetLeft() > 0)
    {
        auto read = std::make_shared<Matrix<float>>();
        read->columns = format.dimension;
        read->rows = reader.GetLeft() / (format.dimension * WIRE_WORD);
        read->values = reader.TakeFloats(read->rows * read->columns);
        centroids = std::move(read);
    }
}

void
ClusterList::Check() const
{
    Require<PayloadError>(!entries.empty() && entries.size() <= format.clusters,
                          "{} clusters, expected 1 to {}",
                          entries.size(),
                          format.clusters);
    for (std::size_t i = 0; i < entries.size(); ++i)
    {
        const bool isAscending = i == 0 || entries[i].cluster > entries[i - 1].cluster;
        Require<PayloadError>(isAscending && entries[i].cluster < format.clusters,
                              "clusters that are not known, or not in ascending order");
        if (entries[i].statistics || !format.caches)
        {
            CheckCluster(entries[i].statistics.get(), format.dimension);
        }
    }
}

uint64_t
ClusterList::WireSize() const
{
    const std::size_t d = format.dimension;
    uint64_t size = 0;
    for (const auto& entry : entries)
    {
        size += (format.caches ? 1 : 0) + format.countBytes +
                (entry.statistics ? (d + d * d) * WIRE_WORD : 0);
    }
    return size;
}

void
ClusterList::Write(std::vector<uint8_t>& bytes) const
{
    for (const auto& entry : entries)
    {
        if (format.caches)
        {
            bytes.push_back(
                static_cast<uint8_t>(entry.cluster + (entry.statistics ? 0 : LEFT_OUT)));
        }
        PutCount(entry.points, format.countBytes, bytes);
        if (entry.statistics)
        {
            PutRounded(entry.statistics->mean, bytes);
            PutRounded(entry.statistics->covariance.values, bytes);
        }
    }
}

void
ClusterList::Read(WireReader& reader)
{
    entries.clear();
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
        }
        entry.points = TakeCount(reader, format.countBytes);
        if (!isLeftOut)
        {
            entry.statistics = TakeStatistics(reader, format.dimension);
        }
        entries.push_back(std::move(entry));
    }
}

} // namespace ns3::collab
