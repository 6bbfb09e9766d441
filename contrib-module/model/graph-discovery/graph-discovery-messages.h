/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_MESSAGES_H
#define GRAPH_DISCOVERY_MESSAGES_H

#include "ns3/collab-distributed-pca.h"
#include "ns3/collab-gaussian-divergence.h"
#include "ns3/collab-matrix.h"
#include "ns3/collab-wire-format.h"
#include "ns3/graph-discovery-label-exchange.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief What a device tells of its links in the setup: how often it loses what each device sends.
struct OutageRow
{
    static constexpr uint16_t KIND = 703;
    static constexpr const char* NAME = "outage-row";

    std::vector<float> outages; //!< P_D by index of the transmitter

    template <typename V>
    void
    Fields(V& fields)
    {
        fields.Shape(outages.size(), "outage probabilities");
        fields.Vector(outages, outages.size(), "outage probabilities");
    }

    /// @throws PayloadError if one is not from 0 to 1
    void Check() const;
};

/**
 * @brief V, Q or U of Algorithm 1, or how far a receiver is trusted: a number a partition.
 *
 * On the wire, little-endian: each number in 1 or 2 bytes. The paper has 8 L bits.
 */
struct PartitionNumbers
{
    PartitionCounts counts;  //!< each at most 255 with one byte and 65535 with two
    uint32_t countBytes = 1; //!< 1 or 2

    template <typename V>
    void
    Fields(V& fields)
    {
        fields.Shape(counts.size(), "numbers");
        fields.Shape(countBytes, "bytes of a number");
        fields.Coded(*this);
    }

    /// @return bytes on the wire
    uint64_t WireSize() const;
    /// @param[in,out] bytes gets the numbers appended
    void Write(std::vector<uint8_t>& bytes) const;
    /// @param reader at the first of all numbers that are left
    void Read(WireReader& reader);
};

/// @ingroup collab
/// @brief Partitions with which a device trusts the receiver: 1, or else 0.
struct TrustedPartitions : PartitionNumbers
{
    static constexpr uint16_t KIND = 704;
    static constexpr const char* NAME = "trust";
};

/**
 * @ingroup collab
 * @brief A device's principal components.
 *
 * On the wire, of each component: its singular value, then its vector, in IEEE 754 single
 * precision, little-endian.
 */
struct SharedComponents
{
    static constexpr uint16_t KIND = 705;
    static constexpr const char* NAME = "components";

    uint32_t count = 0;                                    //!< d
    std::size_t features = 0;                              //!< D
    std::shared_ptr<const PrincipalComponents> components; //!< d of them

    template <typename V>
    void
    Fields(V& fields)
    {
        fields.Shape(count, "principal components");
        fields.Shape(features, "features of principal components");
        fields.Coded(*this);
    }

    /// @throws PayloadError if they cannot be principal components
    void Check() const;

    /// @return bytes on the wire
    uint64_t WireSize() const;
    /// @param[in,out] bytes gets the components appended
    void Write(std::vector<uint8_t>& bytes) const;
    /// @param reader at the first of them
    void Read(WireReader& reader);
};

/// @ingroup collab
/// @brief What a device tells its cluster: its local reward, and its datapoints from outside.
struct LinkReward
{
    static constexpr uint16_t KIND = 706;
    static constexpr const char* NAME = "reward";
    /// Bytes on the wire
    static constexpr std::size_t SIZE = 6;

    float reward = 0;    //!< rL
    uint16_t points = 0; //!< d'_i; 65535 for more

    template <typename V>
    void
    Fields(V& fields)
    {
        fields(reward, points);
    }
};

/// @ingroup collab
/// @brief A receiver wants datapoints.
struct LinkRequest
{
    static constexpr uint16_t KIND = 707;
    static constexpr const char* NAME = "link";

    template <typename V>
    void
    Fields(V&)
    {
    }
};

/// @ingroup collab
/// @brief V of Algorithm 1: labels that a transmitter offers.
struct LabelOffer : PartitionNumbers
{
    static constexpr uint16_t KIND = 708;
    static constexpr const char* NAME = "offer";

    /// @throws PayloadError if a number is neither 0 nor 1
    void Check() const;
};

/// @ingroup collab
/// @brief Q of Algorithm 1: datapoints that a receiver requests.
struct LabelRequest : PartitionNumbers
{
    static constexpr uint16_t KIND = 709;
    static constexpr const char* NAME = "request";
};

