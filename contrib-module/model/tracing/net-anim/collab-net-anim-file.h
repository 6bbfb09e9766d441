/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_NET_ANIM_FILE_H
#define COLLAB_NET_ANIM_FILE_H

#include "ns3/collab-output-file.h"
#include "ns3/nstime.h"
#include "ns3/vector.h"

#include <cstdint>
#include <string>

namespace ns3::collab
{

/**
 * @ingroup collab-tracing
 * @brief An animation for NetAnim 3.108 or newer, as XML: one element a line.
 *
 * Elements may come in any order of time, since NetAnim sorts them. A file that was not closed
 * lacks its last line; NetAnim reads a file up to the first error in it, so it shows what there is.
 */
class NetAnimFile
{
  public:
    /// A color of a node, each component from 0 to 255
    struct Color
    {
        uint32_t red = 0;   //!< red
        uint32_t green = 0; //!< green
        uint32_t blue = 0;  //!< blue

        /// @param other another color
        /// @return whether it is the same
        bool operator==(const Color& other) const;
    };

    /// @param path where to write
    /// @throws UserError if the file cannot be made
    explicit NetAnimFile(const std::string& path);
    /// Closes the animation.
    ~NetAnimFile();

    NetAnimFile(const NetAnimFile&) = delete;
    NetAnimFile& operator=(const NetAnimFile&) = delete;

    /// @param id number of a node
    /// @param position where it is at the beginning [m]
    void AddNode(uint32_t id, const Vector& position);
    /// @param time since when
    /// @param id number of a node
    /// @param position where it is [m]
    void MoveNode(Time time, uint32_t id, const Vector& position);
    /// @param time since when
    /// @param id number of a node
    /// @param text what is written beside it
    void DescribeNode(Time time, uint32_t id, const std::string& text);
    /// @param time since when
    /// @param id number of a node
    /// @param color its color
    void ColorNode(Time time, uint32_t id, Color color);
    /// @param id number of a new counter, from 0
    /// @param name what it counts
    void AddCounter(uint32_t id, const std::string& name);
    /// @param time since when
    /// @param counter number of a counter
    /// @param node number of a node
    /// @param value the counter's value there
    void SetCounter(Time time, uint32_t counter, uint32_t node, double value);
    /// @brief Add a link, which NetAnim shows from the beginning to the end.
    /// @param from number of a node
    /// @param to number of another one
    /// @param text what is written beside it
    void AddLink(uint32_t from, uint32_t to, const std::string& text);
    /// @param time since when
    /// @param from number of a node
    /// @param to number of another one, as they were given to AddLink()
    /// @param text what is written beside the link
    void DescribeLink(Time time, uint32_t from, uint32_t to, const std::string& text);
    /// @param from number of the sending node
    /// @param to number of another one
    /// @param start when the first bit is sent
    /// @param sent when the last bit is sent
    /// @param end when the packet arrives
    /// @param text what is shown of it
    void AddPacket(
        uint32_t from, uint32_t to, Time start, Time sent, Time end, const std::string& text);

    /// @brief Write out what has been added up to now.
    /// @throws std::runtime_error if that is not possible
    void Flush();

  private:
    OutputFile m_file; //!< the file
};

} // namespace ns3::collab

#endif /* COLLAB_NET_ANIM_FILE_H */
