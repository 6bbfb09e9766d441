/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_LINK_PREDICTOR_H
#define GRAPH_DISCOVERY_LINK_PREDICTOR_H

#include "ns3/collab-matrix.h"
#include "ns3/graph-discovery-game.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief How the graph convolutional network of the baseline is trained (App. C of Wagle et al.).
struct LinkPredictorOptions
{
    uint32_t trainingDevices = 10; //!< devices of the training system, each with 3 labels
    uint32_t subsetSize = 4;       //!< of its subsets, all of which are training graphs
    uint32_t bestLinks = 10;       //!< links of a subset that count as good, by local reward
    uint32_t epochs = 100;         //!< passes over the training graphs
};

/**
 * @ingroup collab
 * @brief A graph convolutional network that scores directed links, as a server trains it.
 *
 * A LinkNetwork whose features of a device are its row of RSS within the graph, and D_i.
 *
 * The paper leaves open, and here is: a graph of any system has as many devices as those of the
 * training, so that all columns of the row are trained; a link's score is the mean over 10 graphs
 * of its ends and random other devices. Levels of RSS [dB] are read less the mean of the training
 * system and over its deviation, counts as parts of their sum. The edges of the convolutions are
 * all pairs, weighted by the mean RSS of both directions over the greatest such of the graph: with
 * equal weights all devices of a complete graph would get one embedding. A link is good by the
 * local reward that it has as the only link.
 */
class LinkPredictor
{
  public:
    /// @brief Train on all subsets of a training system.
    /// @param options of the training
    /// @param game the training system, of as many devices as the options say
    /// @param rssW its RSS, receiver by transmitter [W]
    /// @param seed of initial weights, of the order of graphs, and of those of other systems
    /// @throws std::invalid_argument if a value is not allowed
    LinkPredictor(const LinkPredictorOptions& options,
                  const LabelGame& game,
                  const Matrix<double>& rssW,
                  uint64_t seed);
    ~LinkPredictor();

    /// @param held D_i of all devices
    /// @param rssW RSS, receiver by transmitter [W]
    /// @return score of each link, receiver by transmitter; the diagonal is -infinity
    /// @throws std::invalid_argument if there are fewer devices than in a graph of the training
    Matrix<float> Score(const std::vector<PartitionCounts>& held, const Matrix<double>& rssW) const;

  private:
    struct Network;
    uint64_t m_seed;                    //!< of all draws
    std::unique_ptr<Network> m_network; //!< its weights
};

} // namespace ns3::collab

#endif /* GRAPH_DISCOVERY_LINK_PREDICTOR_H */
