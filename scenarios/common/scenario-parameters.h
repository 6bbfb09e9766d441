/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCENARIO_PARAMETERS_H
#define SCENARIO_PARAMETERS_H

#include "ns3/collab-scenario-arguments.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

/// What scenarios have in common: devices that hold samples, learn, and speak over a D2D network
struct CommonParameters
{
    uint32_t devices = 10;                 //!< number of devices, at least 2
    std::string dataSet = "fashion-mnist"; //!< name of a data set with classes
    std::string dataDir;                   //!< folder of its files; empty for the usual one
    uint32_t samples = 800; //!< labelled samples a device, on average; a quarter is for its test
    uint32_t referenceSamples = 400;     //!< size of X*, equally many of each class
    uint32_t testSamples = 2000;         //!< size of the global test set
    std::string partition = "dirichlet"; //!< dirichlet, iid, writers or users
    double alpha = 1;                    //!< concentration of the Dirichlet distribution
    uint32_t minimumSamples = 64;        //!< least number of samples of a device
    std::string lowQuality = "2,9";      //!< devices with bad labels, by number, or "none"
    std::string labelNoise = "shift";    //!< what is bad about them: shift or permute
    std::string model = "mlp";           //!< model of every device
    double learningRate = 5e-3;          //!< of Adam
    uint32_t batchSize = 64;             //!< local samples a step
    double maxOutage = 0.4;       //!< outage probability between devices that are farthest apart
    double battery = 10000;       //!< charge of each device [J]
    uint32_t threads = 0;         //!< host threads; 0 for one a core
    std::string runDir;           //!< where to write
    std::string recorder = "csv"; //!< format of the tables: csv or sqlite
    bool quiet = false;           //!< whether to print nothing but errors

    /**
     * @brief Refuse what makes no sense.
     *
     * @param needsReference whether the scenario needs an X*
     * @throws UserError that names what was given and what is allowed
     */
    void ValidateCommon(bool needsReference) const;

    /// @return the low-quality devices, ascending
    std::vector<uint32_t> GetLowQualityDevices() const;
};

/**
 * @param name of an argument
 * @param given its value, a list of devices
 * @param devices number of devices
 * @return those in the list, ascending; none for "none"
 * @throws UserError if it is no such list
 */
std::vector<uint32_t> ParseDevices(const std::string& name,
                                   const std::string& given,
                                   uint32_t devices);

/**
 * @brief Take the arguments devices to labelNoise.
 *
 * @param arguments of the program
 * @param[out] p receives them
 */
void AddSampleArguments(ns3::collab::ScenarioArguments& arguments, CommonParameters& p);
/**
 * @brief Take the arguments model, learningRate and batchSize.
 *
 * @param arguments of the program
 * @param[out] p receives them
 */
void AddModelArguments(ns3::collab::ScenarioArguments& arguments, CommonParameters& p);
/**
 * @brief Take the arguments maxOutage to quiet.
 *
 * @param arguments of the program
 * @param[out] p receives them
 */
void AddRunArguments(ns3::collab::ScenarioArguments& arguments, CommonParameters& p);

/**
 * @brief Add the parameters devices to batchSize.
 *
 * @param p parameters of a run
 * @param[in,out] description receives them, by name
 */
void DescribeLearning(const CommonParameters& p, nlohmann::ordered_json& description);
/**
 * @brief Add the parameters maxOutage and battery; those after them change no result.
 *
 * @param p parameters of a run
 * @param[in,out] description receives them, by name
 */
void DescribeNetwork(const CommonParameters& p, nlohmann::ordered_json& description);

#endif /* SCENARIO_PARAMETERS_H */
