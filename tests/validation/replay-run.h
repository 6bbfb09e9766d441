/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef VALIDATION_REPLAY_RUN_H
#define VALIDATION_REPLAY_RUN_H

#include "replay-data.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3::collab
{
namespace tests
{

/// How a recorded run was made, apart from its data
struct ReplayOptions
{
    std::string model = "netcnn";      //!< of all clients
    uint32_t epochs = 5;               //!< local epochs of a round
    uint32_t rounds = 0;               //!< to play; 0 for all that are recorded
    uint32_t pretrainingRounds = 5;    //!< rounds before the first exchange
    double lambda = 0.5;               //!< weight of the second term of eq. (2)
    double learningRate = 5e-3;        //!< of Adam
    uint32_t batchSize = 64;           //!< local samples of a step
    uint32_t referenceBatchSize = 256; //!< X* samples of a step
    bool joinsBatches = true;          //!< whether a step makes one pass for both batches
    bool channelsLast = true; //!< whether convolutions keep images with their channels last
    uint32_t blasThreads = 1; //!< of OpenBLAS: it divides sums among them, and rounds otherwise
    uint32_t threads = 0;     //!< host threads; 0 for one a core
};

/// What came of the same rounds in the module
struct ReplayResult
{
    ReplayTable accuracies; //!< by round and client
    /// rows of the trust matrix by round and client
    std::map<std::pair<uint32_t, uint32_t>, std::vector<double>> trust;
    double wallSeconds = 0; //!< of the whole simulation, without reading files
    double cpuSeconds = 0;  //!< the same, processor time of all threads
};

/// @param predictions by client, on X*
/// @return the trust matrix of eq. (6), as agents compute it with default options
std::vector<std::vector<double>> ComputeTrustMatrix(const std::vector<Matrix<float>>& predictions);

/// @brief Play the recorded run: learners in PredictionConsensusApplications over perfect links.
/// @param data of the recorded run
/// @param options how it was made
/// @param trust "naive", "static", "dynamic" or "local"
/// @return what came of it
ReplayResult Replay(const ReplayData& data, const ReplayOptions& options, const std::string& trust);

} // namespace tests
} // namespace ns3::collab

#endif /* VALIDATION_REPLAY_RUN_H */
