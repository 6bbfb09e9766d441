/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-tensor-file.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-error.h"
#include "ns3/collab-float16.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

namespace ns3::collab
{

namespace
{

using Json = nlohmann::ordered_json;

constexpr uint64_t LENGTH_BYTES = 8;              //!< of the header's length
constexpr uint64_t GREATEST_HEADER = 100'000'000; //!< bytes, the format's own limit
constexpr uint64_t CHUNK_BYTES = 1 << 20;         //!< read at once

/// Bytes of a number of each dtype that can be read
constexpr std::pair<const char*, std::size_t> TYPES[] = {{"F64", 8},
                                                         {"F32", 4},
                                                         {"F16", 2},
                                                         {"BF16", 2},
                                                         {"I64", 8},
                                                         {"I32", 4},
                                                         {"I16", 2},
                                                         {"I8", 1},
                                                         {"U32", 4},
                                                         {"U16", 2},
                                                         {"U8", 1}};

/// @param type a dtype
/// @return bytes of a number; 0 if it is not one that can be read
std::size_t
SizeOf(const std::string& type)
{
    const auto* found = std::find_if(
        std::begin(TYPES), std::end(TYPES), [&type](const auto& one) { return type == one.first; });
    return found == std::end(TYPES) ? 0 : found->second;
}

/// @param bytes little-endian number
/// @param size number of bytes, up to 8
/// @return the number
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

/// How the numbers of a tensor are stored.
struct NumberFormat
{
    /// @param type a dtype that can be read
    explicit NumberFormat(const std::string& type)
        : size(SizeOf(type)),
          isInteger(type.front() == 'I' || type.front() == 'U'),
          isSigned(type.front() == 'I'),
          isBrain(type.front() == 'B')
    {
    }

    std::size_t size; //!< bytes of a number
    bool isInteger;   //!< whether numbers are whole ones
    bool isSigned;    //!< whether these may be negative
    bool isBrain;     //!< whether numbers of two bytes have the exponent of float
};

/// @param format format of whole numbers
/// @param bytes bytes of a number
/// @return the number
int64_t
DecodeInteger(const NumberFormat& format, const uint8_t* bytes)
{
    const uint64_t bits = ReadNumber(bytes, format.size);
    const auto unused = static_cast<unsigned>(64 - 8 * format.size);
    // With its sign, which is in the first bit that is used
    return format.isSigned ? static_cast<int64_t>(bits << unused) >> unused
                           : static_cast<int64_t>(bits);
}

/// @param format format of numbers that are not whole
/// @param bytes bytes of a number
/// @return the number
float
DecodeFloat(const NumberFormat& format, const uint8_t* bytes)
{
    if (format.size == sizeof(double))
    {
        double value = 0;
        std::memcpy(&value, bytes, sizeof(value));
        return static_cast<float>(value);
    }
    auto bits = static_cast<uint32_t>(ReadNumber(bytes, format.size));
    if (format.size == 2 && !format.isBrain)
    {
        return HalfToFloat(static_cast<uint16_t>(bits));
    }
    bits <<= format.isBrain ? 16 : 0;
    float value = 0;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
}

/// @param format format of the numbers
/// @param bytes bytes of a number
/// @param[out] value the number
/// @return whether it is finite
bool
Decode(const NumberFormat& format, const uint8_t* bytes, float& value)
{
    value = format.isInteger ? static_cast<float>(DecodeInteger(format, bytes))
                             : DecodeFloat(format, bytes);
    return std::isfinite(value);
}

/// @param format format of whole numbers
/// @param bytes bytes of a number
/// @param[out] value the number
/// @return whether it fits
template <typename Value>
bool
Decode(const NumberFormat& format, const uint8_t* bytes, Value& value)
{
    const int64_t whole = DecodeInteger(format, bytes);
    value = static_cast<Value>(whole);
    return static_cast<int64_t>(value) == whole;
}

/// @param format format of the numbers
/// @param bytes bytes of a number
/// @return the number, as a text
std::string
Show(const NumberFormat& format, const uint8_t* bytes)
{
    return format.isInteger ? fmt::format("{}", DecodeInteger(format, bytes))
                            : fmt::format("{}", DecodeFloat(format, bytes));
}

/// @param json what the header says of a tensor
/// @param[in,out] entry entry that gets it
/// @return whether it says all
bool
TakeEntry(const Json& json, TensorEntry& entry)
{
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
        return false;
    }
    return true;
}

/// @param entry entry of a dtype that can be read
/// @param room bytes of the data
/// @return whether its shape fills its bytes, which are among these
bool
Fits(const TensorEntry& entry, uint64_t room)
{
    uint64_t bytes = SizeOf(entry.type);
    for (const int64_t size : entry.sizes)
    {
        const bool fits = size >= 0 && (size == 0 || bytes <= room / static_cast<uint64_t>(size));
        bytes = fits ? bytes * static_cast<uint64_t>(size) : room + 1;
    }
    return entry.end >= entry.begin && entry.end <= room && bytes == entry.end - entry.begin;
}

} // namespace

