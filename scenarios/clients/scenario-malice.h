/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCENARIO_MALICE_H
#define SCENARIO_MALICE_H

#include "common/scenario-samples.h"

#include <cstdint>
#include <string>
#include <vector>

/// What settings of malice take to have an effect
constexpr const char* MALICIOUS = "malicious devices (--maliciousPercent)";

/// Which devices are malicious, and what they do to the gradients that they upload
struct MaliceParameters
{
    double maliciousPercent = 0; //!< epsilon, part of all devices that are malicious [%]
    /// an attack on gradients by name, "label-flip", or "none"
    std::string attack = "back-gradient";

    /// @param list list that gets all of the parameters
    /// @param type type of the devices' applications; if their attribute GradientAttack is given,
    /// all devices are malicious
    void DeclareMalice(ns3::collab::ParameterList& list, const std::string& type);
    /// Make all devices malicious if an attribute, which all of them have, makes them so
    void CompleteMalice(const std::string& attribute);
    /// @throws UserError that names what was given and what is allowed
    void ValidateMalice() const;
    /// @return the attack on gradients; empty for none
    std::string GetGradientAttack() const;
};

/// @return a seed of this run that all devices share
uint64_t GetSharedSeed();

/// @brief Draw the malicious devices: the same ones in every scenario with the same seeds.
/// @return the malicious devices, ascending
std::vector<uint32_t> DrawMalicious(const MaliceParameters& malice, uint32_t devices);

/// @brief Flip the labels that malicious devices train with, if the attack is "label-flip".
/// @param[in,out] samples samples of all devices
/// @throws UserError if they have no labels
void PoisonSamples(const MaliceParameters& malice,
                   const std::vector<uint32_t>& malicious,
                   ScenarioSamples& samples);

#endif /* SCENARIO_MALICE_H */
