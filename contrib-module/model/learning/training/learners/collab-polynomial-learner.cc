/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-polynomial-learner.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-learner-checks.h"
#include "ns3/collab-regression-score.h"
#include "ns3/collab-sample-reader.h"

#include <cmath>
#include <fmt/format.h>
#include <stdexcept>
#include <utility>
#include <vector>

namespace ns3::collab
{

namespace
{

/// Equations whose solution makes a squared error least
struct NormalEquations
{
    /// @param size number of coefficients
    explicit NormalEquations(std::size_t size)
        : matrix(size, size),
          right(size)
    {
    }

    /// @brief Add weight (sum_k w_k x^k - y)^2 to the squared error.
    /// @param x a number
    /// @param y its target
    /// @param weight weight of its error
    void
    Add(double x, double y, double weight)
    {
        std::vector<double> powers(right.size(), 1.0);
        for (std::size_t k = 1; k < powers.size(); ++k)
        {
            powers[k] = powers[k - 1] * x;
        }
        for (std::size_t row = 0; row < powers.size(); ++row)
        {
            for (std::size_t column = 0; column <= row; ++column)
            {
                matrix(row, column) += weight * powers[row] * powers[column];
            }
            right[row] += weight * powers[row] * y;
        }
    }

    /// @brief Solve them by Cholesky's method.
    /// @return the coefficients
    /// @throws std::runtime_error if the samples do not determine them
    std::vector<double> Solve();

    Matrix<double> matrix;     //!< lower triangle of the left side
    std::vector<double> right; //!< right side
};

std::vector<double>
NormalEquations::Solve()
{
    const std::size_t n = right.size();
    Matrix<double> l = matrix;
    for (std::size_t row = 0; row < n; ++row)
    {
        for (std::size_t column = 0; column <= row; ++column)
        {
            double sum = matrix(row, column);
            for (std::size_t k = 0; k < column; ++k)
            {
                sum -= l(row, k) * l(column, k);
            }
            if (row == column && !(sum > 0))
            {
                throw std::runtime_error(
                    fmt::format("the samples do not determine a polynomial of degree {}", n - 1));
            }
            l(row, column) = row == column ? std::sqrt(sum) : sum / l(column, column);
        }
    }
    std::vector<double> solution = right;
    for (std::size_t row = 0; row < n; ++row)
    {
        for (std::size_t k = 0; k < row; ++k)
        {
            solution[row] -= l(row, k) * solution[k];
        }
        solution[row] /= l(row, row);
    }
    for (std::size_t row = n; row-- > 0;)
    {
        for (std::size_t k = row + 1; k < n; ++k)
        {
            solution[row] -= l(k, row) * solution[k];
        }
        solution[row] /= l(row, row);
    }
    return solution;
}

/// See MakePolynomialLearner()
class PolynomialLearner : public Learner
{
  public:
    /// @param trainData the own samples
    /// @param degree greatest power
    PolynomialLearner(DataView trainData, uint32_t degree)
        : m_trainData(std::move(trainData)),
          m_coefficients(degree + 1)
    {
    }

    TrainReport
    Train(const TrainTask& task) override
    {
        CheckTask(task);
        const Distillation& pull = task.distillation;
        NormalEquations equations(m_coefficients.size());
        const auto own = ReadInputs(m_trainData);
        for (std::size_t i = 0; i < own.size(); ++i)
        {
            equations.Add(own[i], Target(i), 1 / static_cast<double>(own.size()));
        }
        if (pull.targets)
        {
            const auto inputs = ReadInputs(*pull.inputs);
            const double weight = pull.lambda / static_cast<double>(inputs.size());
            for (std::size_t i = 0; i < inputs.size(); ++i)
            {
                equations.Add(inputs[i], (*pull.targets)(i, 0), weight);
            }
        }
        for (std::size_t k = 0; k < m_coefficients.size(); ++k)
        {
            equations.matrix(k, k) += task.l2 / 2; // the weight of |w|^2 is half of l2
        }
        m_coefficients = equations.Solve();
        return Report(pull);
    }

    Matrix<float>
    Predict(const DataView& inputs) override
    {
        CheckView(inputs, "samples", *m_trainData.data);
        const auto numbers = ReadInputs(inputs);
        Matrix<float> outputs(numbers.size(), 1);
        for (std::size_t i = 0; i < numbers.size(); ++i)
        {
            outputs(i, 0) = static_cast<float>(Compute(numbers[i]));
        }
        return outputs;
    }

