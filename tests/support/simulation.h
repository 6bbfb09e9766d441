/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * What tests do with ns-3's simulator and with trace sources again and again.
 */

#ifndef SUPPORT_SIMULATION_H
#define SUPPORT_SIMULATION_H

#include "ns3/callback.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/simulator.h"

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace tests
{

/// Simulates so long
inline void
RunFor(ns3::Time duration)
{
    ns3::Simulator::Stop(duration);
    ns3::Simulator::Run();
}

/// Calls an action at each call of a trace source with these arguments
template <typename... Arguments, typename Action>
void
OnTrace(ns3::Ptr<ns3::Object> object, const std::string& source, Action action)
{
    const std::function<void(Arguments...)> function = action;
    if (!object->TraceConnectWithoutContext(source, ns3::Callback<void, Arguments...>(function)))
    {
        throw std::invalid_argument("no trace source " + source);
    }
}

/// Appends each record of a trace source to a list
template <typename Record>
void
CollectTrace(ns3::Ptr<ns3::Object> object, const std::string& source, std::vector<Record>& into)
{
    OnTrace<const Record&>(
        object, source, [&into](const Record& record) { into.push_back(record); });
}

} // namespace tests

#endif /* SUPPORT_SIMULATION_H */
