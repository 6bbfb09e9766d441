/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TORCH_LINK_NETWORK_H
#define COLLAB_TORCH_LINK_NETWORK_H

#include "ns3/collab-matrix.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief What a LinkNetwork reads of n nodes.
struct LinkGraph
{
    Matrix<float> features;  //!< n x F
    Matrix<float> adjacency; //!< n x n, normalized
    Matrix<float> isLink;    //!< n x n, 0 or 1: what it is to say of a graph of the training
};

/// @ingroup collab-learning
/// @brief How a LinkNetwork learns.
struct LinkTraining
{
    uint32_t epochs = 100;      //!< passes over the graphs
    uint32_t batch = 10;        //!< graphs of a step of Adam
    double learningRate = 1e-3; //!< of Adam
    double weightDecay = 5e-4;  //!< of Adam, added to gradients
};

/// @brief Normalize weights of edges as Kipf and Welling do (ICLR 2017): D^-1/2 (A + I) D^-1/2.
/// @param weights A, n x n, symmetric and not negative; the diagonal is not read
/// @return the matrix of a LinkGraph
Matrix<float> NormalizeAdjacency(const Matrix<double>& weights);

/**
 * @ingroup collab-learning
 * @brief A graph convolutional network that scores directed links (App. C of Wagle et al.).
 *
 * Two convolutions of 64 and 16 channels, then for each ordered pair of nodes two linear layers of
 * 16 and 1 outputs on both embeddings; ReLU between. With A and X of the graph
 * E = relu(A (relu(A (X W1 + c1)) W2 + c2)), score of (i, j) = relu([E_i E_j] W3 + c3) w + v.
 */
class LinkNetwork
{
  public:
    /// @param features F
    /// @param seed of the first weights, which are PyTorch's
    LinkNetwork(uint32_t features, uint64_t seed);
    ~LinkNetwork();

    /// @brief Learn which links are good, by binary cross-entropy over all ordered pairs.
    /// @param graphs of the training, all of as many nodes
    /// @param training how
    /// @param seed of the order of graphs, which is new in each epoch
    void Train(const std::vector<LinkGraph>& graphs, const LinkTraining& training, uint64_t seed);
    /// @param graphs of any number, all of as many nodes
    /// @return score of each ordered pair, n x n for each graph; the diagonals mean nothing
    std::vector<Matrix<float>> Score(const std::vector<LinkGraph>& graphs) const;
    /// @return W1, c1, W2, c2, W3, c3, w, v, each row-major and outputs x inputs
    std::vector<std::vector<float>> GetWeights() const;

  private:
    struct Layers;
    std::unique_ptr<Layers> m_layers; //!< what it learns
};

} // namespace ns3::collab

#endif /* COLLAB_TORCH_LINK_NETWORK_H */
