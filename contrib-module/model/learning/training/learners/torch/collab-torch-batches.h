/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TORCH_BATCHES_H
#define COLLAB_TORCH_BATCHES_H

#include "ns3/collab-check-argument.h"
#include "ns3/collab-data-set.h"
#include "ns3/collab-device-features.h"
#include "ns3/collab-sample-reader.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @param data data whose samples fill the tensor
/// @param samples number of samples
/// @return a tensor for so many samples: int64 for TOKENS, else float
inline at::Tensor
MakeSampleTensor(const DataSet& data, std::size_t samples)
{
    std::vector<int64_t> sizes = data.sampleShape;
    sizes.insert(sizes.begin(), static_cast<int64_t>(samples));
    return at::empty(sizes, data.kind == FeatureKind::TOKENS ? at::kLong : at::kFloat);
}

/// Decodes samples of one view into tensors of MakeSampleTensor().
class ViewReader
{
  public:
    /// @param view view whose samples to read; must outlive the reader
    /// @param device where Make() puts them; none: the processor
    /// @throws std::invalid_argument if the view's transform cannot be applied
    explicit ViewReader(const DataView& view, const std::optional<at::Device>& device = {})
        : m_view(view),
          m_reader(view),
          m_device(device.value_or(at::kCPU))
    {
        if (device && !view.transform)
        {
            m_features = DeviceFeatures::Get(view.data, m_device);
        }
    }

    /// @param size number of samples; at least 1
    /// @param position function that gives the position in the view of each of them, 0 to size - 1
    /// @return what a model reads of them, on the device
    template <typename Position>
    at::Tensor
    Make(std::size_t size, Position position)
    {
        if (!m_features)
        {
            const at::Tensor samples = MakeSampleTensor(*m_view.data, size);
            Read(size, position, samples, 0);
            return samples.to(m_device);
        }
        const at::Tensor indices = at::empty({static_cast<int64_t>(size)}, at::kLong);
        for (std::size_t i = 0; i < size; ++i)
        {
            indices.data_ptr<int64_t>()[i] = m_view.indices[position(i)];
        }
        return m_features->Gather(indices.to(m_device));
    }

    /// @param size number of samples
    /// @param position function that gives the position in the view of each of them, 0 to size - 1
    /// @param tensor where to put them
    /// @param row row of the tensor where the first one goes
    template <typename Position>
    void
    Read(std::size_t size, Position position, const at::Tensor& tensor, std::size_t row)
    {
        if (m_view.data->kind == FeatureKind::TOKENS)
        {
            ReadAs<int64_t>(size, position, tensor, row);
        }
        else
        {
            ReadAs<float>(size, position, tensor, row);
        }
    }

  private:
    /// @tparam Value element type of the tensor
    /// @param size number of samples
    /// @param position function that gives the position in the view of each of them
    /// @param tensor where to put them
    /// @param row row of the tensor where the first one goes
    template <typename Value, typename Position>
    void
    ReadAs(std::size_t size, Position position, const at::Tensor& tensor, std::size_t row)
    {
        Value* next = tensor.data_ptr<Value>() + row * m_view.data->SampleSize();
        for (std::size_t i = 0; i < size; ++i)
        {
            next = m_reader.Read(m_view.indices[position(i)], next);
        }
    }

    const DataView& m_view;                           //!< whose samples to read
    SampleReader m_reader;                            //!< of its samples
    at::Device m_device;                              //!< where Make() puts them
    std::shared_ptr<const DeviceFeatures> m_features; //!< there; null if the view has a transform
};

