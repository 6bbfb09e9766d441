/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-question-streams.h"

#include "ns3/integer.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"

#include <functional>
#include <utility>

namespace ns3::collab
{

namespace
{

/// Told of an attribute
using AttributeVisitor = std::function<void(const TypeId::AttributeInformation& attribute)>;

/// @brief Visit all attributes of an object that can be both read and set.
/// @param object the object
/// @param visit told of them
void
VisitAttributes(const Object& object, const AttributeVisitor& visit)
{
    TypeId type = object.GetInstanceTypeId();
    for (bool isRoot = false; !isRoot; type = type.GetParent())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const TypeId::AttributeInformation attribute = type.GetAttribute(i);
            if (attribute.accessor->HasGetter() && attribute.accessor->HasSetter())
            {
                visit(attribute);
            }
        }
        isRoot = type.GetParent() == type;
    }
}

/// @param attribute an attribute
/// @return whether it is a random variable
bool
IsRandomVariable(const TypeId::AttributeInformation& attribute)
{
    const auto* pointer = dynamic_cast<const PointerChecker*>(PeekPointer(attribute.checker));
    return pointer && (pointer->GetPointeeTypeId() == RandomVariableStream::GetTypeId() ||
                       pointer->GetPointeeTypeId().IsChildOf(RandomVariableStream::GetTypeId()));
}

/// @param model a model
/// @param accessor accessor of one of its attributes
/// @return the random variable that it is; null if it is none now
Ptr<RandomVariableStream>
Read(const Ptr<Object>& model, const Ptr<const AttributeAccessor>& accessor)
{
    PointerValue present;
    accessor->Get(PeekPointer(model), present);
    return DynamicCast<RandomVariableStream>(present.GetObject());
}

} // namespace

D2dQuestionStreams::D2dQuestionStreams(int64_t firstStream)
    : m_nextStream(firstStream)
{
}

D2dQuestionStreams::Question::Question(D2dQuestionStreams& streams,
                                       const Ptr<PropagationLossModel>& loss,
                                       const Ptr<PropagationDelayModel>& delay)
    : m_streams(streams)
{
    if (m_streams.m_depth == 0)
    {
        m_streams.Follow(loss, delay);
        m_streams.Begin();
    }
    ++m_streams.m_depth;
}

D2dQuestionStreams::Question::~Question()
{
    if (--m_streams.m_depth == 0)
    {
        m_streams.End();
    }
}

void
D2dQuestionStreams::Follow(const Ptr<PropagationLossModel>& loss,
                           const Ptr<PropagationDelayModel>& delay)
{
    std::size_t known = 0;
    const auto isKnown = [this, &known](const Object* model) {
        return known < m_models.size() && PeekPointer(m_models[known++]) == model;
    };
    bool same = true;
    for (Ptr<PropagationLossModel> model = loss; model && same; model = model->GetNext())
    {
        same = isKnown(PeekPointer(model));
    }
    same = same && (!delay || isKnown(PeekPointer(delay))) && known == m_models.size();
    if (same)
    {
        return;
    }
    m_models.clear();
    m_variables.clear();
    for (Ptr<PropagationLossModel> model = loss; model; model = model->GetNext())
    {
        Add(model);
    }
    if (delay)
    {
        Add(delay);
    }
}

void
D2dQuestionStreams::Add(const Ptr<Object>& model)
{
    m_models.push_back(model);
    VisitAttributes(*model, [this, &model](const TypeId::AttributeInformation& attribute) {
        if (IsRandomVariable(attribute))
        {
            m_variables.push_back({model, attribute.accessor, nullptr, nullptr});
        }
    });
}

void
D2dQuestionStreams::Begin()
{
    for (auto& variable : m_variables)
    {
        const Ptr<RandomVariableStream> present = Read(variable.model, variable.accessor);
        if (present != variable.original)
        {
            variable.original = present;
            MakeTwin(variable);
        }
        if (!variable.twin)
        {
            continue;
        }
        VisitAttributes(*present, [&](const TypeId::AttributeInformation& attribute) {
            if (attribute.name != "Stream")
            {
                Ptr<AttributeValue> value = attribute.checker->Create();
                attribute.accessor->Get(PeekPointer(present), *value);
                attribute.accessor->Set(PeekPointer(variable.twin), *value);
            }
        });
        variable.accessor->Set(PeekPointer(variable.model), PointerValue(variable.twin));
    }
}

void
D2dQuestionStreams::End()
{
    for (auto& variable : m_variables)
    {
        if (variable.twin)
        {
            variable.accessor->Set(PeekPointer(variable.model), PointerValue(variable.original));
        }
    }
}

void
D2dQuestionStreams::MakeTwin(Variable& variable)
{
    variable.twin = nullptr;
    if (!variable.original)
    {
        return;
    }
    const TypeId type = variable.original->GetInstanceTypeId();
    if (type == DeterministicRandomVariable::GetTypeId() ||
        type == EmpiricalRandomVariable::GetTypeId())
    {
        return;
    }
    // Given at once: an automatic number would shift those of all that is made later
    ObjectFactory factory;
    factory.SetTypeId(type);
    factory.Set("Stream", IntegerValue(m_nextStream++));
    variable.twin = factory.Create<RandomVariableStream>();
}

} // namespace ns3::collab
