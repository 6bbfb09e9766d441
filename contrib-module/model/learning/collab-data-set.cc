/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-data-set.h"

#include "collab-idx-file.h"
#include "collab-random.h"

#include "ns3/collab-error.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace collab
{

namespace
{

/**
 * @param folder where to look
 * @param name of a file without the suffix of compression
 * @return path of the plain file, or else of the compressed one
 * @throws DataFileError if there is neither
 */
std::string
FindFile(const std::string& folder, const std::string& name)
{
    const std::filesystem::path plain = std::filesystem::path(folder) / name;
    std::filesystem::path compressed = plain;
    compressed += ".gz";
    for (const auto& path : {plain, compressed})
    {
        if (std::filesystem::exists(path))
        {
            return path.string();
        }
    }
    throw DataFileError(
        fmt::format("neither {} nor {} exists", plain.string(), compressed.string()));
}

/**
 * @param path of an IDX file
 * @param rank number of dimensions that it must have
 * @return its contents, with at least one element
 * @throws DataFileError if it is anything else
 */
IdxFile
ReadRank(const std::string& path, std::size_t rank)
{
    IdxFile file = ReadIdxFile(path);
    if (file.dimensions.size() != rank || file.bytes.empty())
    {
        throw DataFileError(
            fmt::format("{}: byte 3: found dimensions {}, expected {} of at least 1",
                        path,
                        fmt::join(file.dimensions, " x "),
                        rank));
    }
    return file;
}

} // namespace

std::size_t
DataSet::SampleBytes() const
{
    return std::accumulate(
        sampleShape.begin(), sampleShape.end(), std::size_t{1}, std::multiplies<>());
}

DataView
MakeView(std::shared_ptr<const DataSet> data, std::vector<uint32_t> indices)
{
    DataView view;
    view.labels.reserve(indices.size());
    for (uint32_t index : indices)
    {
        if (index >= data->Size())
        {
            throw std::invalid_argument(fmt::format(
                "index {} is not below the data set's {} samples", index, data->Size()));
        }
        view.labels.push_back(data->labels[index]);
    }
    view.data = std::move(data);
    view.indices = std::move(indices);
    return view;
}

void
ShiftLabels(DataView& view, uint32_t shift)
{
    const uint32_t classes = view.data->classes;
    if (shift == 0 || shift >= classes)
    {
        throw std::invalid_argument(
            fmt::format("label shift {} is not between 1 and {}", shift, classes - 1));
    }
    for (int64_t& label : view.labels)
    {
        label = (label + shift) % classes;
    }
}

void
PermuteLabels(DataView& view, uint64_t seed)
{
    RandomGenerator generator(seed);
    const std::vector<int64_t> labels = view.labels;
    const auto permutation = DrawPermutation(static_cast<uint32_t>(labels.size()), generator);
    for (std::size_t i = 0; i < labels.size(); ++i)
    {
        view.labels[i] = labels[permutation[i]];
    }
}

std::shared_ptr<const DataSet>
LoadIdxDataSet(const std::string& folder, bool train)
{
    const std::string part = train ? "train" : "t10k";
    const std::string imagePath = FindFile(folder, part + "-images-idx3-ubyte");
    const std::string labelPath = FindFile(folder, part + "-labels-idx1-ubyte");
    IdxFile images = ReadRank(imagePath, 3);
    const IdxFile labels = ReadRank(labelPath, 1);
    if (labels.dimensions[0] != images.dimensions[0])
    {
        throw DataFileError(fmt::format("{}: byte 4: found {} labels, expected {} as there are "
                                        "images in {}",
                                        labelPath,
                                        labels.dimensions[0],
                                        images.dimensions[0],
                                        imagePath));
    }
    auto data = std::make_shared<DataSet>();
    data->name = fmt::format(
        "{} {}", std::filesystem::canonical(folder).filename().string(), train ? "train" : "test");
    data->sampleShape = {1, images.dimensions[1], images.dimensions[2]};
    data->classes = std::max(*std::max_element(labels.bytes.begin(), labels.bytes.end()) + 1, 2);
    data->features = std::move(images.bytes);
    data->labels.assign(labels.bytes.begin(), labels.bytes.end());
    return data;
}

} // namespace collab
} // namespace ns3