/// Loads the samples of each step into tensors that are made once for a whole training job.
class StepLoader
{
  public:
    /// @param local the learner's own samples; must outlive the loader
    /// @param localBatch most local samples of a step
    /// @param references samples X*, or null; must outlive the loader
    /// @param referenceBatch most reference samples of a step
    /// @param device where the tensors are; none: the processor
    /// @throws std::invalid_argument if one of them is of tokens and the other one is not, or if a
    /// view's transform cannot be applied
    StepLoader(const DataView& local,
               std::size_t localBatch,
               const DataView* references,
               std::size_t referenceBatch,
               const std::optional<at::Device>& device = {})
        : m_local(local),
          m_device(device),
          m_localReader(local, device),
          m_referenceReader(references ? *references : local, device),
          m_samples(MakeSampleTensor(*local.data, device ? 0 : localBatch + referenceBatch)),
          m_labels(at::empty({static_cast<int64_t>(localBatch)}, at::kLong))
    {
        const FeatureKind kind = local.data->kind;
        const FeatureKind other = references ? references->data->kind : kind;
        CheckArgument((kind == FeatureKind::TOKENS) == (other == FeatureKind::TOKENS),
                      "local samples of kind {} beside reference samples of kind {}, expected "
                      "tokens in both or in neither",
                      ToString(kind),
                      ToString(other));
    }

    /// @param positions positions of local samples in their view
    /// @param size number of local samples
    /// @param references positions of reference samples in their view
    /// @param referenceSize number of reference samples
    /// @return local samples, then reference samples; valid until the next call
    at::Tensor
    LoadSamples(const uint32_t* positions,
                std::size_t size,
                const uint32_t* references,
                std::size_t referenceSize)
    {
        const auto local = [=](std::size_t i) { return positions[i]; };
        const auto reference = [=](std::size_t i) { return references[i]; };
        if (m_device)
        {
            std::vector<at::Tensor> parts;
            if (size > 0)
            {
                parts.push_back(m_localReader.Make(size, local));
            }
            if (referenceSize > 0)
            {
                parts.push_back(m_referenceReader.Make(referenceSize, reference));
            }
            return at::cat(parts);
        }
        m_localReader.Read(size, local, m_samples, 0);
        m_referenceReader.Read(referenceSize, reference, m_samples, size);
        return m_samples.narrow(0, 0, static_cast<int64_t>(size + referenceSize));
    }

    /// @param positions positions of local samples in their view
    /// @param size number of local samples
    /// @return their labels; valid until the next call
    at::Tensor
    LoadLabels(const uint32_t* positions, std::size_t size)
    {
        std::transform(positions,
                       positions + size,
                       m_labels.data_ptr<int64_t>(),
                       [this](uint32_t position) { return m_local.labels[position]; });
        return m_labels.narrow(0, 0, static_cast<int64_t>(size)).to(m_device.value_or(at::kCPU));
    }

    /// @param positions positions of local samples in their view, whose data set is one for
    /// regression
    /// @param size number of local samples
    /// @return their targets, size x outputs; valid until the next call
    at::Tensor
    LoadTargets(const uint32_t* positions, std::size_t size)
    {
        const DataSet& data = *m_local.data;
        if (!m_targets.defined())
        {
            m_targets = at::empty({m_labels.size(0), static_cast<int64_t>(data.outputs)});
        }
        auto* next = m_targets.data_ptr<float>();
        for (std::size_t i = 0; i < size; ++i)
        {
            const std::size_t index = m_local.indices[positions[i]];
            next = std::copy_n(data.targets.data() + index * data.outputs, data.outputs, next);
        }
        return m_targets.narrow(0, 0, static_cast<int64_t>(size)).to(m_device.value_or(at::kCPU));
    }

  private:
    const DataView& m_local;            //!< the learner's own samples
    std::optional<at::Device> m_device; //!< where the tensors are, if not with the host's ways
    ViewReader m_localReader;           //!< of the local samples
    ViewReader m_referenceReader; //!< of the reference samples; of the local ones without them
    at::Tensor m_samples;         //!< local samples, then reference samples
    at::Tensor m_labels;          //!< of the local samples, in classification
    at::Tensor m_targets;         //!< of the local samples, in regression; made when first needed
};
} // namespace ns3::collab

#endif /* COLLAB_TORCH_BATCHES_H */
