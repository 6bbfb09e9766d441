/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-word-vectors.h"

#include "collab-data-file.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

namespace ns3
{
namespace collab
{

namespace
{

/**
 * @param file whose present line it is
 * @param line of the file; what is left of it is the word
 * @param dimension number of numbers after the word
 * @param vector where to put them
 */
void
TakeVector(const DataFile& file, std::string_view& line, std::size_t dimension, float* vector)
{
    for (std::size_t i = dimension; i-- > 0;)
    {
        const std::size_t blank = line.rfind(' ');
        if (blank == std::string_view::npos || blank == 0)
        {
            file.FailAtLine(fmt::format(
                "found '{}', expected a word and {} numbers", Shortened(line), dimension));
        }
        const std::string_view number = line.substr(blank + 1);
        const auto value = ParseNumber(number);
        if (!value || !std::isfinite(static_cast<float>(*value)))
        {
            file.FailAtLine(fmt::format("found '{}', expected a finite number", Shortened(number)));
        }
        vector[i] = static_cast<float>(*value);
        line.remove_suffix(line.size() - blank);
    }
}

/**
 * @param vectors with its first UNKNOWN + 1 rows unset
 */
void
SetSpecialRows(Matrix<float>& vectors)
{
    constexpr std::size_t FIRST = Vocabulary::UNKNOWN + 1;
    for (std::size_t column = 0; column < vectors.columns; ++column)
    {
        double sum = 0;
        for (std::size_t row = FIRST; row < vectors.rows; ++row)
        {
            sum += vectors(row, column);
        }
        vectors(Vocabulary::UNKNOWN, column) =
            static_cast<float>(sum / static_cast<double>(vectors.rows - FIRST));
    }
}

} // namespace

WordVectors
LoadWordVectors(const std::string& path, uint32_t mostWords)
{
    DataFile file(path);
    WordVectors result;
    Matrix<float>& vectors = result.vectors;
    std::string line;
    while (result.vocabulary.Size() <= mostWords + uint64_t{Vocabulary::UNKNOWN} &&
           file.ReadLine(line))
    {
        std::string_view rest = line;
        if (vectors.columns == 0)
        {
            const auto blanks = std::count(line.begin(), line.end(), ' ');
            vectors.columns = static_cast<std::size_t>(std::max<std::ptrdiff_t>(blanks, 1));
            vectors.values.assign(vectors.columns * (Vocabulary::UNKNOWN + 1), 0.0F);
        }
        const std::size_t before = vectors.values.size();
        vectors.values.resize(before + vectors.columns);
        TakeVector(file, rest, vectors.columns, vectors.values.data() + before);
        if (!result.vocabulary.Add(std::string(rest)))
        {
            vectors.values.resize(before);
        }
    }
    if (vectors.columns == 0)
    {
        file.FailAtLine("found no word vectors");
    }
    vectors.rows = result.vocabulary.Size();
    SetSpecialRows(vectors);
    return result;
}

} // namespace collab
} // namespace ns3
