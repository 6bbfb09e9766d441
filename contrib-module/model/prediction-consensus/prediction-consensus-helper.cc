/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "prediction-consensus-helper.h"

#include "prediction-consensus-application.h"

#include "ns3/abort.h"
#include "ns3/collab-torch-runtime.h"
#include "ns3/node.h"

namespace ns3::collab
{

PredictionConsensusHelper::PredictionConsensusHelper(Ptr<LearnerPool> pool)
    : m_factory("ns3::collab::PredictionConsensusApplication"),
      m_pool(pool)
{
    m_pool->SetThreadInitializer(ConfigureTorchThread);
}

void
PredictionConsensusHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    m_factory.Set(name, value);
}

ApplicationContainer
PredictionConsensusHelper::Install(const NodeContainer& nodes,
                                   const std::vector<PredictionConsensusAgent>& agents) const
{
    NS_ABORT_MSG_UNLESS(nodes.GetN() == agents.size(),
                        "PredictionConsensusHelper::Install: " << nodes.GetN() << " nodes and "
                                                               << agents.size()
                                                               << " agents; give one for each");
    ApplicationContainer applications;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        auto application = m_factory.Create<PredictionConsensusApplication>();
        application->SetLearnerPool(m_pool);
        application->SetLearner(agents[i].learner);
        application->SetReference(agents[i].reference);
        for (const auto& evaluation : agents[i].evaluations)
        {
            application->AddEvaluation(evaluation.first, evaluation.second);
        }
        for (const auto& probe : agents[i].probes)
        {
            application->AddProbe(probe.first, probe.second);
        }
        nodes.Get(i)->AddApplication(application);
        applications.Add(application);
    }
    return applications;
}

} // namespace ns3::collab
