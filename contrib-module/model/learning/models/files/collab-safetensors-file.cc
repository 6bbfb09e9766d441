/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-safetensors-file.h"

#include "ns3/collab-error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

namespace ns3
{
namespace collab
{

namespace
{

using Json = nlohmann::ordered_json;

constexpr uint64_t LENGTH_BYTES = 8;              //!< of the header's length
constexpr uint64_t GREATEST_HEADER = 100'000'000; //!< bytes, the format's own limit

constexpr const char* METADATA = "__metadata__"; //!< name of what is no tensor

/// A tensor as the header describes it.
struct Entry
{
    std::string name;           //!< of the tensor
    std::string type;           //!< dtype
    std::vector<int64_t> sizes; //!< shape
    uint64_t begin = 0;         //!< first byte of the data
    uint64_t end = 0;           //!< one past its last byte
};

/**
 * @param bytes little-endian number
 * @param size number of bytes, up to 8
 * @return the number
 */
uint64_t
ReadNumber(const uint8_t* bytes, std::size_t size)
{
    uint64_t number = 0;
    for (std::size_t i = 0; i < size; ++i)
    {
        number |= uint64_t{bytes[i]} << (8 * i);
    }
    return number;
}

/**
 * @param half IEEE 754 binary16
 * @return the same number
 */
float
FromHalf(uint32_t half)
{
    const uint32_t exponent = half >> 10 & 31;
    const uint32_t fraction = half & 1023;
    const float sign = half >> 15 != 0 ? -1.0F : 1.0F;
    if (exponent == 31)
    {
        return fraction != 0 ? std::numeric_limits<float>::quiet_NaN()
                             : sign * std::numeric_limits<float>::infinity();
    }
    const auto digits = static_cast<float>(exponent != 0 ? fraction + 1024 : fraction);
    return sign * std::ldexp(digits, static_cast<int>(std::max(exponent, 1U)) - 25);
}

/**
 * @param type a dtype
 * @return bytes of a number; 0 if it is not one that can be read
 */
std::size_t
SizeOf(const std::string& type)
{
    return type == "F64" ? 8 : type == "F32" ? 4 : type == "F16" || type == "BF16" ? 2 : 0;
}

/**
 * @param type a dtype that SizeOf() knows
 * @param bytes of a number
 * @return the number
 */
float
Decode(const std::string& type, const uint8_t* bytes)
{
    const uint64_t bits = ReadNumber(bytes, SizeOf(type));
    if (type == "F16")
    {
        return FromHalf(static_cast<uint32_t>(bits));
    }
    if (type == "F64")
    {
        double value = 0;
        std::memcpy(&value, &bits, sizeof(value));
        return static_cast<float>(value);
    }
    const auto word = static_cast<uint32_t>(type == "BF16" ? bits << 16 : bits);
    float value = 0;
    std::memcpy(&value, &word, sizeof(value));
    return value;
}

/// Reads one file.
class Reader
{
  public:
    /**
     * @param path of the file
     */
    explicit Reader(const std::string& path)
        : m_path(path),
          m_file(path, std::ios::binary)
    {
        std::error_code error;
        m_size = std::filesystem::file_size(path, error);
        if (!m_file || error)
        {
            throw DataFileError(fmt::format("{}: cannot be opened", path));
        }
    }

    /// @return the strings under "__metadata__"
    std::map<std::string, std::string>
    ReadMetadata()
    {
        const Json header = ReadHeader();
        const auto found = header.find(METADATA);
        try
        {
            return found == header.end() ? std::map<std::string, std::string>()
                                         : found->get<std::map<std::string, std::string>>();
        }
        catch (const Json::exception&)
        {
            Fail(LENGTH_BYTES, fmt::format("\"{}\" is no map of strings", METADATA));
        }
    }

    /// @return the tensors
    std::vector<NamedTensor>
    Read()
    {
        const Json header = ReadHeader();
        std::vector<NamedTensor> tensors;
        uint64_t next = 0;
        for (const Entry& entry : SortedEntries(header))
        {
            if (entry.begin != next)
            {
                Fail(m_data + next,
                     fmt::format("tensor \"{}\" begins at byte {} of the data, expected {}",
                                 entry.name,
                                 entry.begin,
                                 next));
            }
            tensors.push_back(ReadTensor(entry));
            next = entry.end;
        }
        if (m_data + next != m_size)
        {
            Fail(m_data + next, "found more bytes, expected the end of the file");
        }
        return tensors;
    }

  private:
    /**
     * @param offset in the file
     * @param problem what was found and what was expected
     */
    [[noreturn]] void
    Fail(uint64_t offset, const std::string& problem) const
    {
        throw DataFileError(fmt::format("{}: byte {}: {}", m_path, offset, problem));
    }

    /**
     * @param bytes where to put what is read
     * @param size number of bytes
     * @param offset of the first one
     */
    void
    ReadBytes(void* bytes, uint64_t size, uint64_t offset)
    {
        if (offset > m_size || size > m_size - offset)
        {
            Fail(m_size,
                 fmt::format(
                     "found the end of the file, expected {} bytes from byte {}", size, offset));
        }
        m_file.seekg(static_cast<std::streamoff>(offset));
        m_file.read(static_cast<char*>(bytes), static_cast<std::streamsize>(size));
        if (!m_file)
        {
            Fail(offset, "cannot be read");
        }
    }

