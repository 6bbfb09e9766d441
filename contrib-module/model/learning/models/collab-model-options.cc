/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-model-options.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-number.h"

#include <algorithm>
#include <fmt/ranges.h>
#include <sstream>

namespace ns3::collab
{

std::vector<int64_t>
ReadSizes(const std::string& model,
          const std::string& options,
          const std::vector<int64_t>& defaults)
{
    constexpr uint32_t GREATEST = 1000000;
    if (options.empty())
    {
        return defaults;
    }
    std::vector<int64_t> sizes;
    std::istringstream list(options + "-"); // so that a dash at the end has nothing behind it
    for (std::string item; std::getline(list, item, '-');)
    {
        const auto size = ParseWholeNumber(item);
        CheckArgument(
            size && *size >= 1 && *size <= GREATEST,
            "model {}: options \"{}\" are not numbers from 1 to {} with dashes between them",
            model,
            options,
            GREATEST);
        sizes.push_back(*size);
    }
    return sizes;
}

int64_t
ReadSize(const std::string& model, const std::string& options, int64_t fallback)
{
    const std::vector<int64_t> sizes = ReadSizes(model, options, {fallback});
    CheckArgument(sizes.size() == 1, "model {}: options \"{}\" are not one number", model, options);
    return sizes[0];
}

std::string
ReadChoice(const std::string& model,
           const std::string& options,
           const std::vector<std::string>& known)
{
    if (options.empty())
    {
        return known.front();
    }
    CheckArgument(std::find(known.begin(), known.end(), options) != known.end(),
                  "model {}: no option \"{}\"; there are: {}",
                  model,
                  options,
                  fmt::join(known, ", "));
    return options;
}

} // namespace ns3::collab
