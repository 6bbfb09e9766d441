/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef VALIDATION_REPLAY_DATA_H
#define VALIDATION_REPLAY_DATA_H

#include "ns3/collab-data-set.h"
#include "ns3/collab-learner.h"
#include "ns3/collab-matrix.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::collab
{
namespace tests
{

/// What a model is measured on after every round, in the order of the columns of the files
constexpr std::array<const char*, 4> REPLAY_MEASURES = {
    "own-test", "reference", "train", "heldout"};

/// Accuracies of one client after one round, by measure
using ReplayAccuracies = std::array<double, REPLAY_MEASURES.size()>;

/// Accuracies of a whole run by round and client
using ReplayTable = std::map<std::pair<uint32_t, uint32_t>, ReplayAccuracies>;

/// What one client starts with
struct ReplayClient
{
    DataView train;                            //!< its samples, with the labels that it has
    DataView test;                             //!< its own test split, likewise
    FlatVector weights;                        //!< initial ones
    std::vector<std::vector<uint32_t>> orders; //!< of the training passes, over all rounds
};

/// A recorded trust matrix
struct ReplayTrust
{
    std::string kind;   //!< of trust
    uint32_t round = 0; //!< in which the matrix was used
    /// by client, on X*, of the round before; empty if they were not recorded, or W is not theirs
    std::vector<Matrix<float>> predictions;
    std::vector<std::vector<double>> expected; //!< the matrix
};

/// A run of prediction consensus by another program: all that it was given, and what came of it
struct ReplayData
{
    std::vector<ReplayClient> clients;         //!< by number
    std::shared_ptr<const DataView> reference; //!< X*, client by client
    std::shared_ptr<const DataView> heldout;   //!< first images of the test set
    std::vector<ReplayTrust> trust;            //!< recorded matrices
    std::map<std::string, ReplayTable> runs;   //!< accuracies by kind of trust

    /// @param client a client
    /// @param measure index in REPLAY_MEASURES
    /// @return number of images that it is measured on
    std::size_t CountImages(uint32_t client, std::size_t measure) const;
};

/// Kinds of trust that can be played
constexpr std::array<const char*, 4> REPLAY_KINDS = {"naive", "static", "dynamic", "local"};

/// Where a recorded run is, and what its files do not say
struct ReplaySource
{
    std::string folder;             //!< with the files, see collab-prediction-consensus-replay.rst
    std::string setting = "normal"; //!< in the names of the files
    std::string model = "netcnn";   //!< of all clients
    uint32_t epochs = 5;            //!< local epochs of a round; further passes only measured
};

/// @param source where the run is
/// @return the run
/// @throws DataFileError if a file is missing or not as expected
ReplayData LoadReplay(const ReplaySource& source);

} // namespace tests
} // namespace ns3::collab

#endif /* VALIDATION_REPLAY_DATA_H */
