/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Decentralized SGD: devices train on own images, broadcast weights, and average what arrived.

#include "ns3/collab-module.h"
#include "ns3/core-module.h"

using namespace ns3;
using namespace ns3::collab;

/// A model on the air: 4 bytes a weight, each of use without the others.
struct Weights : FlatUnits
{
    static constexpr const char* NAME = "weights";
    std::size_t count = 0; // known to all, not sent

    template <typename V>
    void
    Fields(V& fields)
    {
        fields.Shape(count, "weights");
        fields.Units(values, count, "weights", arrived);
    }
};

/// What each device does.
class DecentralizedSgd : public LearningApplication
{
  public:
    static TypeId
    GetTypeId()
    {
        static TypeId tid =
            AddPartialLossPolicy(AddTraining(TypeId("DecentralizedSgd")
                                                 .SetParent<LearningApplication>()
                                                 .AddConstructor<DecentralizedSgd>()),
                                 LossPolicy::RELIABLE)
                .AddAttribute("Patience",
                              "Longest wait for the models of all neighbors.",
                              TimeValue(Seconds(60)),
                              MakeTimeAccessor(&DecentralizedSgd::m_patience),
                              MakeTimeChecker(Time(0)));
        return tid;
    }

  private:
    void
    DoStart() override
    {
        Listen(Weights{{}, GetLearner()->GetWeights()->size()});
    }

    Process
    Round() override
    {
        co_await Train(MakeTask()); // takes time and energy
        EnterPhase("exchange");
        std::vector<FlatVector> models = {GetLearner()->GetWeights()};
        Broadcast(Weights{{models[0], {}}, models[0]->size()});
        const auto heard = co_await Hear<Weights>(GetTransport()->GetNeighbors(), m_patience);
        for (const auto& [device, weights] : heard)
        {
            models.push_back(weights->Complete(*models[0])); // own ones for those that were lost
        }
        const auto mean =
            co_await Compute("average", models.size() * models[0]->size(), Mean(models));
        ReportScores(co_await Evaluate(mean));
    }

    static std::function<FlatVector()>
    Mean(const std::vector<FlatVector>& models)
    {
        return [models]() {
            std::vector<float> mean(models[0]->size());
            WeightedMean(VectorStack(models), std::vector<double>(models.size(), 1), mean.data());
            return std::make_shared<const std::vector<float>>(std::move(mean));
        };
    }

    Time m_patience; //!< attribute Patience
};

NS_OBJECT_ENSURE_REGISTERED(DecentralizedSgd);

int
main(int argc, char* argv[])
{
    return RunScenario("decentralized-sgd", [&]() {
        uint32_t devices = 10;
        std::string dataDir = "/usr/share/datasets/fashion-mnist";
        std::string runDir = "runs/decentralized-sgd";
        ParameterList list;
        list.Add("devices", devices, "number of devices").AtLeast(2);
        list.Add("dataDir", dataDir, "folder of the IDX files");
        list.Add("runDir", runDir, "folder to be made for the results").ChangesNoResult();
        list.Take("rounds", "ns3::collab::CollaborationApplication::Rounds").Default(10);
        list.Take("epochs", "DecentralizedSgd::LocalEpochs").Default(1);
        list.Take("patience", "DecentralizedSgd::Patience");
        ScenarioArguments(__FILE__, "Decentralized SGD.", list).Parse(argc, argv);
        ConfigureTorchProcess();
        const DealtData data = DealIdxDataSet(dataDir, devices);
        RecordedRun run(runDir, "decentralized-sgd", "accuracy_test");
        list.AddTo(run);
        run.Play(InstallApplications(MakeD2dDevices(devices, 20), [&](uint32_t i) {
            TorchLearnerConfig config; // of a multilayer perceptron, by default
            config.trainData = data.parts[i];
            config.shuffleSeed = SeedFor(RandomPurpose::SHUFFLE, i);
            const auto application = CreateObject<DecentralizedSgd>();
            list.Apply(*application);
            application->SetLearner(MakeTorchLearner(config));
            application->AddEvaluation("test", data.test);
            return application;
        }));
        Simulator::Destroy();
    });
}
