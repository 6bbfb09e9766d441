/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_CHANGED_ATTRIBUTES_H
#define COLLAB_CHANGED_ATTRIBUTES_H

#include "ns3/attribute.h"
#include "ns3/ptr.h"

#include <map>
#include <string>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-tracing
 * @brief Write the value of an attribute so that the same value is read from the text.
 *
 * ns-3 writes six digits of a DoubleValue, and the address of an object. This one writes as many
 * digits as are needed, and of an object its type and what it was made with.
 *
 * @param value value of an attribute
 * @param checker its checker
 * @return the value as text
 */
std::string WriteAttribute(const AttributeValue& value, const Ptr<const AttributeChecker>& checker);

/**
 * @ingroup collab-tracing
 * @brief List the attributes that were given a default, even one that equals their own.
 *
 * By the command line (--ns3::Type::Attribute=value), a ConfigStore file or Config::SetDefault().
 * One that equals their own counts, since a program may set another value unless one is given.
 * With the parameters of a scenario they are all that a user can change, so that a run can be
 * repeated. An object is written as its TypeId name with those of its attributes that are not at
 * their default, e.g. "ns3::collab::D2dNakagamiOutageModel[M=3]".
 *
 * @return values by name, e.g. "ns3::collab::D2dPhy::Bandwidth"
 */
std::map<std::string, std::string> GetChangedAttributes();

/**
 * @ingroup collab-tracing
 * @brief Find attributes that were given a default although no node has an application with them.
 *
 * Call it once applications are installed.
 *
 * @return a line for each
 */
std::vector<std::string> FindIdleAttributes();

} // namespace ns3::collab

#endif /* COLLAB_CHANGED_ATTRIBUTES_H */
