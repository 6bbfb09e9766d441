/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-reference.h"
#include "support/quadratic-learner.h"

#include "ns3/federated-algorithms.h"
#include "ns3/federated-client.h"
#include "ns3/federated-participation.h"
#include "ns3/federated-server.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <gmock/gmock.h>
#include <iterator>
#include <limits>
#include <map>
#include <set>

using namespace ns3::collab;
using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::IsEmpty;
using ::testing::Pointwise;
using tests::QuadraticLearner;

namespace
{

FlatVector
Vector(std::vector<float> values)
{
    return std::make_shared<const std::vector<float>>(std::move(values));
}

FederatedUpdate
Update(double samples, std::vector<float> change, FlatVector controlChange = nullptr)
{
    FederatedUpdate update;
    update.samples = samples;
    update.change = Vector(std::move(change));
    update.controlChange = std::move(controlChange);
    return update;
}

FederatedOptions
Options(FederatedAlgorithm algorithm)
{
    FederatedOptions options;
    options.algorithm = algorithm;
    options.mu = 0.3;
    options.alpha = 0.2;
    options.serverRate = 0.9;
    options.serverMomentum = 0.7;
    return options;
}

FederatedServer
MakeServer(const FederatedOptions& options,
           std::vector<float> model,
           std::size_t devices,
           const std::string& rule = "mean")
{
    const std::size_t trained = model.size();
    return FederatedServer(
        options, Vector(std::move(model)), trained, devices, MakeAggregationRule(rule));
}

/// The rounds of tests/reference/make-federated-reference.py
struct Rounds
{
    static constexpr std::size_t DEVICES = 4;
    static constexpr std::size_t DIMENSION = 3;
    static constexpr double RATE = 0.1;

    explicit Rounds(FederatedAlgorithm algorithm)
        : server(MakeServer(Options(algorithm), Start(), DEVICES))
    {
        for (std::size_t k = 0; k < DEVICES; ++k)
        {
            std::vector<float> target;
            for (std::size_t i = 0; i < DIMENSION; ++i)
            {
                target.push_back(static_cast<float>(3 * std::sin(1.0 + 2.0 * k + 5.0 * i)));
            }
            learners.emplace_back(target, 0.5 + 0.25 * k);
            clients.emplace_back(Options(algorithm), DIMENSION);
        }
        for (std::size_t round = 0; round < 5; ++round)
        {
            Run(round);
        }
    }

    static std::vector<float>
    Start()
    {
        std::vector<float> start;
        for (std::size_t i = 0; i < DIMENSION; ++i)
        {
            start.push_back(static_cast<float>(std::cos(i)));
        }
        return start;
    }

    void
    Run(std::size_t round)
    {
        std::vector<FederatedUpdate> updates;
        for (std::size_t k = 0; k < DEVICES; ++k)
        {
            if (k == round % DEVICES)
            {
                continue;
            }
            TrainTask task;
            task.steps = 6;
            task.learningRate = RATE;
            learners[k].SetWeights(server.GetModel());
            clients[k].Prepare(server.GetModel(), server.GetControl(), task);
            const auto report = learners[k].Train(task);
            updates.push_back(clients[k].Finish(*server.GetModel(),
                                                server.GetControl(),
                                                *learners[k].GetWeights(),
                                                report.steps,
                                                RATE));
            updates.back().samples = 10.0 + 5.0 * k;
            clients[k].Remember(updates.back());
            used[k] = !used[k];
            clients[k].Settle(used[k]);
        }
        server.Step(updates);
    }

    std::vector<float>
    GetMemories() const
    {
        std::vector<float> all;
        for (const auto& client : clients)
        {
            all.insert(all.end(), client.GetMemory().begin(), client.GetMemory().end());
        }
        return all;
    }

    FederatedServer server;
    std::vector<QuadraticLearner> learners;
    std::vector<FederatedClient> clients;
    std::array<bool, DEVICES> used = {}; //!< whether an odd number of updates was
};

/// SGD with momentum on the quadratic of a device of Rounds
std::vector<float>
Descend(std::size_t device, const std::vector<float>& start, std::size_t steps, double momentum)
{
    std::vector<float> end;
    for (std::size_t i = 0; i < start.size(); ++i)
    {
        const double target = 3 * std::sin(1.0 + 2.0 * device + 5.0 * i);
        double w = start[i];
        double buffer = 0;
        for (std::size_t step = 0; step < steps; ++step)
        {
            buffer = momentum * buffer + (0.5 + 0.25 * device) * (w - target);
            w -= Rounds::RATE * buffer;
        }
        end.push_back(static_cast<float>(w));
    }
    return end;
}

} // namespace

