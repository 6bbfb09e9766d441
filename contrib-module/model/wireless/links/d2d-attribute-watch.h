/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_ATTRIBUTE_WATCH_H
#define D2D_ATTRIBUTE_WATCH_H

#include "ns3/attribute.h"
#include "ns3/object.h"

#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @brief Notices that somebody has changed an attribute of an object, which ns-3 tells nobody.
class D2dAttributeWatch
{
  public:
    /// @param object object whose attributes are watched from now on
    void Add(Ptr<const Object> object);
    /// @brief Watch nothing.
    void Clear();
    /// @return whether an attribute has another value than when its object was added
    bool HasChanged() const;

  private:
    /// An attribute that is a number: compared without making text of it
    struct Number
    {
        Ptr<const Object> object;              //!< whose attribute it is
        Ptr<const AttributeAccessor> accessor; //!< reads it
        double value = 0;                      //!< what it was
    };

    /// Any other attribute
    struct Other
    {
        Ptr<const Object> object;              //!< whose attribute it is
        Ptr<const AttributeAccessor> accessor; //!< reads it
        Ptr<const AttributeChecker> checker;   //!< tells its type
        std::string value;                     //!< what it was

        /// @return what it is now
        std::string Read() const;
    };

    std::vector<Number> m_numbers; //!< attributes that are numbers
    std::vector<Other> m_others;   //!< all others
};

} // namespace ns3::collab

#endif /* D2D_ATTRIBUTE_WATCH_H */
