/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/refusals.h"
#include "support/test-data.h"

#include "ns3/collab-model-registry.h"

#include <gmock/gmock.h>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace ns3::collab;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace
{

/// A module, samples that it cannot read, and its words about them
struct WrongShape
{
    std::string module;         //!< name of its file
    std::vector<int64_t> shape; //!< of a sample
    std::string told;           //!< of the shape
    std::string error;          //!< of the module
};

TEST(ScriptShapeTest, AModuleThatCannotReadTheSamplesSaysSoInOneLine)
{
    const std::vector<WrongShape> cases = {
        {"resnet", {3, 28, 28}, "(3, 28, 28)", "to have 1 channels, but got 3 channels instead"},
        {"resnet", {8}, "(8)", "got input of size: [2, 8]"},
        {"transformer", {1, 28, 20}, "(1, 28, 20)", "mat1 and mat2 shapes cannot be multiplied"},
        {"lstm", {1, 28, 20}, "(1, 28, 20)", "input.size(-1) must be equal to input_size"}};
    for (const auto& [module, shape, told, error] : cases)
    {
        ModelInput input;
        input.sampleShape = shape;
        input.outputs = 10;
        const std::string model = "script:" + GetTestData("modules/" + module + ".pt");
        EXPECT_THAT(tests::ErrorOf([&] { DescribeModel(model, input); }),
                    AllOf(HasSubstr("fails on samples of shape " + told + ","),
                          HasSubstr(error),
                          Not(HasSubstr("\n")),
                          Not(HasSubstr("Traceback"))));
    }
}

} // namespace
