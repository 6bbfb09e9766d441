/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_PAYLOADS_H
#define GRAPH_DISCOVERY_PAYLOADS_H

#include "ns3/collab-gaussian-divergence.h"
#include "ns3/collab-matrix.h"
#include "ns3/collab-message.h"
#include "ns3/graph-discovery-label-exchange.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief V, Q or U of Algorithm 1, or how far a receiver is trusted: a number a partition.
 *
 * On the wire, little-endian: each number in 1 or 2 bytes. The paper has 8 L bits.
 */
class PartitionCountsPayload : public Payload
{
  public:
    /**
     * @param counts each at most 255 with one byte and 65535 with two
     * @param countBytes 1 or 2
     */
    PartitionCountsPayload(PartitionCounts counts, uint32_t countBytes);

    uint64_t WireSize() const override;
    void Serialize(std::vector<uint8_t>& bytes) const override;

    /**
     * @param bytes wire format
     * @param size number of bytes
     * @param countBytes 1 or 2
     * @return the payload
     * @throws PayloadError if the bytes are not whole numbers
     */
    static std::shared_ptr<const PartitionCountsPayload> Parse(const uint8_t* bytes,
                                                               std::size_t size,
                                                               uint32_t countBytes);

    /// @return the numbers
    const PartitionCounts& GetCounts() const;

  private:
    PartitionCounts m_counts; //!< the numbers
    uint32_t m_countBytes;    //!< of each
};

/**
 * @ingroup collab
 * @brief What a device tells its cluster: its local reward, and its datapoints from outside.
 *
 * On the wire, little-endian: rL in IEEE 754 single precision, d'_i in 2 bytes, of more 65535.
 */
class LinkRewardPayload : public Payload
{
  public:
    /// Bytes on the wire
    static constexpr std::size_t SIZE = 6;

    /**
     * @param reward rL
     * @param points d'_i
     */
    LinkRewardPayload(float reward, uint32_t points);

    uint64_t WireSize() const override;
    void Serialize(std::vector<uint8_t>& bytes) const override;

    /**
     * @param bytes wire format
     * @param size number of bytes
     * @return the payload
     * @throws PayloadError if the bytes are not exactly one, or rL is not finite
     */
    static std::shared_ptr<const LinkRewardPayload> Parse(const uint8_t* bytes, std::size_t size);

    /// @return rL
    float GetReward() const;
    /// @return d'_i
    uint32_t GetPoints() const;

  private:
    float m_reward;    //!< rL
    uint16_t m_points; //!< d'_i
};

/**
 * @ingroup collab
 * @brief A matrix of numbers: a row of RSS, or singular values and vectors.
 *
 * On the wire: the numbers row by row in IEEE 754 single precision, little-endian; how many
 * columns there are is known beforehand.
 */
class NumbersPayload : public Payload
{
  public:
    /// @param numbers the matrix
    explicit NumbersPayload(Matrix<float> numbers);

    uint64_t WireSize() const override;
    void Serialize(std::vector<uint8_t>& bytes) const override;

    /**
     * @param bytes wire format
     * @param size number of bytes
     * @param rows of the matrix
     * @param columns of the matrix
     * @return the payload
     * @throws PayloadError if there are not as many numbers, or one is not finite
     */
    static std::shared_ptr<const NumbersPayload> Parse(const uint8_t* bytes,
                                                       std::size_t size,
                                                       std::size_t rows,
                                                       std::size_t columns);

    /// @return the matrix
    const Matrix<float>& GetNumbers() const;

  private:
    Matrix<float> m_numbers; //!< the matrix
};

/// @ingroup collab
/// @brief What both sides know beforehand of messages about clusters.
struct ClusterFormat
{
    std::size_t dimension = 0; //!< d
    uint32_t countBytes = 1;   //!< of a number of datapoints: 1 or 2, or 0 for none
    bool caches = false;       //!< whether what is known from before is left out
};

/**
 * @ingroup collab
 * @brief A receiver's request of Algorithm 2: Q datapoints, and its centroids.
 *
 * On the wire, little-endian: Q (1 or 2 bytes); if known statistics are left out, the set of the
 * transmitter's clusters that the receiver knows (2 bytes); and each centroid's d numbers in IEEE
 * 754 single precision, unless the transmitter has them from before.
 */
