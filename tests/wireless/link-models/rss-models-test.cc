/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/memory-watch.h"
#include "wireless/link-models/references.h"
#include "wireless/wireless-bench.h"

#include "ns3/d2d-counter-random.h"
#include "ns3/d2d-dynamic-rss-model.h"
#include "ns3/d2d-matrix-rss-model.h"
#include "ns3/d2d-shadowing-model.h"

#include <iterator>

namespace ns3::collab::tests
{
namespace
{

/// Expects that a sample has a distribution function; a one-sample Kolmogorov-Smirnov test at 1e-4.
void
ExpectDistribution(std::vector<double> sample, const std::function<double(double)>& cdf)
{
    std::sort(sample.begin(), sample.end());
    const auto n = static_cast<double>(sample.size());
    double distance = 0;
    for (std::size_t i = 0; i < sample.size(); ++i)
    {
        const double expected = cdf(sample[i]);
        distance = std::max({distance, expected - i / n, (i + 1) / n - expected});
    }
    EXPECT_LT(distance * std::sqrt(n), KOLMOGOROV_SMIRNOV_LIMIT);
}

/// @return the standard normal distribution function
double
NormalCdf(double x)
{
    return std::erfc(-x / std::sqrt(2.0)) / 2;
}

/// Expects that a sample is normal with mean 0 and a standard deviation of 6.
void
ExpectNormal6(const std::vector<double>& sample)
{
    ExpectDistribution(sample, [](double x) { return NormalCdf(x / 6); });
}

/// @return correlation coefficient of a sample with itself, shifted by one
double
AutoCorrelation(const std::vector<double>& sample)
{
    const double mean = Describe(sample).mean;
    double product = 0;
    double square = 0;
    for (std::size_t i = 1; i < sample.size(); ++i)
    {
        product += (sample[i] - mean) * (sample[i - 1] - mean);
        square += (sample[i] - mean) * (sample[i] - mean);
    }
    return product / square;
}

class CounterRandomTest : public SimulatorTest
{
  protected:
    D2dCounterRandom m_random; //!< the generator
};

TEST_F(CounterRandomTest, EveryArgumentMatters)
{
    std::set<double> numbers;
    for (uint32_t bits = 0; bits < 32; ++bits)
    {
        RngSeedManager::SetSeed(1 + (bits & 1));
        RngSeedManager::SetRun(1 + (bits >> 1 & 1));
        m_random.SetStream(bits >> 2 & 1);
        for (const uint64_t counter : {uint64_t{0}, uint64_t{1}, uint64_t{1} << 32})
        {
            numbers.insert(m_random.GetUniform(bits >> 3 & 1, bits >> 4 & 1, counter));
        }
    }
    EXPECT_EQ(numbers.size(), 32 * 3);
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(1);
    m_random.SetStream(0);
    EXPECT_EQ(numbers.count(m_random.GetUniform(0, 0, 0)), 1U);
}

TEST_F(CounterRandomTest, GeneratorsWithoutAStreamDiffer)
{
    EXPECT_NE(D2dCounterRandom().GetUniform(1, 2, 3), D2dCounterRandom().GetUniform(1, 2, 3));
}

/*
 * Along each argument, 20000 numbers: uniform, at 1e-4 by Kolmogorov-Smirnov; not correlated with
 * their neighbors at 4 standard errors (6e-5).
 */
TEST_F(CounterRandomTest, UniformAndIndependentAlongEveryArgument)
{
    constexpr uint32_t SIZE = 20000;
    m_random.SetStream(7);
    const std::vector<std::function<double(uint32_t)>> ways = {
        [this](uint32_t i) { return m_random.GetUniform(i, 3, 5); },
        [this](uint32_t i) { return m_random.GetUniform(3, i, 5); },
        [this](uint32_t i) { return m_random.GetUniform(3, 4, i); },
        [this](uint32_t i) { return m_random.GetUniform(i, i + 1, i); },
        [this](uint32_t i) {
            m_random.SetStream(i);
            return m_random.GetUniform(0, 1, 0);
        }};
    for (const auto& way : ways)
    {
        std::vector<double> numbers;
        for (uint32_t i = 0; i < SIZE; ++i)
        {
            numbers.push_back(way(i));
        }
        EXPECT_THAT(numbers, Each(testing::AllOf(testing::Gt(0), testing::Lt(1))));
        ExpectDistribution(numbers, [](double x) { return x; });
        EXPECT_LT(std::abs(AutoCorrelation(numbers)), 4 / std::sqrt(SIZE));
    }
}

class DynamicRssTest : public SimulatorTest
{
  protected:
    DynamicRssTest()
    {
        m_model->AssignStreams(3);
    }

