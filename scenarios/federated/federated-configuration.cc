/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-configuration.h"

#include "common/scenario-samples.h"

#include "ns3/boolean.h"
#include "ns3/collab-given-attributes.h"
#include "ns3/collab-transport.h"
#include "ns3/double.h"
#include "ns3/federated-buffered-server-application.h"
#include "ns3/federated-client-application.h"
#include "ns3/federated-participation.h"
#include "ns3/federated-semi-decentralized-client-application.h"
#include "ns3/federated-synchronous-server-application.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::collab;

TypeId
GetClientType(bool hasSets)
{
    return hasSets ? SemiDecentralizedClientApplication::GetTypeId()
                   : FederatedClientApplication::GetTypeId();
}

TypeId
GetServerType(bool isAsynchronous)
{
    return isAsynchronous ? FederatedBufferedServerApplication::GetTypeId()
                          : FederatedSynchronousServerApplication::GetTypeId();
}

void
ConfigureFederation(const ParameterList& parameters,
                    const Federation& federation,
                    const NodeContainer& nodes,
                    FederatedHelper& helper)
{
    const bool hasSets = federation.setSize > 0;
    parameters.Apply(GetServerType(federation.isAsynchronous),
                     [&helper](const std::string& name, const AttributeValue& value) {
                         helper.SetServerAttribute(name, value);
                     });
    parameters.Apply(GetClientType(hasSets),
                     [&helper](const std::string& name, const AttributeValue& value) {
                         helper.SetClientAttribute(name, value);
                     });
    if (!IsAttributeGiven("ns3::collab::FederatedClientApplication::LearningRate"))
    {
        helper.SetClientAttribute("LearningRate", DoubleValue(federation.learningRate));
    }
    helper.SetSamplingSeed(SeedFor(RandomPurpose::PARTICIPATION));
    if (!hasSets)
    {
        return;
    }
    if (!IsAttributeGiven("ns3::collab::SemiDecentralizedClientApplication::TakesTurns"))
    {
        const bool hears = nodes.Get(0)->GetObject<Transport>()->HearsWhileSending();
        helper.SetClientAttribute("TakesTurns", BooleanValue(!hears));
    }
    std::vector<uint32_t> devices;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        devices.push_back(nodes.Get(i)->GetId());
    }
    helper.SetSets(MakeSets(devices, federation.setSize));
}
