/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-libsvm-file.h"

#include "collab-data-file.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-error.h"
#include "ns3/collab-number.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

namespace ns3::collab
{

namespace
{

/// @param text text whose first word to take away
/// @return that word, empty if there is none
std::string_view
TakeWord(std::string_view& text)
{
    const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
    const std::size_t end = std::min(text.find_first_of(" \t", begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    text.remove_prefix(end);
    return word;
}

/// @param file file whose present line it is
/// @param word first of the line
/// @param layout layout of the file
/// @return the class
int64_t
ParseLabel(const DataFile& file, std::string_view word, const LibsvmLayout& layout)
{
    const auto last = layout.firstLabel + static_cast<int64_t>(layout.classes) - 1;
    const auto label = ParseNumber(word);
    if (layout.isSigned && label && std::abs(*label) == 1)
    {
        return *label > 0 ? 1 : 0;
    }
    if (layout.isSigned || !label || !(*label >= static_cast<double>(layout.firstLabel)) ||
        !(*label <= static_cast<double>(last)) || *label != std::floor(*label))
    {
        file.FailAtLine(fmt::format(
            "found label '{}', expected {}",
            Shortened(word),
            layout.isSigned
                ? "-1 or +1"
                : fmt::format("a whole number from {} to {}", layout.firstLabel, last)));
    }
    return static_cast<int64_t>(*label) - layout.firstLabel;
}

/// @param file file whose present line it is
/// @param word index:value
/// @param previous index before it; becomes its own
/// @param size greatest index allowed
/// @return the value
float
ParsePair(const DataFile& file, std::string_view word, std::size_t& previous, std::size_t size)
{
    const std::size_t colon = std::min(word.find(':'), word.size());
    const auto index = ParseNumber(word.substr(0, colon));
    const auto value = ParseNumber(word.substr(std::min(colon + 1, word.size())));
    if (!index || !value || !std::isfinite(static_cast<float>(*value)))
    {
        file.FailAtLine(
            fmt::format("found '{}', expected index:value with a finite value", Shortened(word)));
    }
    if (!(*index > static_cast<double>(previous)) || !(*index <= static_cast<double>(size)) ||
        *index != std::floor(*index))
    {
        file.FailAtLine(fmt::format("found index '{}', expected a whole number from {} to {}",
                                    Shortened(word.substr(0, colon)),
                                    previous + 1,
                                    size));
    }
    previous = static_cast<std::size_t>(*index);
    return static_cast<float>(*value);
}

} // namespace

LibsvmLayout
GetUspsLayout()
{
    LibsvmLayout layout;
    layout.name = "usps";
    layout.sampleShape = {1, 16, 16};
    layout.classes = 10;
    return layout;
}

std::shared_ptr<const DataSet>
LoadLibsvmDataSet(const std::string& path, const LibsvmLayout& layout)
{
    auto data = std::make_shared<DataSet>();
    data->name = layout.name;
    data->kind = FeatureKind::NUMBERS;
    data->sampleShape = layout.sampleShape;
    data->classes = layout.classes;
    data->Validate(); // the layout, since there are no samples yet
    CheckArgument(!layout.isSigned || layout.classes == 2,
                  "{} classes with the labels -1 and +1, expected 2",
                  layout.classes);
    const std::size_t size = data->SampleSize();
    DataFile file(path);
    std::string line;
    while (file.ReadLine(line))
    {
        std::string_view rest = std::string_view(line).substr(0, line.find('#'));
        std::string_view word = TakeWord(rest);
        if (word.empty())
        {
            continue;
        }
        data->labels.push_back(ParseLabel(file, word, layout));
        data->numbers.resize(data->numbers.size() + size, 0.0F);
        float* values = data->numbers.data() + data->numbers.size() - size;
        std::size_t index = 0;
        for (word = TakeWord(rest); !word.empty(); word = TakeWord(rest))
        {
            const float value = ParsePair(file, word, index, size);
            values[index - 1] = value;
        }
    }
    if (data->labels.empty())
    {
        file.FailAtLine("found no samples, expected lines of label index:value ...");
    }
    return data;
}

} // namespace ns3::collab
