/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/refusals.h"
#include "support/temporary-folder.h"

#include "ns3/collab-model-description.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <stdexcept>
#include <torch/csrc/jit/api/module.h>
#include <torch/types.h>

namespace
{

using namespace ns3::collab;

/// Where modules are saved
class ScriptTypesTest : public tests::TemporaryFolder
{
};

TEST_F(ScriptTypesTest, ParametersAreFloats)
{
    std::filesystem::create_directory(m_folder);
    const std::string path = m_folder / "double.pt";
    torch::jit::Module module("Double");
    module.register_parameter("scale", torch::ones({1}, torch::kDouble), false);
    module.define("def forward(self, samples):\n    return samples * self.scale\n");
    module.save(path);
    ModelInput input;
    input.sampleShape = {1};
    input.outputs = 1;
    tests::ExpectRefused("tensor scale is of type Double on cpu, not float on cpu",
                         [&] { DescribeModel("script:" + path, input); });
}

} // namespace
