/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-idx-file.h"

#include "collab-data-file.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-error.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <limits>
#include <utility>

namespace ns3::collab
{

namespace
{

constexpr uint8_t UNSIGNED_BYTE_TYPE = 0x08; //!< IDX's code of the element type

/// @brief Read and check everything before the elements.
/// @param file file at its beginning
/// @return dimensions, outermost first
std::vector<uint32_t>
ReadDimensions(DataFile& file)
{
    uint8_t magic[4] = {};
    const std::size_t found = file.ReadUpTo(magic, sizeof(magic));
    if (found < sizeof(magic))
    {
        file.FailAtByte(
            found, fmt::format("found the end of the file, expected a magic number of 4 bytes"));
    }
    if (magic[0] != 0 || magic[1] != 0)
    {
        file.FailAtByte(
            0,
            fmt::format("found the bytes {:#04x} {:#04x}, expected 0x00 0x00 (is it IDX?)",
                        magic[0],
                        magic[1]));
    }
    if (magic[2] != UNSIGNED_BYTE_TYPE)
    {
        file.FailAtByte(2,
                        fmt::format("found element type {:#04x}, expected {:#04x} (unsigned byte)",
                                    magic[2],
                                    UNSIGNED_BYTE_TYPE));
    }
    if (magic[3] == 0)
    {
        file.FailAtByte(3, "found 0 dimensions, expected at least 1");
    }
    std::vector<uint32_t> dimensions;
    for (uint32_t i = 0; i < magic[3]; ++i)
    {
        uint8_t bytes[4] = {};
        if (file.ReadUpTo(bytes, sizeof(bytes)) < sizeof(bytes))
        {
            file.FailAtByte(
                file.GetOffset(),
                fmt::format("found the end of the file, expected dimension {} of {} (4 bytes)",
                            i + 1,
                            magic[3]));
        }
        dimensions.push_back(uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 |
                             uint32_t{bytes[2]} << 8 | uint32_t{bytes[3]});
    }
    return dimensions;
}

/// @param file file to name in messages
/// @param dimensions dimensions of the file
/// @return their product
uint64_t
CountElements(const DataFile& file, const std::vector<uint32_t>& dimensions)
{
    uint64_t size = 1;
    for (uint32_t dimension : dimensions)
    {
        if (dimension != 0 && size > std::numeric_limits<uint64_t>::max() / dimension)
        {
            file.FailAtByte(4,
                            fmt::format("found dimensions {}, expected a product below 2^64",
                                        fmt::join(dimensions, " x ")));
        }
        size *= dimension;
    }
    return size;
}

/// @param path path of an IDX file
/// @param rank number of dimensions that it must have
/// @return its contents, with at least one element
/// @throws DataFileError if it is anything else
IdxFile
ReadRank(const std::string& path, std::size_t rank)
{
    IdxFile file = ReadIdxFile(path);
    Require<DataFileError>(file.dimensions.size() == rank && !file.bytes.empty(),
                           "{}: byte 3: found dimensions {}, expected {} of at least 1",
                           path,
                           fmt::join(file.dimensions, " x "),
                           rank);
    return file;
}

/// @brief Swap rows and columns.
/// @param images samples x rows x columns; rows and columns are swapped in the dimensions too
void
Transpose(IdxFile& images)
{
    const std::size_t rows = images.dimensions[1];
    const std::size_t columns = images.dimensions[2];
    std::vector<uint8_t> turned(rows * columns);
    for (auto image = images.bytes.begin(); image != images.bytes.end();)
    {
        for (std::size_t i = 0; i < turned.size(); ++i)
        {
            turned[i % columns * rows + i / columns] = image[static_cast<std::ptrdiff_t>(i)];
        }
        image = std::copy(turned.begin(), turned.end(), image);
    }
    std::swap(images.dimensions[1], images.dimensions[2]);
}

/// @param path path of the file of labels
/// @param labels its contents
/// @param firstLabel label in the file of class 0
/// @return classes of the samples
/// @throws DataFileError if a label is below the first one
std::vector<int64_t>
ClassesOf(const std::string& path, const IdxFile& labels, uint8_t firstLabel)
{
    const auto least = std::min_element(labels.bytes.begin(), labels.bytes.end());
    Require<DataFileError>(*least >= firstLabel,
                           "{}: byte {}: found label {}, expected at least {}",
                           path,
                           8 + std::distance(labels.bytes.begin(), least),
                           *least,
                           firstLabel);
    std::vector<int64_t> classes(labels.bytes.begin(), labels.bytes.end());
    for (int64_t& label : classes)
    {
        label -= firstLabel;
    }
    return classes;
}

} // namespace

IdxFile
ReadIdxFile(const std::string& path)
{
    DataFile file(path);
    IdxFile contents;
    contents.dimensions = ReadDimensions(file);
    const uint64_t size = CountElements(file, contents.dimensions);
    const uint64_t found = file.Append(contents.bytes, size);
    if (found < size)
    {
        file.FailAtByte(
            file.GetOffset(),
            fmt::format("found the end of the file after {} elements, expected {}", found, size));
    }
    const uint64_t end = file.GetOffset();
    uint8_t extra = 0;
    if (file.ReadUpTo(&extra, 1) != 0)
    {
        file.FailAtByte(end, "found more bytes, expected the end of the file");
    }
    return contents;
}

std::shared_ptr<const DataSet>
LoadIdxDataSet(const std::string& folder, const IdxOptions& options)
{
    const bool train = options.train;
    IdxLayout layout;
    layout.mixed = options.mixed;
    layout.images = train ? "train-images-idx3-ubyte" : "t10k-images-idx3-ubyte";
    layout.labels = train ? "train-labels-idx1-ubyte" : "t10k-labels-idx1-ubyte";
    layout.name = fmt::format("{} {}",
                              std::filesystem::weakly_canonical(folder).filename().string(),
                              train ? "train" : "test");
    return LoadIdxDataSet(folder, layout);
}

std::shared_ptr<const DataSet>
LoadIdxDataSet(const std::string& folder, const IdxLayout& layout)
{
    const std::string imagePath = FindDataFile(folder, layout.images);
    const std::string labelPath = FindDataFile(folder, layout.labels);
    IdxFile images = ReadRank(imagePath, 3);
    const IdxFile labels = ReadRank(labelPath, 1);
    Require<DataFileError>(labels.dimensions[0] == images.dimensions[0],
                           "{}: byte 4: found {} labels, expected {} as there are images in {}",
                           labelPath,
                           labels.dimensions[0],
                           images.dimensions[0],
                           imagePath);
    if (layout.transposed)
    {
        Transpose(images);
    }
    auto data = std::make_shared<DataSet>();
    data->isMixed = layout.mixed;
    data->name = layout.name;
    data->sampleShape = {1, images.dimensions[1], images.dimensions[2]};
    data->labels = ClassesOf(labelPath, labels, layout.firstLabel);
    data->classes = static_cast<uint32_t>(
        std::max<int64_t>(*std::max_element(data->labels.begin(), data->labels.end()) + 1, 2));
    data->features = std::move(images.bytes);
    return data;
}

} // namespace ns3::collab
