/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-changed-attributes.h"

#include "ns3/application.h"
#include "ns3/collab-number.h"
#include "ns3/double.h"
#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/object-base.h"
#include "ns3/object.h"
#include "ns3/pointer.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <string>
#include <vector>

namespace ns3::collab
{

namespace
{

/// @param object any object
/// @param type its own, or one that it inherits from
/// @return the attributes of this one type that are not at their defaults, NAME=VALUE
std::vector<std::string>
DescribeChanged(const Ptr<Object>& object, const TypeId& type)
{
    std::vector<std::string> changed;
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        const TypeId::AttributeInformation inner = type.GetAttribute(i);
        if (!(inner.flags & TypeId::ATTR_GET) || !inner.accessor->HasGetter() ||
            inner.supportLevel != TypeId::SupportLevel::SUPPORTED)
        {
            continue;
        }
        const Ptr<AttributeValue> present = inner.checker->Create();
        object->GetAttribute(inner.name, *present);
        const std::string text = WriteAttribute(*present, inner.checker);
        if (text != WriteAttribute(*inner.originalInitialValue, inner.checker))
        {
            changed.push_back(inner.name + "=" + text);
        }
    }
    return changed;
}

/// @param object of some type
/// @return the type's name and the attributes that are not as it says
std::string
WriteObject(const Ptr<Object>& object)
{
    const TypeId own = object->GetInstanceTypeId();
    std::vector<std::string> changed;
    TypeId type = own;
    for (bool isRoot = false; !isRoot; type = type.GetParent())
    {
        const auto here = DescribeChanged(object, type);
        changed.insert(changed.end(), here.begin(), here.end());
        isRoot = type.GetParent() == type;
    }
    return changed.empty() ? own.GetName()
                           : fmt::format("{}[{}]", own.GetName(), fmt::join(changed, "|"));
}

/// @return types of all applications on nodes
std::set<TypeId>
FindApplicationTypes()
{
    std::set<TypeId> types;
    for (auto node = NodeList::Begin(); node != NodeList::End(); ++node)
    {
        for (uint32_t i = 0; i < (*node)->GetNApplications(); ++i)
        {
            types.insert((*node)->GetApplication(i)->GetInstanceTypeId());
        }
    }
    return types;
}

} // namespace

std::string
WriteAttribute(const AttributeValue& value, const Ptr<const AttributeChecker>& checker)
{
    if (const auto* pointer = dynamic_cast<const PointerValue*>(&value))
    {
        const Ptr<Object> object = pointer->GetObject(); // its own text would be an address
        return object ? WriteObject(object) : "0";
    }
    std::string text = value.SerializeToString(checker);
    const auto* number = dynamic_cast<const DoubleValue*>(&value);
    return number && ParseNumber(text) != number->Get() ? fmt::format("{}", number->Get()) : text;
}

std::map<std::string, std::string>
GetChangedAttributes()
{
    std::map<std::string, std::string> changed;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        for (std::size_t j = 0; j < type.GetAttributeN(); ++j)
        {
            const TypeId::AttributeInformation info = type.GetAttribute(j);
            if (info.initialValue != info.originalInitialValue)
            {
                changed[type.GetAttributeFullName(j)] =
                    WriteAttribute(*info.initialValue, info.checker);
            }
        }
    }
    return changed;
}

std::vector<std::string>
FindIdleAttributes()
{
    const auto present = FindApplicationTypes();
    std::vector<std::string> idle;
    for (const auto& [name, value] : GetChangedAttributes())
    {
        const TypeId type = TypeId::LookupByName(name.substr(0, name.rfind("::")));
        const bool hasUser = std::any_of(present.begin(), present.end(), [&](TypeId one) {
            return one == type || one.IsChildOf(type);
        });
        if (type.IsChildOf(Application::GetTypeId()) && !hasUser)
        {
            idle.push_back(fmt::format(
                "--{}={} has no effect in this run; it has no {}", name, value, type.GetName()));
        }
    }
    return idle;
}

} // namespace ns3::collab
