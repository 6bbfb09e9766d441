/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dynamic-message.h"

#include "ns3/collab-payload-error.h"

#include <algorithm>
#include <array>
#include <boost/endian/conversion.hpp>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <stdexcept>

namespace ns3::collab
{

static_assert(boost::endian::order::native == boost::endian::order::little,
              "blocks are sent as they are in memory");

namespace
{

/// What is known of a type of numbers
struct NumberInfo
{
    const char* name; //!< in NumPy
    std::size_t size; //!< bytes
};

/// Of each NumberType
constexpr std::array<NumberInfo, 12> NUMBERS = {{{"bool", 1},
                                                 {"int8", 1},
                                                 {"int16", 2},
                                                 {"int32", 4},
                                                 {"int64", 8},
                                                 {"uint8", 1},
                                                 {"uint16", 2},
                                                 {"uint32", 4},
                                                 {"uint64", 8},
                                                 {"float16", 2},
                                                 {"float32", 4},
                                                 {"float64", 8}}};

/// @return the shape in words, such as (3, 10)
std::string
ToText(const std::vector<uint32_t>& shape)
{
    return fmt::format("({})", fmt::join(shape, ", "));
}

/// @return the shape in words, such as (*, 10)
std::string
ToText(const std::vector<int64_t>& shape)
{
    std::vector<std::string> lengths;
    for (const int64_t length : shape)
    {
        lengths.push_back(length == DynamicField::ANY ? "*" : std::to_string(length));
    }
    return fmt::format("({})", fmt::join(lengths, ", "));
}

/// @return whether an array has the dimensions of a field
bool
HasShape(const DynamicField& field, const std::vector<uint32_t>& shape)
{
    return std::equal(shape.begin(),
                      shape.end(),
                      field.shape.begin(),
                      field.shape.end(),
                      [](uint32_t length, int64_t expected) {
                          return expected == DynamicField::ANY || expected == length;
                      });
}

/// @return place of the first number that is not finite; the number of them if all are
template <typename T>
std::size_t
FindNotFinite(const std::vector<uint8_t>& bytes)
{
    const std::size_t count = bytes.size() / sizeof(T);
    for (std::size_t i = 0; i < count; ++i)
    {
        T number;
        std::memcpy(&number, bytes.data() + i * sizeof(T), sizeof(T));
        if constexpr (std::is_same_v<T, uint16_t>) // a float16: all ones in the exponent
        {
            if ((number & 0x7c00) == 0x7c00)
            {
                return i;
            }
        }
        else if (!std::isfinite(number))
        {
            return i;
        }
    }
    return count;
}

/// @return place of the first number that cannot be believed; the number of them if all can
std::size_t
FindImpossible(NumberType type, const std::vector<uint8_t>& bytes)
{
    switch (type)
    {
    case NumberType::BOOL:
        return std::find_if(bytes.begin(), bytes.end(), [](uint8_t bit) { return bit > 1; }) -
               bytes.begin();
    case NumberType::FLOAT16:
        return FindNotFinite<uint16_t>(bytes);
    case NumberType::FLOAT32:
        return FindNotFinite<float>(bytes);
    case NumberType::FLOAT64:
        return FindNotFinite<double>(bytes);
    default:
        return bytes.size() / GetSize(type);
    }
}

/// @param field of a message
/// @param block its value
/// @return what is wrong with its shape; empty if nothing is
std::string
FindShapeFault(const DynamicField& field, const Block& block)
{
    return HasShape(field, block.shape) ? ""
                                        : fmt::format("{} of shape {}, expected {}",
                                                      field.name,
                                                      ToText(block.shape),
                                                      ToText(field.shape));
}

/// @param field of a message
/// @param block its value
/// @return why it cannot be believed; empty if it can
std::string
FindFault(const DynamicField& field, const Block& block)
{
    const std::string shape = FindShapeFault(field, block);
    if (!shape.empty())
    {
        return shape;
    }
    const std::size_t size = GetSize(field.type);
    const std::size_t place = FindImpossible(field.type, *block.bytes);
    if (place < block.bytes->size() / size)
    {
        return fmt::format("{}: number {} is {}",
                           field.name,
                           place,
                           field.type == NumberType::BOOL ? "neither 0 nor 1" : "not finite");
    }
    return "";
}

} // namespace

NumberType
ParseNumberType(const std::string& name)
{
    for (std::size_t i = 0; i < NUMBERS.size(); ++i)
    {
        if (name == NUMBERS[i].name)
        {
            return static_cast<NumberType>(i);
        }
    }
    std::vector<std::string> names;
    for (const NumberInfo& number : NUMBERS)
    {
        names.emplace_back(number.name);
    }
    throw std::invalid_argument(
        fmt::format("unknown type '{}'; allowed: {}", name, fmt::join(names, ", ")));
}

const char*
GetName(NumberType type)
{
    return NUMBERS.at(static_cast<std::size_t>(type)).name;
}

std::size_t
GetSize(NumberType type)
{
    return NUMBERS.at(static_cast<std::size_t>(type)).size;
}

void
MessageLayout::Check() const
{
    std::set<std::string> names;
    for (const DynamicField& field : fields)
    {
        if (!names.insert(field.name).second)
        {
            throw std::invalid_argument(fmt::format("message {}: two fields {}", name, field.name));
        }
        constexpr int64_t MOST = 1LL << 40; // numbers in an array
        int64_t numbers = 1;
        for (const int64_t length : field.shape)
        {
            const bool isAllowed =
                length == DynamicField::ANY || (length > 0 && length <= MOST / numbers);
            if (!isAllowed)
            {
                throw std::invalid_argument(fmt::format(
                    "message {}: {} of shape {}", name, field.name, ToText(field.shape)));
            }
            numbers *= length == DynamicField::ANY ? 1 : length;
        }
    }
    const bool isRows =
        fields.size() == 1 && !fields[0].shape.empty() && fields[0].shape[0] == DynamicField::ANY &&
        std::count(fields[0].shape.begin(), fields[0].shape.end(), DynamicField::ANY) == 1;
    if (hasUnits && !isRows)
    {
        throw std::invalid_argument(fmt::format(
            "message {}: only one field such as float32[*,10] has rows that arrive alone", name));
    }
}

DynamicMessage::DynamicMessage(std::shared_ptr<const MessageLayout> layout,
                               std::vector<Block> blocks)
    : m_layout(std::move(layout)),
      m_blocks(std::move(blocks))
{
    for (std::size_t i = 0; i < m_blocks.size(); ++i)
    {
        const std::string fault = FindShapeFault(m_layout->fields.at(i), m_blocks[i]);
        if (!fault.empty())
        {
            throw std::invalid_argument(fmt::format("message {}: {}", m_layout->name, fault));
        }
    }
}

const std::shared_ptr<const MessageLayout>&
DynamicMessage::GetLayout() const
{
    return m_layout;
}

const std::vector<Block>&
DynamicMessage::GetBlocks() const
{
    return m_blocks;
}

uint16_t
DynamicMessage::GetKind() const
{
    return m_layout->kind;
}

const std::string&
DynamicMessage::GetName() const
{
    return m_layout->name;
}

uint64_t
DynamicMessage::WireSize() const
{
    uint64_t size = 0;
    for (std::size_t i = 0; i < m_blocks.size(); ++i)
    {
        const auto& shape = m_layout->fields[i].shape;
        const auto said = std::count(shape.begin(), shape.end(), DynamicField::ANY);
        size += m_blocks[i].bytes->size() + (m_layout->hasUnits ? 0 : said * WIRE_WORD);
    }
    return size;
}

void
DynamicMessage::Write(std::vector<uint8_t>& bytes) const
{
    for (std::size_t i = 0; i < m_blocks.size(); ++i)
    {
        const Block& block = m_blocks[i];
        const auto& shape = m_layout->fields[i].shape;
        for (std::size_t j = 0; j < shape.size() && !m_layout->hasUnits; ++j)
        {
            if (shape[j] == DynamicField::ANY)
            {
                PutWord(block.shape[j], bytes);
            }
        }
        bytes.insert(bytes.end(), block.bytes->begin(), block.bytes->end());
    }
}

void
DynamicMessage::Read(WireReader& reader)
{
    m_blocks.clear();
    for (const DynamicField& field : m_layout->fields)
    {
        Block block;
        const std::size_t number = ns3::collab::GetSize(field.type);
        uint64_t row = number; // bytes of what a dimension of any length has so many of
        for (const int64_t length : field.shape)
        {
            row *= length == DynamicField::ANY ? 1 : length;
        }
        uint64_t size = number; // never more than is left, so that it cannot overflow
        for (const int64_t length : field.shape)
        {
            uint64_t count = length;
            if (length == DynamicField::ANY)
            {
                count = m_layout->hasUnits ? reader.GetLeft() / row : reader.TakeWord();
            }
            block.shape.push_back(static_cast<uint32_t>(count));
            size = count == 0 || size == 0 ? 0 : size;
            if (count > 0 && size > reader.GetLeft() / count)
            {
                detail::Refuse(reader.GetLeft(), " bytes for ", field.name);
            }
            size *= count;
        }
        const uint8_t* begin = reader.Take(size);
        block.bytes = std::make_shared<const std::vector<uint8_t>>(begin, begin + size);
        m_blocks.push_back(std::move(block));
    }
}

void
DynamicMessage::Check(const DynamicMessage& expected) const
{
    const auto& fields = expected.m_layout->fields;
    if (m_blocks.size() != fields.size())
    {
        detail::Refuse(m_blocks.size(), " fields, expected ", fields.size());
    }
    for (std::size_t i = 0; i < fields.size(); ++i)
    {
        const bool isOfType = m_layout->fields[i].type == fields[i].type;
        const std::string fault = isOfType
                                      ? FindFault(fields[i], m_blocks[i])
                                      : fmt::format("{} of type {}, expected {}",
                                                    fields[i].name,
                                                    ns3::collab::GetName(m_layout->fields[i].type),
                                                    ns3::collab::GetName(fields[i].type));
        if (!fault.empty())
        {
            detail::Refuse(fault);
        }
    }
}

uint32_t
DynamicUnits::CountUnits() const
{
    return m_blocks.at(0).shape[0];
}

uint32_t
DynamicUnits::GetUnitSize() const
{
    uint64_t size = ns3::collab::GetSize(m_layout->fields[0].type);
    for (std::size_t i = 1; i < m_layout->fields[0].shape.size(); ++i)
    {
        size *= m_layout->fields[0].shape[i];
    }
    return static_cast<uint32_t>(size);
}

DynamicUnits
DynamicUnits::Select(const std::vector<uint32_t>& units) const
{
    const Block& all = m_blocks.at(0);
    const std::size_t size = GetUnitSize();
    auto bytes = std::make_shared<std::vector<uint8_t>>();
    bytes->reserve(units.size() * size);
    for (const uint32_t unit : units)
    {
        const auto begin = all.bytes->begin() + static_cast<std::ptrdiff_t>(unit * size);
        bytes->insert(bytes->end(), begin, begin + static_cast<std::ptrdiff_t>(size));
    }
    Block some{all.shape, std::move(bytes)};
    some.shape[0] = static_cast<uint32_t>(units.size());
    DynamicUnits message;
    message.m_layout = m_layout;
    message.m_blocks = {std::move(some)};
    return message;
}

} // namespace ns3::collab
