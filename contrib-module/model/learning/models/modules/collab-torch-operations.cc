/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-torch-operations.h"

#include "ns3/collab-check-argument.h"

#include <ATen/core/Tensor.h>
#include <ATen/record_function.h>
#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::collab
{

namespace
{

using Values = const std::vector<c10::IValue>&;
using Cost = std::function<TorchOperations(Values inputs, Values outputs)>;

/// @param values inputs or outputs of an operator
/// @return elements of the first tensor among them
uint64_t
CountFirst(Values values)
{
    for (const auto& value : values)
    {
        if (value.isTensor() && value.toTensor().defined())
        {
            return static_cast<uint64_t>(value.toTensor().numel());
        }
    }
    return 0;
}

/// @param inputs inputs of an operator
/// @return elements of the largest tensor among them
uint64_t
CountLargest(Values inputs)
{
    uint64_t largest = 0;
    for (const auto& value : inputs)
    {
        if (value.isTensor() && value.toTensor().defined())
        {
            largest = std::max(largest, static_cast<uint64_t>(value.toTensor().numel()));
        }
    }
    return largest;
}

/// @param operations operations for each element that is made
/// @return the cost of an operator that makes one element of one, or of a pair
Cost
PerOutput(uint64_t operations)
{
    return [operations](Values, Values outputs) {
        return TorchOperations{operations * CountFirst(outputs), 0};
    };
}

/// @param operations operations for each element that is read
/// @return the cost of an operator that makes fewer elements than it reads
Cost
PerInput(uint64_t operations)
{
    return [operations](Values inputs, Values) {
        return TorchOperations{operations * CountLargest(inputs), 0};
    };
}

/// @param operations operations for each element of the first tensor that is read
/// @return the cost of a gradient that is made of that of a result
Cost
PerGradient(uint64_t operations)
{
    return [operations](Values inputs, Values) {
        return TorchOperations{operations * CountFirst(inputs), 0};
    };
}

/// @param left place of the left matrix, or matrices, among the inputs
/// @param hasSum whether products are added to something
/// @return the cost of a product of matrices
Cost
Product(std::size_t left, bool hasSum)
{
    return [left, hasSum](Values inputs, Values outputs) {
        const auto inner = static_cast<uint64_t>(inputs[left].toTensor().size(-1));
        const uint64_t made = CountFirst(outputs);
        return TorchOperations{2 * inner * made - (hasSum ? 0 : made), inner * made};
    };
}

/// @param weight weight of a convolution
/// @return products for each number that it makes
uint64_t
CountKernel(const at::Tensor& weight)
{
    return static_cast<uint64_t>(weight.numel() / weight.size(0));
}

/// @return the cost of a convolution
TorchOperations
CountConvolution(Values inputs, Values outputs)
{
    const uint64_t made = CountFirst(outputs);
    const bool isTransposed = inputs.size() > 6 && inputs[6].isBool() && inputs[6].toBool();
    const at::Tensor& weight = inputs[1].toTensor();
    const uint64_t products =
        isTransposed ? CountKernel(weight) * CountFirst(inputs) : CountKernel(weight) * made;
    const bool hasBias = inputs[2].isTensor() && inputs[2].toTensor().defined();
    return {2 * products - (hasBias ? 0 : made), products};
}

/// @return the cost of the gradients of a convolution that were asked for
TorchOperations
CountConvolutionGradients(Values inputs, Values outputs)
{
    const at::Tensor& gradient = inputs[0].toTensor();
    const auto made = static_cast<uint64_t>(gradient.numel());
    const uint64_t products = made * CountKernel(inputs[2].toTensor());
    TorchOperations cost;
    const auto isAsked = [&outputs](std::size_t place) {
        return outputs[place].isTensor() && outputs[place].toTensor().defined();
    };
    if (isAsked(0))
    {
        cost.flops += 2 * products - static_cast<uint64_t>(outputs[0].toTensor().numel());
        cost.multiplyAdds += products;
    }
    if (isAsked(1))
    {
        cost.flops += 2 * products;
        cost.multiplyAdds += products;
    }
    cost.flops += isAsked(2) ? made : 0;
    return cost;
}

/// @brief An LSTM that runs as one operator: inputs, then the two matrices of weights.
/// @return its products, and 22 operations a unit and step for gates and state
TorchOperations
CountFusedLstm(Values inputs, Values outputs)
{
    const at::Tensor& samples = inputs[0].toTensor();
    const at::Tensor& inner = inputs[2].toTensor(); // 4 units x units
    const auto steps = static_cast<uint64_t>(samples.numel() / samples.size(-1));
    const auto units = static_cast<uint64_t>(inner.size(-1));
    const uint64_t products = steps * 4 * units * (static_cast<uint64_t>(samples.size(-1)) + units);
    (void)outputs;
    return {2 * products + 22 * units * steps, products};
}

/// @return the gradients of CountFusedLstm(), by inputs, states and weights
TorchOperations
CountFusedLstmGradients(Values inputs, Values outputs)
{
    const TorchOperations forward = CountFusedLstm(inputs, outputs);
    return {2 * forward.flops, 2 * forward.multiplyAdds};
}

/// @return numbers of a max-pool's window less one, for each number that it makes
TorchOperations
CountMaxPool(Values inputs, Values outputs)
{
    uint64_t window = 1;
    for (const int64_t side : inputs[1].toIntVector())
    {
        window *= static_cast<uint64_t>(side);
    }
    return {(window - 1) * CountFirst(outputs), 0};
}

/// @param inputs inputs of attention
/// @param query place of the queries among them, before keys and values; ... x rows x width
/// @return elements of the queries, rows of the keys, and width of the values
std::tuple<uint64_t, uint64_t, uint64_t>
TellAttention(Values inputs, std::size_t query)
{
    const at::Tensor& queries = inputs[query].toTensor();
    return {static_cast<uint64_t>(queries.numel()),
            static_cast<uint64_t>(inputs[query + 1].toTensor().size(-2)),
            static_cast<uint64_t>(inputs[query + 2].toTensor().size(-1))};
}

/// @return the cost of attention as one operator: scores, their scale and softmax, weighted sums
TorchOperations
CountAttention(Values inputs, Values outputs)
{
    const auto [queries, keys, width] = TellAttention(inputs, 0);
    const uint64_t made = CountFirst(outputs);
    const uint64_t scores = made / width * keys;
    const uint64_t products = queries * keys + made * keys;
    return {2 * products - made + 5 * scores,
            products}; // scores: -1 of the product, scale, softmax
}

/// @return the gradients of CountAttention(), which computes scores and softmax anew
TorchOperations
CountAttentionGradients(Values inputs, Values outputs)
{
    const auto [queries, keys, width] = TellAttention(inputs, 1);
    const uint64_t sums = CountFirst(inputs); // their gradient
    const uint64_t scores = sums / width * keys;
    // Scores, gradients of queries and of keys; gradients of the softmax and of values
    const uint64_t products = 3 * queries * keys + 2 * sums * keys;
    uint64_t made = 2 * scores;
    for (std::size_t i = 0; i < 3; ++i)
    {
        made += static_cast<uint64_t>(outputs[i].toTensor().numel());
    }
    // Scale, difference and exponential; then backward 4 of the softmax and the scale
    return {2 * products - made + (3 + 5) * scores, products};
}

/// @param names names of operators with spaces between them
/// @return each, with the prefix that LibTorch gives it
std::vector<std::string>
Names(const std::string& names)
{
    std::istringstream stream(names);
    std::vector<std::string> all;
    for (std::string name; stream >> name;)
    {
        all.push_back("aten::" + name);
    }
    return all;
}

/// What costs something; what such an operator calls is part of it
const std::map<std::string, Cost>&
GetCosts()
{
    static const std::map<std::string, Cost> costs = [] {
        std::map<std::string, Cost> all;
        const auto add = [&all](const Cost& cost, const char* names) {
            for (const auto& name : Names(names))
            {
                all[name] = cost;
            }
        };
        add(Product(0, false), "mm bmm mv dot");
        add(Product(1, true), "addmm addmm_ baddbmm baddbmm_ addmv addmv_");
        add(CountConvolution, "convolution _convolution mkldnn_convolution");
        add(CountConvolutionGradients, "convolution_backward");
        add(CountFusedLstm, "mkldnn_rnn_layer");
        add(CountFusedLstmGradients, "mkldnn_rnn_layer_backward");
        add(CountMaxPool,
            "max_pool1d max_pool1d_with_indices max_pool2d_with_indices max_pool3d_with_indices");
        add(CountAttention,
            "_scaled_dot_product_flash_attention_for_cpu _scaled_dot_product_flash_attention");
        add(CountAttentionGradients,
            "_scaled_dot_product_flash_attention_for_cpu_backward "
            "_scaled_dot_product_flash_attention_backward");
        add(PerOutput(1),
            "add add_ sub sub_ rsub mul mul_ div div_ neg neg_ abs relu relu_ clamp clamp_ "
            "clamp_min clamp_min_ clamp_max hardtanh hardtanh_ sqrt sqrt_ rsqrt exp exp_ log log_ "
            "log1p reciprocal tanh tanh_ maximum minimum pow sin cos erf where masked_fill "
            "masked_fill_ sign threshold threshold_backward hardtanh_backward eq ne lt le gt ge "
            "logical_and logical_not leaky_relu_backward max_pool2d_with_indices_backward "
            "max_pool3d_with_indices_backward adaptive_max_pool2d_backward "
            "adaptive_max_pool3d_backward embedding_dense_backward index_add index_add_ "
            "nll_loss_forward nll_loss_backward mse_loss_backward");
        add(PerOutput(2),
            "addcmul addcmul_ addcdiv addcdiv_ lerp leaky_relu leaky_relu_ prelu _prelu_kernel "
            "native_dropout native_dropout_backward hardsigmoid_backward");
        add(PerOutput(3),
            "sigmoid_backward tanh_backward elu elu_ softplus hardsigmoid hardsigmoid_ "
            "upsample_linear1d _prelu_kernel_backward");
        add(PerOutput(4),
            "sigmoid sigmoid_ _softmax_backward_data _log_softmax _log_softmax_backward_data "
            "elu_backward softplus_backward hardswish hardswish_ hardswish_backward "
            "log_sigmoid_forward prelu_backward _fused_rms_norm");
        add(PerOutput(5),
            "_softmax _safe_softmax silu silu_ silu_backward gelu glu mish mish_ "
            "log_sigmoid_backward");
        add(PerOutput(7), "upsample_bilinear2d");
        add(PerOutput(8), "gelu_backward");
        add(PerOutput(14), "mish_backward");
        add(PerOutput(15), "upsample_trilinear3d");
        add(PerOutput(31), "upsample_bicubic2d");
        // A number that was read several times has the sum of their gradients
        add(PerGradient(1),
            "upsample_nearest1d_backward upsample_nearest2d_backward upsample_nearest3d_backward "
            "_upsample_nearest_exact1d_backward _upsample_nearest_exact2d_backward "
            "_upsample_nearest_exact3d_backward");
        add(PerGradient(4), "upsample_linear1d_backward");
        add(PerGradient(8), "upsample_bilinear2d_backward _fused_rms_norm_backward");
        add(PerGradient(9), "glu_backward");
        add(PerGradient(16), "upsample_trilinear3d_backward");
        add(PerGradient(32), "upsample_bicubic2d_backward");
        // Deviations from the mean, their squares, their sums, division, scale and shift
        add(PerOutput(7), "native_layer_norm native_group_norm native_batch_norm");
        add(PerInput(7), "native_batch_norm_backward");
        add(PerInput(11), "native_layer_norm_backward native_group_norm_backward");
        add(PerInput(1),
            "sum mean max min amax amin argmax argmin cumsum avg_pool2d avg_pool2d_backward "
            "_adaptive_avg_pool2d _adaptive_avg_pool2d_backward avg_pool3d avg_pool3d_backward "
            "_adaptive_avg_pool3d _adaptive_avg_pool3d_backward adaptive_max_pool2d "
            "adaptive_max_pool3d logsumexp");
        add(PerInput(3), "var std var_mean norm linalg_vector_norm");
        return all;
    }();
    return costs;
}

/// Operators whose parts are counted, and those that only move or name numbers
const std::set<std::string>&
GetFree()
{
    static const std::set<std::string> free = [] {
        std::set<std::string> all;
        for (const char* names :
             {// made of others
              "linear matmul conv1d conv2d conv3d conv_transpose2d batch_norm "
              "_batch_norm_impl_index layer_norm group_norm softmax log_softmax dropout dropout_ "
              "feature_dropout lstm gru rnn_tanh rnn_relu lstm_cell gru_cell max_pool2d max_pool3d "
              "avg_pool1d adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d "
              "adaptive_max_pool1d instance_norm rms_norm selu celu relu6 log_sigmoid "
              "embedding_backward cross_entropy_loss nll_loss nll_loss_nd mse_loss "
              "scaled_dot_product_attention _scaled_dot_product_attention "
              "_scaled_dot_product_attention_math _fused_sdp_choice einsum tensordot chain_matmul "
              "embedding square",
              // moved, made or named
              "view view_as _unsafe_view reshape reshape_as _reshape_alias flatten unflatten "
              "transpose transpose_ t t_ permute movedim expand expand_as broadcast_to "
              "broadcast_tensors as_strided as_strided_ slice select narrow unsqueeze unsqueeze_ "
              "squeeze squeeze_ split split_with_sizes unsafe_split unsafe_split_with_sizes chunk "
              "unsafe_chunk unbind cat _cat stack concat repeat repeat_interleave tile flip roll "
              "pad upsample_nearest1d upsample_nearest2d upsample_nearest3d "
              "_upsample_nearest_exact1d _upsample_nearest_exact2d _upsample_nearest_exact3d "
              "pixel_shuffle pixel_unshuffle channel_shuffle constant_pad_nd "
              "constant_pad_nd_backward index index_select index_select_backward index_put_ "
              "_index_put_impl_ gather scatter scatter_ masked_select select_backward "
              "slice_backward unfold clone contiguous copy_ _to_copy to type type_as detach "
              "detach_ alias lift_fresh lift resolve_conj resolve_neg empty empty_like "
              "empty_strided new_empty new_empty_strided new_zeros new_ones new_full zeros "
              "zeros_like zero_ ones ones_like full full_like fill_ arange linspace scalar_tensor "
              "tensor set_ resize_ resize_as_ is_same_size cudnn_is_acceptable item "
              "_local_scalar_dense is_nonzero equal numel size stride tril triu tril_ triu_ "
              "one_hot requires_grad_ retain_grad result_type can_cast",
              // drawn
              "bernoulli_"})
        {
            const auto some = Names(names);
            all.insert(some.begin(), some.end());
        }
        return all;
    }();
    return free;
}

/// What is counted on this thread
struct Count
{
    TorchOperations sum;    //!< so far
    std::size_t inside = 0; //!< counted operators that run now, one in another
    std::string unknown;    //!< the first operator without a known cost
};

thread_local Count* t_count = nullptr; //!< null if nothing is counted

/// What is known of an operator from its begin to its end
struct Begun : public at::ObserverContext
{
    const Cost* cost = nullptr;      //!< of the operator; null if it is not counted
    std::vector<c10::IValue> inputs; //!< of the operator, which are gone at its end
};

/// @param values values of an operator; TorchScript gives all that it is working on, the operator's
/// last
/// @param count how many are the operator's
/// @return these
std::vector<c10::IValue>
TakeLast(std::vector<c10::IValue> values, std::size_t count)
{
    values.erase(values.begin(),
                 values.end() - static_cast<std::ptrdiff_t>(std::min(count, values.size())));
    return values;
}

std::unique_ptr<at::ObserverContext>
Begin(const at::RecordFunction& function)
{
    auto begun = std::make_unique<Begun>();
    std::string name = function.name();
    name = name.find("::") == std::string::npos ? "aten::" + name : name; // detach has no prefix
    const auto found = GetCosts().find(name);
    const bool isKnown = found != GetCosts().end();
    if (isKnown && t_count->inside++ == 0)
    {
        const auto inputs = function.inputs();
        begun->inputs =
            TakeLast(std::vector<c10::IValue>(inputs.begin(), inputs.end()), function.num_inputs());
    }
    begun->cost = isKnown ? &found->second : nullptr;
    // Nodes of the backward pass are shown too, and around the operators that they run
    const bool isNode = name.rfind("autograd::", 0) == 0 || name.rfind("torch::autograd", 0) == 0;
    const bool isFree = isKnown || isNode || t_count->inside > 0 || GetFree().count(name) > 0;
    if (!isFree && t_count->unknown.empty())
    {
        t_count->unknown = name;
    }
    return begun;
}

void
End(const at::RecordFunction& function, at::ObserverContext* context)
{
    const auto& begun = *static_cast<Begun*>(context);
    if (!begun.cost || --t_count->inside > 0)
    {
        return;
    }
    try
    {
        const auto outputs = TakeLast(function.outputs(), function.num_outputs());
        const TorchOperations added = (*begun.cost)(begun.inputs, outputs);
        t_count->sum.flops += added.flops;
        t_count->sum.multiplyAdds += added.multiplyAdds;
    }
    catch (const c10::Error&) // which LibTorch would only write to the log
    {
        t_count->unknown = t_count->unknown.empty() ? function.name() : t_count->unknown;
    }
}

} // namespace

TorchOperations
CountTorchOperations(const std::function<void()>& work)
{
    Count count;
    t_count = &count;
    const auto handle = at::addThreadLocalCallback(at::RecordFunctionCallback(Begin, End)
                                                       .needsInputs(true)
                                                       .needsOutputs(true)
                                                       .scopes({at::RecordScope::FUNCTION}));
    try
    {
        work();
    }
    catch (...)
    {
        at::removeCallback(handle);
        t_count = nullptr;
        throw;
    }
    at::removeCallback(handle);
    t_count = nullptr;
    CheckArgument(count.unknown.empty(), "nobody knows what the operation {} costs", count.unknown);
    return count.sum;
}

} // namespace ns3::collab
