/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-cifar-file.h"

#include "collab-data-file.h"

#include "ns3/collab-error.h"

#include <fmt/format.h>

namespace ns3::collab
{

namespace
{

constexpr std::size_t IMAGE_BYTES = 3 * 32 * 32; //!< of one sample

/// Where the label is, in one of the two formats.
struct CifarFormat
{
    std::size_t labelBytes; //!< before the image
    std::size_t labelByte;  //!< which of them is the label
    uint32_t classes;       //!< that the label is below
};

/// @param labels which to use
/// @return where they are
CifarFormat
FormatOf(CifarLabels labels)
{
    switch (labels)
    {
    case CifarLabels::CIFAR10:
        return {1, 0, 10};
    case CifarLabels::CIFAR100_FINE:
        return {2, 1, 100};
    case CifarLabels::CIFAR100_COARSE:
        break;
    }
    return {2, 0, 20};
}

/// @param labels set of labels
/// @param train whether its training part
/// @return names of the files
std::vector<std::string>
FilesOf(CifarLabels labels, bool train)
{
    if (labels != CifarLabels::CIFAR10)
    {
        return {train ? "train.bin" : "test.bin"};
    }
    if (!train)
    {
        return {"test_batch.bin"};
    }
    std::vector<std::string> files;
    for (int batch = 1; batch <= 5; ++batch)
    {
        files.push_back(fmt::format("data_batch_{}.bin", batch));
    }
    return files;
}

/// @param path path of a file
/// @param format format of its records
/// @param data data to which its samples are appended
void
AppendFile(const std::string& path, const CifarFormat& format, DataSet& data)
{
    DataFile file(path);
    std::vector<uint8_t> record(format.labelBytes + IMAGE_BYTES);
    while (true)
    {
        const uint64_t begin = file.GetOffset();
        const std::size_t found = file.ReadUpTo(record.data(), record.size());
        if (found == 0 && begin > 0)
        {
            return;
        }
        if (found < record.size())
        {
            file.FailAtByte(file.GetOffset(),
                            fmt::format("found the end of the file, expected a record of {} bytes "
                                        "from byte {}",
                                        record.size(),
                                        begin));
        }
        const uint8_t label = record[format.labelByte];
        if (label >= format.classes)
        {
            file.FailAtByte(
                begin + format.labelByte,
                fmt::format("found label {}, expected 0 to {}", label, format.classes - 1));
        }
        data.labels.push_back(label);
        data.features.insert(data.features.end(),
                             record.begin() + static_cast<std::ptrdiff_t>(format.labelBytes),
                             record.end());
    }
}

} // namespace

std::shared_ptr<const DataSet>
LoadCifarDataSet(const std::string& folder, CifarLabels labels, bool train)
{
    const CifarFormat format = FormatOf(labels);
    const bool ten = labels == CifarLabels::CIFAR10;
    auto data = std::make_shared<DataSet>();
    data->isMixed = true; // as published
    data->name = fmt::format("{} {}", ten ? "cifar-10" : "cifar-100", train ? "train" : "test");
    data->sampleShape = {3, 32, 32};
    data->classes = format.classes;
    if (ten)
    {
        data->offset = {0.4914F, 0.4822F, 0.4465F};
        data->scale = {0.2470F, 0.2435F, 0.2616F};
    }
    else
    {
        data->offset = {0.5071F, 0.4865F, 0.4409F};
        data->scale = {0.2673F, 0.2564F, 0.2762F};
    }
    for (const std::string& name : FilesOf(labels, train))
    {
        AppendFile(FindDataFile(folder, name), format, *data);
    }
    return data;
}

} // namespace ns3::collab