class ClusterRequestPayload : public Payload
{
  public:
    /**
     * @param format known to both
     * @param requested Q
     * @param known bit l: statistics of cluster l are known
     * @param centroids of the receiver, one a row; none if the transmitter knows them
     */
    ClusterRequestPayload(const ClusterFormat& format,
                          uint32_t requested,
                          uint16_t known,
                          std::shared_ptr<const Matrix<float>> centroids);

    uint64_t WireSize() const override;
    void Serialize(std::vector<uint8_t>& bytes) const override;

    /**
     * @param bytes wire format
     * @param size number of bytes
     * @param format known to both
     * @return the payload
     * @throws PayloadError if the bytes are not exactly one, or a number is not finite
     */
    static std::shared_ptr<const ClusterRequestPayload> Parse(const uint8_t* bytes,
                                                              std::size_t size,
                                                              const ClusterFormat& format);

    /// @return Q
    uint32_t GetRequested() const;
    /// @return bit l: statistics of cluster l are known
    uint16_t GetKnown() const;
    /// @return centroids of the receiver, one a row; none if the transmitter knows them
    const std::shared_ptr<const Matrix<float>>& GetCentroids() const;

  private:
    ClusterFormat m_format;                           //!< known to both
    uint32_t m_requested;                             //!< Q
    uint16_t m_known;                                 //!< clusters
    std::shared_ptr<const Matrix<float>> m_centroids; //!< one a row
};

/// @ingroup collab
/// @brief One cluster of U of Algorithm 2, or of (17).
struct ClusterEntry
{
    uint8_t cluster = 0; //!< its number at its device; told only if known ones are left out
    uint32_t points = 0; //!< D_l
    /// mean and covariance, as RoundCluster() makes them; null if the receiver knows them
    std::shared_ptr<const GaussianCluster> statistics;
};

/**
 * Numbers of greater magnitude are not believed: with squares of them, clusters of datapoints like
 * those that a message tells of could not be told any more in single precision.
 */
constexpr double GREATEST_NUMBER = 1e15;

/**
 * @brief Decide whether a cluster that came in a message can be believed, but for whether its
 * covariance is positive definite.
 *
 * @param cluster that may not have been parsed; null for none
 * @param dimension d
 * @throws PayloadError if it is none of d numbers in range, with a covariance that is symmetric and
 * has a positive diagonal
 */
void CheckCluster(const GaussianCluster* cluster, std::size_t dimension);

/**
 * @param cluster of double precision, with finite numbers and a positive trace
 * @return the same with numbers of single precision, as they travel; the diagonal of the covariance
 * a little greater if it would not be positive definite
 */
std::shared_ptr<const GaussianCluster> RoundCluster(const GaussianCluster& cluster);

/**
 * @ingroup collab
 * @brief U of Algorithm 2, or a device's clusters for (17).
 *
 * On the wire, little-endian, of each cluster: if known statistics are left out, its number, plus
 * 128 where they are (1 byte); D_l (1 or 2 bytes, none for (17)); mean and covariance, d and d^2
 * numbers in IEEE 754 single precision.
 */
class ClusterStatisticsPayload : public Payload
{
  public:
    /**
     * @param format known to both
     * @param entries in ascending order of their clusters
     */
    ClusterStatisticsPayload(const ClusterFormat& format, std::vector<ClusterEntry> entries);

    uint64_t WireSize() const override;
    void Serialize(std::vector<uint8_t>& bytes) const override;

    /**
     * @param bytes wire format
     * @param size number of bytes
     * @param format known to both
     * @return the payload
     * @throws PayloadError if the bytes are not exactly one, clusters are not in ascending order, a
     * number is not finite, or a covariance not symmetric with a positive diagonal
     */
    static std::shared_ptr<const ClusterStatisticsPayload> Parse(const uint8_t* bytes,
                                                                 std::size_t size,
                                                                 const ClusterFormat& format);

    /// @return the clusters
    const std::vector<ClusterEntry>& GetEntries() const;

  private:
    ClusterFormat m_format;              //!< known to both
    std::vector<ClusterEntry> m_entries; //!< the clusters
};

} // namespace collab
} // namespace ns3

#endif /* GRAPH_DISCOVERY_PAYLOADS_H */
