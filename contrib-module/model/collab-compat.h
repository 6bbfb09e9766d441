/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_COMPAT_H
#define COLLAB_COMPAT_H

#include "ns3/enum.h"

#include <functional>
#include <type_traits>
#include <utility>

/**
 * @file
 * @ingroup collab
 * One spelling for what differs between ns-3.37 and later releases. An ns-3 tree has no version
 * macro, so the right form is told from ns-3's own headers.
 */

namespace ns3
{

/// Since ns-3.42 the energy classes are in here; declared so that it can be named before.
namespace energy
{
}

namespace collab
{

using namespace energy;

namespace compat
{

/// @tparam T EnumValue, where it is a plain class (up to ns-3.40)
/// @return false
template <typename T>
constexpr bool
IsTemplate()
{
    return false;
}

/// @tparam T EnumValue, where it is a class template (from ns-3.41)
/// @return true
template <template <typename> class T>
constexpr bool
IsTemplate()
{
    return true;
}

/// @tparam V EnumValue, where it is a plain class
/// @param value an enumerator
/// @return an attribute value that holds it
template <typename V, typename E>
V
MakeEnum(E value)
{
    return V(static_cast<int>(value));
}

/// @tparam V EnumValue, where it is a class template
/// @param value an enumerator
/// @return an attribute value that holds it
template <template <typename> class V, typename E>
V<E>
MakeEnum(E value)
{
    return V<E>(value);
}

/// @ingroup collab
/// @brief Attribute accessor of an `enum class`, which ns-3 offers from 3.41 only.
template <typename C, typename E>
class ClassEnumAccessor : public AttributeAccessor
{
  public:
    /// Sets the value of an object
    using Setter = std::function<void(C& owner, E value)>;
    /// Tells the value of an object
    using Getter = std::function<E(const C& owner)>;

    /// @param setter sets the value
    /// @param getter tells it
    ClassEnumAccessor(Setter setter, Getter getter)
        : m_setter(std::move(setter)),
          m_getter(std::move(getter))
    {
    }

    bool
    Set(ObjectBase* object, const AttributeValue& value) const override
    {
        auto* owner = dynamic_cast<C*>(object);
        const auto* holder = dynamic_cast<const Holder*>(&value);
        if (!owner || !holder)
        {
            return false;
        }
        m_setter(*owner, static_cast<E>(holder->Get()));
        return true;
    }

    bool
    Get(const ObjectBase* object, AttributeValue& value) const override
    {
        const auto* owner = dynamic_cast<const C*>(object);
        auto* holder = dynamic_cast<Holder*>(&value);
        if (!owner || !holder)
        {
            return false;
        }
        holder->Set(static_cast<decltype(holder->Get())>(m_getter(*owner)));
        return true;
    }

    bool
    HasGetter() const override
    {
        return true;
    }

    bool
    HasSetter() const override
    {
        return true;
    }

  private:
    using Holder = decltype(MakeEnum<::ns3::EnumValue>(std::declval<E>())); //!< EnumValue for E

    Setter m_setter; //!< sets the value
    Getter m_getter; //!< tells it
};

/// @param member an `enum class` member
/// @return its accessor
template <typename C, typename E>
Ptr<const AttributeAccessor>
EnumAccessor(E C::*member)
{
    return Ptr<const AttributeAccessor>(
        new ClassEnumAccessor<C, E>([member](C& owner, E value) { owner.*member = value; },
                                    [member](const C& owner) { return owner.*member; }),
        false);
}

/// @param setter sets an `enum class` value
/// @param getter tells it
/// @return their accessor
template <typename C, typename E>
Ptr<const AttributeAccessor>
EnumAccessor(void (C::*setter)(E), E (C::*getter)() const)
{
    return Ptr<const AttributeAccessor>(
        new ClassEnumAccessor<C, E>([setter](C& owner, E value) { (owner.*setter)(value); },
                                    [getter](const C& owner) { return (owner.*getter)(); }),
        false);
}

/// @param value an enumerator
/// @return its number
template <typename E>
constexpr auto
ToArgument(E value) -> std::enable_if_t<std::is_enum_v<E>, int>
{
    return static_cast<int>(value);
}

/// @param name of an enumerator
/// @return the same
inline const char*
ToArgument(const char* name)
{
    return name;
}

/// @param valuesAndNames enumerators of an `enum class`, each followed by its name
/// @return a checker that allows them
template <typename... Arguments>
Ptr<const AttributeChecker>
EnumChecker(Arguments... valuesAndNames)
{
    if constexpr (IsTemplate<::ns3::EnumValue>())
    {
        return MakeEnumChecker(valuesAndNames...);
    }
    else
    {
        return MakeEnumChecker(ToArgument(valuesAndNames)...);
    }
}

/// @param value an enumerator
/// @return an attribute value that holds it
template <typename E>
auto
EnumAttribute(E value)
{
    return MakeEnum<::ns3::EnumValue>(value);
}

} // namespace compat
} // namespace collab
} // namespace ns3

#endif /* COLLAB_COMPAT_H */
