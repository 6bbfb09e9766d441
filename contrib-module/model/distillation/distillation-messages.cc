/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "distillation-messages.h"

#include "ns3/collab-check-argument.h"

#include <algorithm>
#include <bitset>
#include <cmath>
#include <memory>
#include <numeric>

namespace ns3::collab
{

namespace
{

constexpr float ROUNDING = 1e-3F; //!< by which probabilities may miss 1

} // namespace

std::size_t
RowsOnWire::CountPresent() const
{
    return std::accumulate(
        mask.begin(), mask.end(), std::size_t{0}, [](std::size_t sum, uint8_t b) {
            return sum + std::bitset<8>(b).count();
        });
}

void
RowsOnWire::Set(const LabeledRows& said)
{
    mask.assign((samples + 7) / 8, 0);
    for (const uint32_t sample : said.samples)
    {
        mask[sample / 8] |= static_cast<uint8_t>(1U << (sample % 8));
    }
    values = std::make_shared<const std::vector<float>>(said.rows.values);
    m_present = said.samples.size();
}

LabeledRows
RowsOnWire::Get() const
{
    LabeledRows said;
    for (uint32_t sample = 0; sample < samples; ++sample)
    {
        if ((mask[sample / 8] >> (sample % 8) & 1U) != 0)
        {
            said.samples.push_back(sample);
        }
    }
    said.rows.rows = said.samples.size();
    said.rows.columns = classes;
    said.rows.values = *values;
    return said;
}

void
RowsOnWire::Check() const
{
    const std::size_t beyond = mask.size() * 8 - samples; // fewer than 8
    Require<PayloadError>(mask.size() == (samples + 7) / 8 && values &&
                              values->size() == CountPresent() * classes &&
                              (beyond == 0 || mask.back() >> (8 - beyond) == 0),
                          "rows of samples that X* does not have");
    for (std::size_t i = 0; !areScores && i < values->size(); i += classes)
    {
        const auto row = values->begin() + static_cast<std::ptrdiff_t>(i);
        const auto end = row + static_cast<std::ptrdiff_t>(classes);
        const float sum = std::accumulate(row, end, 0.0F);
        Require<PayloadError>(*std::min_element(row, end) >= 0 && std::abs(sum - 1) <= ROUNDING,
                              "a row that is no distribution of classes: it adds up to {}",
                              sum);
    }
}

} // namespace ns3::collab
