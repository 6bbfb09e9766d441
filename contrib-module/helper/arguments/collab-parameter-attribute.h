/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_PARAMETER_ATTRIBUTE_H
#define COLLAB_PARAMETER_ATTRIBUTE_H

#include "collab-parameter-description.h"

#include "ns3/attribute.h"

#include <string>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief Read what there is to know of an attribute.
 *
 * The unit is that of a time, or what stands in brackets in the help. Choices are called as in the
 * attribute, but in lower case with hyphens: BestEffort is best-effort.
 *
 * @param attribute name with the type that declares it
 * @return what its TypeId says of a parameter that is set by it; a time is in seconds
 * @throws UserError if there is no such attribute
 */
ParameterDescription DescribeAttribute(const std::string& attribute);

/// @ingroup collab
/// @param attribute name with the type that declares it
/// @param value of a parameter; of a time in seconds
/// @param choices of the parameter
/// @return the value for the attribute; null if it cannot have it
Ptr<AttributeValue> MakeAttributeValue(const std::string& attribute,
                                       const ParameterValue& value,
                                       const std::vector<ParameterChoice>& choices);

/// @ingroup collab
/// @param attribute name with the type that declares it
/// @param value of the attribute
/// @param choices of the parameter
/// @return the value as a parameter has it: a number, a flag, or a text
ParameterValue ReadAttributeValue(const std::string& attribute,
                                  const AttributeValue& value,
                                  const std::vector<ParameterChoice>& choices);

} // namespace ns3::collab

#endif /* COLLAB_PARAMETER_ATTRIBUTE_H */
