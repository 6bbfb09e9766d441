/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-learner-pool.h"
#include "ns3/collab-learner.h"
#include "ns3/d2d-helper.h"
#include "ns3/device-profile-helper.h"
#include "ns3/mobility-helper.h"
#include "ns3/prediction-consensus-application.h"
#include "ns3/prediction-consensus-helper.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup collab-test
 * Prediction consensus over the simulated radio, with learners that always answer the same, so that
 * trust can be worked out by hand.
 */

namespace tests
{

using namespace ns3;
using namespace ns3::collab;

/// @ingroup collab-test
/// @brief A learner of two classes with one answer to everything, which training does not change.
class TableLearner : public Learner
{
  public:
    /// @param probability that it gives to the first class
    explicit TableLearner(float probability)
        : m_probability(probability)
    {
    }

    TrainReport
    Train(const TrainTask&) override
    {
        return TrainReport();
    }

    Matrix<float>
    Predict(const DataView& inputs) override
    {
        Matrix<float> probabilities(inputs.Size(), 2);
        for (std::size_t sample = 0; sample < inputs.Size(); ++sample)
        {
            probabilities(sample, 0) = m_probability;
            probabilities(sample, 1) = 1 - m_probability;
        }
        return probabilities;
    }

    Score
    Evaluate(const DataView&) override
    {
        return Score();
    }

    uint64_t
    CountTrainFlops(const TrainTask&) const override
    {
        return 6000000; // a millisecond at the processor's default speed
    }

    uint64_t
    CountPredictFlops(std::size_t) const override
    {
        return 6000000;
    }

    uint64_t
    GetParameterCount() const override
    {
        return 0;
    }

  private:
    float m_probability; //!< that it gives to the first class
};

/// @ingroup collab-test
/// @brief Three devices with given answers run a few rounds; what they traced.
class ConsensusOfThree
{
  public:
    /// @param outageModel attribute OutageModel of the channel
    explicit ConsensusOfThree(const std::string& outageModel)
    {
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
        NodeContainer nodes(DEVICES);
        MobilityHelper mobility;
        mobility.Install(nodes);
        D2dHelper d2d;
        d2d.SetChannelAttribute("OutageModel", StringValue(outageModel));
        const NetDeviceContainer radios = d2d.Install(nodes);
        D2dHelper::AssignStreams(radios, 1);
        DeviceProfileHelper().Install(radios);

        auto data = std::make_shared<DataSet>();
        data->sampleShape = {1};
        data->classes = 2;
        data->features = {0, 1, 2, 3};
        data->labels = {0, 1, 0, 1};
        const auto reference = std::make_shared<const DataView>(MakeView(data, {0, 1, 2, 3}));
        std::vector<PredictionConsensusAgent> agents;
        for (const float probability : {0.8F, 0.8F, 0.2F})
        {
            agents.push_back({std::make_shared<TableLearner>(probability), reference, {}});
        }
        PredictionConsensusHelper helper(CreateObject<LearnerPool>());
        helper.SetAttribute("Rounds", UintegerValue(ROUNDS));
        helper.SetAttribute("PretrainingRounds", UintegerValue(PRETRAINING_ROUNDS));
        helper.SetAttribute("RoundDeadline", TimeValue(Seconds(DEADLINE_S)));
        Run(helper.Install(nodes, agents));
    }

    static constexpr uint32_t DEVICES = 3;            //!< number of devices
    static constexpr uint32_t ROUNDS = 4;             //!< rounds of each
    static constexpr uint32_t PRETRAINING_ROUNDS = 1; //!< of them without an exchange
    static constexpr uint32_t DEADLINE_S = 2;         //!< longest wait [s]

    std::vector<TrustRecord> trust;              //!< rows of the trust matrix, as traced
    std::vector<std::pair<uint32_t, bool>> ends; //!< devices that ended, and whether all was done
    Time end;                                    //!< when the last one did

  private:
    /// @param applications what to run and trace
    void
    Run(const ApplicationContainer& applications)
    {
        const Callback<void, const TrustRecord&> storeTrust(
            [this](const TrustRecord& record) { trust.push_back(record); });
        const Callback<void, uint32_t, bool> storeEnd([this](uint32_t device, bool finished) {
            ends.emplace_back(device, finished);
            end = Simulator::Now();
        });
        for (uint32_t i = 0; i < applications.GetN(); ++i)
        {
            applications.Get(i)->TraceConnectWithoutContext("Trust", storeTrust);
            applications.Get(i)->TraceConnectWithoutContext("End", storeEnd);
        }
        StopWhenAllEnd(applications);
        Simulator::Run();
        Simulator::Destroy();
    }
};

/// @ingroup collab-test
/// @brief Devices that hear each other weigh each other by eq. (6) and finish their rounds without
/// waiting for the deadline.
class TrustTestCase : public TestCase
{
  public:
    TrustTestCase()
        : TestCase("Trust among devices that hear each other")
    {
    }

