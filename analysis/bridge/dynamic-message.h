/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DYNAMIC_MESSAGE_H
#define DYNAMIC_MESSAGE_H

#include "ns3/collab-fields.h"
#include "ns3/collab-wire-format.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::collab
{

/// What numbers on the wire are; named as NumPy does
enum class NumberType : uint8_t
{
    BOOL,
    INT8,
    INT16,
    INT32,
    INT64,
    UINT8,
    UINT16,
    UINT32,
    UINT64,
    FLOAT16,
    FLOAT32,
    FLOAT64
};

/// @param name as NumPy has it, such as "float32"
/// @return the type
/// @throws std::invalid_argument if there is none
NumberType ParseNumberType(const std::string& name);
/// @return its name in NumPy
const char* GetName(NumberType type);
/// @return bytes of a number
std::size_t GetSize(NumberType type);

/// A field of messages whose kinds are declared while the program runs: an array of numbers
struct DynamicField
{
    static constexpr int64_t ANY = -1; //!< length of a dimension that each message says itself

    std::string name;                      //!< of the field
    NumberType type = NumberType::FLOAT32; //!< of its numbers
    std::vector<int64_t> shape;            //!< lengths of its dimensions; none for one number
};

/// A kind of messages that is declared while the program runs
struct MessageLayout
{
    std::string name;      //!< in traces
    uint16_t kind = 0;     //!< its number on the wire
    bool hasUnits = false; //!< whether rows of the one field can arrive without the others
    std::vector<DynamicField> fields; //!< in their order on the wire

    /// @brief Refuse what cannot be sent.
    /// @throws std::invalid_argument that names the message and what is wrong
    void Check() const;
};

/// An array of numbers, little-endian, row by row; shared by sender and receivers
struct Block
{
    std::vector<uint32_t> shape;                       //!< lengths of its dimensions
    std::shared_ptr<const std::vector<uint8_t>> bytes; //!< the numbers
};

/**
 * @brief A message whose fields are known while the program runs, e.g. from Python.
 *
 * On the wire a field is its numbers, after the lengths of those dimensions that messages say
 * themselves (4 bytes each): what a C++ message of the same fields is. A message with units is its
 * rows and nothing else. Receivers refuse other shapes and floating-point numbers that are not
 * finite.
 */
class DynamicMessage
{
  public:
    /// A message without a kind, which nothing can be done with
    DynamicMessage() = default;
    /// @param layout its kind
    /// @param blocks values of the fields, in their order; none for a message that only says what
    /// is expected
    /// @throws std::invalid_argument if shapes are not those of the layout
    explicit DynamicMessage(std::shared_ptr<const MessageLayout> layout,
                            std::vector<Block> blocks = {});

    /// @return its kind
    const std::shared_ptr<const MessageLayout>& GetLayout() const;
    /// @return values of the fields
    const std::vector<Block>& GetBlocks() const;
    /// @return number of its kind on the wire
    uint16_t GetKind() const;
    /// @return its name in traces
    const std::string& GetName() const;

    template <typename V>
    void
    Fields(V& fields)
    {
        fields.Coded(*this);
    }

    /// @return bytes on the wire
    uint64_t WireSize() const;
    /// @param[in,out] bytes gets the message appended
    void Write(std::vector<uint8_t>& bytes) const;
    /// @param reader at a message of this kind
    /// @throws PayloadError if it is not one
    void Read(WireReader& reader);
    /// @brief Decide whether it can be believed.
    /// @param expected a message of the kind that the receiver knows
    /// @throws PayloadError if shapes differ, or numbers are not finite
    void Check(const DynamicMessage& expected) const;

  protected:
    std::shared_ptr<const MessageLayout> m_layout; //!< see GetLayout()
    std::vector<Block> m_blocks;                   //!< see GetBlocks()
};

/// A DynamicMessage of rows of which some may arrive without the others
class DynamicUnits : public DynamicMessage
{
  public:
    using DynamicMessage::DynamicMessage;

    /// @return number of rows
    uint32_t CountUnits() const;
    /// @return bytes of a row
    uint32_t GetUnitSize() const;
    /// @param units numbers of rows, ascending
    /// @return a message of these rows
    DynamicUnits Select(const std::vector<uint32_t>& units) const;
};

} // namespace ns3::collab

#endif /* DYNAMIC_MESSAGE_H */
