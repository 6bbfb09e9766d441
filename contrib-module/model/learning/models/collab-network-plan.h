/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_NETWORK_PLAN_H
#define COLLAB_NETWORK_PLAN_H

#include "collab-model-description.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief What a layer of a NetworkPlan computes.
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

    /// @return number of elements
    uint64_t Size() const;
};

/// @ingroup collab-learning
/// @brief One layer of a NetworkPlan, with everything that its computation needs.
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
 * @brief A network as a list of layers, from which its cost is counted and its forward pass runs.
 *
 * A layer reads the layer added before it, unless ReadFrom() says another. Names of layers are the
 * caller's and become the names of the weights in files. Every method that adds a layer returns its
 * index. Costs are counted as LayerCost says.
 */
class NetworkPlan
{
  public:
    /// @param input what the network reads
    explicit NetworkPlan(ModelInput input);

    /// @param layer index of the layer that the next one reads
    void ReadFrom(std::size_t layer);

    /// @return all numbers of a sample in one row; the same layer if they are already
    std::size_t Flatten();
    /// @param name name of the layer
    /// @param degree greatest sum of exponents of a monomial; 1 to 20
    /// @return the monomials of one sample, by degree
    std::size_t Polynomial(const std::string& name, int64_t degree);
    /// @param name name of the layer
    /// @param outputs number of outputs
    /// @param hasBias whether to add biases
    /// @return a product with a matrix over the last dimension
    std::size_t Linear(const std::string& name, int64_t outputs, bool hasBias = true);
    /// Geometry of a convolution.
    struct Convolution
    {
        int64_t channels = 1; //!< made
        int64_t kernel = 1;   //!< height and width
        int64_t stride = 1;   //!< of rows and columns
        int64_t padding = 0;  //!< rows and columns of zeros around the input
        int64_t groups = 1;   //!< of channels; as many as channels for a depthwise convolution
        bool hasBias = true;  //!< whether to add biases
        /// whether kernel, stride and padding are along columns only: each row is convolved alone
        bool isRowwise = false;
    };

    /// @param name name of the layer
    /// @param geometry geometry of the convolution
    /// @return a convolution
    std::size_t Convolve(const std::string& name, const Convolution& geometry);
    /// @brief Batch normalization, epsilon 1e-5, momentum of the running statistics 0.1.
    /// @param name name of the layer
    /// @return the layer
    std::size_t BatchNorm(const std::string& name);
    /// @brief Group normalization, epsilon 1e-5.
    /// @param name name of the layer
    /// @param groups number of groups of channels; divides their number
    /// @return the layer
    std::size_t GroupNorm(const std::string& name, int64_t groups);
    /// @brief Normalization over all numbers of a sample, epsilon 1e-5.
    /// @param name name of the layer
    /// @return the layer; its input has one dimension
    std::size_t LayerNorm(const std::string& name);
    /// @param name name of the layer
    /// @return x times the normal distribution function of x
    std::size_t Gelu(const std::string& name);
    /// @param name name of the layer
    /// @return hyperbolic tangent
    std::size_t Tanh(const std::string& name);
    /// @param name name of the layer
    /// @return max(x, 0)
    std::size_t Relu(const std::string& name);
    /// @param name name of the layer
    /// @return x sigmoid(x)
    std::size_t Silu(const std::string& name);
    /// @param name name of the layer
    /// @return 1 / (1 + exp(-x))
    std::size_t Sigmoid(const std::string& name);
    /// @param name name of the layer
    /// @param isRowwise whether windows are of one row
    /// @return maximum over windows of 2 x 2, or of 1 x 2; an odd last row or column is left out
    std::size_t MaxPool(const std::string& name, bool isRowwise = false);
    /// @param name name of the layer
    /// @return mean over windows of 2 x 2; an odd last row or column is left out
    std::size_t MeanPool(const std::string& name);
    /// @param name name of the layer
    /// @return mean of each channel, one row
    std::size_t GlobalMean(const std::string& name);
    /// @param name name of the layer
    /// @param rate probability that an element is zeroed in training
    /// @return the layer
    std::size_t Dropout(const std::string& name, double rate);
    /// @param name name of the layer
    /// @param other index of a layer of the same shape
    /// @return its sum with the last one
    std::size_t Add(const std::string& name, std::size_t other);
    /// @param name name of the layer
    /// @param image index of a layer of channels, height, width
    /// @return its channels times the numbers of the last layer
    std::size_t Scale(const std::string& name, std::size_t image);
    /// @param name name of the layer
    /// @param channels channels of the output, the new ones shared among both ends and all zero
    /// @param stride stride of rows and columns
    /// @return a shortcut without weights
    std::size_t Shortcut(const std::string& name, int64_t channels, int64_t stride);
    /// @param name name of the layer
    /// @param width numbers of a token
    /// @return a learned row for each token
    std::size_t Embedding(const std::string& name, int64_t width);
    /// @param name name of the layer
    /// @return the given row of ModelInput::embedding for each token
    std::size_t FixedEmbedding(const std::string& name);
    /// @param name name of the layer
    /// @param units number of hidden units
    /// @return outputs of all steps
    std::size_t Lstm(const std::string& name, int64_t units);
    /// @return outputs of the last step
    std::size_t LastStep();
    /// @return features of all nodes of ModelInput::graph
    std::size_t NodeFeatures();
    /// @param name name of the layer
    /// @return each node's sum over its neighbors and itself, weighted symmetrically
    std::size_t Propagate(const std::string& name);
    /// @return rows of the nodes that the samples name
    std::size_t SelectNodes();

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

  private:
    /// @brief Add a layer after the present one and make it the present one.
    /// @param layer layer without its input; an empty shape means that of its input
    /// @return its index
    std::size_t Append(PlannedLayer layer);
    /// @param cost cost of the layer just added
    void Charge(LayerCost cost);
    /// @param rank number of dimensions that the next layer's input must have
    /// @param what words for the layer in an error text
    /// @throws std::invalid_argument if it has others
    void RequireRank(std::size_t rank, const std::string& what) const;
    /// @return number of elements of the present layer
    uint64_t Elements() const;
    /// @brief Add an element-wise layer.
    /// @param kind kind of the layer
    /// @param name name of the layer
    /// @param forward operations an element
    /// @param backward operations an element
    /// @return its index
    std::size_t ElementWise(LayerKind kind,
                            const std::string& name,
                            uint64_t forward,
                            uint64_t backward);
    /// @brief Add a pool of windows of 2 x 2 or 1 x 2 without overlap.
    /// @param kind kind of the layer
    /// @param name name of the layer
    /// @param isRowwise whether windows are of one row
    /// @param forward operations an output
    /// @return its index
    std::size_t Pool(LayerKind kind, const std::string& name, bool isRowwise, uint64_t forward);
    /// @brief Add a normalization with its two trained tensors.
    /// @param kind kind of the layer
    /// @param name name of the layer
    /// @param groups number of groups of channels
    /// @return its index
    std::size_t Normalize(LayerKind kind, const std::string& name, int64_t groups);

    ModelInput m_input;                 //!< what the network reads
    std::vector<PlannedLayer> m_layers; //!< the input first
    std::vector<WeightSpec> m_weights;  //!< in the order of the layers
    std::vector<LayerCost> m_costs;     //!< of the layers that cost anything
    std::size_t m_present = 0;          //!< index of the layer that the next one reads
    bool m_perPass = false;             //!< whether layers compute for all nodes at once
};

} // namespace ns3::collab

#endif /* COLLAB_NETWORK_PLAN_H */