TEST(FederatedAlgorithmTest, FedAvgWeighsBySamples)
{
    auto server = MakeServer(Options(FederatedAlgorithm::FEDAVG), {1, 2}, 5);
    server.Step({Update(1, {4, 0}), Update(3, {0, -4})});
    EXPECT_THAT(*server.GetModel(), ElementsAre(2, -1)); // (1 + 4/4, 2 - 3 * 4/4)
}

TEST(FederatedAlgorithmTest, NumbersThatAreLostAreLeftOut)
{
    auto server = MakeServer(Options(FederatedAlgorithm::FEDAVG), {1, 2, 3}, 5);
    auto first = Update(1, {4, 8});
    first.arrived = {{0, 1}, 3};
    auto second = Update(3, {-4});
    second.arrived = {{1}, 3};
    server.Step({first, second});
    // Both have sent the second number, weighed 1 : 3; nobody the last one
    EXPECT_THAT(*server.GetModel(), ElementsAre(5, 2 + (8.0F - 3 * 4) / 4, 3));
    auto third = Update(4, {0});
    third.arrived = {{2}, 3};
    server.Step({Update(1, {4, 8, 0}), Update(3, {0, -4, 0}), third});
    EXPECT_THAT(*server.GetModel(), ElementsAre(5 + 1, 1 + (8.0F - 3 * 4) / 4, 3))
        << "the mean of the two that have it, by their samples";
    auto half = Update(1, {2});
    half.arrived = {{0}, 2};
    std::vector<FederatedUpdate> updates = {half, Update(3, {4, 6})};
    CompleteUpdates(updates, false, 2);
    EXPECT_THAT(*updates[0].change, ElementsAre(2, 6));
    EXPECT_TRUE(updates[0].arrived.IsWhole());
}

TEST(FederatedAlgorithmTest, ScaffoldByHand)
{
    FederatedOptions options = Options(FederatedAlgorithm::SCAFFOLD);
    options.serverRate = 2;
    FederatedClient client(options, 2);
    // c_k+ = c_k - c + (x - y) / (K eta) = 0 - (1, -1) + (-1, 2) / (2 * 0.5)
    const auto update = client.Finish({1, 1}, Vector({1, -1}), {2, -1}, 2, 0.5);
    EXPECT_THAT(*update.change, ElementsAre(1, -2));
    EXPECT_THAT(*update.controlChange, ElementsAre(-2, 3));
    EXPECT_THAT(client.GetMemory(), IsEmpty()); // nobody has used it
    client.Remember(update);
    client.Settle(true);
    EXPECT_THAT(client.GetMemory(), ElementsAre(-2, 3));
    TrainTask task;
    client.Prepare(Vector({0, 0}), Vector({1, 1}), task);
    EXPECT_THAT(*task.correction, ElementsAre(3, -2)); // c - c_k
    EXPECT_FALSE(task.center);

    auto server = MakeServer(options, {0, 0}, 4);
    server.Step({Update(1, {1, 0}, Vector({2, 0})), Update(9, {3, 0}, Vector({0, 4}))});
    EXPECT_THAT(*server.GetModel(), ElementsAre(4, 0));     // 2 * (1 + 3) / 2: not by samples
    EXPECT_THAT(*server.GetControl(), ElementsAre(0.5, 1)); // 2/4 * mean
}

TEST(FederatedAlgorithmTest, MemoryIsOfUpdatesThatWereUsed)
{
    FederatedClient client(Options(FederatedAlgorithm::SCAFFOLD), 2);
    client.Remember(Update(1, {0, 0}, Vector({1, 2})));
    client.Settle(false); // lost
    EXPECT_THAT(client.GetMemory(), IsEmpty());
    client.Remember(Update(1, {0, 0}, Vector({3, 4})));
    client.Settle(true); // the first that was used
    EXPECT_THAT(client.GetMemory(), ElementsAre(3, 4));
    client.Settle(true); // told once more
    EXPECT_THAT(client.GetMemory(), ElementsAre(3, 4));
    client.Remember(Update(1, {0, 0}, Vector({5, 6})));
    client.Settle(true); // lost
    EXPECT_THAT(client.GetMemory(), ElementsAre(3, 4));
    client.Remember(Update(1, {0, 0}, Vector({7, 8})));
    client.Settle(false); // the second that was used
    EXPECT_THAT(client.GetMemory(), ElementsAre(10, 12));
}

