/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_RUN_FOLDER_H
#define COLLAB_RUN_FOLDER_H

#include <string>

namespace ns3::collab
{

/**
 * @ingroup collab-tracing
 * @brief The folder that one run writes.
 *
 * While the run goes on it is called NAME.partial; Finish() renames it to NAME in one step. So a
 * folder without the suffix is always complete, and one with it marks an unfinished or killed run.
 */
class RunFolder
{
  public:
    /// @brief Make the folder, with its parents.
    /// @param path its name when the run is finished
    /// @throws UserError if it or its partial folder exists already, or cannot be made
    explicit RunFolder(const std::string& path);

    RunFolder(const RunFolder&) = delete;
    RunFolder& operator=(const RunFolder&) = delete;

    /// @param name name of a file
    /// @return where to write it now
    std::string GetFile(const std::string& name) const;

    /// @brief Write a whole file.
    /// @param name name of the file
    /// @param text its contents
    /// @throws std::runtime_error if it cannot be written
    void WriteFile(const std::string& name, const std::string& text) const;

    /// @brief Mark the run as finished.
    /// @throws std::runtime_error if the folder cannot be renamed
    void Finish();

    /// @return the folder's name when the run is finished
    const std::string& GetPath() const;

  private:
    std::string m_path;    //!< name when finished
    std::string m_partial; //!< name until then
};

} // namespace ns3::collab

#endif /* COLLAB_RUN_FOLDER_H */
