/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-table-store.h"

#include "ns3/abort.h"
#include "ns3/hash.h"

#include <algorithm>
#include <variant>

namespace ns3::collab
{

namespace
{

/// Passes on the rows of sampled devices
class SampledTable : public Table
{
  public:
    /// @param table gets the rows
    /// @param key number of the column with the device
    /// @param share of the devices
    SampledTable(Table& table, std::size_t key, double share)
        : m_table(table),
          m_key(key),
          m_share(share)
    {
    }

    void
    Write(std::size_t, double value) override
    {
        m_cells.emplace_back(value);
    }

    void
    Write(std::size_t, int64_t value) override
    {
        m_cells.emplace_back(value);
    }

    void
    Write(std::size_t, const std::string& value) override
    {
        m_cells.emplace_back(value);
    }

    void
    EndRow() override
    {
        if (IsSampled(static_cast<uint32_t>(std::get<int64_t>(m_cells.at(m_key))), m_share))
        {
            for (std::size_t i = 0; i < m_cells.size(); ++i)
            {
                std::visit([&](const auto& value) { m_table.Write(i, value); }, m_cells[i]);
            }
            m_table.EndRow();
        }
        m_cells.clear();
    }

  private:
    Table& m_table;                                                  //!< gets the rows
    std::size_t m_key;                                               //!< column with the device
    double m_share;                                                  //!< of the devices
    std::vector<std::variant<double, int64_t, std::string>> m_cells; //!< of the row
};

/// @param description of a table
/// @return number of the column that says whose a row is, if there is one
std::optional<std::size_t>
FindOwner(const TableDescription& description)
{
    const auto& columns = description.columns;
    for (const char* name : {"device", "sender"})
    {
        const auto is = [name](const ColumnDescription& column) {
            return column.name == name && column.type == ColumnType::INTEGER;
        };
        const auto found = std::find_if(columns.begin(), columns.end(), is);
        if (found != columns.end())
        {
            return found - columns.begin();
        }
    }
    return std::nullopt;
}

} // namespace

bool
IsSampled(uint32_t device, double share)
{
    constexpr double RANGE = 18446744073709551616.0; // 2^64
    return static_cast<double>(Hash64(std::to_string(device))) < share * RANGE || share >= 1;
}

Table*
TableStore::Describe(const TableDescription& description)
{
    if (!m_columns)
    {
        auto columns = ColumnRow::GetTable();
        m_names.insert(columns.name);
        Table& table = DoAdd(columns.Describe());
        m_columns.emplace(std::move(columns.columns), &table);
    }
    const bool isNew = m_names.insert(description.name).second;
    NS_ABORT_MSG_UNLESS(isNew, "there is a table " << description.name << " already");
    Table& table = DoAdd(description);
    for (const auto& column : description.columns)
    {
        m_columns->Write({description.name, column});
    }
    const auto owner = FindOwner(description);
    if (m_omitted.count(description.name) > 0)
    {
        return nullptr;
    }
    if (m_share >= 1 || !owner)
    {
        return &table;
    }
    m_sampled.push_back(std::make_unique<SampledTable>(table, *owner, m_share));
    return m_sampled.back().get();
}

void
TableStore::Omit(std::set<std::string> tables)
{
    m_omitted = std::move(tables);
}

void
TableStore::Sample(double share)
{
    m_share = share;
}

} // namespace ns3::collab
