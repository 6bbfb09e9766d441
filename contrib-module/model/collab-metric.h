/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_METRIC_H
#define COLLAB_METRIC_H

#include <string>

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief A number that an algorithm measures at the end of every round of a device.
 */
struct Metric
{
    std::string name;    //!< e.g. "accuracy_reference"
    std::string unit;    //!< e.g. "1" for a fraction; empty for numbers of things
    std::string meaning; //!< what it says, in one line
};

} // namespace collab
} // namespace ns3

#endif /* COLLAB_METRIC_H */