    void
    SetAttribute(const std::string& name, double value)
    {
        m_model->SetAttribute(name, DoubleValue(value));
    }

    /// @return 40000 values: those of 200 intervals x 200 links
    std::vector<double>
    Sample() const
    {
        std::vector<double> sample;
        for (int k = 0; k < 200; ++k)
        {
            At(Seconds(k + 0.5), [&] {
                for (uint32_t link = 0; link < 200; ++link)
                {
                    sample.push_back(m_model->GetRssW(link, link + 1));
                }
            });
        }
        Simulator::Run();
        Simulator::Destroy();
        return sample;
    }

    /// @return values of a link at several times [s]
    std::vector<double>
    ValuesAt(const std::vector<double>& times) const
    {
        std::vector<double> values;
        for (const double time : times)
        {
            At(Seconds(time), [&] { values.push_back(m_model->GetRssW(1, 2)); });
        }
        Simulator::Run();
        Simulator::Destroy();
        return values;
    }

    Ptr<D2dDynamicRssModel> m_model = CreateObject<D2dDynamicRssModel>(); //!< with defaults
};

TEST_F(DynamicRssTest, HasTheTruncatedNormalDistribution)
{
    const std::vector<double> sample = Sample();
    const double below = NormalCdf(-2.5);
    ExpectDistribution(
        sample, [=](double w) { return (NormalCdf((w - 0.3) / 0.1) - below) / (1 - 2 * below); });
    const auto& [mean, deviation] = EXPECTED_DYNAMIC_RSS_MOMENTS;
    ExpectMean(sample, mean, 4);
    // The standard error of a deviation is about s / sqrt(2 n)
    EXPECT_NEAR(Describe(sample).standardError * std::sqrt(sample.size()),
                deviation,
                4 * deviation / std::sqrt(2.0 * sample.size()));
    EXPECT_THAT(sample, Each(testing::AllOf(testing::Ge(0.05), testing::Le(0.55))));
}

/*
 * A value is the quantile of the link's uniform number, whatever the parameters: by inversion, the
 * numbers of the generator are given back by the distribution function of scipy.
 */
TEST_F(DynamicRssTest, QuantilesAreAsComputedWithScipy)
{
    constexpr std::size_t COUNT = std::size(TRUNCATED_NORMAL_PROBABILITIES);
    D2dCounterRandom random;
    random.SetStream(3);
    for (std::size_t d = 0; d < std::size(TRUNCATED_NORMALS) / 4; ++d)
    {
        const double* parameters = TRUNCATED_NORMALS + 4 * d;
        SetAttribute("Mean", parameters[0]);
        SetAttribute("StandardDeviation", parameters[1]);
        SetAttribute("Minimum", parameters[2]);
        SetAttribute("Maximum", parameters[3]);
        const double* quantiles = EXPECTED_TRUNCATED_NORMAL_QUANTILES + COUNT * d;
        for (uint32_t link = 0; link < 3000; ++link)
        {
            // Between two quantiles of the table if and only if u is between their probabilities
            const double uniform = random.GetUniform(link, 0, 0);
            const double value = m_model->GetRssW(link, 0);
            for (std::size_t q = 0; q < COUNT; ++q)
            {
                if (std::abs(uniform - TRUNCATED_NORMAL_PROBABILITIES[q]) > 1e-12)
                {
                    EXPECT_EQ(value < quantiles[q], uniform < TRUNCATED_NORMAL_PROBABILITIES[q]);
                }
            }
        }
    }
}

TEST_F(DynamicRssTest, DoesNotDependOnOtherQueries)
{
    Ptr<D2dDynamicRssModel> other = CreateObject<D2dDynamicRssModel>();
    other->AssignStreams(3);
    for (int k = 0; k < 5; ++k)
    {
        std::map<uint32_t, double> values;
        for (uint32_t link = 0; link < 20; ++link)
        {
            values[link] = m_model->GetRssW(link % 7, 30 + link);
        }
        for (uint32_t link = 20; link-- > 0 && k % 2 == 0;)
        {
            for (uint32_t i = 0; i < link; ++i)
            {
                other->GetRssW(i, 100);
                EXPECT_EQ(other->GetRssW(link % 7, 30 + link), values[link]);
            }
        }
        RunFor(Seconds(1));
    }
}

TEST_F(DynamicRssTest, ChangesFromIntervalToInterval)
{
    m_model->SetAttribute("Interval", TimeValue(MilliSeconds(10)));
    const auto values = ValuesAt({0.0, 0.009999999, 0.01, 0.015, 0.02});
    EXPECT_EQ(values[0], values[1]);
    EXPECT_EQ(values[2], values[3]);
    EXPECT_EQ(std::set<double>(values.begin(), values.end()).size(), 3);
}

TEST_F(DynamicRssTest, DoesNotChangeWhileItIsHeld)
{
    const std::vector<double> times = {1.5, 2.1, 2.5, 3.5, 5.4, 5.5, 6.5};
    const auto free = ValuesAt(times);
    m_model->SetAttribute("HoldStart", TimeValue(Seconds(2.5)));
    m_model->SetAttribute("HoldEnd", TimeValue(Seconds(5.5)));
    EXPECT_THAT(ValuesAt(times),
                ElementsAre(free[0], free[1], free[1], free[1], free[1], free[5], free[6]));
    EXPECT_NE(free[0], free[1]);
    EXPECT_NE(free[1], free[5]);
}

TEST_F(DynamicRssTest, StreamAndRunChangeAllValues)
{
    const double first = m_model->GetRssW(1, 2);
    m_model->AssignStreams(4);
    EXPECT_NE(m_model->GetRssW(1, 2), first);
    RngSeedManager::SetRun(2);
    EXPECT_EQ(m_model->AssignStreams(3), 1);
    EXPECT_NE(m_model->GetRssW(1, 2), first);
    RngSeedManager::SetRun(1);
    m_model->AssignStreams(3);
    EXPECT_EQ(m_model->GetRssW(1, 2), first);
}

TEST_F(DynamicRssTest, BadParametersAreTheUsersMistake)
{
    EXPECT_FALSE(m_model->SetAttributeFailSafe("StandardDeviation", DoubleValue(0)));
    EXPECT_FALSE(m_model->SetAttributeFailSafe("StandardDeviation", DoubleValue(-1)));
    EXPECT_FALSE(m_model->SetAttributeFailSafe("Minimum", DoubleValue(0)));
    EXPECT_FALSE(m_model->SetAttributeFailSafe("Interval", TimeValue(Seconds(0))));
    SetAttribute("Minimum", 0.55);
    EXPECT_THROW(m_model->GetRssW(0, 1), UserError);
    SetAttribute("Minimum", 0.5);
    EXPECT_GE(m_model->GetRssW(0, 1), 0.5);
    SetAttribute("StandardDeviation", 1e-3); // 200 deviations away
    EXPECT_THROW(m_model->GetRssW(0, 1), UserError);
}

/// Models that are asked for the power between two nodes of many
class ChainTest : public SimulatorTest
{
  protected:
    /// Makes nodes that stand at one place.
    void
    MakeNodes(uint32_t count)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            AddNode(Standing(0));
        }
    }