bool
TensorEntry::IsInteger() const
{
    return type.front() == 'I' || type.front() == 'U';
}

uint64_t
TensorEntry::Count() const
{
    return (end - begin) / SizeOf(type);
}

TensorFile::TensorFile(const std::string& path)
    : m_path(path),
      m_file(path, std::ios::binary)
{
    std::error_code error;
    m_size = std::filesystem::file_size(path, error);
    Require<DataFileError>(m_file && !error, "{}: cannot be opened", path);
    ReadHeader();
    CheckTensors();
}

const std::string&
TensorFile::GetPath() const
{
    return m_path;
}

uint64_t
TensorFile::GetSize() const
{
    return m_size;
}

const std::vector<TensorEntry>&
TensorFile::GetTensors() const
{
    return m_tensors;
}

const TensorEntry*
TensorFile::Find(const std::string& name) const
{
    const auto found = std::find_if(m_tensors.begin(),
                                    m_tensors.end(),
                                    [&name](const TensorEntry& one) { return one.name == name; });
    return found == m_tensors.end() ? nullptr : &*found;
}

std::string
TensorFile::GetMetadata(const std::string& key) const
{
    const auto found = m_metadata.find(key);
    return found == m_metadata.end() ? "" : found->second;
}

const std::map<std::string, std::string>&
TensorFile::GetMetadata() const
{
    return m_metadata;
}

void
TensorFile::FailAtByte(uint64_t offset, const std::string& problem) const
{
    throw DataFileError(fmt::format("{}: byte {}: {}", m_path, offset, problem));
}

void
TensorFile::FailAtTensor(const std::string& name, const std::string& problem) const
{
    throw DataFileError(fmt::format("{}: tensor \"{}\": {}", m_path, name, problem));
}

void
TensorFile::ReadBytes(void* bytes, uint64_t size, uint64_t offset)
{
    if (offset > m_size || size > m_size - offset)
    {
        FailAtByte(
            m_size,
            fmt::format("found the end of the file, expected {} bytes from byte {}", size, offset));
    }
    m_file.seekg(static_cast<std::streamoff>(offset));
    m_file.read(static_cast<char*>(bytes), static_cast<std::streamsize>(size));
    if (!m_file)
    {
        FailAtByte(offset, "cannot be read");
    }
}

