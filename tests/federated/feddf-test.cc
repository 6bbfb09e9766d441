/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "distillation/distillation-samples.h"

#include "ns3/federated-ensemble.h"

#include <gmock/gmock.h>

using namespace ns3::collab;
namespace bundles = tests::distillation; // a using-directive would reach other tests
using ::testing::FloatNear;
using ::testing::Pointwise;

namespace
{

/// @return the mean of some models
FlatVector
Average(const std::vector<FlatVector>& models)
{
    auto mean = std::make_shared<std::vector<float>>(models[0]->size());
    for (std::size_t i = 0; i < mean->size(); ++i)
    {
        double sum = 0;
        for (const FlatVector& model : models)
        {
            sum += (*model)[i];
        }
        (*mean)[i] = static_cast<float>(sum / static_cast<double>(models.size()));
    }
    return mean;
}

TEST(FedDfTest, DistillsTheEnsembleAsNumpyDoes)
{
    std::vector<FlatVector> models;
    for (uint32_t k = 0; k < bundles::DEVICES; ++k)
    {
        const auto learner = bundles::MakeClassifier(*bundles::MakeOwn(k), 0);
        learner->Train({});
        models.push_back(learner->GetWeights());
    }
    const auto reference = bundles::MakeReference();
    const std::shared_ptr<Learner> server = bundles::MakeClassifier(*reference, 0);
    const FederatedEnsemble ensemble(server, reference, 3);
    const FlatVector student = ensemble.Distill(Average(models), models);
    EXPECT_THAT(*student, Pointwise(FloatNear(5e-6F), EXPECTED_FEDDF_WEIGHTS));
    EXPECT_EQ(bundles::MakeReference(1)->labels[0], (reference->labels[0] + 1) % bundles::CLASSES);
    EXPECT_EQ(
        *FederatedEnsemble(server, bundles::MakeReference(1), 3).Distill(Average(models), models),
        *student); // no label is read
}

TEST(FedDfTest, CountsPredictionsTheirMeanAndTheSteps)
{
    const auto reference = bundles::MakeReference();
    const std::shared_ptr<Learner> server = bundles::MakeClassifier(*reference, 0);
    const auto count = [&](uint32_t steps, std::size_t models) {
        return FederatedEnsemble(server, reference, steps).CountFlops(models);
    };
    EXPECT_EQ(count(1, 5) - count(1, 4),
              server->CountPredictFlops(bundles::REFERENCE) +
                  bundles::REFERENCE * bundles::CLASSES);
    EXPECT_EQ(count(9, 1) - count(5, 1), 4 * (count(2, 1) - count(1, 1)));
}

TEST(FedDfTest, OfAModelThatHasDivergedIsTheMean)
{
    const auto reference = bundles::MakeReference();
    TorchLearnerConfig config;
    config.model = "linear";
    config.trainData = *reference;
    config.optimizer.kind = OptimizerKind::SGD;
    const std::shared_ptr<Learner> server = MakeTorchLearner(config);
    const FlatVector start = server->GetWeights();
    const auto huge = std::make_shared<const std::vector<float>>(start->size(), 3e38F);
    EXPECT_EQ(FederatedEnsemble(server, reference, 50).Distill(start, {start, huge}), start);
}

} // namespace
