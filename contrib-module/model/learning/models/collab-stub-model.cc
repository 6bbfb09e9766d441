/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-stub-model.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-number.h"

#include <algorithm>

namespace ns3::collab
{

namespace
{

constexpr uint64_t KEPT = 1000;                    //!< most weights in memory
constexpr uint64_t MOST_PARAMETERS = 1000000000;   //!< 4 GB, as many as one message can carry
constexpr uint64_t MOST_FLOPS = 1000000000000000;  //!< a sample
constexpr uint64_t TRAINING_FLOPS_A_PARAMETER = 6; //!< 2 forward, 4 backward
constexpr uint64_t TRAINING_TO_FORWARD = 3;        //!< of operations

/// @param text digits
/// @param greatest number allowed
/// @return the number; 0 if it is none from 1 to the greatest
uint64_t
ReadNumber(const std::string& text, uint64_t greatest)
{
    const uint64_t number = ParseWholeNumber<uint64_t>(text).value_or(0);
    return number <= greatest ? number : 0;
}

} // namespace

bool
IsStub(const std::string& model)
{
    return model.substr(0, model.find(':')) == "stub";
}

ModelDescription
DescribeStub(const std::string& options)
{
    const std::size_t colon = std::min(options.find(':'), options.size());
    const uint64_t parameters = ReadNumber(options.substr(0, colon), MOST_PARAMETERS);
    const uint64_t flops = colon == options.size()
                               ? TRAINING_FLOPS_A_PARAMETER * parameters
                               : ReadNumber(options.substr(colon + 1), MOST_FLOPS);
    CheckArgument(
        parameters != 0 && flops != 0 && (parameters <= KEPT || parameters % KEPT == 0),
        "model stub: options \"{}\" are not PARAMETERS or PARAMETERS:FLOPS, with parameters of at "
        "most {}, or a multiple of it up to {}, and the operations of training with a sample",
        options,
        KEPT,
        MOST_PARAMETERS);
    LayerCost layer;
    layer.name = "stub";
    layer.parameters = parameters;
    layer.forwardFlops = flops / TRAINING_TO_FORWARD;
    layer.parameterGradientFlops = flops - layer.forwardFlops;
    return ModelDescription({layer});
}

uint32_t
GetStubMultiplicity(uint64_t parameters)
{
    return static_cast<uint32_t>(parameters <= KEPT ? 1 : parameters / KEPT);
}

} // namespace ns3::collab
