/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCENARIO_LINKS_H
#define SCENARIO_LINKS_H

#include "ns3/d2d-helper.h"
#include "ns3/d2d-link-trace.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// @return the trace; null if it names no file
/// @throws UserError if the file is none of links
std::shared_ptr<const ns3::collab::D2dLinkTrace> ReadLinkTrace(const std::string& given);

/// @brief Refuse a trace that is not of the run's devices, and models beside it.
/// @throws UserError that names what was given and what is allowed
void CheckLinkTrace(const std::string& given,
                    const ns3::collab::D2dLinkTrace& trace,
                    uint32_t devices);

/// @brief Let a channel have the links of a trace.
/// @param helper helper that makes the channel
/// @param server node that the trace calls server, if it is on this channel
void UseLinkTrace(std::shared_ptr<const ns3::collab::D2dLinkTrace> trace,
                  ns3::collab::D2dHelper& helper,
                  std::optional<uint32_t> server = std::nullopt);

/// @return what a trace of links limits
std::vector<std::string> FindTraceHints(const std::string& given,
                                        const ns3::collab::D2dLinkTrace& trace);

#endif /* SCENARIO_LINKS_H */
