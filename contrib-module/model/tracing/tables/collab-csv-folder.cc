/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-csv-folder.h"

namespace ns3::collab
{

CsvFolder::CsvFolder(const RunFolder& folder)
    : m_folder(folder)
{
}

Table&
CsvFolder::DoAdd(const TableDescription& description)
{
    const std::string path = m_folder.GetFile(description.name + ".csv");
    m_tables.push_back(std::make_unique<CsvFile>(path, description));
    return *m_tables.back();
}

void
CsvFolder::Flush()
{
    for (const auto& table : m_tables)
    {
        table->Flush();
    }
}

} // namespace ns3::collab
