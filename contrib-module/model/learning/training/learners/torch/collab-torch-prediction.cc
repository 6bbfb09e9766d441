/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-torch-prediction.h"

#include "collab-torch-batches.h"

#include "ns3/collab-batch-cut.h"

#include <ATen/ops/softmax.h>
#include <algorithm>
#include <c10/core/InferenceMode.h>

namespace ns3::collab
{

void
AddPredictions(const TorchModel& model,
               const PredictionWay& way,
               const DataView& inputs,
               Matrix<float>& outputs,
               bool isFirst)
{
    const c10::InferenceMode guard;
    ForwardContext context;
    context.channelsLast = way.channelsLast;
    context.isOnDevice = way.device.has_value();
    ViewReader reader(inputs, way.device);
    const at::Tensor samples =
        MakeSampleTensor(*inputs.data, way.device ? 0 : std::min(PASS_SAMPLES, inputs.Size()));
    for (std::size_t begin = 0; begin < inputs.Size(); begin += PASS_SAMPLES)
    {
        const std::size_t size = std::min(PASS_SAMPLES, inputs.Size() - begin);
        const auto position = [begin](std::size_t i) { return begin + i; };
        if (!way.device)
        {
            reader.Read(size, position, samples, 0);
        }
        const at::Tensor raw =
            model.Forward(way.device ? reader.Make(size, position)
                                     : samples.narrow(0, 0, static_cast<int64_t>(size)),
                          context);
        const at::Tensor batch = (way.isRaw ? raw : at::softmax(raw, 1)).cpu().contiguous();
        const auto* values = batch.data_ptr<float>();
        float* target = outputs.Row(begin);
        std::transform(values, values + batch.numel(), target, target, [=](float made, float sum) {
            return isFirst ? made : sum + made;
        });
    }
}

} // namespace ns3::collab
