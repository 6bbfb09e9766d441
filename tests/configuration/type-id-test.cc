/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/buffer.h"
#include "ns3/header.h"
#include "ns3/object-factory.h"
#include "ns3/object-ptr-container.h"
#include "ns3/object.h"
#include "ns3/pointer.h"
#include "ns3/trailer.h"
#include "ns3/type-id.h"

#include <gmock/gmock.h>
#include <memory>
#include <numeric>
#include <sstream>

using namespace ns3;
using ::testing::EndsWith;
using ::testing::StartsWith;

namespace
{

/// All types of the module, in the order of their registration
std::vector<TypeId>
CollabTypes()
{
    std::vector<TypeId> types;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (type.GetGroupName() == "Collab")
        {
            types.push_back(type);
        }
    }
    return types;
}

/// Whether a value of this attribute is an object or a list of objects, which no text stands for
bool
IsObject(const TypeId::AttributeInformation& attribute)
{
    const AttributeChecker* checker = PeekPointer(attribute.checker);
    return dynamic_cast<const PointerChecker*>(checker) ||
           dynamic_cast<const ObjectPtrContainerChecker*>(checker);
}

/// Wire format of a header or trailer
template <typename Part>
std::vector<uint8_t>
Serialize(const Part& part, bool trailer)
{
    Buffer buffer;
    buffer.AddAtStart(part.GetSerializedSize());
    part.Serialize(trailer ? buffer.End() : buffer.Begin());
    std::vector<uint8_t> bytes(buffer.GetSize());
    buffer.CopyData(bytes.data(), static_cast<uint32_t>(bytes.size()));
    return bytes;
}

/// Expect that a header of fixed length keeps any bytes that it reads.
void
ExpectEveryFieldIsRead(TypeId type)
{
    const std::unique_ptr<ObjectBase> made(type.GetConstructor()());
    auto& header = dynamic_cast<Header&>(*made);
    std::vector<uint8_t> bytes(header.GetSerializedSize());
    std::iota(bytes.begin(), bytes.end(), 1);
    Buffer buffer;
    buffer.AddAtStart(static_cast<uint32_t>(bytes.size()));
    buffer.Begin().Write(bytes.data(), static_cast<uint32_t>(bytes.size()));
    header.Deserialize(buffer.Begin());
    if (header.GetSerializedSize() == bytes.size())
    {
        EXPECT_EQ(Serialize(header, false), bytes);
    }
}

/// Expect that a header or trailer says something, and that its bytes make an equal one.
template <typename Part>
void
ExpectWireFormat(TypeId type, bool trailer)
{
    const std::unique_ptr<ObjectBase> made(type.GetConstructor()());
    const std::unique_ptr<ObjectBase> read(type.GetConstructor()());
    const auto& original = dynamic_cast<const Part&>(*made);
    auto& copy = dynamic_cast<Part&>(*read);
    const std::vector<uint8_t> bytes = Serialize(original, trailer);
    Buffer buffer;
    buffer.AddAtStart(static_cast<uint32_t>(bytes.size()));
    buffer.Begin().Write(bytes.data(), static_cast<uint32_t>(bytes.size()));
    EXPECT_EQ(copy.Deserialize(trailer ? buffer.End() : buffer.Begin()), bytes.size());
    EXPECT_EQ(Serialize(copy, trailer), bytes);
    std::ostringstream text;
    std::ostringstream again;
    original.Print(text);
    copy.Print(again);
    EXPECT_FALSE(text.str().empty());
    EXPECT_EQ(text.str(), again.str());
    EXPECT_EQ(original.GetInstanceTypeId(), type);
}

} // namespace

TEST(TypeIdTest, TheGroupIsThatOfTheNamespace)
{
    EXPECT_GT(CollabTypes().size(), 10U);
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        const bool named = type.GetName().rfind("ns3::collab::", 0) == 0;
        EXPECT_EQ(named, type.GetGroupName() == "Collab") << type.GetName();
    }
}

TEST(TypeIdTest, AttributesAreDescribedAndCanBeReadAndSet)
{
    for (const TypeId& type : CollabTypes())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const TypeId::AttributeInformation attribute = type.GetAttribute(i);
            SCOPED_TRACE(type.GetAttributeFullName(i));
            EXPECT_THAT(attribute.help, EndsWith("."));
            ASSERT_TRUE(attribute.checker);
            ASSERT_TRUE(attribute.initialValue);
            EXPECT_TRUE(attribute.accessor->HasGetter());
            if (attribute.flags != TypeId::ATTR_GET)
            {
                EXPECT_EQ(attribute.flags, TypeId::ATTR_SGC);
                EXPECT_TRUE(attribute.accessor->HasSetter());
            }
        }
    }
}

TEST(TypeIdTest, InitialValuesSurviveAsText)
{
    for (const TypeId& type : CollabTypes())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const TypeId::AttributeInformation attribute = type.GetAttribute(i);
            SCOPED_TRACE(type.GetAttributeFullName(i));
            if (IsObject(attribute))
            {
                continue;
            }
            const std::string text = attribute.initialValue->SerializeToString(attribute.checker);
            if (text.empty())
            {
                continue; // a StringValue, which ns-3 takes as it is and does not read from a
                          // stream
            }
            const Ptr<AttributeValue> value = attribute.checker->Create();
            EXPECT_TRUE(value->DeserializeFromString(text, attribute.checker)) << text;
            EXPECT_TRUE(attribute.checker->Check(*value));
            EXPECT_EQ(value->SerializeToString(attribute.checker), text);
        }
    }
}

TEST(TypeIdTest, TraceSourcesAreDescribed)
{
    for (const TypeId& type : CollabTypes())
    {
        for (std::size_t i = 0; i < type.GetTraceSourceN(); ++i)
        {
            const TypeId::TraceSourceInformation trace = type.GetTraceSource(i);
            SCOPED_TRACE(type.GetName() + "/" + trace.name);
            EXPECT_FALSE(trace.help.empty());
            EXPECT_THAT(trace.callback, StartsWith("ns3::"));
            EXPECT_THAT(trace.callback, ::testing::HasSubstr("Callback"));
            EXPECT_TRUE(trace.accessor);
        }
    }
}

TEST(TypeIdTest, WhatHasAConstructorCanBeConstructed)
{
    const TypeId object = Object::GetTypeId();
    std::size_t constructed = 0;
    for (const TypeId& type : CollabTypes())
    {
        if (type.HasConstructor() && type.IsChildOf(object))
        {
            SCOPED_TRACE(type.GetName());
            ObjectFactory factory;
            factory.SetTypeId(type);
            Ptr<Object> made = factory.Create();
            EXPECT_EQ(made->GetInstanceTypeId(), type);
            made->Dispose();
            ++constructed;
        }
    }
    EXPECT_GT(constructed, 8U);
}

TEST(TypeIdTest, HeadersAndTrailersSpeakAndSurviveTheWire)
{
    std::size_t headers = 0;
    for (const TypeId& type : CollabTypes())
    {
        SCOPED_TRACE(type.GetName());
        if (type.IsChildOf(Header::GetTypeId()))
        {
            ExpectWireFormat<Header>(type, false);
            ExpectEveryFieldIsRead(type);
            ++headers;
        }
        else if (type.IsChildOf(Trailer::GetTypeId()))
        {
            ExpectWireFormat<Trailer>(type, true);
        }
    }
    EXPECT_GE(headers, 2U);
}
