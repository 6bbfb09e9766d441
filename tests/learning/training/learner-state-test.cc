/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"
#include "support/temporary-folder.h"
#include "support/test-data.h"

#include "ns3/collab-error.h"
#include "ns3/collab-learner-file.h"
#include "ns3/collab-personal-learner.h"
#include "ns3/collab-safetensors-file.h"
#include "ns3/collab-stub-learner.h"
#include "ns3/collab-torch-learner.h"
#include "ns3/collab-torch-weights.h"

#include <cmath>
#include <gmock/gmock.h>

namespace learner_state_test
{

using namespace ns3::collab;
using namespace tests;
using testing::HasSubstr;

constexpr uint32_t SAMPLES = 20;
constexpr uint32_t BATCH = 8; // three steps a pass

/// A learner's configuration by names of its parts
TorchLearnerConfig
MakeConfig(const std::string& model, const std::string& optimizer)
{
    TorchLearnerConfig config;
    config.model = model;
    config.trainData = ViewAll(
        MakeDataSet(FeatureKind::NUMBERS, {1, 28, 28}, SAMPLES, 10, [](uint64_t i, uint64_t j) {
            return std::cos(static_cast<double>(784 * i + j) * 0.37);
        }));
    config.batchSize = BATCH;
    config.learningRate = 0.01;
    config.optimizer.kind =
        optimizer.substr(0, 4) == "adam" ? OptimizerKind::ADAM : OptimizerKind::SGD;
    config.optimizer.schedule = MakeRateSchedule("cosine:steps=20,warmup=2");
    if (optimizer == "sgd-nesterov")
    {
        ReadOptimizerOptions("momentum=0.9,nesterov=1", config.optimizer);
    }
    if (optimizer == "adamw")
    {
        ReadOptimizerOptions("weightDecay=0.1,decoupled=1", config.optimizer);
    }
    return config;
}

/// One job
void
Train(Learner& learner, uint32_t steps)
{
    TrainTask task;
    task.steps = steps;
    learner.Train(task);
}

class LearnerStateTest : public tests::TemporaryFolder
{
  protected:
    void
    SetUp() override
    {
        TemporaryFolder::SetUp();
        std::filesystem::create_directory(m_folder);
    }

    /// @return path of the test's file
    std::string
    Path() const
    {
        return (m_folder / "learner.safetensors").string();
    }

