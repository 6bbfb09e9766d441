/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-torch-script-model.h"

#include "collab-torch-model-measure.h"
#include "collab-torch-module-base.h"
#include "collab-torch-seed.h"

#include "ns3/collab-check-argument.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <mutex>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <torch/csrc/jit/passes/inliner.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/csrc/jit/serialization/import.h>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::collab
{

namespace
{

/// Operators that draw what they drop from the generator of the whole process
const std::set<std::string> DROPPING = {"aten::dropout",
                                        "aten::dropout_",
                                        "aten::feature_dropout",
                                        "aten::feature_dropout_",
                                        "aten::alpha_dropout",
                                        "aten::alpha_dropout_",
                                        "aten::feature_alpha_dropout",
                                        "aten::native_dropout",
                                        "aten::scaled_dot_product_attention",
                                        "aten::_scaled_dot_product_attention",
                                        "aten::multi_head_attention_forward",
                                        "aten::lstm",
                                        "aten::gru",
                                        "aten::rnn_tanh",
                                        "aten::rnn_relu",
                                        "aten::rrelu",
                                        "aten::rrelu_"};

/// Operators that draw numbers which a device could not draw again
const std::set<std::string> DRAWING = {
    "aten::rand",           "aten::rand_like", "aten::randn",
    "aten::randn_like",     "aten::randint",   "aten::randint_like",
    "aten::randperm",       "aten::bernoulli", "aten::bernoulli_",
    "aten::multinomial",    "aten::normal",    "aten::normal_",
    "aten::uniform_",       "aten::random_",   "aten::exponential_",
    "aten::geometric_",     "aten::cauchy_",   "aten::log_normal_",
    "aten::poisson",        "aten::binomial",  "aten::_sample_dirichlet",
    "aten::_standard_gamma"};

/// @param block block of a graph
/// @param[out] names names of all operators in it
void
CollectOperators(const torch::jit::Block& block, std::set<std::string>& names)
{
    for (const torch::jit::Node* node : block.nodes())
    {
        names.insert(node->kind().toQualString());
        for (const torch::jit::Block* inner : node->blocks())
        {
            CollectOperators(*inner, names);
        }
    }
}

/// @param names names of operators
/// @param some some of them
/// @return whether any of these is there
bool
HasAny(const std::set<std::string>& names, const std::set<std::string>& some)
{
    return std::any_of(
        some.begin(), some.end(), [&names](const auto& name) { return names.count(name) > 0; });
}

/// What a file has, as all models of it share it
struct ScriptFile
{
    std::filesystem::file_time_type written;         //!< when the file was written
    torch::jit::Module module;                       //!< as it was loaded; never run or changed
    std::shared_ptr<const std::vector<float>> first; //!< its weights
    bool drops = false;                              //!< whether it drops at random in training
    bool mixes = false;                              //!< whether samples change each other
};

/// @param text text of an error of LibTorch
/// @return its first telling line
std::string
Shorten(const std::string& text)
{
    // The interpreter puts it behind a trace of the module's code, with the kind of error in front
    static const std::regex kind(R"(^[\w.]*(Error|Exception): )");
    std::istringstream lines(text);
    std::string first;
    std::string telling;
    for (std::string line; std::getline(lines, line);)
    {
        std::smatch match;
        first = first.empty() ? line : first;
        telling = std::regex_search(line, match, kind) ? match.suffix().str() : telling;
    }
    return telling.empty() ? first : telling;
}

/// @brief Work with a module.
/// @tparam Work type of the work to be done
/// @param work work to be done
/// @param what failed action, to stand before LibTorch's words
/// @return what it returns
/// @throws std::invalid_argument with one line instead of LibTorch's errors
template <typename Work>
auto
WithModule(Work work, const std::string& what = "")
{
    try
    {
        return work();
    }
    catch (const c10::Error& error)
    {
        throw std::invalid_argument(what + Shorten(error.what_without_backtrace()));
    }
    catch (const std::runtime_error& error) // of the interpreter, such as a JITException
    {
        throw std::invalid_argument(what + Shorten(error.what()));
    }
}

/// @param original module
/// @return a module of its own, with parameters of its own
torch::jit::Module
Copy(const torch::jit::Module& original)
{
    const at::AutoGradMode isRecorded(false); // else they would be results of copying
    torch::jit::Module copy = original.deepcopy();
    std::map<const at::TensorImpl*, at::Tensor> copies;
    auto copied = copy.named_parameters().begin();
    for (const auto& parameter : original.named_parameters())
    {
        at::Tensor tensor = (*copied).value;
        tensor.requires_grad_(parameter.value.requires_grad());
        copies[parameter.value.unsafeGetTensorImpl()] = tensor;
        ++copied;
    }
    // LSTMs keep their parameters in a list, too, of which the copy has another one
    const auto originals = original.modules();
    auto from = originals.begin();
    for (torch::jit::Module module : copy.modules())
    {
        for (const auto& attribute : (*from).named_attributes(false))
        {
            if (attribute.value.isTensorList())
            {
                c10::List<at::Tensor> tensors = attribute.value.toTensorList().copy();
                for (std::size_t i = 0; i < tensors.size(); ++i)
                {
                    const at::Tensor tensor = tensors.get(i);
                    const auto found = copies.find(tensor.unsafeGetTensorImpl());
                    tensors.set(i, found == copies.end() ? tensor.clone() : found->second);
                }
                module.setattr(attribute.name, tensors);
            }
        }
        ++from;
    }
    return copy;
}

/// A TorchScript module.
class ScriptModel : public TorchModuleModel
{
  public:
    /// @param file file that all models of it share
    explicit ScriptModel(const ScriptFile& file)
        : m_module(Copy(file.module)),
          m_drops(file.drops),
          m_mixes(file.mixes)
    {
        for (const auto& parameter : m_module.named_parameters())
        {
            Adopt(parameter.name, parameter.value, parameter.value.requires_grad());
        }
        for (const auto& buffer : m_module.named_buffers())
        {
            AdoptBuffer(buffer.name, buffer.value);
        }
        KeepFirst(file.first);
        CheckArgument(CountParameters() != 0, "has no parameter to train; was it frozen?");
    }

    at::Tensor
    Forward(const at::Tensor& samples, const ForwardContext& context) const override
    {
        m_module.train(context.isTraining);
        // TorchScript's profiles and fusions would depend on what ran before, and on where
        const torch::jit::GraphOptimizerEnabledGuard plain(false);
        const bool keepsState = context.isTraining && !context.updatesState && m_mixes;
        if (keepsState)
        {
            DetachState(true);
        }
        std::optional<TorchSeed> seed;
        if (context.isTraining && m_drops)
        {
            seed.emplace((*context.generator)(), samples);
        }
        at::Tensor outputs = Run(samples);
        if (keepsState)
        {
            DetachState(false);
        }
        return outputs;
    }

    bool
    MixesSamples() const override
    {
        return m_mixes;
    }

    bool
    NeedsTwoSamples() const override
    {
        return m_mixes; // of one value a channel, for all that is known
    }

    using TorchModuleModel::GetFirst;

  private:
    /// @param samples samples of a pass
    /// @return what the module makes of them
    at::Tensor
    Run(const at::Tensor& samples) const
    {
        const c10::IValue outputs = m_module.forward({samples});
        CheckArgument(outputs.isTensor(), "forward() makes a {}, not a tensor", outputs.tagKind());
        return outputs.toTensor();
    }

    mutable torch::jit::Module m_module; //!< whose tensors show the weights
    bool m_drops;                        //!< whether it drops at random in training
    bool m_mixes;                        //!< whether samples change each other's outputs
};

/// @param path path of a file
/// @return what it has; loaded again if it has been written since
/// @throws std::invalid_argument if it is no module, or one that draws
std::shared_ptr<const ScriptFile>
Load(const std::string& path)
{
    static std::mutex access;
    static std::map<std::string, std::shared_ptr<const ScriptFile>> files;
    const std::lock_guard<std::mutex> lock(access);
    std::error_code error;
    const auto written = std::filesystem::last_write_time(path, error);
    CheckArgument(!error, "cannot be read: {}", error.message());
    auto& known = files[path];
    if (known && known->written == written)
    {
        return known;
    }
    auto file = std::make_shared<ScriptFile>();
    file->written = written;
    file->module = torch::jit::load(path, at::kCPU);
    const auto method = file->module.find_method("forward");
    CheckArgument(method, "has no method forward()");
    const auto graph = method->graph()->copy();
    torch::jit::Inline(*graph);
    std::set<std::string> operators;
    CollectOperators(*graph->block(), operators);
    for (const std::string& name : operators)
    {
        CheckArgument(DRAWING.count(name) == 0,
                      "draws random numbers by {}; only dropout can be drawn again by a learner",
                      name);
    }
    file->drops = HasAny(operators, DROPPING);
    file->mixes = HasAny(operators, {"aten::batch_norm", "aten::instance_norm"});
    file->first = ScriptModel(*file).GetFirst();
    known = std::move(file);
    return known;
}

/// @param path path of a file
/// @param input what the model reads
/// @return its cost, measured once
MeasuredModel
Describe(const std::string& path, const ModelInput& input)
{
    using Key =
        std::tuple<std::string, std::filesystem::file_time_type, std::vector<int64_t>, bool>;
    static std::mutex access;
    static std::map<Key, MeasuredModel> known;
    return WithModule([&]() {
        const auto file = Load(path);
        const Key key(path, file->written, input.sampleShape, input.vocabulary > 0);
        const std::lock_guard<std::mutex> lock(access);
        auto found = known.find(key);
        if (found == known.end())
        {
            const auto make = [&file]() { return std::make_unique<ScriptModel>(*file); };
            const auto measure = [&]() { return MeasureModel(make, input); };
            const std::string what = fmt::format("it fails on samples of shape ({}), as those of "
                                                 "the data set are: ",
                                                 fmt::join(input.sampleShape, ", "));
            found = known.emplace(key, WithModule(measure, what)).first;
        }
        return found->second;
    });
}

} // namespace

std::unique_ptr<TorchModel>
MakeScriptModel(const std::string& path, const ModelInput& input)
{
    Describe(path, input); // refuses what it cannot read
    return WithModule([&]() -> std::unique_ptr<TorchModel> {
        return std::make_unique<ScriptModel>(*Load(path));
    });
}

ModelDescription
DescribeScriptModel(const std::string& path, const ModelInput& input)
{
    return Describe(path, input).description;
}

std::size_t
CountScriptOutputs(const std::string& path, const ModelInput& input)
{
    return Describe(path, input).outputs;
}

} // namespace ns3::collab
