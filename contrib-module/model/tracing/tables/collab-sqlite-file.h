/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_SQLITE_FILE_H
#define COLLAB_SQLITE_FILE_H

#include "collab-table-store.h"

#include <memory>
#include <string>
#include <vector>

struct sqlite3;

namespace ns3::collab
{

/**
 * @ingroup collab-tracing
 * @brief Writes all tables to one SQLite file.
 *
 * What is written between two calls of Flush() is one transaction, with a rollback journal: others
 * can read all earlier ones meanwhile, also over a network's file system, and a program that is
 * killed leaves them. A reader holds up Flush() until it has read its table, at most a minute.
 * Like CSV files, the journal is not forced to the disk: a machine that loses power may damage the
 * file. NaN is written as NULL.
 */
class SqliteFile : public TableStore
{
  public:
    /// @param path where to write
    /// @throws std::runtime_error if the file cannot be written
    explicit SqliteFile(const std::string& path);
    /// Closes the file; what was not flushed is lost.
    ~SqliteFile() override;

    SqliteFile(const SqliteFile&) = delete;
    SqliteFile& operator=(const SqliteFile&) = delete;

    void Flush() override;

  private:
    class SqliteTable;

    Table& DoAdd(const TableDescription& description) override;
    /// @brief Begin a transaction unless one has begun.
    void Begin();
    /// @param sql what to do
    void Execute(const std::string& sql);
    /// @param code what SQLite answered
    /// @throws std::runtime_error if it failed
    void Check(int code) const;

    std::string m_path;                                 //!< where to write
    sqlite3* m_database = nullptr;                      //!< the file
    bool m_begun = false;                               //!< whether there is a transaction
    std::vector<std::unique_ptr<SqliteTable>> m_tables; //!< its tables
};

} // namespace ns3::collab

#endif /* COLLAB_SQLITE_FILE_H */
