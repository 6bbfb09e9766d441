/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TORCH_MODULE_BASE_H
#define COLLAB_TORCH_MODULE_BASE_H

#include "ns3/collab-torch-model.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
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
    std::vector<std::size_t> Freeze(const std::set<std::string>& trained) override;
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
    std::vector<at::Tensor> m_state;      //!< buffers of the module, and what is frozen
    std::vector<at::Tensor> m_counters;   //!< buffers of whole numbers
    std::vector<at::Tensor> m_stateViews; //!< of the flat vector, one for each buffer
};

} // namespace ns3::collab

#endif /* COLLAB_TORCH_MODULE_BASE_H */
