/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "toy-recorder.h"

#include "ns3/collab-metrics.h"

#include <limits>
#include <utility>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// @return the table samples
TableDescription
DescribeSamples()
{
    return {"samples",
            "a sample of a device",
            {{"device", ColumnType::INTEGER, "", "whose it is"},
             {"x1", ColumnType::REAL, "", "first number of the sample"},
             {"x2", ColumnType::REAL, "", "second one; NaN if there is none"},
             {"y", ColumnType::REAL, "", "target, or class that its owner believes in"},
             {"truth", ColumnType::REAL, "", "the same, or the true class"}}};
}

/**
 * @param isRegression whether there are curves
 * @return the table curves or the table boundaries
 */
TableDescription
DescribeShapes(bool isRegression)
{
    const std::vector<ColumnDescription> columns = {
        {"round", ColumnType::INTEGER, "", "number of the round at whose end it is so, from 0"},
        {"device", ColumnType::INTEGER, "", "whose model it is"}};
    TableDescription table =
        isRegression ? TableDescription{"curves", "a point of a device's fitted curve", columns}
                     : TableDescription{"boundaries",
                                        "a point of the plane, as a device's model sees it",
                                        columns};
    table.columns.push_back({"x1", ColumnType::REAL, "", "first number of the sample"});
    if (isRegression)
    {
        table.columns.push_back({"y", ColumnType::REAL, "", "output of the model"});
        return table;
    }
    table.columns.push_back({"x2", ColumnType::REAL, "", "second one"});
    table.columns.push_back({"class", ColumnType::INTEGER, "", "most probable class"});
    table.columns.push_back({"probability", ColumnType::REAL, "1", "of that class"});
    return table;
}

} // namespace

ToyRecorder::ToyRecorder(TableStore& store,
                         const ApplicationContainer& applications,
                         const ToySamples& samples,
                         std::set<uint32_t> rounds)
    : m_grid(samples.grid),
      m_rounds(std::move(rounds)),
      m_samples(store.Add(DescribeSamples())),
      m_shapes(store.Add(DescribeShapes(samples.grid->data->outputs > 0)))
{
    for (uint32_t i = 0; i < applications.GetN(); ++i)
    {
        applications.Get(i)->TraceConnectWithoutContext(
            "Prediction", MakeCallback(&ToyRecorder::HandlePrediction, this));
    }
    WriteSamples(samples);
}

void
ToyRecorder::WriteSamples(const ToySamples& samples)
{
    for (uint32_t device = 0; device < samples.train.size(); ++device)
    {
        const DataView& view = samples.train[device];
        const DataSet& data = *view.data;
        for (std::size_t i = 0; i < view.Size(); ++i)
        {
            const uint32_t index = view.indices[i];
            const float* x = data.numbers.data() + index * data.SampleSize();
            const bool isPlane = data.SampleSize() > 1;
            m_samples << device << double{x[0]}
                      << (isPlane ? double{x[1]} : std::numeric_limits<double>::quiet_NaN());
            if (data.outputs > 0)
            {
                m_samples << double{data.targets[index]} << double{data.targets[index]};
            }
            else
            {
                m_samples << static_cast<double>(view.labels[i])
                          << static_cast<double>(data.labels[index]);
            }
            m_samples.EndRow();
        }
    }
}

void
ToyRecorder::HandlePrediction(const PredictionRecord& record)
{
    if (record.name != GRID || m_rounds.count(record.round) == 0)
    {
        return;
    }
    const DataSet& data = *m_grid->data;
    const Matrix<float>& predictions = *record.predictions;
    const auto classes = PredictedClasses(predictions);
    for (std::size_t i = 0; i < predictions.rows; ++i)
    {
        const float* x = data.numbers.data() + i * data.SampleSize();
        m_shapes << record.round << record.device << double{x[0]};
        if (data.outputs > 0)
        {
            m_shapes << double{predictions(i, 0)};
        }
        else
        {
            m_shapes << double{x[1]} << classes[i] << double{predictions(i, classes[i])};
        }
        m_shapes.EndRow();
    }
}