    /// A learner that is saved and loaded must go on as one that was not.
    void
    ExpectSameAfterLoading(const TorchLearnerConfig& config) const
    {
        const auto steady = MakeTorchLearner(config);
        const auto saved = MakeTorchLearner(config);
        Train(*steady, 4); // and one step of the second pass
        Train(*saved, 4);
        SaveLearner(Path(), *saved);
        const auto resumed = MakeTorchLearner(config);
        Train(*resumed, 2); // what it did before is forgotten
        LoadLearner(Path(), *resumed);
        Train(*steady, 5);
        Train(*resumed, 5);
        EXPECT_EQ(*steady->GetWeights(), *resumed->GetWeights());
        EXPECT_NE(*saved->GetWeights(), *resumed->GetWeights());
    }
};

TEST_F(LearnerStateTest, GoesOnWithinXStar)
{
    TorchLearnerConfig config = MakeConfig("mlp:30", "adam");
    config.referenceBatchSize = 3;
    TrainTask task;
    task.steps = 2; // of X* all but a part
    task.distillation.inputs = std::make_shared<const DataView>(config.trainData);
    auto targets = std::make_shared<Matrix<float>>(config.trainData.Size(), 10);
    for (std::size_t i = 0; i < targets->rows; ++i)
    {
        targets->Row(i)[i * i % 10] = 1;
    }
    task.distillation.targets = targets;
    const auto saved = MakeTorchLearner(config);
    saved->Train(task);
    SaveLearner(Path(), *saved);
    const auto resumed = MakeTorchLearner(config);
    LoadLearner(Path(), *resumed);
    for (int i = 0; i < 5; ++i)
    {
        saved->Train(task);
        resumed->Train(task);
    }
    EXPECT_EQ(*saved->GetWeights(), *resumed->GetWeights());
}

TEST_F(LearnerStateTest, GoesOnBitByBit)
{
    const std::string modules = "script:" + GetTestData("modules/");
    for (const std::string& model :
         std::vector{std::string("mlp:2"), std::string("mlp:30"), modules + "dropout.pt"})
    {
        for (const std::string optimizer : {"sgd", "sgd-nesterov", "adam", "adamw"})
        {
            SCOPED_TRACE(model + " by " + optimizer);
            ExpectSameAfterLoading(MakeConfig(model, optimizer));
        }
    }
    ExpectSameAfterLoading(MakeConfig(modules + "resnet.pt", "adamw")); // with statistics
}

TEST_F(LearnerStateTest, GoesOnWithWhatIsDrawn)
{
    auto config = MakeConfig("mlp:2", "adam");
    config.augmentation.emplace(); // shifted, flipped, scaled, with noise
    ExpectSameAfterLoading(config);
    config.dpSgd = DpSgdOptions{1, 1, 1e-5};
    ExpectSameAfterLoading(config);
    auto belief = MakeConfig("mlp:30", "sgd-nesterov");
    belief.variational.emplace();
    ExpectSameAfterLoading(belief);
}

TEST_F(LearnerStateTest, GoesOnOnDevices)
{
    for (const std::string optimizer : {"sgd-nesterov", "adamw"})
    {
        auto config = MakeConfig("mlp:2", optimizer);
        config.device = "cpu"; // by the ways of a GPU
        ExpectSameAfterLoading(config);
        config.dpSgd = DpSgdOptions{1, 1, 1e-5};
        ExpectSameAfterLoading(config);
    }
}

TEST_F(LearnerStateTest, WholePassesBeforeAndAfterAreOneJob)
{
    const auto config = MakeConfig("mlp:30", "adam");
    const auto steady = MakeTorchLearner(config);
    Train(*steady, 9);
    const auto saved = MakeTorchLearner(config);
    Train(*saved, 6);
    SaveLearner(Path(), *saved);
    const auto resumed = MakeTorchLearner(config);
    LoadLearner(Path(), *resumed);
    Train(*resumed, 3);
    EXPECT_EQ(*steady->GetWeights(), *resumed->GetWeights());
}

TEST_F(LearnerStateTest, KeepsThePrivacySpent)
{
    auto config = MakeConfig("mlp:2", "sgd");
    config.dpSgd = DpSgdOptions{1, 1, 1e-5};
    const auto saved = MakeTorchLearner(config);
    Train(*saved, 4);
    SaveLearner(Path(), *saved);
    const auto resumed = MakeTorchLearner(config);
    EXPECT_EQ(resumed->GetEpsilon(1e-5), 0);
    LoadLearner(Path(), *resumed);
    EXPECT_EQ(resumed->GetEpsilon(1e-5), saved->GetEpsilon(1e-5));
    EXPECT_GT(resumed->GetEpsilon(1e-5), 0);
}

TEST_F(LearnerStateTest, PersonalLayersAreSavedToo)
{
    const auto config = MakeConfig("mlp:2", "adam");
    const auto shared =
        FindShared(ListWeights(config.model, MakeModelInput(*config.trainData.data)), "1");
    const auto make = [&]() { return MakePersonalLearner(MakeTorchLearner(config), shared); };
    const auto saved = make();
    Train(*saved, 3);
    SaveLearner(Path(), *saved);
    const auto resumed = make();
    LoadLearner(Path(), *resumed);
    EXPECT_EQ(*resumed->GetAllWeights(), *saved->GetAllWeights());
}

TEST_F(LearnerStateTest, StubsGoOnWithTheirGradients)
{
    StubLearnerConfig config;
    const auto make = [&]() { return MakeStubLearner(config, MakeStubWeights(config.model)); };
    const auto saved = make();
    Train(*saved, 1);
    SaveLearner(Path(), *saved);
    const auto resumed = make();
    LoadLearner(Path(), *resumed);
    Train(*saved, 1);
    Train(*resumed, 1);
    EXPECT_EQ(*saved->GetWeights(), *resumed->GetWeights());
}

TEST_F(LearnerStateTest, RefusesWhatIsNotItsOwn)
{
    const auto saved = MakeTorchLearner(MakeConfig("mlp:2", "adam"));
    Train(*saved, 1);
    SaveLearner(Path(), *saved);
    const auto expect =
        [this](const std::string& model, const std::string& optimizer, const std::string& text) {
            const auto other = MakeTorchLearner(MakeConfig(model, optimizer));
            const auto before = other->GetWeights();
            const auto error = ErrorOf<DataFileError>([&] { LoadLearner(Path(), *other); });
            EXPECT_THAT(error, testing::AllOf(HasSubstr(Path()), HasSubstr(text)));
            EXPECT_EQ(*other->GetWeights(), *before);
        };
    expect("mlp:3", "adam", "model \"mlp:2\", this one has \"mlp:3\"");
    expect("mlp:2", "sgd", "optimizer \"adam\", this one has \"sgd\"");

    auto values = ReadSafetensorsMetadata(Path());
    const auto tensors = ReadSafetensors(Path());
    const auto rewrite = [&](const std::string& name, const std::string& value) {
        auto changed = values;
        changed[name] = value;
        WriteSafetensors(Path(), tensors, changed);
    };
    rewrite("collab_learner", "2");
    expect("mlp:2", "adam", "metadata \"collab_learner\" is \"2\", expected \"1\"");
    rewrite("generator", "12 x");
    expect("mlp:2", "adam", "\"generator\" is \"12 x\"");
    rewrite("counters", "7");
    expect("mlp:2", "adam", "counters of a model that has none");
    values.erase("passes");
    WriteSafetensors(Path(), tensors, values);
    expect("mlp:2", "adam", "\"passes\" is missing");
}

} // namespace learner_state_test
