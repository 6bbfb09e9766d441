/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * What combined transmissions are worth, by outage model.
 */

#include "wireless/link-models/references.h"
#include "wireless/wireless-bench.h"

#include "ns3/d2d-outage-model.h"
#include "ns3/d2d-partition-outage-model.h"

#include <boost/math/special_functions/gamma.hpp>
#include <iterator>
#include <limits>

namespace ns3::collab::tests
{
namespace
{

/// A signal of some power, at 0.8 bit/s/Hz in noise of 0.02 W
D2dSignal
CombinedSignal(double snr, double interferenceW = 0, double faded = 0)
{
    return {0, 1, snr * 0.02, 0.02, interferenceW, 0.8, faded, 100};
}

using CombiningTest = SimulatorTest;

TEST_F(CombiningTest, SumsOfGainsAreAsIntegratedWithScipy)
{
    std::size_t at = 0;
    for (const double shape : COMBINING_SHAPES)
    {
        for (const double outage : COMBINING_OUTAGES)
        {
            const double gain = boost::math::gamma_p_inv(shape, outage) / shape;
            const D2dQuality quality = {1 / gain, shape};
            for (int k = 1; k <= COMBINING_MAX_ATTEMPTS; ++k)
            {
                const double expected = EXPECTED_COMBINED_OUTAGES[at++];
                EXPECT_NEAR(quality.GetCombinedOutage(k) / expected, 1, 1e-5)
                    << "shape " << shape << ", outage " << outage << ", attempts " << k;
            }
        }
    }
    EXPECT_EQ(at, std::size(EXPECTED_COMBINED_OUTAGES));
}

TEST_F(CombiningTest, OneTransmissionIsThatOfTheOutage)
{
    for (const std::string name : {"ns3::collab::D2dRayleighOutageModel",
                                   "ns3::collab::D2dNakagamiOutageModel[M=0.5]",
                                   "ns3::collab::D2dNakagamiOutageModel[M=7]",
                                   "ns3::collab::D2dThresholdOutageModel[Margin=3]",
                                   "ns3::collab::D2dPartitionOutageModel"})
    {
        SCOPED_TRACE(name);
        Ptr<D2dOutageModel> model = MakeOutageModel(name);
        for (const double snr : {0.0, 1e-300, 1e-3, 0.3, 0.7411011265922482, 1.48, 5.0, 1e6, 1e25})
        {
            for (const double interferenceW : {0.0, 0.05})
            {
                const D2dSignal signal = CombinedSignal(snr, interferenceW);
                const double expected = model->GetOutageProbability(signal);
                EXPECT_NEAR(model->GetCombinedOutage(signal, 1), expected, 1e-12 * expected) << snr;
                EXPECT_EQ(model->GetCombinedOutage(signal, 0), 1);
            }
        }
    }
}

TEST_F(CombiningTest, RayleighWithInterferersThatFadeHasTheirOutageInOneTransmission)
{
    Ptr<D2dOutageModel> model = MakeOutageModel("ns3::collab::D2dRayleighOutageModel");
    for (const double faded : {1e-9, 0.4, 30.0})
    {
        const D2dSignal signal = CombinedSignal(3, 0, faded);
        const double one = model->GetOutageProbability(signal);
        EXPECT_NEAR(model->GetCombinedOutage(signal, 1), one, 1e-12);
        EXPECT_LT(model->GetCombinedOutage(signal, 2), one * one) << "each alone";
    }
}

TEST_F(CombiningTest, RatiosWithoutFadingAddUp)
{
    // 2^0.8 - 1 = 0.7411: of 0.2 it takes 4, and with a margin of 3 dB 8
    Ptr<D2dOutageModel> model = MakeOutageModel("ns3::collab::D2dThresholdOutageModel");
    EXPECT_EQ(model->GetCombinedOutage(CombinedSignal(0.2), 3), 1);
    EXPECT_EQ(model->GetCombinedOutage(CombinedSignal(0.2), 4), 0);
    Ptr<D2dOutageModel> worse = MakeOutageModel("ns3::collab::D2dThresholdOutageModel[Margin=3]");
    EXPECT_EQ(worse->GetCombinedOutage(CombinedSignal(0.2), 7), 1);
    EXPECT_EQ(worse->GetCombinedOutage(CombinedSignal(0.2), 8), 0);
    const double constant = std::numeric_limits<double>::infinity();
    EXPECT_EQ((D2dQuality{0.1, constant}.GetCombinedOutage(10)), 0) << "whatever is rounded";
    EXPECT_EQ((D2dQuality{0.1, constant}.GetCombinedOutage(9)), 1);
}

TEST_F(CombiningTest, RateOfNoOutageIsEnoughAlone)
{
    Ptr<D2dOutageModel> model = MakeOutageModel("ns3::collab::D2dThresholdOutageModel[Margin=1.7]");
    for (double snr = 0.1; snr < 1e6; snr *= 1.37)
    {
        D2dSignal signal = CombinedSignal(snr);
        signal.spectralEfficiency = model->GetSpectralEfficiency(signal, 0, 1e-3, 100);
        ASSERT_EQ(model->GetOutageProbability(signal), 0);
        EXPECT_EQ(model->GetCombinedOutage(signal, 1), 0) << "SNR " << snr;
    }
}

TEST_F(CombiningTest, ModelsOfAProbabilityAloneAreRefused)
{
    for (const std::string name : {"ns3::collab::D2dFixedOutageModel",
                                   "ns3::collab::D2dMatrixOutageModel",
                                   "ns3::collab::D2dTableOutageModel"})
    {
        EXPECT_THAT(ErrorOf<UserError>(
                        [&] { MakeOutageModel(name)->GetCombinedOutage(CombinedSignal(1), 2); }),
                    testing::AllOf(HasSubstr(name),
                                   HasSubstr("D2dMac::Combining"),
                                   HasSubstr("D2dRayleighOutageModel")));
    }
}

TEST_F(CombiningTest, WhatIsCutIsWorthNothing)
{
    const auto model = CreateObject<D2dPartitionOutageModel>();
    model->AddPartition(Seconds(0), Seconds(1), {0});
    EXPECT_EQ(model->GetCombinedOutage(CombinedSignal(1e9), 1000), 1);
    EXPECT_EQ(model->GetQuality(CombinedSignal(1e9)).mean, 0);
}

TEST_F(CombiningTest, QuantilesInvertTheOutage)
{
    for (const double shape : {0.5, 1.0, 3.5})
    {
        const D2dQuality quality = {0.8, shape};
        for (const double uniform : {0.0, 1e-6, 0.2, 0.9, 0.999})
        {
            const double worth = quality.GetQuantile(uniform);
            EXPECT_NEAR(boost::math::gamma_p(shape, shape * worth / 0.8), uniform, 1e-12);
            // P(sum of 3 < x | sum of 3 < 1 - held)
            const double held = quality.GetHeldQuantile(3, 0.3, uniform);
            const double sum = boost::math::gamma_p(3 * shape, shape * (held - 0.3) / 0.8);
            EXPECT_NEAR(sum / quality.GetCombinedOutage(3, 0.3), uniform, 1e-9);
            EXPECT_FALSE(D2dQuality::Suffices(held));
        }
    }
    EXPECT_DOUBLE_EQ(
        (D2dQuality{0.2, std::numeric_limits<double>::infinity()}.GetHeldQuantile(3, 0.1, 0.5)),
        0.7);
    EXPECT_EQ(D2dQuality().GetHeldQuantile(5, 0.4, 0.5), 0.4);
}

TEST_F(CombiningTest, OutagesAfterSomeIsHeldAreConditional)
{
    const D2dQuality quality = {0.4, 1};
    const std::vector<double> outages = quality.GetCombinedOutages(6, 0.25);
    ASSERT_EQ(outages.size(), 7);
    EXPECT_EQ(outages[0], 1);
    EXPECT_NEAR(outages[1], 1 - std::exp(-0.75 / 0.4), 1e-15);
    EXPECT_NEAR(outages[2], 1 - std::exp(-0.75 / 0.4) * (1 + 0.75 / 0.4), 1e-15);
    const std::vector<double> all = D2dQuality{1e20, 1}.GetCombinedOutages(40);
    EXPECT_EQ(all.size(), 41);
    EXPECT_EQ(all.back(), 0);
}

} // namespace
} // namespace ns3::collab::tests
