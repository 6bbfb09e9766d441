/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-link-network.h"

#include "ns3/collab-random.h"
#include "ns3/graph-discovery-checks.h"

#include <Eigen/Dense>
#include <algorithm>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>
#include <limits>
#include <type_traits>

namespace ns3::collab
{

namespace
{

constexpr uint32_t HIDDEN = 64;    //!< channels of the first convolution
constexpr uint32_t EMBEDDING = 16; //!< channels of the second one
constexpr uint32_t DECODER = 16;   //!< outputs of the first linear layer

using Dense = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowVector = Eigen::Matrix<float, 1, Eigen::Dynamic>;

/// @brief The layers in a flat vector of weights or of their gradients.
/// @tparam T float, or const float
template <typename T>
class Layers
{
  public:
    /// A matrix of it
    using View = Eigen::Map<std::conditional_t<std::is_const_v<T>, const Dense, Dense>>;

    /// @param features F
    /// @param flat first of all weights
    Layers(uint32_t features, T* flat)
        : w1(flat, features, HIDDEN),
          c1(End(w1), 1, HIDDEN),
          w2(End(c1), HIDDEN, EMBEDDING),
          c2(End(w2), 1, EMBEDDING),
          receiver(End(c2), EMBEDDING, DECODER),
          transmitter(End(receiver), EMBEDDING, DECODER),
          bias(End(transmitter), 1, DECODER),
          w(End(bias), 1, DECODER),
          v(End(w), 1, 1)
    {
    }

    View w1;          //!< W1
    View c1;          //!< c1
    View w2;          //!< W2
    View c2;          //!< c2
    View receiver;    //!< U
    View transmitter; //!< V
    View bias;        //!< u
    View w;           //!< w
    View v;           //!< v

  private:
    /// @param view of a matrix
    /// @return what follows it
    static T*
    End(View& view)
    {
        return view.data() + view.size();
    }
};

/// @param matrix of ours
/// @return the same for Eigen
Eigen::Map<const Dense>
View(const Matrix<float>& matrix)
{
    return {matrix.values.data(),
            static_cast<Eigen::Index>(matrix.rows),
            static_cast<Eigen::Index>(matrix.columns)};
}

/// @brief What the network computes on the way to its scores.
struct Pass
{
    /// @param layers of the network
    /// @param graph that it reads
    Pass(const Layers<const float>& layers, const LinkGraph& graph)
        : averaged(View(graph.adjacency) * View(graph.features)),
          hidden(((averaged * layers.w1).rowwise() + RowVector(layers.c1)).cwiseMax(0.0F)),
          mixed(View(graph.adjacency) * hidden),
          embedding(((mixed * layers.w2).rowwise() + RowVector(layers.c2)).cwiseMax(0.0F)),
          receiver((embedding * layers.receiver).rowwise() + RowVector(layers.bias)),
          transmitter(embedding * layers.transmitter)
    {
    }

