/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"

#include "ns3/collab-rank-archive.h"
#include "ns3/collab-rank-group.h"
#include "ns3/collab-rank-learner.h"
#include "ns3/collab-rank-link.h"
#include "ns3/collab-rank-service.h"
#include "ns3/collab-torch-learner.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

namespace ranks_test
{

using namespace ns3::collab;
using namespace tests;

/// Other ranks in this process, which answer at once
class NearLink : public RankLink
{
  public:
    /// @param size number of ranks
    explicit NearLink(uint32_t size)
        : m_services(size)
    {
    }

    uint32_t
    GetRank() const override
    {
        return 0;
    }

    uint32_t
    GetSize() const override
    {
        return static_cast<uint32_t>(m_services.size());
    }

    std::string
    GetHost(uint32_t rank) const override
    {
        return "host" + std::to_string(rank);
    }

    std::future<std::string>
    Ask(uint32_t rank, std::string request) override
    {
        std::promise<std::string> promise;
        promise.set_value(m_services.at(rank).Answer(std::move(request)));
        return promise.get_future();
    }

    void
    Serve(const Answer&) override
    {
    }

    void
    End() override
    {
    }

  private:
    std::vector<RankService> m_services; //!< by rank
};

/// A run of three ranks
class RanksTest : public ::testing::Test
{
  protected:
    RanksTest()
    {
        SetRankGroup(m_group);
    }

    ~RanksTest() override
    {
        SetRankGroup(nullptr);
    }

