/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TORCH_MODULE_MODEL_H
#define COLLAB_TORCH_MODULE_MODEL_H

#include "collab-torch-model-measure.h"
#include "collab-torch-seed.h"

#include "ns3/collab-model-registry.h"
#include "ns3/collab-torch-model.h"

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

/**
 * @ingroup collab-learning
 * @brief A network whose tensors a module of LibTorch has made: a TorchScript module, or an own
 * one.
 *
 * Parameters and buffers of floating point are the flat vector, by their order in the module, all
 * parameters first; Bind() lets the module's own tensors show it. Other buffers, such as the
 * counters num_batches_tracked, stay with the module and are not sent. First weights are those with
 * which the module comes.
 *
 * RegisterModel<Module>() makes one of a torch::nn::Module. For anything else derive, adopt the
 * module's tensors in the constructor, and forward.
 */
class TorchModuleModel : public TorchModel
{
  public:
    ~TorchModuleModel() override;

    const std::vector<at::Tensor>& GetParameters() const override;
    void Bind(const at::Tensor& weights) override;
    std::vector<float> DrawWeights(uint64_t seed) const override;
    std::vector<int64_t> GetCounters() const override;
    void SetCounters(const std::vector<int64_t>& counters) override;

  protected:
    TorchModuleModel();

    /// @brief Take a tensor into the flat vector; all parameters before all buffers.
    /// @param name name of it in the module
    /// @param tensor tensor of it, float32 on the CPU
    /// @param isTrained whether it is a parameter that asks for a gradient
    /// @throws std::invalid_argument if it is of another type, or has a number that is not finite
    void Adopt(const std::string& name, const at::Tensor& tensor, bool isTrained);

    /// @brief Adopt a buffer of floating point; one of whole numbers is a counter.
    /// @param name name of it in the module
    /// @param buffer buffer on the CPU
    /// @throws std::invalid_argument as Adopt() does
    void AdoptBuffer(const std::string& name, const at::Tensor& buffer);

    /// @brief Adopt and keep all of a torch::nn::Module, which was made under a TorchSeed.
    /// @tparam Module its class
    /// @param module module whose tensors these are
    template <typename Module>
    void
    AdoptAll(const Module& module)
    {
        for (const auto& parameter : module.named_parameters())
        {
            Adopt(parameter.key(), parameter.value(), parameter.value().requires_grad());
        }
        for (const auto& buffer : module.named_buffers())
        {
            AdoptBuffer(buffer.key(), buffer.value());
        }
        KeepFirst();
    }

    /// @brief Keep the first weights, when all tensors are adopted.
    /// @param first these, shared with other models of the same file; null to copy the tensors
    void KeepFirst(std::shared_ptr<const std::vector<float>> first = nullptr);

    /// @return what KeepFirst() has kept
    const std::shared_ptr<const std::vector<float>>& GetFirst() const;

    /// @brief Let the buffers be copies, which a pass may write to.
    /// @param areCopies false for showing the flat vector again
    void DetachState(bool areCopies) const;

  private:
    std::shared_ptr<const std::vector<float>> m_first; //!< that the module came with
    std::vector<at::Tensor> m_trained;                 //!< parameters of the module
    std::vector<at::Tensor> m_state;                   //!< buffers of the module
    std::vector<at::Tensor> m_counters;                //!< buffers of whole numbers
    std::vector<at::Tensor> m_stateViews;              //!< of the flat vector, one for each buffer
};

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
