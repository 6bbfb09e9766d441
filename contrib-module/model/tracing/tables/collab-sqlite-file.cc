/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-sqlite-file.h"

#include <cerrno>
#include <fmt/format.h>
#include <sqlite3.h>
#include <stdexcept>
#include <system_error>

namespace ns3::collab
{

namespace
{

constexpr int LONGEST_WAIT_MS = 60000; //!< for a reader [ms]

/// @param name name of a table or column
/// @return it as an identifier of SQL
std::string
QuoteName(const std::string& name)
{
    std::string quoted = "\"";
    for (const char character : name)
    {
        quoted += character == '"' ? "\"\"" : std::string(1, character);
    }
    return quoted + "\"";
}

} // namespace

/// A table of the file: a statement that inserts a row
class SqliteFile::SqliteTable : public Table
{
  public:
    /// @param file file with the table already in it
    /// @param description description of the table
    SqliteTable(SqliteFile& file, const TableDescription& description)
        : m_file(file)
    {
        std::string places;
        for (std::size_t i = 0; i < description.columns.size(); ++i)
        {
            places += i == 0 ? "?" : ", ?";
        }
        const std::string sql =
            fmt::format("INSERT INTO {} VALUES ({})", QuoteName(description.name), places);
        m_file.Check(sqlite3_prepare_v2(m_file.m_database, sql.c_str(), -1, &m_insertion, nullptr));
    }

    ~SqliteTable() override
    {
        sqlite3_finalize(m_insertion);
    }

    void
    Write(std::size_t column, double value) override
    {
        m_file.Check(sqlite3_bind_double(m_insertion, static_cast<int>(column) + 1, value));
    }

    void
    Write(std::size_t column, int64_t value) override
    {
        m_file.Check(sqlite3_bind_int64(m_insertion, static_cast<int>(column) + 1, value));
    }

    void
    Write(std::size_t column, const std::string& value) override
    {
        m_file.Check(sqlite3_bind_text(m_insertion,
                                       static_cast<int>(column) + 1,
                                       value.data(),
                                       static_cast<int>(value.size()),
                                       SQLITE_TRANSIENT));
    }

    void
    EndRow() override
    {
        m_file.Begin();
        m_file.Check(sqlite3_step(m_insertion));
        m_file.Check(sqlite3_reset(m_insertion));
    }

  private:
    SqliteFile& m_file;                  //!< the file
    sqlite3_stmt* m_insertion = nullptr; //!< inserts a row
};

SqliteFile::SqliteFile(const std::string& path)
    : m_path(path)
{
    try
    {
        Check(sqlite3_open(path.c_str(), &m_database));
        Check(sqlite3_busy_timeout(m_database, LONGEST_WAIT_MS));
        Execute("PRAGMA synchronous = OFF");
    }
    catch (...)
    {
        sqlite3_close(m_database);
        throw;
    }
}

SqliteFile::~SqliteFile()
{
    m_tables.clear();
    sqlite3_close(m_database);
}

Table&
SqliteFile::DoAdd(const TableDescription& description)
{
    std::string columns;
    for (const auto& column : description.columns)
    {
        columns += fmt::format(
            "{}{} {}", columns.empty() ? "" : ", ", QuoteName(column.name), ToString(column.type));
    }
    Begin();
    Execute(fmt::format("CREATE TABLE {} ({})", QuoteName(description.name), columns));
    m_tables.push_back(std::make_unique<SqliteTable>(*this, description));
    return *m_tables.back();
}

void
SqliteFile::Flush()
{
    if (m_begun)
    {
        Execute("COMMIT");
        m_begun = false;
    }
}

void
SqliteFile::Begin()
{
    if (!m_begun)
    {
        Execute("BEGIN");
        m_begun = true;
    }
}

void
SqliteFile::Execute(const std::string& sql)
{
    Check(sqlite3_exec(m_database, sql.c_str(), nullptr, nullptr, nullptr));
}

void
SqliteFile::Check(int code) const
{
    if (code != SQLITE_OK && code != SQLITE_DONE)
    {
        const std::string problem = sqlite3_errmsg(m_database);
        int reason = 0;
        sqlite3_file_control(m_database, nullptr, SQLITE_FCNTL_LAST_ERRNO, &reason);
        reason = code == SQLITE_FULL ? ENOSPC : reason; // of which SQLite keeps no number
        throw std::runtime_error(
            fmt::format("cannot write {}: {}{}",
                        m_path,
                        problem,
                        reason == 0 ? "" : ", " + std::generic_category().message(reason)));
    }
}

} // namespace ns3::collab
