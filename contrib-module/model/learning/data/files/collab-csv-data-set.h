/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_CSV_DATA_SET_H
#define COLLAB_CSV_DATA_SET_H

#include "ns3/collab-data-set.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief Which columns of a CSV file to use.
struct CsvLayout
{
    std::string name;                    //!< of the data set, for messages
    std::vector<std::string> targets;    //!< columns to predict in regression
    std::string label;                   //!< column of the class in classification, else empty
    std::vector<std::string> categories; //!< columns of words: one feature, 0 or 1, a word
    std::vector<std::string> ignored;    //!< columns to leave out; all others are features
    bool skipIncomplete = false;         //!< leave rows with an empty cell out; otherwise an error
    double targetUnit = 1;               //!< targets are divided by it; finite, not 0
    bool isCount = false; //!< targets are counts y >= 0, of which ln(1 + y) is learned
};

/// @return layout of California Housing (Pace, Barry, 1997): median_house_value in 100 000 US$
CsvLayout GetCaliforniaHousingLayout();

/// @return layout of the RAND health insurance experiment (Manning et al., 1987): y visits to a
/// doctor in a year, as ln(1 + y)
CsvLayout GetRandhieLayout();

/**
 * @brief Load a data set from a table with a line of column names.
 *
 * Cells are separated by commas, with or without double quotes around them; commas inside of quotes
 * separate nothing. A byte-order mark in front is passed over.
 *
 * Features and targets are numbers. A column of categories becomes, in its place, one feature for
 * each of its words, in the order of their bytes: 1 where the row has the word, else 0. Labels that
 * are all whole numbers from 0 are the classes; any other labels, such as names or -1 and 1, are
 * numbered in ascending order, numbers by value and else by their bytes.
 *
 * @param path path of the file, plain or compressed by gzip or bzip2; with categories or a label it
 * is read twice
 * @param layout which columns to use: targets or a label
 * @return the data set: numbers as they are in the file, and an output a target or some classes
 * @throws DataFileError if the file is missing, empty or damaged, if a column is missing or named
 * twice, or if a row is too long, too short or has something else than finite numbers, or a
 * negative count; with the number of the line
 * @throws std::invalid_argument if the layout has neither targets nor a label, or both
 */
std::shared_ptr<DataSet> LoadCsvDataSet(const std::string& path, const CsvLayout& layout);

} // namespace ns3::collab

#endif /* COLLAB_CSV_DATA_SET_H */