    Score
    Evaluate(const DataView& labelled) override
    {
        return ScoreRegression(Predict(labelled), labelled);
    }

    uint64_t
    CountTrainFlops(const TrainTask& task) const override
    {
        const uint64_t p = m_coefficients.size();
        const uint64_t samples =
            m_trainData.Size() + (task.distillation.targets ? task.distillation.inputs->Size() : 0);
        const uint64_t equations = p - 2 + p * (p + 1) + 2 * p;
        return samples * (equations + 2 * p + 2) + p * p * p / 3 + 2 * p * p;
    }

    uint64_t
    CountPredictFlops(std::size_t samples) const override
    {
        return samples * 2 * (m_coefficients.size() - 1);
    }

    uint64_t
    GetParameterCount() const override
    {
        return m_coefficients.size();
    }

    FlatVector
    GetWeights() const override
    {
        return std::make_shared<const std::vector<float>>(m_coefficients.begin(),
                                                          m_coefficients.end());
    }

    void
    SetWeights(FlatVector weights) override
    {
        CheckArgument(weights, "there are no weights to set");
        CheckFlatVector(weights, "weights", m_coefficients.size());
        m_coefficients.assign(weights->begin(), weights->end());
    }

  private:
    /// @param task task to be done
    /// @throws std::invalid_argument if it has a term that this learner does not know
    void
    CheckTask(const TrainTask& task) const
    {
        CheckDistillation(task.distillation, *m_trainData.data, 1);
        CheckTerms(task, m_coefficients.size(), false);
        CheckKlScale(task.klScale, false);
        CheckArgument(!task.center && !task.correction && !task.prior && !task.returnsGradient &&
                          task.positions.empty(),
                      "a polynomial learner knows no proximal term, correction, prior, gradient or "
                      "positions");
    }

    /// @param view samples of one number each
    /// @return the numbers
    static std::vector<double>
    ReadInputs(const DataView& view)
    {
        SampleReader reader(view);
        std::vector<double> numbers;
        for (const uint32_t index : view.indices)
        {
            float number;
            reader.Read(index, &number);
            numbers.push_back(number);
        }
        return numbers;
    }

    /// @param i place of an own sample
    /// @return its target
    double
    Target(std::size_t i) const
    {
        return m_trainData.data->targets[m_trainData.indices[i]];
    }

    /// @param x a number
    /// @return value of the polynomial
    double
    Compute(double x) const
    {
        double value = 0;
        for (std::size_t k = m_coefficients.size(); k-- > 0;)
        {
            value = value * x + m_coefficients[k];
        }
        return value;
    }

    /// @param pull pull of the training that has been done
    /// @return what it has reached
    TrainReport
    Report(const Distillation& pull) const
    {
        TrainReport report;
        report.steps = 1;
        const auto own = ReadInputs(m_trainData);
        for (std::size_t i = 0; i < own.size(); ++i)
        {
            report.localLoss += std::pow(Compute(own[i]) - Target(i), 2);
        }
        report.localLoss /= static_cast<double>(own.size());
        if (pull.targets)
        {
            const auto inputs = ReadInputs(*pull.inputs);
            for (std::size_t i = 0; i < inputs.size(); ++i)
            {
                report.distillationLoss += std::pow(Compute(inputs[i]) - (*pull.targets)(i, 0), 2);
            }
            report.distillationLoss /= static_cast<double>(inputs.size());
        }
        return report;
    }

    DataView m_trainData;               //!< the own samples
    std::vector<double> m_coefficients; //!< of powers 0, 1, ...
};

} // namespace

std::unique_ptr<Learner>
MakePolynomialLearner(DataView trainData, uint32_t degree)
{
    CheckTrainData(trainData, true);
    CheckArgument(degree >= 1 && degree <= 20,
                  "degree {} of a polynomial is not allowed; it must be 1 to 20",
                  degree);
    CheckArgument(trainData.data->outputs == 1 && trainData.data->SampleSize() == 1,
                  "a polynomial learner needs samples of one number and target");
    return std::make_unique<PolynomialLearner>(std::move(trainData), degree);
}

} // namespace ns3::collab
