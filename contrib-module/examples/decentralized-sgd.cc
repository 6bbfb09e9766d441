/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Decentralized SGD: devices train on their own images, broadcast their weights, and average what
// arrived.

#include "ns3/collab-module.h"
#include "ns3/core-module.h"

#include <numeric>

using namespace ns3;
using namespace ns3::collab;

/// A model on the air: 4 bytes a weight.
struct Weights
{
    static constexpr const char* NAME = "weights";
    FlatVector values;
    std::size_t count = 0; // known to all, not sent

    template <typename V>
    void
    Fields(V& fields)
    {
        fields.Shape(count, "weights");
        fields.Floats(values, count, "weights");
    }
};

/// What each device does.
class DecentralizedSgd : public LearningApplication
{
  public:
    static TypeId
    GetTypeId()
    {
        static TypeId tid = AddLossPolicy(AddTraining(TypeId("DecentralizedSgd")
                                                          .SetParent<LearningApplication>()
                                                          .AddConstructor<DecentralizedSgd>()),
                                          LossPolicy::BEST_EFFORT)
                                .AddAttribute("Patience",
                                              "Longest wait for the models of all neighbors.",
                                              TimeValue(Seconds(5)),
                                              MakeTimeAccessor(&DecentralizedSgd::m_patience),
                                              MakeTimeChecker(Time(0)));
        return tid;
    }

  private:
    void
    DoStart() override
    {
        Listen(Weights{nullptr, GetLearner()->GetWeights()->size()}, GetRounds());
    }

    Process
    Round() override
    {
        co_await Train(MakeTask()); // takes time and energy
        EnterPhase("exchange");
        std::vector<FlatVector> models = {GetLearner()->GetWeights()};
        Broadcast(Weights{models[0], models[0]->size()});
        const auto heard = co_await Hear<Weights>(GetTransport()->GetNeighbors(), m_patience);
        for (const auto& [device, weights] : heard)
        {
            models.push_back(weights->values);
        }
        const auto mean =
            co_await Compute("average", models.size() * models[0]->size(), Mean(models));
        ReportScores(co_await Evaluate(mean));
    }

    /// A job, for a thread of the host.
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
        double spacing = 20;
        std::string dataDir = "/usr/share/datasets/fashion-mnist",
                    runDir = "runs/decentralized-sgd";
        ParameterList list;
        list.Add("devices", devices, "number of devices").AtLeast(2);
        list.Add("spacing", spacing, "distance between neighbors [m]").Above(0);
        list.Add("dataDir", dataDir, "folder of the IDX files");
        list.Add("runDir", runDir, "folder to be made for the results");
        list.Take("rounds", "ns3::collab::CollaborationApplication::Rounds").Default(10);
        list.Take("epochs", "DecentralizedSgd::LocalEpochs").Default(1);
        list.Take("patience", "DecentralizedSgd::Patience");
        ScenarioArguments(__FILE__, "Decentralized SGD.", list).Parse(argc, argv);
        ConfigureTorchProcess();
        const auto data = LoadIdxDataSet(dataDir, true);
        std::vector<uint32_t> images(devices * 200), test(1000);
        std::iota(images.begin(), images.end(), 0);
        std::iota(test.begin(), test.end(), 0);
        const auto parts = PartitionDirichlet(
            data->labels, images, 10, devices, 0.5, 50, SeedFor(RandomPurpose::PARTITION));
        const auto unseen =
            std::make_shared<DataView>(MakeView(LoadIdxDataSet(dataDir, false), test));
        RecordedRun run(runDir, "decentralized-sgd", "accuracy_test");
        run.Play(InstallApplications(MakeD2dDevices(devices, spacing), [&](uint32_t i) {
            TorchLearnerConfig config; // of a multilayer perceptron, by default
            config.trainData = MakeView(data, parts[i]);
            config.shuffleSeed = SeedFor(RandomPurpose::SHUFFLE, i);
            const auto application = CreateObject<DecentralizedSgd>();
            list.Apply(*application);
            application->SetLearner(MakeTorchLearner(config));
            application->AddEvaluation("test", unseen);
            return application;
        }));
        Simulator::Destroy();
    });
}