    void
    AddNode(Ptr<MobilityModel> place)
    {
        CreateObject<Node>()->AggregateObject(place);
        m_places.push_back(place);
    }

    /// Moves a node along the x axis [m].
    void
    MoveTo(uint32_t node, double x) const
    {
        m_places[node]->SetPosition(Vector(x, 0, 0));
    }

    /// @return received power [dBm]
    double
    Power(Ptr<const PropagationLossModel> model,
          uint32_t transmitter,
          uint32_t receiver,
          double txPowerDbm = 0) const
    {
        return model->CalcRxPower(txPowerDbm, m_places[transmitter], m_places[receiver]);
    }

    std::vector<Ptr<MobilityModel>> m_places; //!< of the nodes
};

TEST_F(ChainTest, RssModelsIgnoreTheTransmitPowerAndHandOverTheirs)
{
    MakeNodes(2);
    Ptr<D2dMatrixRssModel> model = CreateObject<D2dMatrixRssModel>();
    model->SetMatrix({{0, 1e-9}, {0.2, 0}});
    EXPECT_NEAR(Power(model, 0, 1, -40), 23.010299956639813, 1e-12); // 0.2 W
    EXPECT_EQ(Power(model, 0, 1, 20), Power(model, 0, 1, -40));
    EXPECT_NEAR(Power(model, 1, 0), -60, 1e-12);
    EXPECT_EQ(model->AssignStreams(0), 0);

    Ptr<D2dShadowingModel> shadowing = CreateObject<D2dShadowingModel>();
    const double alone = Power(shadowing, 1, 0);
    model->SetNext(shadowing);
    EXPECT_NEAR(Power(model, 1, 0), -60 + alone, 1e-12);
}