void
TensorFile::ReadHeader()
{
    std::array<uint8_t, LENGTH_BYTES> bytes{};
    ReadBytes(bytes.data(), LENGTH_BYTES, 0);
    const uint64_t length = ReadNumber(bytes.data(), LENGTH_BYTES);
    if (length > GREATEST_HEADER)
    {
        FailAtByte(
            0,
            fmt::format("found a header of {} bytes, expected at most {} (is it safetensors?)",
                        length,
                        GREATEST_HEADER));
    }
    m_data = LENGTH_BYTES + length;
    if (m_data > m_size) // before there is memory for it
    {
        ReadBytes(nullptr, length, LENGTH_BYTES);
    }
    std::string text(length, ' ');
    ReadBytes(text.data(), length, LENGTH_BYTES);
    Json header;
    try
    {
        header = Json::parse(text);
    }
    catch (const Json::parse_error& error)
    {
        FailAtByte(LENGTH_BYTES + error.byte, "found a header that is not JSON");
    }
    if (!header.is_object())
    {
        FailAtByte(LENGTH_BYTES, "found a header that is not a JSON object");
    }
    for (const auto& [name, json] : header.items())
    {
        TensorEntry entry;
        entry.name = name;
        if (name == "__metadata__" && json.is_object())
        {
            for (const auto& [key, value] : json.items())
            {
                m_metadata[key] = value.is_string() ? value.get<std::string>() : value.dump();
            }
        }
        else if (TakeEntry(json, entry))
        {
            m_tensors.push_back(std::move(entry));
        }
        else
        {
            FailAtByte(LENGTH_BYTES,
                       fmt::format("tensor \"{}\" lacks a dtype, shape or data_offsets", name));
        }
    }
    std::stable_sort(m_tensors.begin(),
                     m_tensors.end(),
                     [](const TensorEntry& a, const TensorEntry& b) { return a.begin < b.begin; });
}

void
TensorFile::CheckTensors() const
{
    const uint64_t room = m_size - m_data;
    uint64_t next = 0;
    for (const TensorEntry& entry : m_tensors)
    {
        if (SizeOf(entry.type) == 0)
        {
            FailAtByte(LENGTH_BYTES,
                       fmt::format("tensor \"{}\" is of dtype {}, expected F64, F32, F16, BF16, "
                                   "I64, I32, I16, I8, U32, U16 or U8",
                                   entry.name,
                                   entry.type));
        }
        if (!Fits(entry, room))
        {
            FailAtByte(
                LENGTH_BYTES,
                fmt::format("tensor \"{}\" has bytes {} to {} of {}, which its shape does not fill",
                            entry.name,
                            entry.begin,
                            entry.end,
                            room));
        }
        if (entry.begin != next)
        {
            FailAtByte(m_data + next,
                       fmt::format("tensor \"{}\" begins at byte {} of the data, expected {}",
                                   entry.name,
                                   entry.begin,
                                   next));
        }
        next = entry.end;
    }
    if (next != room)
    {
        FailAtByte(m_data + next, "found more bytes, expected the end of the file");
    }
}

template <typename Value>
void
TensorFile::Read(const TensorEntry& entry, uint64_t first, uint64_t count, Value* values)
{
    constexpr bool isFloat = std::is_same_v<Value, float>;
    if (!isFloat && !entry.IsInteger())
    {
        FailAtTensor(entry.name, fmt::format("found dtype {}, expected whole numbers", entry.type));
    }
    const NumberFormat format(entry.type);
    const std::size_t size = format.size;
    const uint64_t begin = m_data + entry.begin + first * size;
    if (std::is_same_v<Value, uint8_t> && entry.type == "U8")
    {
        ReadBytes(values, count, begin);
        return;
    }
    const uint64_t most = CHUNK_BYTES / size;
    std::vector<uint8_t> bytes(std::min(most, count) * size);
    for (uint64_t done = 0; done < count; done += most)
    {
        const uint64_t now = std::min(most, count - done);
        ReadBytes(bytes.data(), now * size, begin + done * size);
        for (uint64_t i = 0; i < now; ++i)
        {
            if (!Decode(format, bytes.data() + i * size, values[done + i]))
            {
                FailAtByte(begin + (done + i) * size,
                           fmt::format("found {} in tensor \"{}\", expected a {} number",
                                       Show(format, bytes.data() + i * size),
                                       entry.name,
                                       isFloat ? "finite" : "smaller whole"));
            }
        }
    }
}

template void TensorFile::Read(const TensorEntry&, uint64_t, uint64_t, float*);
template void TensorFile::Read(const TensorEntry&, uint64_t, uint64_t, uint8_t*);
template void TensorFile::Read(const TensorEntry&, uint64_t, uint64_t, int32_t*);
template void TensorFile::Read(const TensorEntry&, uint64_t, uint64_t, int64_t*);

} // namespace ns3::collab
