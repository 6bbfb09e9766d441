/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_DISTRIBUTED_PCA_H
#define COLLAB_DISTRIBUTED_PCA_H

#include "ns3/collab-data-set.h"
#include "ns3/collab-matrix.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{

/**
 * @file
 * @ingroup collab-learning
 * Distributed principal component analysis (Liang, Balcan, Kanchanapally, Woodruff, NeurIPS 2014):
 * devices find a common subspace of their samples without sending one.
 *
 * Samples are not centered: the components are those of the samples themselves, as M = D F in
 * Wagle et al. (2025) projects them, so that the first one is close to the direction of the mean.
 */

/// @ingroup collab-learning
/// @brief What a device sends: 32 d (D + 1) bits.
struct PrincipalComponents
{
    std::vector<float> singularValues; //!< the d greatest, descending; 0 where the rank is lower
    Matrix<float> vectors; //!< d x D, right singular vectors; zeros where the singular value is 0
};

/// @param view samples of bytes or numbers
/// @return what models read of them, samples x features
/// @throws std::invalid_argument if they are tokens, or their transform cannot be applied
Matrix<float> DecodeSamples(const DataView& view);

/**
 * @brief Find the greatest singular values of samples, and their right singular vectors.
 *
 * The sign of a vector is that which makes its element of greatest magnitude positive.
 *
 * @param samples samples x features, D of them
 * @param count d, 1 to D
 * @return the components
 * @throws std::invalid_argument if count is not in that range, or there are no samples
 * or one is not finite
 */
PrincipalComponents FindPrincipalComponents(const Matrix<float>& samples, uint32_t count);

/**
 * @brief Find the subspace that captures most of what all devices have.
 *
 * The components are stacked as diag(s) V^T and decomposed again.
 *
 * @param parts components of each device, all of D features; in the order of the devices
 * @param count d, 1 to D
 * @return F, D x d with orthonormal columns, by descending singular value; a column is 0 if the
 * parts together have a lower rank
 * @throws std::invalid_argument if there are no parts, they differ in D, count is not in range or
 * a number is not finite
 */
Matrix<float> CombinePrincipalComponents(const std::vector<const PrincipalComponents*>& parts,
                                         uint32_t count);

/// @param samples samples x features
/// @param subspace F, features x d
/// @return M = samples F, samples x d
/// @throws std::invalid_argument if the numbers of features differ
Matrix<float> Project(const Matrix<float>& samples, const Matrix<float>& subspace);

/**
 * @brief Count the operations of FindPrincipalComponents(), about.
 *
 * With n samples, m = min(n, D) and M = max(n, D): M m (m + 1) for the Gram matrix of the smaller
 * side, exactly; and for the eigenvectors, whose number of steps depends on the samples, those of
 * k = min(10 d, m) Krylov vectors: 2 m^2 k for products, 4 m k^2 for orthogonality and 9 k^3 for
 * the small eigenproblem. If n < D, 2 n D d for the way back to D dimensions.
 *
 * @param samples n
 * @param features D
 * @param count d
 * @return floating-point operations
 */
uint64_t CountPcaFlops(uint64_t samples, uint64_t features, uint64_t count);

/// @param samples n
/// @param features D
/// @param count d
/// @return floating-point operations of Project(), n d (2 D - 1)
uint64_t CountProjectionFlops(uint64_t samples, uint64_t features, uint64_t count);

} // namespace ns3::collab

#endif /* COLLAB_DISTRIBUTED_PCA_H */
