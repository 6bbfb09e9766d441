/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-energy-kind.h"

namespace ns3::collab
{

std::string
ToString(EnergyKind kind)
{
    static const std::array<std::string, ENERGY_KIND_COUNT> names = {
        "tx", "rx", "idle", "sleep", "compute", "d2s_tx", "d2s_rx"};
    return names[static_cast<std::size_t>(kind)];
}

std::string
GetMeaning(EnergyKind kind)
{
    static const std::array<std::string, ENERGY_KIND_COUNT> meanings = {
        "D2D radio transmits",
        "D2D radio listens to a burst or for acknowledgments",
        "radio and processor are powered and do nothing",
        "radio sleeps",
        "processor computes, over and above its idle power",
        "radio that speaks with a base station transmits",
        "radio that speaks with a base station listens"};
    return meanings[static_cast<std::size_t>(kind)];
}

} // namespace ns3::collab
