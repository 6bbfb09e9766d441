/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What operators of LibTorch are said to cost, against counts by hand: one by one, and as modules
// that are made here.

#include "learning/learning-test-support.h"
#include "support/temporary-folder.h"

#include "ns3/collab-data-set.h"
#include "ns3/collab-model-registry.h"
#include "ns3/collab-torch-learner.h"
#include "ns3/collab-torch-operations.h"

#include <filesystem>
#include <functional>
#include <gmock/gmock.h>
#include <ostream>
#include <string>
#include <torch/csrc/jit/api/module.h>
#include <torch/nn/functional.h>
#include <torch/types.h>
#include <torch/version.h>
#include <vector>

namespace torch_operations_test
{

using namespace ns3::collab;
using namespace tests;

/// An operator and what it costs by hand
struct OperatorCase
{
    std::string name;                                       //!< of the operator
    std::vector<int64_t> shape;                             //!< of what it reads
    std::function<at::Tensor(const at::Tensor&)> operation; //!< what it does
    uint64_t forward;                                       //!< operations
    uint64_t backward;                                      //!< of the gradient
    uint64_t products = 0;                                  //!< multiply-adds, forward

    friend std::ostream&
    operator<<(std::ostream& out, const OperatorCase& tested)
    {
        return out << tested.name;
    }
};

/// @return 3 slopes, as prelu has one for each channel
at::Tensor
Slopes()
{
    return torch::full({3}, 0.25).requires_grad_();
}

/// @return a pass of an operator over samples of 2 x 3 x 8 numbers, or of 2 x 3 x 8 x 8
std::vector<OperatorCase>
ListOperators()
{
    namespace F = torch::nn::functional;
    using X = const at::Tensor&;
    const std::vector<int64_t> line = {2, 3, 8};
    const std::vector<int64_t> image = {2, 3, 8, 8};
    constexpr uint64_t LINE = 48;
    constexpr uint64_t IMAGE = 384;
    const auto maxima1d = [](X x) { return std::get<0>(at::adaptive_max_pool1d(x, 2)); };
    const auto maxima2d = [](X x) { return std::get<0>(at::adaptive_max_pool2d(x, {2, 2})); };
    const auto normalize = [](X x) {
        return at::instance_norm(x, {}, {}, {}, {}, true, 0.1, 1e-5, false);
    };
    const auto resize = [](bool isSmooth, X x) {
        auto options = F::InterpolateFuncOptions().scale_factor(std::vector<double>{2, 2});
        return F::interpolate(x,
                              isSmooth ? options.mode(torch::kBilinear).align_corners(false)
                                       : options.mode(torch::kNearest));
    };
    std::vector<OperatorCase> cases = {
        // Windows of 4: 3 comparisons; a gradient goes to one of the numbers of a window
        {"max_pool1d", line, [](X x) { return at::max_pool1d(x, 4); }, 3 * 12, LINE},
        // Each number is added once; the gradient is divided once for each
        {"avg_pool1d", line, [](X x) { return at::avg_pool1d(x, 4); }, LINE, LINE},
        {"means1d", line, [](X x) { return at::adaptive_avg_pool1d(x, 2); }, LINE, LINE},
        {"maxima1d", line, maxima1d, LINE, LINE},
        {"maxima2d", image, maxima2d, IMAGE, IMAGE},
        // As batch normalization
        {"instance_norm", image, normalize, 7 * IMAGE, 7 * IMAGE},
        // x clamp(x + 3, 0, 6) / 6
        {"hardswish", line, [](X x) { return at::hardswish(x); }, 4 * LINE, 4 * LINE},
        // clamp(x + 3, 0, 6) / 6
        {"hardsigmoid", line, [](X x) { return at::hardsigmoid(x); }, 3 * LINE, 2 * LINE},
        // A comparison and a product; the same backward, and product and sum for the slopes
        {"prelu", line, [](X x) { return at::prelu(x, Slopes()); }, 2 * LINE, 4 * LINE},
        // a sigmoid(b): 4 and 1 for each number that is made. Backward the sigmoid s, its product
        // with the gradient g, and g a s (1 - s)
        {"glu", {2, 8}, [](X x) { return at::glu(x, 1); }, 5 * 8, (4 + 1 + 4) * 8},
        // x tanh(log(1 + exp(x)))
        {"mish", line, [](X x) { return at::mish(x); }, 5 * LINE, 14 * LINE},
        // Numbers are copied; their gradients are summed
        {"nearest", image, [resize](X x) { return resize(false, x); }, 0, 4 * IMAGE},
        // Four products and three sums; four products and sums
        {"bilinear",
         image,
         [resize](X x) { return resize(true, x); },
         7 * 4 * IMAGE,
         8 * 4 * IMAGE}};
#if TORCH_VERSION_MAJOR >= 2
    // One query matrix for all of the three, 2 heads of 4 rows of width 8: scores (2 x 8 - 1),
    // scale, softmax (5), sums of 4 rows (2 x 4 - 1)
    const auto attend = [](X x) {
        return at::scaled_dot_product_attention(
            x, torch::full_like(x, 0.5), torch::full_like(x, 0.25));
    };
    const std::vector<int64_t> rows = {1, 2, 4, 8};
    cases.push_back({"attention", rows, attend, 32 * (15 + 1 + 5) + 64 * 7, 0, 32 * 8 + 64 * 4});
#endif
    return cases;
}

class TorchOperatorTest : public testing::TestWithParam<OperatorCase>
{
};

TEST_P(TorchOperatorTest, CostsWhatAHandCountSays)
{
    const OperatorCase& tested = GetParam();
    const at::Tensor x = torch::linspace(-1, 1, c10::multiply_integers(tested.shape))
                             .reshape(tested.shape)
                             .requires_grad_();
    at::Tensor made;
    const auto forward = CountTorchOperations([&]() { made = tested.operation(x); });
    EXPECT_EQ(forward.flops, tested.forward);
    EXPECT_EQ(forward.multiplyAdds, tested.products);
    const at::Tensor ones = torch::ones_like(made);
    const auto backward = CountTorchOperations([&]() { made.backward(ones); });
    if (tested.backward > 0)
    {
        EXPECT_EQ(backward.flops, tested.backward);
    }
}

INSTANTIATE_TEST_SUITE_P(Operators,
                         TorchOperatorTest,
                         testing::ValuesIn(ListOperators()),
                         [](const auto& instance) { return instance.param.name; });

class TorchModuleCostTest : public tests::TemporaryFolder
{
  protected:
    /// @return what a module with these weights and this forward() costs as a model of devices
    ModelDescription
    Describe(const std::vector<std::pair<std::string, std::vector<int64_t>>>& weights,
             const std::string& source,
             const std::vector<int64_t>& shape)
    {
        torch::jit::Module module("Made");
        for (const auto& [name, sizes] : weights)
        {
            const int64_t count = c10::multiply_integers(sizes);
            module.register_parameter(
                name, torch::linspace(-0.1, 0.2, count).reshape(sizes).requires_grad_(), false);
        }
        module.define(source);
        std::filesystem::create_directories(m_folder);
        const std::string path = m_folder / "made.pt";
        module.save(path);
        DataSet data;
        data.kind = FeatureKind::NUMBERS;
        data.sampleShape = shape;
        data.classes = 4;
        return DescribeModel("script:" + path, MakeModelInput(data));
    }
};

TEST_F(TorchModuleCostTest, NetworkOverALine)
{
    const auto network = Describe({{"kernel", {6, 2, 3}}, {"shift", {6}}, {"last", {4, 18}}},
                                  R"(
def forward(self, x):
    x = torch.conv1d(x, self.kernel, self.shift, [1], [1])
    x = torch.max_pool1d(torch.relu(x), [2])
    x = torch.adaptive_avg_pool1d(x, [3])
    return torch.matmul(x.flatten(1), self.last.t())
)",
                                  {2, 12});
    const uint64_t products = 6 * 12 * (2 * 3);
    EXPECT_EQ(network.CountParameters(), 36 + 6 + 72);
    EXPECT_EQ(network.CountMultiplyAdds(1), products + 72);
    // Convolution with biases, rectifier, one comparison for two numbers, mean of 36, last layer
    const uint64_t forward = 2 * products + 72 + 36 + 36 + (2 * 72 - 4);
    EXPECT_EQ(network.CountForwardFlops(1), forward);
    // Backward: last layer by weights and input, mean, pool, rectifier, kernel and shifts
    const uint64_t last = 2 * 72 - 18 + 2 * 72;
    const uint64_t backward = last + 36 + 72 + 72 + 2 * products + 72;
    EXPECT_EQ(network.CountTrainingFlops(100, 1), 100 * (forward + backward));
}

