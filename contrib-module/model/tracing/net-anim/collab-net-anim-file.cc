/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-net-anim-file.h"

#include "ns3/collab-error.h"

#include <fmt/format.h>
#include <stdexcept>

namespace ns3::collab
{

namespace
{

/// @param text any text
/// @return the text as the value of an XML attribute; a question mark for what XML cannot have
std::string
Escape(const std::string& text)
{
    std::string escaped;
    for (const char character : text)
    {
        switch (character)
        {
        case '&':
            escaped += "&amp;";
            break;
        case '<':
            escaped += "&lt;";
            break;
        case '>':
            escaped += "&gt;";
            break;
        case '"':
            escaped += "&quot;";
            break;
        default:
            escaped += static_cast<unsigned char>(character) < ' ' ? '?' : character;
        }
    }
    return escaped;
}

/// @param time a time
/// @return it in seconds, to the nanosecond
std::string
Write(Time time)
{
    return fmt::format("{:.9f}", time.GetSeconds());
}

} // namespace

bool
NetAnimFile::Color::operator==(const Color& other) const
{
    return red == other.red && green == other.green && blue == other.blue;
}

NetAnimFile::NetAnimFile(const std::string& path)
try : m_file(path)
{
    m_file.Write("<anim ver=\"netanim-3.108\" filetype=\"animation\">\n");
}
catch (const std::runtime_error& error)
{
    throw UserError(
        fmt::format("animation '{}' is not allowed: {}; give a path in a folder that exists",
                    path,
                    error.what()));
}

NetAnimFile::~NetAnimFile()
{
    try
    {
        m_file.Write("</anim>\n");
    }
    catch (const std::runtime_error&)
    {
        return; // nobody is there to be told
    }
}

void
NetAnimFile::AddNode(uint32_t id, const Vector& position)
{
    m_file.Write(fmt::format(
        "<node id=\"{}\" sysId=\"0\" locX=\"{}\" locY=\"{}\"/>\n", id, position.x, position.y));
}

void
NetAnimFile::MoveNode(Time time, uint32_t id, const Vector& position)
{
    m_file.Write(fmt::format("<nu p=\"p\" t=\"{}\" id=\"{}\" x=\"{}\" y=\"{}\"/>\n",
                             Write(time),
                             id,
                             position.x,
                             position.y));
}

void
NetAnimFile::DescribeNode(Time time, uint32_t id, const std::string& text)
{
    m_file.Write(fmt::format(
        "<nu p=\"d\" t=\"{}\" id=\"{}\" descr=\"{}\"/>\n", Write(time), id, Escape(text)));
}

void
NetAnimFile::ColorNode(Time time, uint32_t id, Color color)
{
    m_file.Write(fmt::format("<nu p=\"c\" t=\"{}\" id=\"{}\" r=\"{}\" g=\"{}\" b=\"{}\"/>\n",
                             Write(time),
                             id,
                             color.red,
                             color.green,
                             color.blue));
}

void
NetAnimFile::AddCounter(uint32_t id, const std::string& name)
{
    m_file.Write(fmt::format("<ncs ncId=\"{}\" n=\"{}\" t=\"DOUBLE\"/>\n", id, Escape(name)));
}

void
NetAnimFile::SetCounter(Time time, uint32_t counter, uint32_t node, double value)
{
    m_file.Write(fmt::format(
        "<nc c=\"{}\" i=\"{}\" t=\"{}\" v=\"{}\"/>\n", counter, node, Write(time), value));
}

void
NetAnimFile::AddLink(uint32_t from, uint32_t to, const std::string& text)
{
    m_file.Write(fmt::format(
        "<link fromId=\"{}\" toId=\"{}\" fd=\"\" td=\"\" ld=\"{}\"/>\n", from, to, Escape(text)));
}

void
NetAnimFile::DescribeLink(Time time, uint32_t from, uint32_t to, const std::string& text)
{
    m_file.Write(fmt::format("<linkupdate t=\"{}\" fromId=\"{}\" toId=\"{}\" ld=\"{}\"/>\n",
                             Write(time),
                             from,
                             to,
                             Escape(text)));
}

void
NetAnimFile::AddPacket(
    uint32_t from, uint32_t to, Time start, Time sent, Time end, const std::string& text)
{
    // NetAnim moves a packet from fbTx to fbRx
    m_file.Write(fmt::format("<p fId=\"{}\" fbTx=\"{}\" lbTx=\"{}\" meta-info=\"{}\" tId=\"{}\" "
                             "fbRx=\"{}\" lbRx=\"{}\"/>\n",
                             from,
                             Write(start),
                             Write(sent),
                             Escape(text),
                             to,
                             Write(end),
                             Write(end)));
}

void
NetAnimFile::Flush()
{
    m_file.Flush();
}

} // namespace ns3::collab
