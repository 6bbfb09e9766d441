/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_GIVEN_ATTRIBUTES_H
#define COLLAB_GIVEN_ATTRIBUTES_H

#include "ns3/object-factory.h"
#include "ns3/type-id.h"

#include <optional>
#include <string>

namespace ns3::collab
{

/**
 * @ingroup collab-helper
 * @brief Whether a value can be read, without ending the program if it cannot.
 *
 * ns-3's own numbers and times abort on text that is none.
 *
 * @param checker checker of an attribute or global value
 * @param text a value as given
 * @return whether the checker accepts it
 */
bool IsAccepted(const AttributeChecker& checker, const std::string& text);

/// @ingroup collab-helper
/// @brief Check the text of an object, and each attribute in it, before ns-3 makes it: it ends the
/// program for an unknown type, and leaves an attribute unset that cannot have its value.
/// @param base type of the object, or one that it is derived from
/// @param text text as given, Type or Type[Name=value|Name=value]
/// @return what is wrong with it; empty if nothing is
std::string FindObjectFault(TypeId base, const std::string& text);

/// @ingroup collab-helper
/// @brief What is known of an attribute.
/// @param name name of the attribute with the type that declares it, e.g.
/// "ns3::collab::D2dPhy::TxPower"
/// @return what it is
/// @throws UserError if there is no such type, if it has no such attribute, or if only a type that
/// it is derived from has it: a default given by that name would reach no object
TypeId::AttributeInformation GetAttributeInformation(const std::string& name);

/// @ingroup collab-helper
/// @param name name of an attribute with the type that declares it
/// @param text a value as given
/// @throws UserError if there is no such attribute, if objects do not take a default of it, or if
/// it cannot have this value
void CheckGivenAttribute(const std::string& name, const std::string& text);

/**
 * @ingroup collab-helper
 * @brief Whether the user has given an attribute's default.
 *
 * On the command line (--ns3::Type::Attribute=value), by the environment variable
 * NS_ATTRIBUTE_DEFAULT once ImportAttributeEnvironment() has read it, by a ConfigStore file or by
 * Config::SetDefault(). A value that happens to be the type's own default is given, too.
 *
 * @param name name of the attribute with the type that declares it
 * @return whether objects should have the given value, whatever a program would set
 */
bool IsAttributeGiven(const std::string& name);

/// @ingroup collab-helper
/// @brief Take the defaults of the environment variable NS_ATTRIBUTE_DEFAULT as if they were given
/// on the command line.
/// @throws UserError if one of them is none, or if the command line has another value
void ImportAttributeEnvironment();

/// @ingroup collab-helper
/// @brief Set an attribute of all objects that a factory makes, unless the user has given it.
/// @param factory factory that makes objects of some type
/// @param name name of an attribute of this type or of one that it is derived from
/// @param value what the program sets
void SetUnlessGiven(ObjectFactory& factory, const std::string& name, const AttributeValue& value);

/// @ingroup collab-helper
/// @brief Set the default of an attribute, for objects made from now on, unless the user has given
/// it.
/// @param name name of the attribute with the type that declares it
/// @param value what the program sets
void SetDefaultUnlessGiven(const std::string& name, const AttributeValue& value);

/// @ingroup collab-helper
/// @param type a type
/// @param name name of one of its attributes, its own or inherited
/// @return the name with the type that declares it; empty if there is no such attribute
std::string GetDeclaredName(TypeId type, const std::string& name);

/// @ingroup collab-helper
/// @param value value of an attribute
/// @return it as a number, a time in seconds, a flag as 0 or 1; nothing if it is none of these
std::optional<double> ToNumber(const AttributeValue& value);

/// @ingroup collab-helper
/// @param name name of an attribute that is a number or a time, with the type that declares it
/// @return what objects get by default: the given value, if there is one
double GetGivenNumber(const std::string& name);

} // namespace ns3::collab

#endif /* COLLAB_GIVEN_ATTRIBUTES_H */
