/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-application-helper.h"

namespace ns3::collab
{

ApplicationContainer
InstallApplications(const NodeContainer& nodes,
                    const std::function<Ptr<CollaborationApplication>(uint32_t)>& make)
{
    const auto pool = CreateObject<LearnerPool>();
    ApplicationContainer applications;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        const Ptr<CollaborationApplication> application = make(i);
        application->SetLearnerPool(pool);
        nodes.Get(i)->AddApplication(application);
        applications.Add(application);
    }
    return applications;
}

} // namespace ns3::collab