TEST_F(ChainTest, MobilityWithoutANodeIsTheUsersMistake)
{
    MakeNodes(1);
    for (const std::string name :
         {"ns3::collab::D2dDynamicRssModel", "ns3::collab::D2dShadowingModel"})
    {
        const auto model = ObjectFactory(name).Create<PropagationLossModel>();
        EXPECT_EQ(
            ErrorOf<UserError>([&] { model->CalcRxPower(0, m_places[0], Standing(1, 2, 3)); }),
            name + ": the mobility model at (1, 2, 3) belongs to no node; aggregate "
                   "every mobility model to its node");
    }
}

TEST_F(ChainTest, ModelsAreMadeByTheHelper)
{
    MakeNodes(3);
    D2dHelper helper;
    helper.AddPropagationLossModel("ns3::collab::D2dDynamicRssModel",
                                   "Minimum",
                                   DoubleValue(0.375),
                                   "Maximum",
                                   DoubleValue(0.375001));
    helper.SetChannelAttribute("NoiseFigure", DoubleValue(0));
    const NetDeviceContainer devices = helper.Install(NodeContainer::GetGlobal());
    D2dHelper::AssignStreams(devices, 0);
    const auto first = DynamicCast<D2dNetDevice>(devices.Get(0));
    const auto last = DynamicCast<D2dNetDevice>(devices.Get(2));
    EXPECT_NEAR(first->GetD2dChannel()->GetRssW(first, last), 0.375, 1e-6);
}

class ShadowingTest : public ChainTest
{
  protected:
    /// @return a model with a deviation [dB] and a decorrelation distance [m]
    static Ptr<D2dShadowingModel>
    Make(double standardDeviationDb, double decorrelationDistance)
    {
        Ptr<D2dShadowingModel> model =
            CreateObjectWithAttributes<D2dShadowingModel>("StandardDeviation",
                                                          DoubleValue(standardDeviationDb),
                                                          "DecorrelationDistance",
                                                          DoubleValue(decorrelationDistance));
        EXPECT_EQ(model->AssignStreams(11), 1);
        return model;
    }
};

/// 4950 links, at 1e-4
TEST_F(ShadowingTest, IsNormalOverTheLinks)
{
    MakeNodes(100);
    for (const double decorrelationDistance : {0.0, 30.0})
    {
        const Ptr<D2dShadowingModel> model = Make(6, decorrelationDistance);
        std::vector<double> sample;
        for (uint32_t i = 0; i < m_places.size(); ++i)
        {
            for (uint32_t j = 0; j < i; ++j)
            {
                sample.push_back(10 - Power(model, i, j, 10));
            }
        }
        ExpectNormal6(sample);
    }
}

TEST_F(ShadowingTest, IsReciprocalAndSubtracted)
{
    MakeNodes(20);
    const Ptr<D2dShadowingModel> constant = Make(6, 0);
    const Ptr<D2dShadowingModel> moving = Make(6, 30);
    for (uint32_t step = 0; step < 5; ++step)
    {
        for (uint32_t i = 0; i < m_places.size(); ++i)
        {
            for (uint32_t j = 0; j < m_places.size(); ++j)
            {
                EXPECT_EQ(Power(constant, i, j), Power(constant, j, i));
                EXPECT_EQ(Power(moving, i, j), Power(moving, j, i));
                EXPECT_NEAR(Power(moving, i, j, 20), Power(moving, i, j) + 20, 1e-12);
            }
            MoveTo(i, 5.0 * i * step);
        }
    }
    EXPECT_EQ(Power(Make(0, 0), 0, 1, 7), 7);
}

TEST_F(ShadowingTest, WithoutADecorrelationDistanceItNeverChanges)
{
    MakeNodes(2);
    const Ptr<D2dShadowingModel> model = Make(6, 0);
    const double before = Power(model, 0, 1);
    MoveTo(0, 1e6);
    EXPECT_EQ(Power(model, 0, 1), before);
}

TEST_F(ShadowingTest, IsAFunctionOfThePlacesAlone)
{
    MakeNodes(3);
    const Ptr<D2dShadowingModel> asked = Make(6, 30);
    const Ptr<D2dShadowingModel> other = Make(6, 30);
    const double before = Power(asked, 0, 1);
    EXPECT_EQ(Power(asked, 0, 1), before);
    for (const double x : {10.0, 500.0, -3.0})
    {
        MoveTo(1, x);
        EXPECT_NE(Power(asked, 0, 1), before);
    }
    MoveTo(2, 10);
    EXPECT_EQ(Power(asked, 0, 1), Power(other, 0, 1)) << "queries on the way change nothing";
    EXPECT_EQ(Power(asked, 1, 0), Power(other, 0, 1));
    MoveTo(1, 0);
    EXPECT_EQ(Power(asked, 0, 1), before) << "back again";
    EXPECT_EQ(Power(other, 0, 1), before);
}

