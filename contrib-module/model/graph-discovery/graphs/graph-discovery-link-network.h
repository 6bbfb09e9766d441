/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_LINK_NETWORK_H
#define GRAPH_DISCOVERY_LINK_NETWORK_H

#include "ns3/collab-matrix.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::collab
{

/// @brief What the network of the baseline reads of a system of n devices.
struct LinkGraph
{
    Matrix<float> features;  //!< n x F
    Matrix<float> adjacency; //!< n x n, normalized
};

/// @brief Normalize weights of edges as Kipf and Welling do (ICLR 2017): D^-1/2 (A + I) D^-1/2.
/// @param weights A, n x n, symmetric and not negative; the diagonal is not read
/// @return the matrix of a LinkGraph
Matrix<float> NormalizeAdjacency(const Matrix<double>& weights);

/**
 * @brief Two graph convolutions of 64 and 16 channels, then for each ordered pair of devices two
 * linear layers of 16 and 1 outputs on both embeddings; ReLU between.
 *
 * With A and X of the graph: E = relu(A relu(A X W1 + c1) W2 + c2), score of (i, j) =
 * relu(E_i U + E_j V + u) w + v. Weights lie flat, in this order: W1, c1, W2, c2, U, V, u, w, v.
 */
class LinkNetwork
{
  public:
    /// @brief Initialize as Glorot and Bengio (AISTATS 2010) the convolutions, and as PyTorch the
    /// linear layers.
    /// @param features F
    /// @param seed of the weights
    LinkNetwork(uint32_t features, uint64_t seed);

    /// @return number of weights
    std::size_t GetSize() const;
    /// @return weights
    std::vector<float>& GetWeights();

    /// @param graph of n devices
    /// @return score of each ordered pair, n x n; the diagonal is -infinity
    Matrix<float> Score(const LinkGraph& graph) const;
    /// @param graph of n devices
    /// @param isLink whether each ordered pair is a link; the diagonal is not read
    /// @param[out] gradient of the loss by the weights
    /// @return the loss: mean binary cross-entropy of all pairs, whose scores are logits
    double Differentiate(const LinkGraph& graph,
                         const Matrix<uint8_t>& isLink,
                         std::vector<float>& gradient) const;
    /// @param devices n
    /// @return floating-point operations to score all pairs
    uint64_t CountFlops(uint32_t devices) const;

  private:
    uint32_t m_features;          //!< F
    std::vector<float> m_weights; //!< flat
};

} // namespace ns3::collab

#endif /* GRAPH_DISCOVERY_LINK_NETWORK_H */
