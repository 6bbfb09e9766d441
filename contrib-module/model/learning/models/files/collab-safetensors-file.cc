/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-safetensors-file.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-error.h"
#include "ns3/collab-tensor-file.h"

#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

namespace ns3::collab
{

namespace
{

using Json = nlohmann::ordered_json;

constexpr uint64_t HEADER_LENGTH_BYTES = 8;      //!< of the header's length
constexpr const char* METADATA = "__metadata__"; //!< name of what is no tensor

/// @param tensors tensors to write
/// @param metadata what the file shall say of itself
/// @return the header, padded to a multiple of 8 bytes as data may be mapped into memory
std::string
MakeHeader(const std::vector<NamedTensor>& tensors,
           const std::map<std::string, std::string>& metadata)
{
    Json header = Json::object();
    if (!metadata.empty())
    {
        header[METADATA] = metadata;
    }
    uint64_t offset = 0;
    std::set<std::string> names;
    for (const NamedTensor& tensor : tensors)
    {
        uint64_t size = 1;
        for (const int64_t side : tensor.sizes)
        {
            size *= static_cast<uint64_t>(side);
        }
        CheckArgument(size == tensor.values.size() && names.insert(tensor.name).second,
                      "tensor \"{}\" has {} values for a shape of {}, or its name comes twice",
                      tensor.name,
                      tensor.values.size(),
                      size);
        const uint64_t end = offset + sizeof(float) * size;
        header[tensor.name] = {
            {"dtype", "F32"}, {"shape", tensor.sizes}, {"data_offsets", {offset, end}}};
        offset = end;
    }
    std::string text = header.dump();
    text.append((8 - text.size() % 8) % 8, ' ');
    return text;
}

} // namespace

std::vector<NamedTensor>
ReadSafetensors(const std::string& path)
{
    TensorFile file(path);
    std::vector<NamedTensor> tensors;
    for (const TensorEntry& entry : file.GetTensors())
    {
        if (entry.IsInteger())
        {
            file.FailAtByte(
                HEADER_LENGTH_BYTES,
                fmt::format("tensor \"{}\" is of dtype {}, expected F64, F32, F16 or BF16",
                            entry.name,
                            entry.type));
        }
        tensors.push_back({entry.name, entry.sizes, std::vector<float>(entry.Count())});
        file.Read(entry, 0, entry.Count(), tensors.back().values.data());
    }
    return tensors;
}

std::map<std::string, std::string>
ReadSafetensorsMetadata(const std::string& path)
{
    return TensorFile(path).GetMetadata();
}

void
WriteSafetensors(const std::string& path,
                 const std::vector<NamedTensor>& tensors,
                 const std::map<std::string, std::string>& metadata)
{
    const std::string header = MakeHeader(tensors, metadata);
    const std::string unfinished = path + ".part";
    errno = 0;
    std::ofstream file(unfinished, std::ios::binary);
    for (uint64_t i = 0; i < HEADER_LENGTH_BYTES; ++i)
    {
        file.put(static_cast<char>(header.size() >> (8 * i) & 255));
    }
    file << header;
    for (const NamedTensor& tensor : tensors)
    {
        // All machines that LibTorch runs on are little-endian.
        file.write(reinterpret_cast<const char*>(tensor.values.data()),
                   static_cast<std::streamsize>(sizeof(float) * tensor.values.size()));
    }
    file.close();
    std::error_code error;
    if (file)
    {
        std::filesystem::rename(unfinished, path, error);
    }
    else
    {
        error = std::error_code(errno, std::generic_category()); // of the first call that failed
    }
    if (!file || error)
    {
        std::error_code ignored;
        std::filesystem::remove(unfinished, ignored);
        throw DataFileError(fmt::format("{}: cannot be written: {}", path, error.message()));
    }
}

} // namespace ns3::collab