    Dense averaged;    //!< A X
    Dense hidden;      //!< relu(A X W1 + c1)
    Dense mixed;       //!< A hidden
    Dense embedding;   //!< E
    Dense receiver;    //!< E U + u
    Dense transmitter; //!< E V
};

/// @brief Draw weights uniformly around 0.
/// @param[out] view gets them
/// @param bound the greatest
/// @param generator to draw with
void
Draw(Layers<float>::View& view, double bound, RandomGenerator& generator)
{
    boost::random::uniform_real_distribution<double> draw(-bound, bound);
    for (Eigen::Index k = 0; k < view.size(); ++k)
    {
        view.data()[k] = static_cast<float>(draw(generator));
    }
}

/// @brief The loss, and its gradients by what pairs are made of.
struct Slopes
{
    Dense receiver;    //!< by E U + u
    Dense transmitter; //!< by E V
    double loss = 0;   //!< mean of all pairs
};

/// @brief Hand gradients of the loss back through the last layer of all pairs.
/// @param layers of the network
/// @param pass what it has computed
/// @param isLink what it should have
/// @param[in,out] gradients of 0, of which those of the last layer are set
/// @return gradients by the inputs of the layer
Slopes
DifferentiatePairs(const Layers<const float>& layers,
                   const Pass& pass,
                   const Matrix<uint8_t>& isLink,
                   Layers<float>& gradients)
{
    const Eigen::Index devices = pass.receiver.rows();
    const auto pairs = static_cast<float>(devices * (devices - 1));
    Slopes slopes{Dense::Zero(devices, DECODER), Dense::Zero(devices, DECODER), 0};
    for (Eigen::Index i = 0; i < devices; ++i)
    {
        for (Eigen::Index j = 0; j < devices; ++j)
        {
            if (i == j)
            {
                continue;
            }
            const RowVector hidden =
                (pass.receiver.row(i) + pass.transmitter.row(j)).cwiseMax(0.0F);
            const float score = hidden.dot(layers.w.row(0)) + layers.v(0, 0);
            const float target = isLink(i, j) != 0 ? 1 : 0;
            const float entropy =
                std::max(score, 0.0F) - score * target + std::log1p(std::exp(-std::abs(score)));
            slopes.loss += entropy / pairs;
            const float slope = (1 / (1 + std::exp(-score)) - target) / pairs;
            gradients.w.row(0) += slope * hidden;
            gradients.v(0, 0) += slope;
            const RowVector back =
                slope * (hidden.array() > 0).cast<float>() * layers.w.row(0).array();
            slopes.receiver.row(i) += back;
            slopes.transmitter.row(j) += back;
        }
    }
    return slopes;
}

/// @brief Hand gradients of embeddings back through both convolutions.
/// @param layers of the network
/// @param graph that it has read
/// @param pass what it has computed
/// @param slope gradient by E
/// @param[out] gradients of the convolutions are set
void
DifferentiateConvolutions(const Layers<const float>& layers,
                          const LinkGraph& graph,
                          const Pass& pass,
                          Dense slope,
                          Layers<float>& gradients)
{
    slope.array() *= (pass.embedding.array() > 0).cast<float>();
    gradients.w2 = pass.mixed.transpose() * slope;
    gradients.c2 = slope.colwise().sum();
    Dense hidden = View(graph.adjacency).transpose() * (slope * layers.w2.transpose());
    hidden.array() *= (pass.hidden.array() > 0).cast<float>();
    gradients.w1 = pass.averaged.transpose() * hidden;
    gradients.c1 = hidden.colwise().sum();
}

} // namespace

Matrix<float>
NormalizeAdjacency(const Matrix<double>& weights)
{
    const std::size_t devices = weights.rows;
    CheckSize("weights of edges", devices, weights.columns);
    std::vector<double> degrees(devices, 1);
    for (std::size_t i = 0; i < devices; ++i)
    {
        for (std::size_t j = 0; j < devices; ++j)
        {
            degrees[i] += i == j ? 0 : weights(i, j);
        }
    }
    Matrix<float> normalized(devices, devices);
    for (std::size_t i = 0; i < devices; ++i)
    {
        for (std::size_t j = 0; j < devices; ++j)
        {
            const double weight = i == j ? 1 : weights(i, j);
            normalized(i, j) = static_cast<float>(weight / std::sqrt(degrees[i] * degrees[j]));
        }
    }
    return normalized;
}

LinkNetwork::LinkNetwork(uint32_t features, uint64_t seed)
    : m_features(features),
      m_weights((features + 1) * HIDDEN + (HIDDEN + 1) * EMBEDDING + (2 * EMBEDDING + 2) * DECODER +
                1)
{
    RandomGenerator generator(seed);
    Layers<float> layers(features, m_weights.data());
    Draw(layers.w1, std::sqrt(6.0 / (features + HIDDEN)), generator);
    Draw(layers.w2, std::sqrt(6.0 / (HIDDEN + EMBEDDING)), generator);
    for (auto* view : {&layers.receiver, &layers.transmitter, &layers.bias})
    {
        Draw(*view, 1 / std::sqrt(2.0 * EMBEDDING), generator);
    }
    for (auto* view : {&layers.w, &layers.v})
    {
        Draw(*view, 1 / std::sqrt(1.0 * DECODER), generator);
    }
}

std::size_t
LinkNetwork::GetSize() const
{
    return m_weights.size();
}

std::vector<float>&
LinkNetwork::GetWeights()
{
    return m_weights;
}

Matrix<float>
LinkNetwork::Score(const LinkGraph& graph) const
{
    CheckSize("features", m_features, graph.features.columns);
    const Layers<const float> layers(m_features, m_weights.data());
    const Pass pass(layers, graph);
    const auto devices = static_cast<Eigen::Index>(graph.features.rows);
    Matrix<float> scores(devices, devices, -std::numeric_limits<float>::infinity());
    for (Eigen::Index i = 0; i < devices; ++i)
    {
        for (Eigen::Index j = 0; j < devices; ++j)
        {
            if (i != j)
            {
                const auto sums = pass.receiver.row(i) + pass.transmitter.row(j);
                scores(i, j) = sums.cwiseMax(0.0F).dot(layers.w.row(0)) + layers.v(0, 0);
            }
        }
    }
    return scores;
}

double
LinkNetwork::Differentiate(const LinkGraph& graph,
                           const Matrix<uint8_t>& isLink,
                           std::vector<float>& gradient) const
{
    CheckSize("features", m_features, graph.features.columns);
    const Layers<const float> layers(m_features, m_weights.data());
    const Pass pass(layers, graph);
    gradient.assign(m_weights.size(), 0);
    Layers<float> gradients(m_features, gradient.data());
    const Slopes slopes = DifferentiatePairs(layers, pass, isLink, gradients);
    gradients.bias = slopes.receiver.colwise().sum();
    gradients.receiver = pass.embedding.transpose() * slopes.receiver;
    gradients.transmitter = pass.embedding.transpose() * slopes.transmitter;
    DifferentiateConvolutions(layers,
                              graph,
                              pass,
                              slopes.receiver * layers.receiver.transpose() +
                                  slopes.transmitter * layers.transmitter.transpose(),
                              gradients);
    return slopes.loss;
}

uint64_t
LinkNetwork::CountFlops(uint32_t devices) const
{
    const uint64_t n = devices;
    const uint64_t convolutions =
        n * n * (m_features + HIDDEN) + n * (m_features * HIDDEN + HIDDEN * EMBEDDING);
    return 2 * (convolutions + n * (n - 1) * (2 * EMBEDDING + 1) * DECODER);
}

} // namespace ns3::collab
