/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_INDEX_SET_H
#define D2D_INDEX_SET_H

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @brief Some devices by their indices, in no order. Each operation takes a constant time.
class D2dIndexSet
{
  public:
    /// @param index index of a device; nothing happens if it is in the set
    void
    Insert(uint32_t index)
    {
        if (index >= m_placeOf.size())
        {
            m_placeOf.resize(index + 1, NONE);
        }
        if (m_placeOf[index] == NONE)
        {
            m_placeOf[index] = static_cast<uint32_t>(m_members.size());
            m_members.push_back(index);
        }
    }

    /// @param index index of a device; nothing happens if it is not in the set
    void
    Erase(uint32_t index)
    {
        if (Contains(index))
        {
            const uint32_t last = m_members.back();
            m_members[m_placeOf[index]] = last;
            m_placeOf[last] = m_placeOf[index];
            m_placeOf[index] = NONE;
            m_members.pop_back();
        }
    }

    /// @param index index of a device
    /// @return whether it is in the set
    bool
    Contains(uint32_t index) const
    {
        return index < m_placeOf.size() && m_placeOf[index] != NONE;
    }

    /// @return the devices
    const std::vector<uint32_t>&
    GetMembers() const
    {
        return m_members;
    }

  private:
    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max(); //!< place of no member

    std::vector<uint32_t> m_members; //!< the devices
    std::vector<uint32_t> m_placeOf; //!< place of each device among them
};

} // namespace ns3::collab

#endif /* D2D_INDEX_SET_H */
