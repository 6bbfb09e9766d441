/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INTEGRATION_OBJECT_WALK_H
#define INTEGRATION_OBJECT_WALK_H

#include "ns3/channel-list.h"
#include "ns3/channel.h"
#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/object-ptr-container.h"
#include "ns3/pointer.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace tests
{

/// All objects of a network: nodes and channels, what is aggregated to them, and what their
/// attributes lead to
class ObjectWalk
{
  public:
    ObjectWalk()
    {
        for (uint32_t i = 0; i < ns3::NodeList::GetNNodes(); ++i)
        {
            Visit(ns3::NodeList::GetNode(i));
        }
        for (uint32_t i = 0; i < ns3::ChannelList::GetNChannels(); ++i)
        {
            Visit(ns3::ChannelList::GetChannel(i));
        }
    }

    /// @return the objects
    const std::vector<ns3::Ptr<ns3::Object>>&
    GetObjects() const
    {
        return m_objects;
    }

    /// @param object some object
    /// @param info one of its attributes
    /// @return its value; null if it cannot be read
    static ns3::Ptr<ns3::AttributeValue>
    Read(ns3::Ptr<ns3::Object> object, const ns3::TypeId::AttributeInformation& info)
    {
        if (!(info.flags & ns3::TypeId::ATTR_GET) || !info.accessor->HasGetter())
        {
            return nullptr;
        }
        ns3::Ptr<ns3::AttributeValue> value = info.checker->Create();
        return info.accessor->Get(ns3::PeekPointer(object), *value) ? value : nullptr;
    }

    /// @brief Call a function with each attribute of an object, inherited ones too.
    /// @param object some object
    /// @param handle gets the name with the type that declares it, and the attribute
    template <typename F>
    static void
    ForEachAttribute(ns3::Ptr<ns3::Object> object, const F& handle)
    {
        ns3::TypeId type = object->GetInstanceTypeId();
        for (;;)
        {
            for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
            {
                if (type.GetAttribute(i).supportLevel == ns3::TypeId::SupportLevel::SUPPORTED)
                {
                    handle(type.GetAttributeFullName(i), type.GetAttribute(i));
                }
            }
            if (!type.HasParent() || type.GetParent() == type)
            {
                return;
            }
            type = type.GetParent();
        }
    }

  private:
    /// @param object to visit with all that it leads to; may be null
    void
    Visit(ns3::Ptr<ns3::Object> object)
    {
        if (!object || !m_seen.insert(ns3::PeekPointer(object)).second)
        {
            return;
        }
        m_objects.push_back(object);
        auto aggregated = object->GetAggregateIterator();
        while (aggregated.HasNext())
        {
            Visit(ns3::Ptr<ns3::Object>(
                const_cast<ns3::Object*>(ns3::PeekPointer(aggregated.Next()))));
        }
        ForEachAttribute(object, [&](const std::string&, const auto& info) {
            const ns3::Ptr<ns3::AttributeValue> value = Read(object, info);
            if (const auto* pointer = dynamic_cast<ns3::PointerValue*>(ns3::PeekPointer(value)))
            {
                Visit(pointer->GetObject());
            }
            const auto* list = dynamic_cast<ns3::ObjectPtrContainerValue*>(ns3::PeekPointer(value));
            for (std::size_t i = 0; list && i < list->GetN(); ++i)
            {
                Visit(list->Get(i));
            }
        });
    }

    std::vector<ns3::Ptr<ns3::Object>> m_objects; //!< in the order of the walk
    std::set<const ns3::Object*> m_seen;          //!< the same
};

} // namespace tests

#endif /* INTEGRATION_OBJECT_WALK_H */