TEST_F(ShadowingTest, RemembersNoLink)
{
    constexpr uint32_t LINKS = 4000;
    MakeNodes(1 + LINKS);
    const Ptr<D2dShadowingModel> model = Make(6, 30);
    Power(model, 0, 1); // makes the table of all links
    const ::tests::MemoryWatch watch;
    for (uint32_t link = 1; link < LINKS; ++link)
    {
        Power(model, 0, 1 + link);
    }
    EXPECT_LT(watch.GetPeak(), 1000U);
}

TEST_F(ShadowingTest, LinksDoNotDependOnOneAnother)
{
    MakeNodes(5);
    const Ptr<D2dShadowingModel> one = Make(6, 30);
    const Ptr<D2dShadowingModel> other = Make(6, 30);
    for (int step = 0; step < 20; ++step)
    {
        MoveTo(1, 7.0 * step);
        const double expected = Power(one, 0, 1);
        for (uint32_t i = 5; i-- > 0;)
        {
            Power(other, 1, i == 1 ? 2 : i);
        }
        EXPECT_EQ(Power(other, 0, 1), expected);
    }
}

/*
 * Steps of 10 m with d_c = 40 m: lags of 10 to 160 m. 400 links x 100 steps; the standard error of
 * the estimate at any lag is under sqrt((1 + rho^2) / (1 - rho^2) / 33600) = 0.0110 (Bartlett), and
 * less than 4 of them are allowed.
 */
TEST_F(ShadowingTest, CorrelationIsExponentialInTheMovement)
{
    constexpr uint32_t LINKS = 400;
    constexpr uint32_t STEPS = 100;
    MakeNodes(1 + LINKS);
    for (const bool bothMove : {false, true}) // 10 m, or 4 m and 6 m
    {
        const Ptr<D2dShadowingModel> model = Make(6, 40);
        std::vector<std::vector<double>> values(LINKS);
        for (uint32_t step = 0; step < STEPS; ++step)
        {
            MoveTo(0, bothMove ? -4.0 * step : 0.0);
            for (uint32_t link = 0; link < LINKS; ++link)
            {
                MoveTo(1 + link, (bothMove ? 6.0 : 10.0) * step);
                values[link].push_back(-Power(model, 0, 1 + link) / 6);
            }
        }
        for (const uint32_t lag : {0, 1, 2, 4, 8, 16})
        {
            double sum = 0;
            for (const auto& series : values)
            {
                for (uint32_t step = lag; step < STEPS; ++step)
                {
                    sum += series[step] * series[step - lag];
                }
            }
            EXPECT_NEAR(sum / (LINKS * (STEPS - lag)), std::exp(-10.0 * lag / 40), 0.0404)
                << 10 * lag << " m";
        }
    }
}

/// After many steps of very different lengths
TEST_F(ShadowingTest, StaysNormalAsTheEndsMove)
{
    constexpr uint32_t LINKS = 4000;
    MakeNodes(1 + LINKS);
    const Ptr<D2dShadowingModel> model = Make(6, 40);
    std::vector<double> sample(LINKS);
    for (const double x : {0.0, 1e-6, 0.1, 5.0, 30.0, 31.0, 500.0, 502.0})
    {
        for (uint32_t link = 0; link < LINKS; ++link)
        {
            MoveTo(1 + link, x);
            sample[link] = -Power(model, 0, 1 + link);
        }
        ExpectNormal6(sample);
    }
}

TEST_F(ShadowingTest, FollowsNodesThatMoveByThemselves)
{
    AddNode(Moving(Vector(0, 0, 0), Vector(3, 0, 0)));
    AddNode(Standing(0));
    const Ptr<D2dShadowingModel> model = Make(6, 30);
    const double before = Power(model, 0, 1);
    EXPECT_EQ(Power(model, 0, 1), before);
    RunFor(Seconds(1));
    EXPECT_NE(Power(model, 0, 1), before);
}

TEST_F(ShadowingTest, NegativeParametersAreRefused)
{
    const Ptr<D2dShadowingModel> model = Make(6, 30);
    EXPECT_FALSE(model->SetAttributeFailSafe("StandardDeviation", DoubleValue(-1)));
    EXPECT_FALSE(model->SetAttributeFailSafe("DecorrelationDistance", DoubleValue(-1)));
}

} // namespace
} // namespace ns3::collab::tests
