/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bridge-learning.h"
#include "python-arrays.h"

#include "ns3/collab-aggregation-rule.h"
#include "ns3/collab-compression.h"
#include "ns3/collab-gradient-attack.h"
#include "ns3/collab-model-description.h"
#include "ns3/collab-partition.h"
#include "ns3/collab-vector-stack.h"
#include "ns3/prediction-consensus-trust.h"

#include <optional>
#include <pybind11/stl.h>
#include <stdexcept>

namespace py = pybind11;
using namespace ns3::collab;

namespace
{

/// Calls that take their time, beside which Python goes on
using Unlocked = py::call_guard<py::gil_scoped_release>;

/// Arrays that stay where they are while C++ reads them as vectors
class Vectors
{
  public:
    /// @param arrays of one size
    explicit Vectors(const std::vector<FloatArray>& arrays)
        : m_dimension(arrays.empty() ? 0 : arrays[0].size())
    {
        for (const FloatArray& array : arrays)
        {
            if (static_cast<std::size_t>(array.size()) != m_dimension)
            {
                throw std::invalid_argument("vectors differ in size");
            }
            m_rows.push_back(array.data());
        }
    }

    /// @return a view of all
    VectorStack
    Get() const
    {
        return VectorStack(m_rows, m_dimension);
    }

    /// @return elements of each
    std::size_t
    GetDimension() const
    {
        return m_dimension;
    }

  private:
    std::vector<const float*> m_rows; //!< first element of each
    std::size_t m_dimension;          //!< elements of each
};

/// @return a matrix with the numbers of an array, samples x classes
Matrix<float>
ToMatrix(const FloatArray& array)
{
    if (array.ndim() != 2)
    {
        throw std::invalid_argument("probabilities are samples x classes");
    }
    Matrix<float> matrix(array.shape(0), array.shape(1));
    std::copy(array.data(), array.data() + array.size(), matrix.values.begin());
    return matrix;
}

py::array
Aggregate(const std::vector<FloatArray>& vectors,
          const std::string& rule,
          std::optional<std::vector<double>> weights)
{
    const Vectors stack(vectors);
    const auto made = MakeAggregationRule(rule);
    std::vector<float> result(stack.GetDimension());
    {
        const py::gil_scoped_release unlock;
        made->CheckCount(vectors.size());
        made->Aggregate(
            stack.Get(), weights.value_or(std::vector<double>(vectors.size(), 1)), result.data());
    }
    std::vector<py::ssize_t> shape;
    for (py::ssize_t i = 0; i < vectors[0].ndim(); ++i)
    {
        shape.push_back(vectors[0].shape(i));
    }
    return GiveOwned(std::move(shape), std::move(result));
}

py::array
Forge(const std::string& attack,
      const std::optional<FloatArray>& own,
      const std::vector<FloatArray>& honest,
      std::size_t count,
      std::size_t byzantine,
      uint64_t seed)
{
    const Vectors stack(honest);
    std::optional<VectorStack> seen;
    if (!honest.empty())
    {
        seen.emplace(stack.Get());
    }
    AttackKnowledge knowledge;
    knowledge.own = own ? own->data() : nullptr;
    knowledge.honest = seen ? &*seen : nullptr;
    knowledge.dimension = own ? own->size() : stack.GetDimension();
    knowledge.count = count;
    knowledge.byzantine = byzantine;
    knowledge.seed = seed;
    std::vector<float> forged(knowledge.dimension);
    MakeGradientAttack(attack)->Forge(knowledge, forged.data());
    return GiveOwned(std::move(forged));
}

py::array
Compress(const FloatArray& values, const std::string& compressor, uint64_t seed)
{
    return GiveOwned(MakeCompressor(compressor)->Encode(values.data(), values.size(), seed));
}

py::array
Decompress(const py::array_t<uint8_t, py::array::c_style>& bytes, std::size_t dimension)
{
    return GiveOwned(DecodeVector(bytes.data(), bytes.size(), dimension));
}

std::vector<double>
Confidence(const FloatArray& own, double offset)
{
    TrustOptions options;
    options.entropyOffset = offset;
    return ComputeConfidence(ToMatrix(own), options);
}

double
Affinity(const FloatArray& own, const FloatArray& other, const std::vector<double>& confidence)
{
    return ComputeAffinity(ToMatrix(own), ToMatrix(other), confidence);
}

py::array
Mix(const std::vector<double>& weights, const std::vector<FloatArray>& predictions)
{
    std::vector<Matrix<float>> matrices;
    for (const FloatArray& array : predictions)
    {
        matrices.push_back(ToMatrix(array));
    }
    std::vector<const Matrix<float>*> pointers;
    for (const Matrix<float>& matrix : matrices)
    {
        pointers.push_back(&matrix);
    }
    return GiveMatrix(MixPredictions(weights, pointers));
}

Partition
DealDirichlet(const std::vector<int64_t>& labels,
              uint32_t classes,
              uint32_t devices,
              double alpha,
              uint32_t minimum,
              uint64_t seed)
{
    std::vector<uint32_t> all(labels.size());
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        all[i] = static_cast<uint32_t>(i);
    }
    DirichletOptions options;
    options.devices = devices;
    options.alpha = alpha;
    options.minimumSize = minimum;
    return PartitionDirichlet(labels, all, classes, options, seed);
}

/// @return parameters, and operations of a forward pass and of a training step of one sample
std::tuple<uint64_t, uint64_t, uint64_t>
CountModel(const std::string& model, const std::vector<int64_t>& shape, uint32_t classes)
{
    const ModelDescription description = DescribeModel(model, shape, classes);
    return {description.CountParameters(),
            description.CountForwardFlops(),
            description.CountTrainingFlops()};
}

} // namespace

void
AddMathematics(py::module_& module)
{
    module.def("aggregate", &Aggregate);
    module.def("aggregation_rules", &GetAggregationRuleNames);
    module.def("forge", &Forge);
    module.def("attacks", &GetGradientAttackNames);
    module.def("compress", &Compress);
    module.def("decompress", &Decompress);
    module.def("compressors", &GetCompressorNames);
    module.def("confidence", &Confidence);
    module.def("affinity", &Affinity);
    module.def("normalize_trust", &NormalizeTrust);
    module.def("mix", &Mix);
    module.def("trust_flops", [](std::size_t samples, std::size_t classes, std::size_t agents) {
        return CountJudgingFlops(samples, classes, agents) +
               CountMixingFlops(samples, classes, agents);
    });
    module.def("partition_dirichlet", &DealDirichlet, Unlocked());
    module.def("count_model", &CountModel, Unlocked()); // which may ask PyTorch
}