TEST(FederatedAlgorithmTest, FedDynByHand)
{
    FederatedOptions options = Options(FederatedAlgorithm::FEDDYN);
    options.alpha = 0.5;
    FederatedClient client(options, 2);
    const auto update = client.Finish({1, 1}, nullptr, {3, 0}, 0, 0);
    EXPECT_THAT(*update.change, ElementsAre(2, -1));
    client.Remember(update);
    client.Settle(true);
    EXPECT_THAT(client.GetMemory(), ElementsAre(-1, 0.5)); // 0 - 0.5 (y - x)
    TrainTask task;
    const auto model = Vector({0, 0});
    client.Prepare(model, nullptr, task);
    EXPECT_THAT(*task.correction, ElementsAre(1, -0.5));
    EXPECT_EQ(task.center, model);
    EXPECT_EQ(task.mu, 0.5);

    auto server = MakeServer(options, {0, 0}, 4);
    server.Step({Update(1, {2, 0}), Update(9, {4, 4})});
    // h = -0.5 * 2/4 * (3, 2) = (-0.75, -0.5); x = (3, 2) + (1.5, 1)
    EXPECT_THAT(*server.GetModel(), ElementsAre(4.5, 3));
}

TEST(FederatedAlgorithmTest, RoundsAgreeWithTheReference)
{
    const Rounds average(FederatedAlgorithm::FEDAVG);
    EXPECT_THAT(*average.server.GetModel(), Pointwise(FloatNear(2e-6F), EXPECTED_FEDAVG));
    const Rounds prox(FederatedAlgorithm::FEDPROX);
    EXPECT_THAT(*prox.server.GetModel(), Pointwise(FloatNear(2e-6F), EXPECTED_FEDPROX));
    const Rounds scaffold(FederatedAlgorithm::SCAFFOLD);
    EXPECT_THAT(*scaffold.server.GetModel(), Pointwise(FloatNear(4e-6F), EXPECTED_SCAFFOLD));
    EXPECT_THAT(*scaffold.server.GetControl(),
                Pointwise(FloatNear(4e-6F), EXPECTED_SCAFFOLD_CONTROL));
    EXPECT_THAT(scaffold.GetMemories(), Pointwise(FloatNear(4e-6F), EXPECTED_SCAFFOLD_CONTROLS));
    const Rounds dynamic(FederatedAlgorithm::FEDDYN);
    EXPECT_THAT(*dynamic.server.GetModel(), Pointwise(FloatNear(4e-6F), EXPECTED_FEDDYN));
    EXPECT_THAT(dynamic.GetMemories(), Pointwise(FloatNear(4e-6F), EXPECTED_FEDDYN_GRADIENTS));
}

TEST(FederatedAlgorithmTest, FedAvgMByHand)
{
    FederatedOptions options = Options(FederatedAlgorithm::FEDAVGM);
    options.serverMomentum = 0.5;
    FederatedServer server(options, Vector({0, 0}), 1, 5, MakeAggregationRule("mean"));
    server.Step({Update(1, {4, 4}), Update(3, {0, 0})});
    EXPECT_THAT(*server.GetModel(), ElementsAre(1, 1));
    server.Step({Update(1, {2, 2})});
    EXPECT_THAT(*server.GetModel(), ElementsAre(3.5, 3)); // 1 + 0.5 * 1 + 2; state without momentum
    const Rounds rounds(FederatedAlgorithm::FEDAVGM);
    EXPECT_THAT(*rounds.server.GetModel(), Pointwise(FloatNear(4e-6F), EXPECTED_FEDAVGM));
}