  private:
    void
    DoRun() override
    {
        const ConsensusOfThree run("ns3::collab::D2dFixedOutageModel[Probability=0]");
        NS_TEST_ASSERT_MSG_EQ(run.ends.size(), ConsensusOfThree::DEVICES, "devices that ended");
        for (const auto& [device, finished] : run.ends)
        {
            NS_TEST_EXPECT_MSG_EQ(finished, true, "rounds of device " << device << " are done");
        }
        NS_TEST_EXPECT_MSG_LT(
            run.end, Seconds(ConsensusOfThree::DEADLINE_S), "nobody is waited for in vain");
        NS_TEST_ASSERT_MSG_EQ(run.trust.size(),
                              ConsensusOfThree::DEVICES *
                                  (ConsensusOfThree::ROUNDS - ConsensusOfThree::PRETRAINING_ROUNDS),
                              "rows traced, one a device and collaborative round");
        // The cosine of (0.8, 0.2) and (0.2, 0.8) is 0.32 / 0.68 = 8 / 17; the confidence is the
        // same for all samples and cancels. Row of devices 0 and 1: (1, 1, 8/17) over its sum; of
        // device 2: (8/17, 8/17, 1) over its sum.
        const double expected[ConsensusOfThree::DEVICES][ConsensusOfThree::DEVICES] = {
            {17.0 / 42, 17.0 / 42, 8.0 / 42},
            {17.0 / 42, 17.0 / 42, 8.0 / 42},
            {8.0 / 33, 8.0 / 33, 17.0 / 33}};
        for (const TrustRecord& record : run.trust)
        {
            NS_TEST_ASSERT_MSG_EQ(
                record.row.size(), ConsensusOfThree::DEVICES, "agents in a row of trust");
            double sum = 0;
            for (const auto& entry : record.row)
            {
                sum += entry.weight;
                NS_TEST_EXPECT_MSG_EQ(entry.ageRounds, 0, "age of the predictions used");
                NS_TEST_EXPECT_MSG_EQ_TOL(entry.weight,
                                          expected[record.device][entry.peer],
                                          1e-6,
                                          "trust of device " << record.device << " in device "
                                                             << entry.peer);
            }
            NS_TEST_EXPECT_MSG_EQ_TOL(sum, 1, 1e-12, "sum of a row of trust");
        }
    }
};

/// @ingroup collab-test
/// @brief Devices that lose all messages wait for the deadline in each collaborative round, trust
/// themselves alone, and finish.
class LossTestCase : public TestCase
{
  public:
    LossTestCase()
        : TestCase("Rounds complete when every message is lost")
    {
    }

  private:
    void
    DoRun() override
    {
        const ConsensusOfThree run("ns3::collab::D2dFixedOutageModel[Probability=1]");
        NS_TEST_ASSERT_MSG_EQ(run.ends.size(), ConsensusOfThree::DEVICES, "devices that ended");
        for (const auto& [device, finished] : run.ends)
        {
            NS_TEST_EXPECT_MSG_EQ(finished, true, "rounds of device " << device << " are done");
        }
        const int64_t collaborative =
            ConsensusOfThree::ROUNDS - ConsensusOfThree::PRETRAINING_ROUNDS;
        NS_TEST_EXPECT_MSG_GT(run.end,
                              Seconds(ConsensusOfThree::DEADLINE_S) * collaborative,
                              "each collaborative round waits for the deadline");
        NS_TEST_EXPECT_MSG_LT(run.end,
                              Seconds(ConsensusOfThree::DEADLINE_S) * (collaborative + 1),
                              "and for no more than that");
        for (const TrustRecord& record : run.trust)
        {
            NS_TEST_ASSERT_MSG_EQ(record.row.size(), 1, "agents in a row of trust");
            NS_TEST_EXPECT_MSG_EQ(record.row[0].peer, record.device, "agent that is trusted");
            NS_TEST_EXPECT_MSG_EQ(record.row[0].weight, 1, "trust in oneself alone");
        }
    }
};

/// @ingroup collab-test
/// @brief Tests of prediction consensus.
class CollabPredictionConsensusTestSuite : public TestSuite
{
  public:
    CollabPredictionConsensusTestSuite()
        : TestSuite("collab-prediction-consensus", Type::UNIT)
    {
        AddTestCase(new TrustTestCase);
        AddTestCase(new LossTestCase);
    }
};

/// Registers the suite
static CollabPredictionConsensusTestSuite g_collabPredictionConsensusTestSuite;

} // namespace tests
