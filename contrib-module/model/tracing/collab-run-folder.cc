/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-run-folder.h"

#include "ns3/collab-error.h"
#include "ns3/collab-output-file.h"
#include "ns3/log.h"

#include <filesystem>
#include <fmt/format.h>

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("CollabRunFolder");

namespace fs = std::filesystem;

RunFolder::RunFolder(const std::string& path)
    : m_path(fs::path(path).has_filename() ? path : fs::path(path).parent_path().string()),
      m_partial(m_path + ".partial")
{
    if (m_path.empty())
    {
        throw UserError(
            "run folder '' is not a name; give the path of a folder that does not exist");
    }
    for (const auto& existing : {m_path, m_partial})
    {
        if (fs::exists(existing))
        {
            throw UserError(fmt::format("run folder '{}' exists already; remove it or give the "
                                        "path of a folder that does not exist",
                                        existing));
        }
    }
    std::error_code error;
    fs::create_directories(m_partial, error);
    if (error)
    {
        throw UserError(fmt::format("run folder '{}' cannot be made: {}", m_path, error.message()));
    }
}

std::string
RunFolder::GetFile(const std::string& name) const
{
    return m_partial + "/" + name;
}

void
RunFolder::WriteFile(const std::string& name, const std::string& text) const
{
    OutputFile file(GetFile(name));
    file.Write(text);
    file.Flush();
}

void
RunFolder::Finish()
{
    NS_LOG_INFO("finishes " << m_path);
    fs::rename(m_partial, m_path);
}

const std::string&
RunFolder::GetPath() const
{
    return m_path;
}

} // namespace ns3::collab
