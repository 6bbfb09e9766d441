/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MAKE_OUTAGE_MODEL_H
#define MAKE_OUTAGE_MODEL_H

#include "ns3/d2d-outage-model.h"
#include "ns3/object-factory.h"

#include <sstream>
#include <string>

namespace ns3::collab
{
namespace tests
{

/// @return an outage model
inline Ptr<D2dOutageModel>
MakeOutageModel(const std::string& model)
{
    ObjectFactory factory;
    std::istringstream(model) >> factory;
    return factory.Create<D2dOutageModel>();
}

} // namespace tests
} // namespace ns3::collab

#endif /* MAKE_OUTAGE_MODEL_H */