    std::shared_ptr<RankGroup> m_group =
        std::make_shared<RankGroup>(std::make_unique<NearLink>(3)); //!< of the run
};

/// @return images of the numbers 0 to 2
std::shared_ptr<const DataSet>
MakeImages()
{
    return MakeDataSet(FeatureKind::BYTES, {1, 4, 4}, 24, 3, FormulaByte);
}

/// @return what learns from images
TorchLearnerConfig
MakeConfig(const std::string& model)
{
    TorchLearnerConfig config;
    config.model = model;
    config.trainData = MakeView(MakeImages(), Range(20));
    config.batchSize = 6;
    return config;
}

/// @return floating-point numbers, compared bit by bit even if they are none
template <typename T>
std::string
Bytes(const T& value)
{
    RankWriter writer;
    writer << value;
    return writer.Take();
}

/// Expect that two learners do the same in all jobs
void
ExpectSame(Learner& far, Learner& near)
{
    const DataView tested = MakeView(MakeImages(), {20, 21, 22, 23});
    TrainTask task;
    task.epochs = 2;
    EXPECT_EQ(far.GetParameterCount(), near.GetParameterCount());
    EXPECT_EQ(Bytes(far.GetWeights()), Bytes(near.GetWeights()));
    for (int round = 0; round < 3; ++round)
    {
        EXPECT_EQ(far.CountTrainFlops(task), near.CountTrainFlops(task));
        EXPECT_EQ(far.CountMostTrainFlops(task), near.CountMostTrainFlops(task));
        task.returnsGradient = round == 1;
        EXPECT_EQ(Bytes(far.Train(task)), Bytes(near.Train(task)));
        EXPECT_EQ(Bytes(far.GetWeights()), Bytes(near.GetWeights()));
        EXPECT_EQ(Bytes(far.Evaluate(tested)), Bytes(near.Evaluate(tested)));
        const FlatVector weights = near.GetWeights();
        near.SetWeights(weights);
        far.SetWeights(weights);
        EXPECT_EQ(Bytes(far.GetWeights()), Bytes(near.GetWeights()));
        EXPECT_EQ(Bytes(far.Predict(tested)), Bytes(near.Predict(tested)));
        EXPECT_EQ(Bytes(far.PredictScores(tested)), Bytes(near.PredictScores(tested)));
    }
    EXPECT_EQ(far.CountPredictFlops(7), near.CountPredictFlops(7));
    EXPECT_EQ(far.GetEpsilon(1e-5), near.GetEpsilon(1e-5));
    EXPECT_EQ(Bytes(far.GetState()), Bytes(near.GetState()));
}

TEST_F(RanksTest, LearnersAtRanksDoTheSame)
{
    for (const std::string model : {"mlp:8", "linear", "resnet20:bn"})
    {
        SCOPED_TRACE(model);
        const TorchLearnerConfig config = MakeConfig(model);
        ExpectSame(*MakeRankLearner(config, nullptr), *MakeTorchLearner(config));
    }
}

TEST_F(RanksTest, LearnersWithDrawsDoTheSame)
{
    TorchLearnerConfig belief = MakeConfig("mlp:8");
    belief.variational.emplace();
    belief.variational->initialDeviation = 0.0123;
    ExpectSame(*MakeRankLearner(belief, nullptr), *MakeTorchLearner(belief));
    TorchLearnerConfig isPrivate = MakeConfig("mlp:8"); // whose lots decide operations
    isPrivate.dpSgd.emplace();
    ExpectSame(*MakeRankLearner(isPrivate, nullptr), *MakeTorchLearner(isPrivate));
}

TEST_F(RanksTest, TermsAndStatesCrossRanks)
{
    const TorchLearnerConfig config = MakeConfig("mlp:8");
    const auto far = MakeRankLearner(config, nullptr);
    const auto near = MakeTorchLearner(config);
    TrainTask task;
    task.center = Constant(near->GetWeights()->size(), 0.5F);
    task.correction = Constant(near->GetWeights()->size(), 0.25F);
    task.mu = 0.5;
    task.l2 = 0.1;
    task.positions = {3, 5, 7, 11};
    task.distillation.inputs = std::make_shared<const DataView>(MakeView(MakeImages(), {20, 22}));
    task.distillation.targets =
        std::make_shared<const Matrix<float>>(MakeMatrix(3, {0.5F, 0.3F, 0.2F, 0, 1, 0}));
    const LearnerState before = near->GetState();
    EXPECT_EQ(Bytes(far->Train(task)), Bytes(near->Train(task)));
    GradientTask gradient;
    gradient.positions = {1, 2};
    EXPECT_EQ(far->CountGradientFlops(gradient), near->CountGradientFlops(gradient));
    EXPECT_EQ(Bytes(far->ComputeGradient(gradient)), Bytes(near->ComputeGradient(gradient)));
    far->SetState(before);
    near->SetState(before);
    EXPECT_EQ(Bytes(far->GetWeights()), Bytes(before.vectors.at("weights")));
    EXPECT_EQ(Bytes(far->Train(task)), Bytes(near->Train(task)));
}

TEST_F(RanksTest, ErrorsArriveWithTheirText)
{
    const auto learner = MakeRankLearner(MakeConfig("mlp:8"), nullptr);
    TrainTask task;
    task.positions = {20};
    EXPECT_THAT(
        [&]() { learner->Train(task); },
        ::testing::ThrowsMessage<std::invalid_argument>("position 20 is not below 20 samples"));
    EXPECT_THROW(learner->SetWeights(Constant(3, 0)), std::invalid_argument);
    EXPECT_THROW(MakeRankLearner(MakeConfig("no such model"), nullptr), std::invalid_argument);
    TrainTask right;
    EXPECT_EQ(learner->Train(right).steps, 4U); // it goes on
    RankService service;
    const std::string nonsense(1, '\x7f');
    EXPECT_EQ(service.Answer(nonsense).front(), static_cast<char>(RankStatus::ERROR));
}

TEST_F(RanksTest, WhatARankHasIsNotSentAgain)
{
    const TorchLearnerConfig config = MakeConfig("mlp:64");
    std::vector<std::unique_ptr<Learner>> learners;
    for (int i = 0; i < 4; ++i) // two at each rank
    {
        learners.push_back(MakeRankLearner(config, nullptr));
    }
    const auto first = m_group->GetTraffic();
    ASSERT_EQ(first.size(), 2U);
    EXPECT_EQ(first[1].host, "host2");
    EXPECT_EQ(first[0].requests, 2U);
    EXPECT_GT(first[0].data, 24U * 16);
    EXPECT_LT(first[0].data, 2U * 24 * 16 + 500); // once, with its labels
    const auto model = std::make_shared<const std::vector<float>>(*learners[0]->GetWeights());
    const std::size_t bytes = model->size() * sizeof(float);
    for (const auto& learner : learners) // the first of a rank brings the model along
    {
        learner->SetWeights(model);
        learner->Evaluate(config.trainData);
    }
    const auto same = std::make_shared<const std::vector<float>>(*model); // at another place
    for (const auto& learner : learners)
    {
        learner->SetWeights(same);
        learner->Evaluate(config.trainData);
    }
    for (const RankTraffic& traffic : m_group->GetTraffic())
    {
        EXPECT_EQ(traffic.data, first[0].data);
        EXPECT_GT(traffic.sent - first[0].sent, bytes); // once for four jobs
        EXPECT_LT(traffic.sent - first[0].sent, 2 * bytes);
        EXPECT_GT(traffic.received, 0U);
        EXPECT_EQ(traffic.trainings, 0U);
    }
}

TEST(RankShelfTest, DropsWhatWasNotUsedForLongest)
{
    RankShelf shelf(100);
    const auto digest = [](const char* text) { return ComputeRankDigest(text); };
    const auto object = std::make_shared<const int>(7);
    shelf.Add(digest("kept"), 1000, true, object);
    shelf.Add(digest("a"), 40, false, nullptr);
    shelf.Add(digest("b"), 40, false, nullptr);
    EXPECT_TRUE(shelf.Find(digest("a")));
    shelf.Add(digest("c"), 40, false, nullptr);
    EXPECT_FALSE(shelf.Find(digest("b")));
    EXPECT_TRUE(shelf.Find(digest("a")));
    EXPECT_TRUE(shelf.Find(digest("c")));
    shelf.Add(digest("large"), 500, false, nullptr); // is needed now
    EXPECT_TRUE(shelf.Find(digest("large")));
    EXPECT_FALSE(shelf.Find(digest("a")));
    ASSERT_TRUE(shelf.Find(digest("kept")));
    EXPECT_EQ(*shelf.Find(digest("kept")), object);
}

/// Becomes a member of any type
struct AnyMember
{
    template <typename T>
    operator T() const;
};

/// @tparam T a struct
/// @tparam Places as many as it may have members
template <typename T, std::size_t... Places>
constexpr auto
HasMembers(std::index_sequence<Places...>) -> decltype(T{(void(Places), AnyMember{})...}, true)
{
    return true;
}

template <typename T>
constexpr bool
HasMembers(...)
{
    return false;
}

// A new member has to be sent too: see ListMembers()
static_assert(HasMembers<TrainTask>(std::make_index_sequence<10>()));
static_assert(!HasMembers<TrainTask>(std::make_index_sequence<11>()));
static_assert(HasMembers<GradientTask>(std::make_index_sequence<2>()));
static_assert(!HasMembers<GradientTask>(std::make_index_sequence<3>()));

TEST(RankArchiveTest, ReadsWhatWasWritten)
{
    TrainTask task;
    task.epochs = 3;
    task.steps = 4;
    task.learningRate = 0.5;
    task.batchSize = 6;
    task.resetsOptimizer = true;
    task.dropsOptimizer = true;
    task.returnsGradient = true;
    task.positions = {8, 9};
    task.klScale = 0.25;
    task.prior = Constant(2, std::numeric_limits<float>::quiet_NaN());
    RankReader reader(Bytes(task));
    const auto read = reader.Read<TrainTask>();
    EXPECT_EQ(Bytes(read), Bytes(task));
    EXPECT_EQ(read.epochs, 3U);
    EXPECT_EQ(read.steps, 4U);
    EXPECT_EQ(read.learningRate, 0.5);
    EXPECT_EQ(read.batchSize, 6U);
    EXPECT_TRUE(read.resetsOptimizer && read.dropsOptimizer && read.returnsGradient);
    EXPECT_EQ(read.positions, task.positions);
    EXPECT_EQ(read.klScale, 0.25);
    EXPECT_THROW(reader.Read<uint64_t>(), std::out_of_range);
}

/// The environment of a process that another program has started
class RankPlaceTest : public ::testing::Test
{
  protected:
    RankPlaceTest()
    {
        for (const char* name : NAMES)
        {
            unsetenv(name);
        }
    }

