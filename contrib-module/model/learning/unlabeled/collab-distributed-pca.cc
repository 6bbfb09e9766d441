/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-distributed-pca.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-random.h"
#include "ns3/collab-sample-reader.h"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <boost/random/normal_distribution.hpp>
#include <cmath>
#include <iterator>

namespace ns3::collab
{

namespace
{

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index DECODED_BLOCK = 256;    //!< rows or columns that are decoded at a time
constexpr Index DIRECT = 96;            //!< up to this size all eigenvectors are found at once
constexpr double RESIDUAL = 1e-11;      //!< of an eigenvector, as a part of the greatest eigenvalue
constexpr double LEAST_SINGULAR = 1e-7; //!< as a part of the greatest; below it is rounding

/// Eigenvalues, descending, and their eigenvectors as columns.
struct Eigenpairs
{
    VectorXd values;  //!< the greatest
    MatrixXd vectors; //!< orthonormal
};

/// @param samples row by row
/// @param row first row
/// @param column first column
/// @param rows how many
/// @param columns how many
/// @return this part of them. A copy: how Eigen adds up depends on where its memory begins
MatrixXd
CopyBlock(const Matrix<float>& samples, Index row, Index column, Index rows, Index columns)
{
    using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Eigen::Map<const RowMajor> all(samples.values.data(),
                                         static_cast<Index>(samples.rows),
                                         static_cast<Index>(samples.columns));
    return all.block(row, column, rows, columns).cast<double>();
}

/// @param samples X, samples x features
/// @return X^T X, or X X^T if it is smaller
MatrixXd
MakeGram(const Matrix<float>& samples)
{
    const auto rows = static_cast<Index>(samples.rows);
    const auto columns = static_cast<Index>(samples.columns);
    const Index size = std::min(rows, columns);
    MatrixXd gram = MatrixXd::Zero(size, size);
    for (Index begin = 0; begin < std::max(rows, columns); begin += DECODED_BLOCK)
    {
        const Index count = std::min(DECODED_BLOCK, std::max(rows, columns) - begin);
        const MatrixXd block =
            columns <= rows ? MatrixXd(CopyBlock(samples, begin, 0, count, columns).transpose())
                            : CopyBlock(samples, 0, begin, rows, count);
        gram.selfadjointView<Eigen::Lower>().rankUpdate(block);
    }
    gram.triangularView<Eigen::StrictlyUpper>() = gram.transpose();
    return gram;
}

/// @param matrix symmetric
/// @param count number of eigenvectors
/// @return those of the greatest eigenvalues
Eigenpairs
FindDirectly(const MatrixXd& matrix, Index count)
{
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(matrix);
    return {solver.eigenvalues().reverse().head(count),
            solver.eigenvectors().rowwise().reverse().leftCols(count)};
}

/// @param block block of vectors
/// @return an orthonormal basis with as many
MatrixXd
Orthonormalize(const MatrixXd& block)
{
    return Eigen::HouseholderQR<MatrixXd>(block).householderQ() *
           MatrixXd::Identity(block.rows(), block.cols());
}

/// @param rows rows of the block
/// @param columns columns of the block
/// @return random directions, always the same ones
MatrixXd
DrawBlock(Index rows, Index columns)
{
    RandomGenerator generator(1);
    boost::random::normal_distribution<double> draw;
    MatrixXd block(rows, columns);
    std::generate_n(block.data(), block.size(), [&] { return draw(generator); });
    return Orthonormalize(block);
}

/**
 * @brief Find the greatest eigenvalues by a block Krylov space, much faster than all of them.
 *
 * Rayleigh-Ritz in the span of the blocks B, A B, A^2 B, ..., which grows until the residuals of
 * all wanted pairs are as small as rounding. As a block has as many vectors as are wanted, equal
 * eigenvalues are all found.
 *
 * @param matrix symmetric, positive semi-definite
 * @param count number of eigenvectors
 * @return the greatest
 */
Eigenpairs
FindGreatest(const MatrixXd& matrix, Index count)
{
    const Index size = matrix.rows();
    MatrixXd basis(size, 0);
    MatrixXd images(size, 0);
    MatrixXd block = size > DIRECT ? DrawBlock(size, count) : MatrixXd();
    while (size > DIRECT && 2 * (basis.cols() + count) <= size)
    {
        const Index before = basis.cols();
        basis.conservativeResize(Eigen::NoChange, before + count);
        basis.rightCols(count) = block;
        images.conservativeResize(Eigen::NoChange, before + count);
        images.rightCols(count).noalias() = matrix * block;
        const Eigenpairs small = FindDirectly(basis.transpose() * images, count);
        const MatrixXd vectors = basis * small.vectors;
        const MatrixXd residuals = images * small.vectors - vectors * small.values.asDiagonal();
        if (residuals.colwise().norm().maxCoeff() <= RESIDUAL * std::abs(small.values[0]))
        {
            return {small.values, vectors};
        }
        block = images.rightCols(count);
        for (int pass = 0; pass < 2; ++pass) // once leaves rounding, twice is enough
        {
            block -= basis * (basis.transpose() * block).eval();
            block = Orthonormalize(block);
        }
    }
    return FindDirectly(matrix, count);
}

/// @param samples samples whose right singular vectors are wanted, fewer than features
/// @param left their left singular vectors as columns
/// @param singular their singular values
/// @return the right ones as columns
MatrixXd
FindRight(const Matrix<float>& samples, const MatrixXd& left, const VectorXd& singular)
{
    const auto rows = static_cast<Index>(samples.rows);
    const auto columns = static_cast<Index>(samples.columns);
    MatrixXd right(columns, left.cols());
    for (Index begin = 0; begin < columns; begin += DECODED_BLOCK)
    {
        const Index count = std::min(DECODED_BLOCK, columns - begin);
        right.middleRows(begin, count).noalias() =
            CopyBlock(samples, 0, begin, rows, count).transpose() * left;
    }
    for (Index i = 0; i < left.cols(); ++i)
    {
        right.col(i) *= singular[i] > 0 ? 1 / singular[i] : 0;
    }
    return right;
}

/// @param vector a singular vector
/// @return 1 or -1, by which it is to be multiplied
double
FindSign(const VectorXd& vector)
{
    Index greatest = 0;
    vector.cwiseAbs().maxCoeff(&greatest);
    return vector[greatest] < 0 ? -1 : 1;
}

/// @param count d
/// @param features D
/// @throws std::invalid_argument if count is not in range
void
CheckCount(uint32_t count, std::size_t features)
{
    CheckArgument(count != 0 && count <= features,
                  "{} principal components of {} features, expected 1 to as many",
                  count,
                  features);
}

/// @param parts components of each device
/// @return diag(s) V^T of each, one below another
/// @throws std::invalid_argument if there are none or they do not belong together
Matrix<float>
StackComponents(const std::vector<const PrincipalComponents*>& parts)
{
    CheckArgument(!parts.empty(), "principal components of 0 devices to combine");
    const std::size_t features = parts.front()->vectors.columns;
    Matrix<float> stacked(0, features);
    for (const PrincipalComponents* part : parts)
    {
        const auto& [singularValues, vectors] = *part;
        CheckArgument(
            vectors.columns == features && vectors.rows == singularValues.size(),
            "{} singular values with {} vectors of {} features, expected as many vectors of {}",
            singularValues.size(),
            vectors.rows,
            vectors.columns,
            features);
        for (std::size_t row = 0; row < vectors.rows; ++row)
        {
            const float scale = singularValues[row];
            std::transform(vectors.Row(row),
                           vectors.Row(row) + features,
                           std::back_inserter(stacked.values),
                           [scale](float element) { return scale * element; });
        }
        stacked.rows += vectors.rows;
    }
    return stacked;
}

} // namespace

Matrix<float>
DecodeSamples(const DataView& view)
{
    CheckArgument(view.data->kind != FeatureKind::TOKENS,
                  "data set '{}' has tokens, which are no features",
                  view.data->name);
    SampleReader reader(view);
    Matrix<float> samples(view.Size(), view.data->SampleSize());
    float* next = samples.values.data();
    for (const uint32_t index : view.indices)
    {
        next = reader.Read(index, next);
    }
    return samples;
}

PrincipalComponents
FindPrincipalComponents(const Matrix<float>& samples, uint32_t count)
{
    CheckCount(count, samples.columns);
    const auto finite = [](float value) { return std::isfinite(value); };
    CheckArgument(samples.rows != 0 &&
                      std::all_of(samples.values.begin(), samples.values.end(), finite),
                  "principal components of {} samples, expected at least 1, and finite ones",
                  samples.rows);
    const MatrixXd gram = MakeGram(samples);
    const Index found = std::min<Index>(count, gram.rows());
    const Eigenpairs pairs = FindGreatest(gram, found);
    VectorXd singular = pairs.values.cwiseMax(0).cwiseSqrt();
    singular = (singular.array() > LEAST_SINGULAR * singular[0]).select(singular, 0);
    const MatrixXd right = samples.columns <= samples.rows
                               ? pairs.vectors
                               : FindRight(samples, pairs.vectors, singular);
    PrincipalComponents components;
    components.singularValues.assign(count, 0.0F);
    components.vectors = Matrix<float>(count, samples.columns);
    for (Index i = 0; i < found && singular[i] > 0; ++i)
    {
        components.singularValues[i] = static_cast<float>(singular[i]);
        const double sign = FindSign(right.col(i));
        for (Index column = 0; column < right.rows(); ++column)
        {
            components.vectors(i, column) = static_cast<float>(sign * right(column, i));
        }
    }
    return components;
}

Matrix<float>
CombinePrincipalComponents(const std::vector<const PrincipalComponents*>& parts, uint32_t count)
{
    const PrincipalComponents common = FindPrincipalComponents(StackComponents(parts), count);
    Matrix<float> subspace(common.vectors.columns, count);
    for (std::size_t row = 0; row < subspace.rows; ++row)
    {
        for (std::size_t column = 0; column < count; ++column)
        {
            subspace(row, column) = common.vectors(column, row);
        }
    }
    return subspace;
}

Matrix<float>
Project(const Matrix<float>& samples, const Matrix<float>& subspace)
{
    CheckArgument(samples.columns == subspace.rows,
                  "samples of {} features and a subspace of {}",
                  samples.columns,
                  subspace.rows);
    const auto features = static_cast<Index>(subspace.rows);
    const auto width = static_cast<Index>(subspace.columns);
    const MatrixXd factor = CopyBlock(subspace, 0, 0, features, width);
    Matrix<float> projected(samples.rows, subspace.columns);
    for (Index begin = 0; begin < static_cast<Index>(samples.rows); begin += DECODED_BLOCK)
    {
        const Index count = std::min(DECODED_BLOCK, static_cast<Index>(samples.rows) - begin);
        const MatrixXd block = CopyBlock(samples, begin, 0, count, features) * factor;
        for (Index row = 0; row < count; ++row)
        {
            for (Index column = 0; column < width; ++column)
            {
                projected(begin + row, column) = static_cast<float>(block(row, column));
            }
        }
    }
    return projected;
}

uint64_t
CountPcaFlops(uint64_t samples, uint64_t features, uint64_t count)
{
    const uint64_t small = std::min(samples, features);
    const uint64_t krylov = std::min(10 * count, small);
    const uint64_t gram = std::max(samples, features) * small * (small + 1);
    const uint64_t eigenvectors =
        2 * small * small * krylov + 4 * small * krylov * krylov + 9 * krylov * krylov * krylov;
    return gram + eigenvectors + (samples < features ? 2 * samples * features * count : 0);
}

uint64_t
CountProjectionFlops(uint64_t samples, uint64_t features, uint64_t count)
{
    return samples * count * (2 * features - 1);
}

} // namespace ns3::collab
