/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SUPPORT_MEMORY_STORE_H
#define SUPPORT_MEMORY_STORE_H

#include "ns3/collab-table-store.h"

#include <fmt/format.h>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tests
{

/// Remembers the cells of each row, and how many rows there were at each Flush()
class MemoryStore : public ns3::collab::TableStore
{
  public:
    /// A table in memory
    class MemoryTable : public ns3::collab::Table
    {
      public:
        /// @param description its columns
        explicit MemoryTable(const ns3::collab::TableDescription& description)
            : m_columns(description.columns)
        {
        }

        std::vector<std::vector<double>> rows;                 //!< the numbers of each row
        std::vector<std::map<std::string, std::string>> texts; //!< each row as text, by column

        void
        Write(std::size_t column, double value) override
        {
            m_row.push_back(value);
            m_text[m_columns[column].name] = fmt::format("{}", value);
        }

        void
        Write(std::size_t column, int64_t value) override
        {
            m_row.push_back(static_cast<double>(value));
            m_text[m_columns[column].name] = fmt::format("{}", value);
        }

        void
        Write(std::size_t column, const std::string& value) override
        {
            m_text[m_columns[column].name] = value;
        }

        void
        EndRow() override
        {
            rows.push_back(std::exchange(m_row, {}));
            texts.push_back(std::exchange(m_text, {}));
        }

      private:
        std::vector<ns3::collab::ColumnDescription> m_columns; //!< of the table
        std::vector<double> m_row;                             //!< the present row
        std::map<std::string, std::string> m_text;             //!< the present row
    };

    std::map<std::string, std::unique_ptr<MemoryTable>> tables; //!< by name
    std::vector<std::size_t> flushed; //!< rows of the table rounds at each Flush()

    void
    Flush() override
    {
        const auto rounds = tables.find("rounds");
        flushed.push_back(rounds == tables.end() ? 0 : rounds->second->rows.size());
    }

  private:
    ns3::collab::Table&
    DoAdd(const ns3::collab::TableDescription& description) override
    {
        auto& table = tables[description.name];
        table = std::make_unique<MemoryTable>(description);
        return *table;
    }
};

} // namespace tests

#endif /* SUPPORT_MEMORY_STORE_H */
