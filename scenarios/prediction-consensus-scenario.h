/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PREDICTION_CONSENSUS_SCENARIO_H
#define PREDICTION_CONSENSUS_SCENARIO_H

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

/// Everything that one run of prediction consensus depends on, besides ns-3's own attributes and
/// seeds
struct PredictionConsensusParameters
{
    uint32_t devices = 10;                                     //!< number of agents, at least 2
    std::string dataDir = "/usr/share/datasets/fashion-mnist"; //!< folder of the IDX files
    uint32_t samples = 800; //!< labelled samples a device, on average; a quarter is for its test
    uint32_t referenceSamples = 400;     //!< size of X*, equally many of each class
    uint32_t testSamples = 2000;         //!< size of the global test set
    std::string partition = "dirichlet"; //!< dirichlet or iid
    double alpha = 1;                    //!< concentration of the Dirichlet distribution
    uint32_t minimumSamples = 64;        //!< least number of samples of a device
    std::string lowQuality = "2,9";      //!< devices with bad labels, by number, or "none"
    std::string labelNoise = "shift";    //!< what is bad about them: shift or permute
    std::string model = "mlp";           //!< model of every agent
    double learningRate = 5e-3;          //!< of Adam
    uint32_t batchSize = 64;             //!< local samples a step
    uint32_t referenceBatchSize = 256;   //!< X* samples a step
    std::string trust = "dynamic";       //!< dynamic, static, naive or local
    uint32_t rounds = 20;                //!< rounds
    uint32_t pretrainingRounds = 5;      //!< rounds of local training before the first exchange
    uint32_t localEpochs = 5;            //!< passes over the local samples a round
    double lambda = 0.5;                 //!< weight of the distance to the pseudo-labels
    std::string missing = "stale";       //!< stale or exclude
    std::string loss = "reliable";       //!< best-effort or reliable
    double deadline = 5;                 //!< longest wait for predictions [s]
    double maxOutage = 0.4; //!< outage probability between devices that are farthest apart
    double battery = 10000; //!< charge of each device [J]
    uint32_t threads = 0;   //!< host threads; 0 for one a core
    std::string runDir = "runs/prediction-consensus"; //!< where to write
    std::string recorder = "csv";                     //!< format of the tables: csv or sqlite
    bool quiet = false;                               //!< whether to print nothing but errors

    /**
     * @brief Refuse what makes no sense.
     * @throws UserError that names what was given and what is allowed
     */
    void Validate() const;

    /// @return the low-quality devices, ascending
    std::vector<uint32_t> GetLowQualityDevices() const;
};

/**
 * @brief Run prediction consensus once and write its run folder.
 *
 * @param parameters what to run
 * @param output where to print the partition and the result, unless quiet
 * @throws UserError for mistakes in the parameters
 * @throws DataFileError for a bad data file
 */
void RunPredictionConsensus(const PredictionConsensusParameters& parameters, std::ostream& output);

#endif /* PREDICTION_CONSENSUS_SCENARIO_H */
