/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_RUN_RADIOS_H
#define COLLAB_RUN_RADIOS_H

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>

namespace ns3::collab
{

/**
 * @ingroup collab-tracing
 * @brief Describe the D2D radios that there are, as they are set at present.
 *
 * Also what neither an argument nor an attribute of the command line tells, such as a transmit
 * power that a helper has computed.
 *
 * @return radios of the same channel that are set alike, each as an object: "channel", its number
 * in ns-3's ChannelList; "nodes", theirs, e.g. "0-9 12"; "tx_power_dbm"; "bandwidth_hz";
 * "spectral_efficiency" [bit/s/Hz], "adaptive" if rates are; "rx_sensitivity_dbm"; "duplex"
 */
nlohmann::ordered_json DescribeRadios();

/// @param numbers some
/// @return them as text, e.g. "0-9 12"
std::string WriteRanges(const std::set<uint32_t>& numbers);

} // namespace ns3::collab

#endif /* COLLAB_RUN_RADIOS_H */
