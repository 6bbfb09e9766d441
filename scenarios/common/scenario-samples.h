/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCENARIO_SAMPLES_H
#define SCENARIO_SAMPLES_H

#include "scenario-parameters.h"

#include "ns3/collab-data-set.h"
#include "ns3/collab-seed.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// The samples of all devices
struct ScenarioSamples
{
    std::shared_ptr<const ns3::collab::DataView> reference; //!< X*
    std::shared_ptr<const ns3::collab::DataView> global;    //!< the global test set
    std::vector<uint32_t> testOrder; //!< all of the test part, those of the global test set first
    /// by device, with the labels that it believes in
    std::vector<ns3::collab::DataView> train;
    std::vector<ns3::collab::DataView> test; //!< by device, with true labels
    std::vector<uint32_t> groups;            //!< of the training set: label, or group of targets
    std::string description;                 //!< table of the partition
    /// samples that a device has to train and test with, of each class or group: device x class;
    /// empty if samples are not of a partition
    std::vector<std::vector<std::size_t>> classes;
};

/// @param given argument stragglers: how many devices, or which ones, or "none"
/// @return the stragglers, ascending; drawn by the run's seed if only their number is given
/// @throws UserError if they are no devices, or all of them
std::vector<uint32_t> DrawStragglers(const std::string& given, uint32_t devices);

/**
 * @brief Load the data set, and give X*, the devices' samples and the global test set out.
 *
 * The same parameters, seed and run number give the same samples in every scenario.
 *
 * @param groups in regression samples are dealt out by so many equal groups of ascending targets,
 * as if they were classes; 0 if the data set must have classes
 * @return the samples of all devices
 * @throws UserError if there are not as many samples as asked for
 * @throws DataFileError for a bad data file
 */
ScenarioSamples PrepareSamples(const CommonParameters& p, uint32_t groups = 0);

/// @return the training samples of some devices
ns3::collab::DataView JoinSamples(const ScenarioSamples& samples,
                                  const std::vector<uint32_t>& devices);

/// @return whether samples have targets and no classes
bool IsRegression(const ScenarioSamples& samples);

/// @return the metric of some samples that a scenario is about: accuracy, or in regression the loss
std::string GetMeasure(const ScenarioSamples& samples, const std::string& name);

/// @brief Refuse arguments about classes if there are none.
/// @throws UserError that names what was given and what is allowed
void CheckRegression(const CommonParameters& p, const ScenarioSamples& samples);

#endif /* SCENARIO_SAMPLES_H */
