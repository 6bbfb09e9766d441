/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "toy-recorder.h"

#include "ns3/collab-metrics.h"
#include "ns3/prediction-consensus-application.h"

#include <limits>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// A sample of a device
struct SampleRow
{
    uint32_t device; //!< whose it is
    double x1;       //!< first number
    double x2;       //!< second one; NaN if there is none
    double y;        //!< target, or class that its owner believes in
    double truth;    //!< the same, or the true class

    /// @return the table samples
    static TableColumns<SampleRow>
    GetTable()
    {
        using Row = SampleRow;
        return {"samples",
                "a sample of a device",
                {{"device", "", "whose it is", &Row::device},
                 {"x1", "", "first number of the sample", &Row::x1},
                 {"x2", "", "second one; NaN if there is none", &Row::x2},
                 {"y", "", "target, or class that its owner believes in", &Row::y},
                 {"truth", "", "the same, or the true class", &Row::truth}}};
    }
};

/// A point of the grid, as a device's model sees it
struct ShapeRow
{
    uint32_t round;        //!< at whose end it is so
    uint32_t device;       //!< whose model it is
    double x1;             //!< first number of the point
    double x2;             //!< second one; of no meaning in regression
    double output;         //!< of the model, or probability of its class
    std::size_t label = 0; //!< most probable class

    /// @param isRegression whether there are curves
    /// @return the table curves or the table boundaries
    static TableColumns<ShapeRow>
    GetTable(bool isRegression)
    {
        using Row = ShapeRow;
        const Columns<Row> point = {
            {"round", "", "number of the round at whose end it is so, from 0", &Row::round},
            {"device", "", "whose model it is", &Row::device},
            {"x1", "", "first number of the sample", &Row::x1}};
        if (isRegression)
        {
            return {"curves",
                    "a point of a device's fitted curve",
                    point + Columns<Row>{{"y", "", "output of the model", &Row::output}}};
        }
        return {"boundaries",
                "a point of the plane, as a device's model sees it",
                point + Columns<Row>{{"x2", "", "second one", &Row::x2},
                                     {"class", "", "most probable class", &Row::label},
                                     {"probability", "1", "of that class", &Row::output}}};
    }
};

void
WriteSamples(const ToySamples& samples, const TableOf<SampleRow>& table)
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
            const bool isRegression = data.outputs > 0;
            table.Write(
                {device,
                 x[0],
                 isPlane ? double{x[1]} : std::numeric_limits<double>::quiet_NaN(),
                 isRegression ? double{data.targets[index]} : static_cast<double>(view.labels[i]),
                 isRegression ? double{data.targets[index]}
                              : static_cast<double>(data.labels[index])});
        }
    }
}

/// Write what an agent says of the grid
void
WriteShape(const PredictionRecord& record, const DataSet& grid, const TableOf<ShapeRow>& table)
{
    const Matrix<float>& predictions = *record.predictions;
    const auto classes = PredictedClasses(predictions);
    for (std::size_t i = 0; i < predictions.rows; ++i)
    {
        const float* x = grid.numbers.data() + i * grid.SampleSize();
        ShapeRow row = {record.round, record.device, x[0], 0, predictions(i, 0)};
        if (grid.outputs == 0)
        {
            row.x2 = x[1];
            row.label = classes[i];
            row.output = predictions(i, classes[i]);
        }
        table.Write(row);
    }
}

} // namespace

void
RecordToy(TableStore& store,
          const ApplicationContainer& applications,
          const ToySamples& samples,
          const std::set<uint32_t>& rounds)
{
    WriteSamples(samples, store.Add<SampleRow>());
    const auto grid = samples.grid->data;
    const auto shapes = store.Add(ShapeRow::GetTable(grid->outputs > 0));
    const Callback<void, const PredictionRecord&> write(
        [grid, shapes, rounds](const PredictionRecord& record) {
            if (record.name == GRID_PROBE && rounds.count(record.round) > 0)
            {
                WriteShape(record, *grid, shapes);
            }
        });
    for (uint32_t i = 0; i < applications.GetN(); ++i)
    {
        applications.Get(i)->TraceConnectWithoutContext("Prediction", write);
    }
}