/// @ingroup collab
/// @brief U of Algorithm 1: datapoints that a transmitter grants.
struct LabelGrant : PartitionNumbers
{
    static constexpr uint16_t KIND = 710;
    static constexpr const char* NAME = "grant";
};

/// @ingroup collab
/// @brief What both sides know beforehand of messages about clusters.
struct ClusterFormat
{
    std::size_t dimension = 0; //!< d
    uint32_t countBytes = 1;   //!< of a number of datapoints: 1 or 2, or 0 for none
    bool caches = false;       //!< whether what is known from before is left out
    uint32_t clusters = 0;     //!< L, of which a message may tell

    template <typename V>
    void
    Fields(V& fields)
    {
        fields.Shape(dimension, "numbers of a centroid");
        fields.Shape(countBytes, "bytes of a number");
        fields.Shape(caches, "for what is left out");
        fields.Shape(clusters, "clusters of a device");
    }
};

/**
 * @ingroup collab
 * @brief A receiver's request of Algorithm 2: Q datapoints, and its centroids.
 *
 * On the wire, little-endian: Q (1 or 2 bytes); if known statistics are left out, the set of the
 * transmitter's clusters that the receiver knows (2 bytes); and each centroid's d numbers in IEEE
 * 754 single precision, unless the transmitter has them from before.
 */
struct ClusterRequest
{
    static constexpr uint16_t KIND = 711;
    static constexpr const char* NAME = "cluster-request";

    ClusterFormat format;   //!< known to both
    uint32_t requested = 0; //!< Q
    uint16_t known = 0;     //!< bit l: statistics of cluster l are known
    /// centroids of the receiver, one a row; null if the transmitter knows them
    std::shared_ptr<const Matrix<float>> centroids;

    template <typename V>
    void
    Fields(V& fields)
    {
        fields(format);
        fields.Coded(*this);
    }

    /// @throws PayloadError if there are too many centroids, or a number is not finite
    void Check() const;

    /// @return bytes on the wire
    uint64_t WireSize() const;
    /// @param[in,out] bytes gets the request appended
    void Write(std::vector<uint8_t>& bytes) const;
    /// @param reader at Q
    void Read(WireReader& reader);
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

/// Numbers of greater magnitude are not believed: with squares of them, clusters of datapoints like
/// those that a message tells of could not be told any more in single precision.
constexpr double GREATEST_NUMBER = 1e15;

/**
 * @brief Clusters of a device.
 *
 * On the wire, little-endian, of each cluster: if known statistics are left out, its number, plus
 * 128 where they are (1 byte); D_l (1 or 2 bytes, none for (17)); mean and covariance, d and d^2
 * numbers in IEEE 754 single precision.
 */
struct ClusterList
{
    ClusterFormat format;              //!< known to both
    std::vector<ClusterEntry> entries; //!< at least one, in ascending order of their clusters

    template <typename V>
    void
    Fields(V& fields)
    {
        fields(format);
        fields.Coded(*this);
    }

    /// @throws PayloadError if there are none or too many, they are not in ascending order, a
    /// number is out of range, or a covariance not symmetric with a positive diagonal; whether it
    /// is positive definite is not checked
    void Check() const;

    /// @return bytes on the wire
    uint64_t WireSize() const;
    /// @param[in,out] bytes gets the clusters appended
    void Write(std::vector<uint8_t>& bytes) const;
    /// @param reader at the first of all clusters that are left
    void Read(WireReader& reader);
};

/// @ingroup collab
/// @brief U of Algorithm 2: clusters of which a transmitter grants datapoints.
struct ClusterGrant : ClusterList
{
    static constexpr uint16_t KIND = 712;
    static constexpr const char* NAME = "cluster-grant";
};

/// @ingroup collab
/// @brief A device's clusters at the begin of a pass, for (17).
struct ClustersBefore : ClusterList
{
    static constexpr uint16_t KIND = 713;
    static constexpr const char* NAME = "clusters-before";
};

/// @ingroup collab
/// @brief A device's clusters as they would be after a slot, for (17).
struct ClustersAfter : ClusterList
{
    static constexpr uint16_t KIND = 714;
    static constexpr const char* NAME = "clusters-after";
};

} // namespace ns3::collab

#endif /* GRAPH_DISCOVERY_MESSAGES_H */