TEST(FederatedAlgorithmTest, FedNovaByHand)
{
    FederatedServer server(
        Options(FederatedAlgorithm::FEDNOVA), Vector({0, 0}), 1, 5, MakeAggregationRule("mean"));
    auto quick = Update(1, {8, 8});
    quick.steps = 8;
    auto slow = Update(3, {4, 4});
    slow.steps = 2;
    server.Step({quick, slow});
    // tau = (8 + 3 * 2) / 4 = 3.5, quotients 1 and 2; state is a mean (8 + 3 * 4) / 4
    EXPECT_THAT(*server.GetModel(), ElementsAre(FloatNear(3.5F * 1.75F, 1e-6), FloatNear(5, 1e-6)));
    slow.steps = 0;
    EXPECT_THROW(server.Step({slow}), std::invalid_argument);
    FederatedClient client(Options(FederatedAlgorithm::FEDNOVA), 2);
    EXPECT_EQ(client.Finish({1, 1}, nullptr, {2, 2}, 3, 0).steps, 3U);
    EXPECT_THROW(client.Finish({1, 1}, nullptr, {2, 2}, 0, 0), std::invalid_argument);
}

TEST(FederatedAlgorithmTest, FedNovaAgreesWithTheReference)
{
    for (const double momentum : {0.0, 0.6})
    {
        FederatedOptions options = Options(FederatedAlgorithm::FEDNOVA);
        options.localMomentum = momentum;
        auto server = MakeServer(options, Rounds::Start(), Rounds::DEVICES);
        FederatedClient client(options, Rounds::DIMENSION);
        for (std::size_t round = 0; round < 5; ++round)
        {
            std::vector<FederatedUpdate> updates;
            for (std::size_t k = 0; k < Rounds::DEVICES; ++k)
            {
                if (k != round % Rounds::DEVICES)
                {
                    const auto& x = *server.GetModel();
                    const auto y = Descend(k, x, 2 + 2 * k, momentum);
                    updates.push_back(client.Finish(x, nullptr, y, 2 + 2 * k, Rounds::RATE));
                    updates.back().samples = 10.0 + 5.0 * k;
                }
            }
            server.Step(updates);
        }
        EXPECT_THAT(*server.GetModel(),
                    Pointwise(FloatNear(4e-6F),
                              momentum == 0 ? EXPECTED_FEDNOVA : EXPECTED_FEDNOVA_MOMENTUM));
    }
}

TEST(FederatedAlgorithmTest, FedBuffByHand)
{
    FederatedOptions options = Options(FederatedAlgorithm::FEDBUFF);
    options.serverRate = 2;
    auto fresh = Update(1, {3, 3});
    auto stale = Update(9, {8, 8});
    stale.staleness = 3;
    FederatedServer server(options, Vector({1, 1}), 1, 5, MakeAggregationRule("mean"));
    server.Step({fresh, stale});
    // 1 + 2 (3 + 8 / sqrt(4)) / 2: not by samples, not over the sum of the factors; state is a mean
    EXPECT_THAT(*server.GetModel(), ElementsAre(8, 6.5));
    options.stalenessWeight = StalenessWeight::CONSTANT;
    FederatedServer constant(options, Vector({1, 1}), 1, 5, MakeAggregationRule("mean"));
    constant.Step({fresh, stale});
    EXPECT_THAT(*constant.GetModel(), ElementsAre(12, 6.5)); // 1 + 2 (3 + 8) / 2
    EXPECT_EQ(GetStalenessFactor(0, StalenessWeight::POLYNOMIAL), 1);
    EXPECT_EQ(GetStalenessFactor(8, StalenessWeight::POLYNOMIAL), 1.0 / 3);
    EXPECT_EQ(GetStalenessFactor(8, StalenessWeight::CONSTANT), 1);
    EXPECT_TRUE(options.GetTraits().isAsynchronous);
    EXPECT_FALSE(Options(FederatedAlgorithm::FEDAVG).GetTraits().isAsynchronous);
}

