/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_LAYER_LIST_H
#define COLLAB_LAYER_LIST_H

#include "ns3/collab-model-description.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief What a layer of a LayerList computes.
enum class LayerKind
{
    INPUT,           //!< the samples
    FLATTEN,         //!< all numbers of a sample in one row
    POLYNOMIAL,      //!< all monomials up to a degree, the constant left out
    LINEAR,          //!< product with a matrix, plus biases
    CONVOLUTION,     //!< two-dimensional, with zeros around, perhaps in groups and with biases
    BATCH_NORM,      //!< over the samples and positions of a channel (Ioffe, Szegedy, ICML 2015)
    GROUP_NORM,      //!< over groups of channels of one sample (Wu, He, ECCV 2018)
    LAYER_NORM,      //!< over the numbers of one sample (Ba, Kiros, Hinton, arXiv:1607.06450)
    RELU,            //!< max(x, 0)
    GELU,            //!< x times the normal distribution function of x (Hendrycks, Gimpel, 2016)
    TANH,            //!< hyperbolic tangent
    SILU,            //!< x sigmoid(x)
    SIGMOID,         //!< 1 / (1 + exp(-x))
    MAX_POOL,        //!< maximum over windows of 2 x 2, or of 1 x 2, without overlap
    MEAN_POOL,       //!< mean over windows of 2 x 2 without overlap
    GLOBAL_MEAN,     //!< mean of each channel
    DROPOUT,         //!< in training, zeroes elements at random and scales the others
    ADD,             //!< sum of two layers
    SCALE,           //!< each channel of one layer times a number of another
    SHORTCUT,        //!< every second row and column, and channels of zeros (He et al., option A)
    EMBEDDING,       //!< a learned row for each token
    FIXED_EMBEDDING, //!< a given row for each token
    LSTM,            //!< outputs of all steps (Hochreiter, Schmidhuber, 1997)
    LAST_STEP,       //!< outputs of the last step
    NODE_FEATURES,   //!< features of all nodes of a graph, whatever the samples are
    PROPAGATE,       //!< each node's weighted sum over its neighbors (Kipf, Welling, ICLR 2017)
    SELECT_NODES,    //!< rows of the nodes that the samples name
};

/// @ingroup collab-learning
/// @brief How a tensor of weights gets its first values.
enum class InitialValues
{
    UNIFORM,  //!< uniform between -bound and bound
    NORMAL,   //!< Gaussian of mean 0 and standard deviation bound
    CONSTANT, //!< all are bound
};

/// @ingroup collab-learning
/// @brief Name, shape and first values of one tensor of weights or of state.
struct WeightSpec
{
    std::string name;                               //!< e.g. "conv1.weight"
    std::vector<int64_t> sizes;                     //!< of the tensor
    InitialValues initial = InitialValues::UNIFORM; //!< kind of the first values
    float bound = 0;                                //!< see InitialValues
    bool trainable = true;                          //!< false for running statistics
    bool isFrozen = false; //!< whether it would be trained, but for TorchModel::Freeze()

    /// @return number of elements
    uint64_t Size() const;
};

/// @ingroup collab-learning
/// @brief One layer of a LayerList, with everything that its computation needs.
struct PlannedLayer
{
    LayerKind kind = LayerKind::INPUT; //!< what it computes
    std::size_t input = 0;             //!< index of the layer that it reads
    std::size_t second = 0;            //!< index of the other layer that ADD and SCALE read
    std::vector<int64_t> shape;        //!< of its output for one sample
    std::size_t firstWeight = 0;       //!< index of its first tensor of weights
    int64_t stride = 1;                //!< of a convolution
    int64_t padding = 0;               //!< rows and columns of zeros around a convolution's input
    int64_t groups = 1;                //!< of channels
    bool hasBias = true;               //!< whether a convolution adds biases
    bool isRowwise = false;            //!< whether a convolution or pool keeps rows apart
    double rate = 0;                   //!< probability that dropout zeroes an element
    int64_t degree = 0;                //!< of polynomials
    bool needsGradient = false;        //!< whether weights before or in this layer are trained
};

/**
 * @ingroup collab-learning
 * @brief The layers of a network with their shapes, weights and costs: what is computed of it.
 *
 * NetworkPlan adds the layers. Costs are counted as LayerCost says.
 */
class LayerList
{
  public:
    /// @param input what the network reads
    explicit LayerList(ModelInput input);

    /// @param layer index of the layer that the next one reads
    void ReadFrom(std::size_t layer);

    /// @return the layers, the input first
    const std::vector<PlannedLayer>& GetLayers() const;
    /// @return the tensors of weights and of state, in the order of the layers
    const std::vector<WeightSpec>& GetWeights() const;
    /// @return what the network reads
    const ModelInput& GetInput() const;
    /// @return shape of the last layer
    const std::vector<int64_t>& GetShape() const;
    /// @return cost of each layer that costs anything or has weights
    ModelDescription Describe() const;

  protected:
    /**
     * @brief Add a layer after the present one and make it the present one.
     *
     * @param layer layer without its input; an empty shape means that of its input
     * @param weights its tensors of weights and of state; with any, it needs a gradient
     * @return its index
     */
    std::size_t Append(PlannedLayer layer, std::vector<WeightSpec> weights = {});
    /// @return index of the layer that the next one reads
    std::size_t GetPresent() const;
    /// @param cost cost of the layer just added
    void Charge(LayerCost cost);
    /// @param name name of the layer just added, which has no weights
    /// @param forward operations of its forward pass
    /// @param backward operations of its backward pass
    void Charge(const std::string& name, uint64_t forward, uint64_t backward);
    /// @param rank number of dimensions that the next layer's input must have
    /// @param what words for the layer in an error text
    /// @throws std::invalid_argument if it has others
    void RequireRank(std::size_t rank, const std::string& what) const;
    /// @return number of elements of the present layer
    uint64_t Elements() const;

  private:
    ModelInput m_input;                 //!< what the network reads
    std::vector<PlannedLayer> m_layers; //!< the input first
    std::vector<WeightSpec> m_weights;  //!< in the order of the layers
    std::vector<LayerCost> m_costs;     //!< of the layers that cost anything
    std::size_t m_present = 0;          //!< index of the layer that the next one reads
    bool m_perPass = false;             //!< whether layers compute for all nodes at once
};

} // namespace ns3::collab

#endif /* COLLAB_LAYER_LIST_H */
