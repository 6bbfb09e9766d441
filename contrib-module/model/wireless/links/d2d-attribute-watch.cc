/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-attribute-watch.h"

#include "ns3/double.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
{

void
D2dAttributeWatch::Add(Ptr<const Object> object)
{
    TypeId type = object->GetInstanceTypeId();
    for (bool isRoot = false; !isRoot; type = type.GetParent())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const TypeId::AttributeInformation attribute = type.GetAttribute(i);
            if (!attribute.accessor->HasGetter())
            {
                continue;
            }
            DoubleValue number;
            if (attribute.accessor->Get(PeekPointer(object), number))
            {
                m_numbers.push_back({object, attribute.accessor, number.Get()});
                continue;
            }
            Other other{object, attribute.accessor, attribute.checker, {}};
            other.value = other.Read();
            m_others.push_back(std::move(other));
        }
        isRoot = type.GetParent() == type;
    }
}

void
D2dAttributeWatch::Clear()
{
    m_numbers.clear();
    m_others.clear();
}

bool
D2dAttributeWatch::HasChanged() const
{
    DoubleValue number;
    return std::any_of(m_numbers.begin(),
                       m_numbers.end(),
                       [&number](const Number& watched) {
                           watched.accessor->Get(PeekPointer(watched.object), number);
                           return number.Get() != watched.value;
                       }) ||
           std::any_of(m_others.begin(), m_others.end(), [](const Other& watched) {
               return watched.Read() != watched.value;
           });
}

std::string
D2dAttributeWatch::Other::Read() const
{
    Ptr<AttributeValue> present = checker->Create();
    accessor->Get(PeekPointer(object), *present);
    return present->SerializeToString(checker);
}

} // namespace ns3::collab