    ~RankPlaceTest() override
    {
        for (const char* name : NAMES)
        {
            unsetenv(name);
        }
    }

    /// All that is read
    static constexpr const char* NAMES[] = {"COLLAB_RANKS",
                                            "OMPI_COMM_WORLD_RANK",
                                            "OMPI_COMM_WORLD_SIZE",
                                            "PMI_RANK",
                                            "PMI_SIZE",
                                            "PMIX_RANK",
                                            "SLURM_PROCID",
                                            "SLURM_STEP_NUM_TASKS",
                                            "SLURM_NTASKS"};
};

TEST_F(RankPlaceTest, MpirunSaysWhich)
{
    EXPECT_FALSE(FindRankPlace());
    setenv("OMPI_COMM_WORLD_SIZE", "1", 1);
    setenv("OMPI_COMM_WORLD_RANK", "0", 1);
    EXPECT_FALSE(FindRankPlace());
    setenv("OMPI_COMM_WORLD_SIZE", "4", 1);
    setenv("OMPI_COMM_WORLD_RANK", "3", 1);
    ASSERT_TRUE(FindRankPlace());
    EXPECT_EQ(FindRankPlace()->rank, 3U);
    EXPECT_EQ(FindRankPlace()->size, 4U);
    EXPECT_TRUE(FindRankPlace()->isConnected);
    setenv("COLLAB_RANKS", "off", 1);
    EXPECT_FALSE(FindRankPlace());
}

TEST_F(RankPlaceTest, JobsOfSlurmAreAloneUnlessSrunStartsSeveral)
{
    setenv("SLURM_NTASKS", "8", 1); // the batch script of an allocation
    setenv("SLURM_PROCID", "0", 1);
    EXPECT_FALSE(FindRankPlace());
    setenv("SLURM_STEP_NUM_TASKS", "8", 1);
    setenv("SLURM_PROCID", "5", 1);
    ASSERT_TRUE(FindRankPlace());
    EXPECT_EQ(FindRankPlace()->rank, 5U);
    EXPECT_FALSE(FindRankPlace()->isConnected);
    setenv("PMIX_RANK", "5", 1);
    EXPECT_TRUE(FindRankPlace()->isConnected);
}

} // namespace ranks_test