TEST_F(TorchModuleCostTest, BlockWithAttention)
{
    // 5 rows of 8 numbers, one head
    const auto block = Describe(
        {{"query", {8, 8}}, {"key", {8, 8}}, {"value", {8, 8}}, {"slope", {1}}, {"last", {8, 4}}},
        R"(
def forward(self, x):
    scores = torch.matmul(torch.matmul(x, self.query), torch.matmul(x, self.key).transpose(1, 2))
    x = torch.matmul(torch.softmax(scores, 2), torch.matmul(x, self.value))
    return torch.matmul(torch.prelu(torch.hardswish(x), self.slope).mean([1]), self.last)
)",
        {5, 8});
    const uint64_t projection = 5 * 8 * 8;
    const uint64_t scores = 5 * 5 * 8;
    EXPECT_EQ(block.CountParameters(), 3 * 64 + 1 + 32);
    EXPECT_EQ(block.CountMultiplyAdds(1), 3 * projection + 2 * scores + 32);
    const uint64_t forward = 3 * (2 * projection - 40) + (2 * scores - 25) + 5 * 25 +
                             (2 * scores - 40) + 4 * 40 + 2 * 40 + 40 + (2 * 32 - 4);
    EXPECT_EQ(block.CountForwardFlops(1), forward);
}

} // namespace torch_operations_test