TEST(FederatedAlgorithmTest, FedBuffAgreesWithTheReference)
{
    for (const auto weight : {StalenessWeight::POLYNOMIAL, StalenessWeight::CONSTANT})
    {
        FederatedOptions options = Options(FederatedAlgorithm::FEDBUFF);
        options.stalenessWeight = weight;
        auto server = MakeServer(options, Rounds::Start(), Rounds::DEVICES);
        FederatedClient client(options, Rounds::DIMENSION);
        std::vector<FlatVector> versions = {server.GetModel()};
        std::vector<FederatedUpdate> buffer;
        for (std::size_t i = 0; i < std::size(EXPECTED_FEDBUFF_UPDATES); i += 2)
        {
            const auto device = static_cast<std::size_t>(EXPECTED_FEDBUFF_UPDATES[i]);
            const auto version = static_cast<std::size_t>(EXPECTED_FEDBUFF_UPDATES[i + 1]);
            const auto& x = *versions[version];
            buffer.push_back(client.Finish(x, nullptr, Descend(device, x, 6, 0), 6, Rounds::RATE));
            buffer.back().samples = 10.0 + 5.0 * device;
            buffer.back().staleness = static_cast<uint32_t>(versions.size() - 1 - version);
            if (buffer.size() == 3)
            {
                server.Step(buffer);
                buffer.clear();
                versions.push_back(server.GetModel());
            }
        }
        EXPECT_EQ(versions.size(), 7U);
        if (weight == StalenessWeight::POLYNOMIAL)
        {
            EXPECT_THAT(*server.GetModel(), Pointwise(FloatNear(4e-6F), EXPECTED_FEDBUFF));
        }
        else
        {
            EXPECT_THAT(*server.GetModel(), Pointwise(FloatNear(4e-6F), EXPECTED_FEDBUFF_CONSTANT));
        }
    }
}

TEST(FederatedAlgorithmTest, StateIsOnlyAveraged)
{
    for (const auto algorithm : {FederatedAlgorithm::SCAFFOLD, FederatedAlgorithm::FEDDYN})
    {
        FederatedClient client(Options(algorithm), 1);
        const auto update = client.Finish({0, 0}, Vector({1, 0}), {1, 1}, 1, 1);
        client.Remember(update);
        client.Settle(true);
        EXPECT_EQ(client.GetMemory()[1], 0);
        EXPECT_NE(client.GetMemory()[0], 0);
        FederatedServer server(
            Options(algorithm), Vector({0, 0}), 1, 1, MakeAggregationRule("mean"));
        server.Step({Update(1, {1, 1}, Vector({0, 0}))});
        EXPECT_EQ((*server.GetModel())[1], 1);
        EXPECT_NE((*server.GetModel())[0], 1);
    }
}

TEST(FederatedAlgorithmTest, OtherRulesBearLiars)
{
    auto server = MakeServer(Options(FederatedAlgorithm::FEDAVG), {1, 1}, 3, "median:f=1");
    server.Step({Update(1, {1, 2}), Update(1, {1e6F, -1e6F}), Update(1, {2, 3})});
    EXPECT_THAT(*server.GetModel(), ElementsAre(3, 3));
    EXPECT_THROW(server.Step({Update(1, {1, 2}), Update(1, {0, 0})}), std::invalid_argument);
    EXPECT_THAT(*server.GetModel(), ElementsAre(3, 3));
}

TEST(FederatedAlgorithmTest, RefusesWhatMakesNoSense)
{
    FederatedOptions options;
    options.alpha = 0;
    EXPECT_THROW(options.Check(), std::invalid_argument);
    options = {};
    options.mu = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(options.Check(), std::invalid_argument);
    options = {};
    options.serverRate = -1;
    EXPECT_THROW(options.Check(), std::invalid_argument);
    options = {};
    options.serverMomentum = 1;
    EXPECT_THROW(options.Check(), std::invalid_argument);
    options = {};
    options.localMomentum = -0.1;
    EXPECT_THROW(options.Check(), std::invalid_argument);

    auto server = MakeServer(Options(FederatedAlgorithm::SCAFFOLD), {1, 1}, 3);
    EXPECT_THROW(server.Step({Update(1, {1, 1})}), std::invalid_argument);
    EXPECT_THROW(server.Step({Update(1, {1}, Vector({1, 1}))}), std::invalid_argument);
    EXPECT_THROW(server.Step({}), std::invalid_argument);
    FederatedClient client(Options(FederatedAlgorithm::SCAFFOLD), 2);
    EXPECT_THROW(client.Finish({1, 1}, Vector({0, 0}), {1, 1}, 0, 0.1), std::invalid_argument);
    EXPECT_THROW(client.Finish({1, 1}, nullptr, {1, 1}, 1, 0.1), std::invalid_argument);
    EXPECT_THROW(client.Finish({1, 1}, Vector({0, 0}), {1}, 1, 0.1), std::invalid_argument);
}

