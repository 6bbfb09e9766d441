/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TORCH_MODULE_MODEL_H
#define COLLAB_TORCH_MODULE_MODEL_H

#include "collab-torch-model-measure.h"
#include "collab-torch-module-base.h"
#include "collab-torch-seed.h"

#include "ns3/collab-model-registry.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief A class of modules as a model; see RegisterModel<Module>().
/// @tparam Module class derived from torch::nn::Module
template <typename Module>
class ModuleModel : public TorchModuleModel
{
  public:
    /// What the module makes: an at::Tensor, of which this header knows no more than the name
    using Outputs = decltype(std::declval<Module&>().forward(std::declval<const at::Tensor&>()));

    /// @param options options after the name's colon
    /// @param input what it reads
    /// @param seed seed of the first weights
    /// @throws std::invalid_argument if there are options and the module takes none
    ModuleModel(const std::string& options, const ModelInput& input, uint64_t seed = 0)
        : m_options(options),
          m_input(input),
          m_module(Make(options, input, seed))
    {
        AdoptAll(*m_module);
        m_mixes = CountWeights() > CountParameters();
    }

    Outputs
    Forward(const at::Tensor& samples, const ForwardContext& context) const override
    {
        m_module->train(context.isTraining);
        const bool keepsState = context.isTraining && !context.updatesState && m_mixes;
        if (keepsState)
        {
            DetachState(true);
        }
        std::optional<TorchSeed> seed;
        if (context.isTraining && m_draws)
        {
            seed.emplace((*context.generator)(), samples);
        }
        Outputs outputs = m_module->forward(samples);
        m_draws = seed ? seed->HasDrawn() : m_draws;
        if (keepsState)
        {
            DetachState(false);
        }
        return outputs;
    }

    std::vector<float>
    DrawWeights(uint64_t seed) const override
    {
        return *ModuleModel(m_options, m_input, seed).GetFirst();
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

  private:
    /// @param options options after the name's colon
    /// @param input what it reads
    /// @param seed seed of the first weights
    /// @return a module
    static std::shared_ptr<Module>
    Make(const std::string& options, const ModelInput& input, uint64_t seed)
    {
        const TorchSeed seeded(seed);
        if constexpr (std::is_constructible_v<Module, const ModelInput&, const std::string&>)
        {
            return std::make_shared<Module>(input, options);
        }
        else
        {
            if (!options.empty())
            {
                throw std::invalid_argument("the model takes no options, not \"" + options + "\"");
            }
            return std::make_shared<Module>(input);
        }
    }

    std::string m_options;            //!< what it was made with
    ModelInput m_input;               //!< what it reads
    std::shared_ptr<Module> m_module; //!< what computes
    bool m_mixes = false;             //!< whether it has running statistics of batches
    mutable bool m_draws = true;      //!< until a pass in training has shown that it does not
};

/**
 * @brief Add a class of modules to the models that can be named; call before learners are made.
 *
 * The module is derived from torch::nn::Module, has a constructor from a ModelInput, or from that
 * and the options after the name's colon, and `at::Tensor forward(at::Tensor)`. First weights
 * follow the learner's seed, as does what it draws in training, such as masks of dropout. One with
 * buffers of floating point is taken to normalize batches.
 *
 * @tparam Module class derived from torch::nn::Module
 * @param name name without a colon
 * @throws std::invalid_argument as the other RegisterModel() does
 */
template <typename Module>
void
RegisterModel(const std::string& name)
{
    ModelFactory factory;
    factory.make = [](const std::string& options, const ModelInput& input) {
        return std::make_unique<ModuleModel<Module>>(options, input);
    };
    factory.describe = [make = factory.make](const std::string& options, const ModelInput& input) {
        return MeasureModel([&]() { return make(options, input); }, input).description;
    };
    RegisterModel(name, factory);
}

} // namespace ns3::collab

#endif /* COLLAB_TORCH_MODULE_MODEL_H */