    /// @return the header
    Json
    ReadHeader()
    {
        std::array<uint8_t, LENGTH_BYTES> bytes{};
        ReadBytes(bytes.data(), LENGTH_BYTES, 0);
        const uint64_t length = ReadNumber(bytes.data(), LENGTH_BYTES);
        if (length > GREATEST_HEADER)
        {
            Fail(0,
                 fmt::format("found a header of {} bytes, expected at most {} (is it safetensors?)",
                             length,
                             GREATEST_HEADER));
        }
        m_data = LENGTH_BYTES + length;
        std::string text(length, ' ');
        ReadBytes(text.data(), length, LENGTH_BYTES);
        try
        {
            Json header = Json::parse(text);
            if (header.is_object())
            {
                return header;
            }
        }
        catch (const Json::parse_error& error)
        {
            Fail(LENGTH_BYTES + error.byte, "found a header that is not JSON");
        }
        Fail(LENGTH_BYTES, "found a header that is not a JSON object");
    }

    /**
     * @param name of a tensor
     * @param json what the header says of it
     * @return the same
     */
    Entry
    ReadEntry(const std::string& name, const Json& json) const
    {
        Entry entry;
        entry.name = name;
        try
        {
            entry.type = json.at("dtype").get<std::string>();
            entry.sizes = json.at("shape").get<std::vector<int64_t>>();
            const auto offsets = json.at("data_offsets").get<std::array<uint64_t, 2>>();
            entry.begin = offsets[0];
            entry.end = offsets[1];
        }
        catch (const Json::exception&)
        {
            Fail(LENGTH_BYTES,
                 fmt::format("tensor \"{}\" lacks a dtype, shape or data_offsets", name));
        }
        if (SizeOf(entry.type) == 0)
        {
            Fail(LENGTH_BYTES,
                 fmt::format("tensor \"{}\" is of dtype {}, expected F64, F32, F16 or BF16",
                             name,
                             entry.type));
        }
        const uint64_t room = m_size - m_data;
        uint64_t bytes = SizeOf(entry.type);
        for (const int64_t size : entry.sizes)
        {
            const bool fits =
                size >= 0 && (size == 0 || bytes <= room / static_cast<uint64_t>(size));
            bytes = fits ? bytes * static_cast<uint64_t>(size) : room + 1;
        }
        if (entry.end < entry.begin || entry.end > room || bytes != entry.end - entry.begin)
        {
            Fail(
                LENGTH_BYTES,
                fmt::format("tensor \"{}\" has bytes {} to {} of {}, which its shape does not fill",
                            name,
                            entry.begin,
                            entry.end,
                            room));
        }
        return entry;
    }

    /**
     * @param header of the file
     * @return its tensors in the order of their data
     */
    std::vector<Entry>
    SortedEntries(const Json& header) const
    {
        std::vector<Entry> entries;
        for (const auto& [name, json] : header.items())
        {
            if (name != METADATA)
            {
                entries.push_back(ReadEntry(name, json));
            }
        }
        std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
            return a.begin < b.begin;
        });
        return entries;
    }

    /**
     * @param entry of the header
     * @return the tensor
     */
    NamedTensor
    ReadTensor(const Entry& entry)
    {
        std::vector<uint8_t> bytes(entry.end - entry.begin);
        ReadBytes(bytes.data(), bytes.size(), m_data + entry.begin);
        const std::size_t size = SizeOf(entry.type);
        NamedTensor tensor{entry.name, entry.sizes, std::vector<float>(bytes.size() / size)};
        for (std::size_t i = 0; i < tensor.values.size(); ++i)
        {
            tensor.values[i] = Decode(entry.type, bytes.data() + i * size);
            if (!std::isfinite(tensor.values[i]))
            {
                Fail(m_data + entry.begin + i * size,
                     fmt::format("found {} in tensor \"{}\", expected a finite number",
                                 tensor.values[i],
                                 entry.name));
            }
        }
        return tensor;
    }

    std::string m_path;   //!< of the file
    std::ifstream m_file; //!< the file
    uint64_t m_size = 0;  //!< of the file in bytes
    uint64_t m_data = 0;  //!< offset of the data
};

/**
 * @param tensors to write
 * @param metadata what the file shall say of itself
 * @return the header, padded to a multiple of 8 bytes as data may be mapped into memory
 */
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
        if (size != tensor.values.size() || !names.insert(tensor.name).second)
        {
            throw std::invalid_argument(fmt::format(
                "tensor \"{}\" has {} values for a shape of {}, or its name comes twice",
                tensor.name,
                tensor.values.size(),
                size));
        }
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
    return Reader(path).Read();
}

std::map<std::string, std::string>
ReadSafetensorsMetadata(const std::string& path)
{
    return Reader(path).ReadMetadata();
}

void
WriteSafetensors(const std::string& path,
                 const std::vector<NamedTensor>& tensors,
                 const std::map<std::string, std::string>& metadata)
{
    const std::string header = MakeHeader(tensors, metadata);
    const std::string unfinished = path + ".part";
    std::ofstream file(unfinished, std::ios::binary);
    for (uint64_t i = 0; i < LENGTH_BYTES; ++i)
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
    if (!file || error)
    {
        std::filesystem::remove(unfinished, error);
        throw DataFileError(fmt::format("{}: cannot be written", path));
    }
}

} // namespace collab
} // namespace ns3
