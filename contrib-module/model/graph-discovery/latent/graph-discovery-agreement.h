/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_AGREEMENT_H
#define GRAPH_DISCOVERY_AGREEMENT_H

#include "ns3/collab-gaussian-divergence.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief How the divergences of (17) become one number.
enum class AgreementRule
{
    RATIO_OF_MEANS, //!< mean(hB) / mean(hA) - 1: has the signs and the order of Table III
    SUM,            //!< sum of hB / hA, as printed
    MEAN_RATIO,     //!< mean of hB / hA
};

/**
 * @ingroup collab
 * @brief Keeps the divergences between the clusters of all devices up to date.
 *
 * One device's clusters change at a time; then only its pairs are computed anew, O(N L^2 d^2), and
 * its inverses, O(L d^3). Divergences below 1e-9 count as that, so that no ratio is infinite.
 */
class SystemAgreement
{
  public:
    /// @param devices N
    /// @param rule how divergences become one number
    SystemAgreement(uint32_t devices, AgreementRule rule);
    ~SystemAgreement();

    /// @brief Tell a device's clusters before an exchange, which count as those after it too.
    /// @param device below N
    /// @param clusters with positive definite covariances
    /// @throws std::invalid_argument if one is not
    void SetBefore(uint32_t device, const std::vector<GaussianCluster>& clusters);
    /// @brief Tell what a device's clusters would be after the exchange.
    /// @param device below N, whose clusters before are known
    /// @param clusters as many as before
    /// @throws std::invalid_argument if one has no positive definite covariance
    void SetAfter(uint32_t device, const std::vector<GaussianCluster>& clusters);

    /// @return the system's agreement over all ordered pairs of devices that are known; 0 if less
    /// than two are
    double Get() const;
    /// @param rule another one than that of the object
    /// @return the same by this rule
    double Get(AgreementRule rule) const;

  private:
    struct State;
    std::unique_ptr<State> m_state; //!< divergences, by pair
};

/**
 * @ingroup collab
 * @brief The system's agreement as a device knows it, by what others have told.
 *
 * What is no proper cluster is left out.
 */
class ToldAgreement
{
  public:
    /// Clusters, by index of the device
    using Told = std::map<uint32_t, std::vector<GaussianCluster>>;

    /// @param devices N
    /// @param rule how divergences become one number
    ToldAgreement(uint32_t devices, AgreementRule rule);

    /// @param before clusters of this pass
    /// @param after clusters after this slot
    /// @return the agreement since; 0 if it is not finite
    double Update(const Told& before, const Told& after);

  private:
    SystemAgreement m_system;                //!< all divergences
    std::map<uint32_t, std::size_t> m_known; //!< number of clusters, by device
};

} // namespace ns3::collab

#endif /* GRAPH_DISCOVERY_AGREEMENT_H */
