/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_LINEAR_EVALUATION_H
#define COLLAB_LINEAR_EVALUATION_H

#include "ns3/collab-learner.h"
#include "ns3/collab-matrix.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief How a multinomial logistic regression is fitted.
struct LogisticOptions
{
    double l2 = 1; //!< weight of the squared coefficients' half beside the summed loss; positive
    uint32_t iterations = 1000; //!< at most; at least 1
    /// until the greatest element of the gradient of the mean loss is not above this; positive
    double tolerance = 1e-6;
    bool standardizes = true; //!< whether features are brought to mean 0 and variance 1 first
};

/// @ingroup collab-learning
/// @brief A multinomial logistic regression of standardized features.
struct LogisticModel
{
    std::vector<double> mean;       //!< of each feature where it was fitted; 0 if not standardized
    std::vector<double> deviation;  //!< of each feature; 1 if it has none or is not standardized
    Matrix<double> coefficients;    //!< classes x features; 0 for a class without samples
    std::vector<double> intercepts; //!< by class; -infinity for a class without samples
    uint32_t iterations = 0;        //!< that were needed
    bool isConverged = false;       //!< whether the tolerance was reached
};

/**
 * @brief Fit a multinomial logistic regression, which has one solution with intercepts of sum 0.
 *
 * Minimizes sum_i -log p(y_i | x_i) + l2 |W|^2 / 2 with p = softmax(W x + b), which is
 * scikit-learn's LogisticRegression with C = 1 / l2, by L-BFGS (Liu, Nocedal, Math. Program. 1989)
 * from zeros. Classes without samples never get a probability.
 *
 * @param features samples x features; all finite
 * @param labels one a sample, 0 to classes - 1
 * @param classes number of classes
 * @param options options of the fit
 * @return the model
 * @throws std::invalid_argument if there are no samples, if the numbers of samples and labels
 * differ, if a label is no class, a number not finite or an option not allowed
 */
LogisticModel FitLogisticModel(const Matrix<float>& features,
                               const std::vector<int64_t>& labels,
                               uint32_t classes,
                               const LogisticOptions& options = {});

/// @param model a fitted one
/// @param features samples x features
/// @return class probabilities, samples x classes
/// @throws std::invalid_argument if there are not as many features as the model has
Matrix<float> PredictLogistic(const LogisticModel& model, const Matrix<float>& features);

/// @ingroup collab-learning
/// @brief Embeddings of samples whose classes are known.
struct LabeledEmbeddings
{
    const Matrix<float>& embeddings;    //!< samples x width
    const std::vector<int64_t>& labels; //!< one a sample
};

/**
 * @brief Linear evaluation of an encoder: how well its embeddings tell classes apart.
 *
 * Fits a logistic regression to the embeddings of the probe and scores it on others, as Chen et
 * al. (ICML 2020) do.
 *
 * @param probe labeled embeddings to fit to
 * @param tested labeled embeddings to score
 * @param classes number of classes
 * @param options options of the fit
 * @return the scores; all NaN if an embedding is not finite, as those of an encoder that diverged
 * @throws std::invalid_argument as FitLogisticModel() and ScorePredictions() do
 */
Score EvaluateLinearly(const LabeledEmbeddings& probe,
                       const LabeledEmbeddings& tested,
                       uint32_t classes,
                       const LogisticOptions& options = {});

} // namespace ns3::collab

#endif /* COLLAB_LINEAR_EVALUATION_H */
