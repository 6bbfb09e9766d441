/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_SETUP_H
#define FEDERATED_SETUP_H

#include "federated-scenario.h"

#include "ns3/federated-helper.h"
#include "ns3/federated-server-application.h"
#include "ns3/node-container.h"

#include <memory>

/// How a server and its devices learn, besides what parameters set
struct Federation
{
    ns3::Ptr<ns3::collab::LearnerPool> pool; //!< where jobs are computed
    double learningRate = 0;                 //!< of the devices' steps
    uint32_t setSize = 0;        //!< devices of a set that exchange models; 0 for no sets
    bool isAsynchronous = false; //!< whether there are no rounds that all wait for
};

/// @return what makes a server and its devices as the parameters and given attributes say
std::unique_ptr<ns3::collab::FederatedHelper> MakeFederation(
    const ns3::collab::ParameterList& parameters,
    const Federation& federation,
    const ns3::NodeContainer& nodes);

/// @brief Let the server wait for devices as long as --roundDeadline says, and devices of sets for
/// each other as long as --setDeadline does.
/// @param p parameters of the run; gets the deadlines that are in force
void SetFederatedDeadlines(FederatedParameters& p,
                           ns3::Ptr<ns3::collab::FederatedServerApplication> server,
                           const ns3::ApplicationContainer& applications);

#endif /* FEDERATED_SETUP_H */