TEST(FederatedAlgorithmTest, EveryDeviceIsDrawnAlike)
{
    std::vector<int> drawn(10);
    for (uint64_t seed = 0; seed < 4000; ++seed)
    {
        const auto sample = SampleParticipants(10, 0.3, seed);
        ASSERT_EQ(sample.size(), 3U);
        ASSERT_EQ(std::set<uint32_t>(sample.begin(), sample.end()).size(), 3U);
        ASSERT_TRUE(std::is_sorted(sample.begin(), sample.end()));
        for (const uint32_t device : sample)
        {
            ++drawn.at(device);
        }
    }
    for (const int count : drawn)
    {
        EXPECT_NEAR(count, 1200, 5 * 29); // standard deviation sqrt(4000 * 0.3 * 0.7) = 29
    }
    EXPECT_EQ(SampleParticipants(10, 0.01, 1).size(), 1U);
    EXPECT_EQ(SampleParticipants(3, 1, 1).size(), 3U);
    EXPECT_THROW(SampleParticipants(3, 0, 1), std::invalid_argument);
    EXPECT_THROW(SampleParticipants(3, 1.5, 1), std::invalid_argument);
}

TEST(FederatedAlgorithmTest, CountsOperations)
{
    const auto server = [](FederatedAlgorithm algorithm) {
        return MakeServer(Options(algorithm), std::vector<float>(100), 3).CountFlops(2);
    };
    EXPECT_EQ(server(FederatedAlgorithm::FEDAVG), 500U);
    EXPECT_EQ(server(FederatedAlgorithm::SCAFFOLD), 1200U);
    EXPECT_EQ(server(FederatedAlgorithm::FEDDYN), 900U);
    EXPECT_EQ(server(FederatedAlgorithm::FEDAVGM), 700U);
    EXPECT_EQ(server(FederatedAlgorithm::FEDNOVA), 800U);
    EXPECT_EQ(server(FederatedAlgorithm::FEDBUFF), 800U);
    const auto client = [](FederatedAlgorithm algorithm) {
        return FederatedClient(Options(algorithm), 100).CountFlops(100);
    };
    EXPECT_EQ(client(FederatedAlgorithm::FEDPROX), 100U);
    EXPECT_EQ(client(FederatedAlgorithm::SCAFFOLD), 500U);
    EXPECT_EQ(client(FederatedAlgorithm::FEDDYN), 400U);
}

TEST(FederatedAlgorithmTest, UpdatesOfASetAreAveragedBySamples)
{
    const FederatedUpdate average = AverageUpdates({Update(1, {1, 0}), Update(3, {5, -4})});
    EXPECT_EQ(average.samples, 4);
    EXPECT_THAT(*average.change, ElementsAre(FloatNear(4, 1e-6), FloatNear(-3, 1e-6)));
    EXPECT_THROW(AverageUpdates({Update(1, {1, 0}), Update(1, {1})}), std::invalid_argument);
    EXPECT_EQ(CountAverageFlops(10, 3), 70U); // products and sums of three, and the model's sum
}

TEST(FederatedAlgorithmTest, SetsAreNeighborsInOrder)
{
    EXPECT_THAT(MakeSets({1, 2, 3, 5, 8, 9, 10}, 3),
                ElementsAre(ElementsAre(1, 2, 3), ElementsAre(5, 8, 9), ElementsAre(10)));
    EXPECT_THAT(MakeSets({}, 3), ElementsAre());
    EXPECT_THROW(MakeSets({1, 2}, 0), std::invalid_argument);
}

TEST(FederatedAlgorithmTest, OneOfEachSetIsDrawnAlike)
{
    constexpr uint32_t DRAWS = 6000;
    const std::vector<std::vector<uint32_t>> sets = {{8, 9}, {}, {0, 1, 2}};
    std::map<uint32_t, uint32_t> counts;
    for (uint64_t seed = 0; seed < DRAWS; ++seed)
    {
        const auto drawn = SampleOneOfEach(sets, seed);
        ASSERT_EQ(drawn.size(), 2U);
        EXPECT_LT(drawn[0], 3U);
        EXPECT_GE(drawn[1], 8U);
        ++counts[drawn[0]];
        ++counts[drawn[1]];
    }
    // Standard deviations are below 40
    for (const uint32_t device : {0U, 1U, 2U})
    {
        EXPECT_NEAR(counts[device], DRAWS / 3.0, 160);
    }
    EXPECT_NEAR(counts[8], DRAWS / 2.0, 160);
    EXPECT_EQ(SampleOneOfEach(sets, 5), SampleOneOfEach(sets, 5));
}
