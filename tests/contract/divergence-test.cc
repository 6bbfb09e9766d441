/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * A device whose learner gives NaN: the others refuse what it says, say so, and learn on.
 */

#include "contract/contract-test-case.h"
#include "support/diverging-learner.h"
#include "support/round-metrics.h"

#include "ns3/collab-torch-learner.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>

using namespace ns3;
using namespace ns3::collab;

namespace tests
{

namespace
{

constexpr uint32_t DIVERGED = 1; //!< the device that diverges

/// @return eight samples of two classes that a line parts
DataView
MakeSamples()
{
    auto data = std::make_shared<DataSet>();
    data->kind = FeatureKind::NUMBERS;
    data->sampleShape = {2};
    data->classes = 2;
    DataView view;
    for (uint32_t i = 0; i < 8; ++i)
    {
        data->numbers.insert(data->numbers.end(), {0.1F * i, 1.0F - 0.05F * i});
        data->labels.push_back(i < 4 ? 0 : 1);
        view.indices.push_back(i);
        view.labels.push_back(data->labels.back());
    }
    view.data = data;
    return view;
}

/// @return whether all numbers of a learner's model are finite
bool
IsFinite(const Learner& learner)
{
    const auto weights = learner.GetWeights();
    return std::all_of(weights->begin(), weights->end(), [](float w) { return std::isfinite(w); });
}

/// @return the protocols that learn
std::vector<Protocol>
GetLearningProtocols()
{
    auto protocols = GetProtocols();
    protocols.erase(std::remove_if(protocols.begin(),
                                   protocols.end(),
                                   [](const Protocol& protocol) { return !protocol.learns; }),
                    protocols.end());
    return protocols;
}

} // namespace

/// Runs of protocols that learn, in all of their forms
class ContractDivergenceTest : public ContractTest
{
  protected:
    /// @return whether the run has come to its end, and not to an error that a protocol may end in
    bool
    RunToTheEnd()
    {
        try
        {
            Run();
            return true;
        }
        catch (const std::runtime_error& error)
        {
            EXPECT_TRUE(GetParam().divergenceEndsRun);
            EXPECT_THAT(error.what(), ::testing::ContainsRegex("^device [0-9]+, round [0-9]+"));
            return false;
        }
    }

    /// @brief Run to the end, to which all come, and in which the others have learned.
    /// @param first number of the first training in which it diverges
    void
    Play(const ProtocolForm& form, uint32_t diverged, std::size_t first)
    {
        ContractSetting setting;
        setting.devices.duplex = "Full";
        setting.devices.payloadMode = form.mode;
        setting.attributes = form.attributes;
        setting.fails = diverged;
        setting.firstFailure = first;
        Make(setting);
        if (!RunToTheEnd())
        {
            return;
        }
        ExpectAllDone();
        for (uint32_t device = 0; device < m_bench.m_learners.size(); ++device)
        {
            const auto accuracy = m_bench.MetricOf(device, "accuracy_all");
            const bool isFinite = IsFinite(*m_bench.m_learners[device]);
            if (device != diverged)
            {
                EXPECT_TRUE(isFinite) << device;
                const auto weights = m_bench.m_learners[device]->GetWeights();
                EXPECT_GT(*std::max_element(weights->begin(), weights->end()), 0)
                    << device << " has learned";
                EXPECT_FALSE(std::all_of(accuracy.begin(), accuracy.end(), [](double a) {
                    return std::isnan(a);
                })) << device;
            }
            else if (!isFinite && !GetParam().hasOneModel)
            {
                EXPECT_TRUE(std::isnan(accuracy.back())) << "its own measure is none";
            }
        }
    }

    /// @return number of devices that learn
    static uint32_t
    CountLearners()
    {
        return GetParam().devices - (GetParam().server && !GetParam().hasBaseStation ? 1 : 0);
    }

    /// @return messages that were refused, as the rounds' metrics say
    double
    CountRefused() const
    {
        double refused = 0;
        for (const auto& record : m_bench.m_rounds)
        {
            refused += GetMetric(record, "messages_refused");
        }
        return refused;
    }
};

TEST_P(ContractDivergenceTest, TheOthersGoOnWithoutTheDeviceThatDiverges)
{
    for (const auto& form : GetForms())
    {
        for (std::size_t first = 0; first < (GetParam().trainsSeldom ? 1 : 2); ++first)
        {
            SCOPED_TRACE(form.name + " from training " + std::to_string(first));
            Play(form, DIVERGED, first);
            if (!GetParam().divergenceEndsRun && !form.isSilent && !GetParam().isAnalog)
            {
                EXPECT_GT(m_bench.m_refusals.size(), 0U);
                EXPECT_GT(CountRefused(), 0);
            }
        }
    }
}

TEST_P(ContractDivergenceTest, AnyDeviceMayDiverge)
{
    for (uint32_t device = 0; device < CountLearners(); ++device)
    {
        SCOPED_TRACE(device);
        Play(GetForms().front(), device, 0);
    }
}

TEST_P(ContractDivergenceTest, ALearningRateFarTooGreatEndsNoRun)
{
    for (const auto& form : GetForms())
    {
        SCOPED_TRACE(form.name);
        ContractSetting setting;
        setting.devices.payloadMode = form.mode;
        setting.attributes = form.attributes;
        setting.makeLearner = [](uint32_t device) {
            TorchLearnerConfig config;
            config.model = "mlp:4";
            config.trainData = MakeSamples();
            config.batchSize = 4;
            config.optimizer.kind = OptimizerKind::SGD;
            config.learningRate = device == DIVERGED ? 1e9 : 0.01;
            config.nativeSmallNetworks = device % 2 == 0;
            return MakeTorchLearner(config);
        };
        setting.samples = std::make_shared<const DataView>(MakeSamples());
        Make(setting);
        if (RunToTheEnd())
        {
            ExpectAllDone();
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Protocols,
                         ContractDivergenceTest,
                         ::testing::ValuesIn(GetLearningProtocols()),
                         [](const auto& info) { return info.param.name; });

} // namespace tests
