/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_MODEL_PLANS_H
#define COLLAB_MODEL_PLANS_H

#include "collab-network-plan.h"

#include <string>

namespace ns3::collab
{

/// @brief Flattened input to the outputs.
/// @param options none
/// @param input what the model reads
/// @return the plan
/// @throws std::invalid_argument if an option is unknown or the model cannot read such samples
NetworkPlan PlanLinear(const std::string& options, const ModelInput& input);

/// @brief All monomials of the flattened input up to a degree, and a linear function of them.
/// @param options the degree; 3 if empty
/// @param input what the model reads
/// @return the plan
/// @throws std::invalid_argument as PlanLinear()
NetworkPlan PlanPolynomial(const std::string& options, const ModelInput& input);

/// @brief Layers of units, then the outputs.
/// @param options numbers of units, e.g. "5-10", 200 if empty; then, each with a colon before it,
/// their activation if it is not "relu" ("gelu", "silu", "sigmoid", "tanh"), and "layernorm" for
/// layer normalization before it, e.g. "100:gelu:layernorm"
/// @param input what the model reads
/// @return the plan
/// @throws std::invalid_argument as PlanLinear()
NetworkPlan PlanMlp(const std::string& options, const ModelInput& input);

/// @brief Encoder of three fully connected layers: 256 and 128 ReLU units, then the embedding.
/// @param options width of the embedding; 8 if empty
/// @param input what the model reads; its outputs are not used
/// @return the plan
/// @throws std::invalid_argument as PlanLinear()
NetworkPlan PlanFullyConnectedEncoder(const std::string& options, const ModelInput& input);

/// @brief The network of Fan et al. (NeurIPS 2023): two 5x5 convolutions of 32 and 64 channels,
/// each with ReLU and max-pool, 512 ReLU units, outputs.
/// @param options none
/// @param input what the model reads; images of at least 16 x 16
/// @return the plan
/// @throws std::invalid_argument as PlanLinear()
NetworkPlan PlanNetCnn(const std::string& options, const ModelInput& input);

/// @brief LeNet-5 (LeCun et al., Proc. IEEE 1998) with ReLU and max-pool, or, nearer to the paper,
/// with hyperbolic tangents and means of 2 x 2.
/// @param options "relu" or "tanh"; "relu" if empty
/// @param input what the model reads; images of 32 x 32, or of 28 x 28, which get two rows of zeros
/// around them
/// @return the plan
/// @throws std::invalid_argument as PlanLinear()
NetworkPlan PlanLeNet(const std::string& options, const ModelInput& input);

/// @brief AlexNet (Krizhevsky et al., NeurIPS 2012) with small kernels for small images.
/// Of signals, which have two rows (in phase, quadrature), kernels and pools are along time only.
/// @param options none
/// @param input what the model reads; images of at least 28 x 28, or signals of 2 x 28 or more
/// @return the plan
/// @throws std::invalid_argument as PlanLinear()
NetworkPlan PlanAlexNet(const std::string& options, const ModelInput& input);

/// @brief Encoder of four 3x3 convolutions of 32, 32, 64 and 64 channels, each with ReLU and
/// max-pool, then the embedding.
/// @param options width of the embedding; 8 if empty
/// @param input what the model reads; images of at least 16 x 16; its outputs are not used
/// @return the plan
/// @throws std::invalid_argument as PlanLinear()
NetworkPlan PlanConvolutionalEncoder(const std::string& options, const ModelInput& input);

/// @brief ResNet20 for CIFAR (He et al., CVPR 2016), shortcuts of option A.
/// @param options "bn" for batch normalization, as in the paper, or "gn" for group normalization of
/// 8 groups; "bn" if empty
/// @param input what the model reads; images
/// @return the plan
/// @throws std::invalid_argument as PlanLinear()
NetworkPlan PlanResNet20(const std::string& options, const ModelInput& input);

/// @brief EfficientNet-B0 (Tan, Le, ICML 2019).
/// @param options none
/// @param input what the model reads; images
/// @return the plan
/// @throws std::invalid_argument as PlanLinear()
NetworkPlan PlanEfficientNetB0(const std::string& options, const ModelInput& input);

/// @brief Embedding of 8 numbers, two LSTM layers of 100 units, outputs from the last step.
/// @param options numbers of the embedding and of the units, "8-100" if empty
/// @param input what the model reads; tokens
/// @return the plan
/// @throws std::invalid_argument as PlanLinear()
NetworkPlan PlanCharacterLstm(const std::string& options, const ModelInput& input);

/// @brief Given word vectors, two LSTM layers of 256 units, outputs from the last step.
/// @param options number of units, 256 if empty
/// @param input what the model reads: tokens with ModelInput::embedding, or steps x numbers
/// @return the plan
/// @throws std::invalid_argument as PlanLinear()
NetworkPlan PlanSentimentLstm(const std::string& options, const ModelInput& input);

/// @brief Graph convolutional network (Kipf, Welling, ICLR 2017).
/// @param options widths of the hidden layers, e.g. "64-16"; 16 if empty
/// @param input what the model reads; each sample names one node of ModelInput::graph
/// @return the plan
/// @throws std::invalid_argument as PlanLinear()
NetworkPlan PlanGraphConvolution(const std::string& options, const ModelInput& input);

} // namespace ns3::collab

#endif /* COLLAB_MODEL_PLANS_H */
