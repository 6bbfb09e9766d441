/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_ENERGY_KIND_H
#define COLLAB_ENERGY_KIND_H

#include "ns3/collab-columns.h"

#include <array>
#include <cstddef>
#include <numeric>
#include <string>

namespace ns3::collab
{

/// @ingroup collab-energy
/// @brief What energy was spent on.
enum class EnergyKind : std::size_t
{
    TX,      //!< a D2D radio transmits
    RX,      //!< a D2D radio listens to a burst or for acknowledgments
    IDLE,    //!< radio and processor are powered and do nothing
    SLEEP,   //!< a radio sleeps
    COMPUTE, //!< the processor computes, over and above its idle power
    D2S_TX,  //!< a radio that speaks with a base station transmits
    D2S_RX,  //!< a radio that speaks with a base station listens
};

/// Number of kinds of energy
constexpr std::size_t ENERGY_KIND_COUNT = 7;

/// One number for each kind of energy, e.g. joules or watts; index by EnergyKind
using EnergyByKind = std::array<double, ENERGY_KIND_COUNT>;

/// @param kind a kind of energy
/// @return its name in traces, e.g. "tx"
std::string ToString(EnergyKind kind);

/// @param kind a kind of energy
/// @return what it was spent on, e.g. "D2D radio transmits"
std::string GetMeaning(EnergyKind kind);

/// @param values one number for each kind
/// @return their sum
inline double
GetTotal(const EnergyByKind& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0);
}

/// @tparam Row the struct
/// @param meaning what they say, before what energy was spent on
/// @param joules member with the energy
/// @return columns "tx_j", "rx_j", ... [J]
template <typename Row>
Columns<Row>
MakeEnergyColumns(const std::string& meaning, EnergyByKind Row::*joules)
{
    Columns<Row> columns;
    for (std::size_t i = 0; i < ENERGY_KIND_COUNT; ++i)
    {
        const auto kind = static_cast<EnergyKind>(i);
        const auto read = [i, joules](const Row& row) { return (row.*joules)[i]; };
        columns.Add({ToString(kind) + "_j", "J", meaning + GetMeaning(kind), read});
    }
    return columns;
}

} // namespace ns3::collab

#endif /* COLLAB_ENERGY_KIND_H */
