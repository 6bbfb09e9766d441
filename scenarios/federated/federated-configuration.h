/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_CONFIGURATION_H
#define FEDERATED_CONFIGURATION_H

#include "common/scenario-parameters.h"

#include "ns3/federated-helper.h"
#include "ns3/node-container.h"
#include "ns3/type-id.h"

#include <cstdint>

/// How a server and its devices learn, besides what parameters set
struct Federation
{
    double learningRate = 0;     //!< of the devices' steps
    uint32_t setSize = 0;        //!< devices of a set that exchange models; 0 for no sets
    bool isAsynchronous = false; //!< whether there are no rounds that all wait for
};

/// @param hasSets whether devices exchange models in sets
/// @return class of the devices' applications
ns3::TypeId GetClientType(bool hasSets);

/// @param isAsynchronous whether there are no rounds that all wait for
/// @return class of the server's application
ns3::TypeId GetServerType(bool isAsynchronous);

/// @brief Let a helper make a server and its devices as the parameters and given attributes say.
/// @param helper of applications of GetClientType() and GetServerType()
void ConfigureFederation(const ns3::collab::ParameterList& parameters,
                         const Federation& federation,
                         const ns3::NodeContainer& nodes,
                         ns3::collab::FederatedHelper& helper);

#endif /* FEDERATED_CONFIGURATION_H */
