/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-pseudo-labels.h"

#include "collab-distributed-pca.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-metrics.h"
#include "ns3/collab-random.h"
#include "ns3/collab-torch-learner.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

namespace ns3::collab
{

namespace
{

/// @param views views to put together
/// @throws std::invalid_argument if they do not belong together
void
CheckViews(const SemiSupervisedViews& views)
{
    const auto& [labeled, unlabeled, isLabeled] = views;
    const auto count =
        static_cast<std::size_t>(std::count(isLabeled.begin(), isLabeled.end(), true));
    CheckArgument(labeled.data && labeled.data == unlabeled.data &&
                      labeled.transform == unlabeled.transform && labeled.Size() != 0 &&
                      labeled.labels.size() == labeled.Size() && count == labeled.Size() &&
                      isLabeled.size() == labeled.Size() + unlabeled.Size(),
                  "{} samples with {} labels and {} without, {} of {} said to have one, expected "
                  "both parts of one view by SplitLabeled(), and at least 1 label",
                  labeled.Size(),
                  labeled.labels.size(),
                  unlabeled.Size(),
                  count,
                  isLabeled.size());
}

/// @param views views to put together
/// @return all samples in their order, those without a label with NO_LABEL
DataView
JoinViews(const SemiSupervisedViews& views)
{
    DataView all;
    all.data = views.labeled.data;
    all.transform = views.labeled.transform;
    auto labeled = views.labeled.indices.begin();
    auto label = views.labeled.labels.begin();
    auto unlabeled = views.unlabeled.indices.begin();
    for (const bool isLabeled : views.isLabeled)
    {
        all.indices.push_back(isLabeled ? *labeled++ : *unlabeled++);
        all.labels.push_back(isLabeled ? *label++ : NO_LABEL);
    }
    return all;
}

/// @param views views whose labelled part to train on
/// @param model model to train
/// @param seed seed of the initial weights and the order of samples
/// @return the learner, untrained
std::unique_ptr<Learner>
MakeLabeler(const SemiSupervisedViews& views, const LabelingModel& model, uint64_t seed)
{
    CheckViews(views);
    TorchLearnerConfig config;
    config.model = model.model;
    config.trainData = views.labeled;
    config.learningRate = model.learningRate;
    config.batchSize = model.batchSize;
    config.optimizer.kind = OptimizerKind::ADAM;
    config.initializationSeed = seed;
    config.shuffleSeed = SplitMix64(seed);
    return MakeTorchLearner(config);
}

} // namespace

DataView
LabelByPropagation(const SemiSupervisedViews& views,
                   const Matrix<float>& subspace,
                   const PropagationOptions& options)
{
    CheckViews(views);
    DataView all = JoinViews(views);
    all.labels = PropagateLabels(Project(DecodeSamples(all), subspace), all.labels, options).labels;
    return all;
}

DataView
LabelByModel(const SemiSupervisedViews& views, const LabelingModel& model, uint64_t seed)
{
    const auto learner = MakeLabeler(views, model, seed);
    TrainTask task;
    task.epochs = model.epochs;
    learner->Train(task);
    const std::vector<int64_t> predicted = PredictedClasses(learner->Predict(views.unlabeled));
    DataView all = JoinViews(views);
    auto next = predicted.begin();
    for (std::size_t i = 0; i < all.Size(); ++i)
    {
        all.labels[i] = views.isLabeled[i] ? all.labels[i] : *next++;
    }
    return all;
}

uint64_t
CountModelLabelFlops(const SemiSupervisedViews& views, const LabelingModel& model)
{
    const auto learner = MakeLabeler(views, model, 1);
    TrainTask task;
    task.epochs = model.epochs;
    return learner->CountTrainFlops(task) + learner->CountPredictFlops(views.unlabeled.Size());
}

double
MeasureLabelingAccuracy(const SemiSupervisedViews& views, const DataView& believed)
{
    CheckViews(views);
    const std::vector<int64_t>& truth = views.labeled.data->labels;
    const DataView all = JoinViews(views);
    CheckArgument(believed.indices == all.indices && believed.labels.size() == all.Size() &&
                      !truth.empty(),
                  "{} believed labels of {} samples, expected those of the {} that were labelled, "
                  "of a data set with labels",
                  believed.labels.size(),
                  believed.Size(),
                  all.Size());
    std::size_t right = 0;
    for (std::size_t i = 0; i < all.Size(); ++i)
    {
        const bool isRight = believed.labels[i] == truth[all.indices[i]];
        right += !views.isLabeled[i] && isRight ? 1 : 0;
    }
    return views.unlabeled.Size() > 0
               ? static_cast<double>(right) / static_cast<double>(views.unlabeled.Size())
               : std::numeric_limits<double>::quiet_NaN();
}

} // namespace ns3::collab
