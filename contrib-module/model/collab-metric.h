/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_METRIC_H
#define COLLAB_METRIC_H

#include "collab-columns.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief A number that an algorithm measures at the end of every round of a device.
struct Metric
{
    std::string name;    //!< e.g. "accuracy_reference"
    std::string unit;    //!< e.g. "1" for a fraction; empty for numbers of things
    std::string meaning; //!< what it says, in one line
};

/// @ingroup collab
/// @brief What was measured, by name.
using MetricValues = std::vector<std::pair<std::string, double>>;

/// @ingroup collab
/// @brief Keeps cells as the values of metrics.
class MetricReader : public CellWriter
{
  public:
    void
    Write(std::size_t, double value) override
    {
        values.push_back(value);
    }

    void
    Write(std::size_t column, int64_t value) override
    {
        Write(column, static_cast<double>(value));
    }

    /// @throws std::invalid_argument always
    void
    Write(std::size_t, const std::string& value) override
    {
        throw std::invalid_argument("a metric is a number, not '" + value + "'");
    }

    std::vector<double> values; //!< of all cells up to now
};

/// @ingroup collab
/// @param columns of a struct of metrics, which it returns from its static function GetColumns(),
/// as a row of a table does (TableColumns)
/// @return the metrics
template <typename Metrics>
std::vector<Metric>
DescribeMetrics(const Columns<Metrics>& columns = Metrics::GetColumns())
{
    std::vector<Metric> metrics;
    for (auto& column : columns.Describe())
    {
        metrics.push_back(
            {std::move(column.name), std::move(column.unit), std::move(column.meaning)});
    }
    return metrics;
}

/// @ingroup collab
/// @param metrics what was measured
/// @param columns of the struct
/// @return the values by name, in the order of the columns
template <typename Metrics>
MetricValues
ReadMetrics(const Metrics& metrics, const Columns<Metrics>& columns = Metrics::GetColumns())
{
    MetricReader reader;
    columns.Write(metrics, reader);
    MetricValues values;
    for (auto& column : columns.Describe())
    {
        values.emplace_back(std::move(column.name), reader.values[values.size()]);
    }
    return values;
}

} // namespace ns3::collab

#endif /* COLLAB_METRIC_H */
