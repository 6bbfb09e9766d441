/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/test-data.h"
#include "wireless/wireless-bench.h"

#include "ns3/d2d-rate-table.h"
#include "ns3/d2d-table-outage-model.h"

namespace ns3::collab::tests
{
namespace
{

/// Two rates, the first one with two lengths
const std::string SMALL = "# rate, bytes, SNR, PER\n"
                          "1, 100, 0, 0.5\n"
                          "1, 100, 10, 0.1\n"
                          "1, 100, 20, 0\n"
                          "1, 200, 0, 1\n"
                          "1, 200, 10, 0.3\n"
                          "1, 200, 20, 0\n"
                          "\n"
                          "2, 100, 10, 0.9\n"
                          "2, 100, 20, 0.2\n";

class RateTableTest : public FileTest
{
  protected:
    /// @return a model of a file
    static Ptr<D2dTableOutageModel>
    MakeModel(const std::string& fading, const std::string& fileName)
    {
        return CreateObjectWithAttributes<D2dTableOutageModel>(
            "Fading", StringValue(fading), "FileName", StringValue(fileName));
    }
};

TEST_F(RateTableTest, LinearInDecibels)
{
    const auto curve = D2dRateTable(Write(SMALL)).MakeCurve(1, 100);
    EXPECT_EQ(curve.GetPer(FromDb(-0.1)), 1) << "below the table";
    EXPECT_NEAR(curve.GetPer(FromDb(0)), 0.5, 1e-12);
    EXPECT_NEAR(curve.GetPer(FromDb(5)), 0.3, 1e-12);
    EXPECT_NEAR(curve.GetPer(FromDb(10)), 0.1, 1e-12);
    EXPECT_NEAR(curve.GetPer(FromDb(17.5)), 0.025, 1e-12);
    EXPECT_EQ(curve.GetPer(FromDb(50)), 0) << "above the table";
}

TEST_F(RateTableTest, LossesOfBitsAreIndependentBetweenLengths)
{
    const D2dRateTable table(Write(SMALL));
    const double snr = FromDb(10);
    EXPECT_NEAR(table.MakeCurve(1, 200).GetPer(snr), 0.3, 1e-12);
    EXPECT_NEAR(
        table.MakeCurve(1, 125).GetPer(snr), 1 - std::pow(0.9, 0.75) * std::pow(0.7, 0.25), 1e-12);
    EXPECT_NEAR(table.MakeCurve(1, 10).GetPer(snr), 1 - std::pow(0.9, 0.1), 1e-12);
    EXPECT_NEAR(table.MakeCurve(1, 400).GetPer(snr), 1 - std::pow(0.7, 2), 1e-12);
    EXPECT_EQ(table.MakeCurve(1, 150).GetPer(FromDb(0)), 1) << "nothing of 200 bytes arrives";
    EXPECT_NEAR(table.MakeCurve(1, 100).GetPer(FromDb(0)), 0.5, 1e-12);
}

TEST_F(RateTableTest, NextFasterSchemeCounts)
{
    const D2dRateTable table(Write(SMALL));
    EXPECT_THAT(table.GetRates(), ElementsAre(1, 2));
    EXPECT_NEAR(table.MakeCurve(0.3, 100).GetPer(FromDb(10)), 0.1, 1e-12);
    EXPECT_NEAR(table.MakeCurve(1 + 1e-12, 100).GetPer(FromDb(10)), 0.1, 1e-12) << "rounding";
    EXPECT_NEAR(table.MakeCurve(1.5, 100).GetPer(FromDb(10)), 0.9, 1e-12);
    EXPECT_THROW(table.MakeCurve(2.1, 100), UserError);
}

TEST_F(RateTableTest, StepUnderRayleighFadingIsRayleighOutage)
{
    const auto curve = D2dRateTable(Write("1, 9, 3, 1\n1, 9, 3.0000001, 0\n")).MakeCurve(1, 9);
    for (const double meanDb : {-20.0, 0.0, 10.0, 40.0, 90.0})
    {
        const double outage = -std::expm1(-FromDb(3) / FromDb(meanDb));
        EXPECT_NEAR(curve.GetMeanPer(FromDb(meanDb)) / outage, 1, 1e-7) << meanDb;
    }
}

TEST_F(RateTableTest, MeanUnderRayleighFadingAsIntegrated)
{
    const D2dRateTable table(GetTestData("../../examples/rate-table.csv"));
    std::vector<D2dRateTable::Curve> curves;
    for (const double rate : table.GetRates())
    {
        curves.push_back(table.MakeCurve(rate, 1000));
    }
    // That begins with a step and ends above 0
    curves.push_back(D2dRateTable(Write(SMALL)).MakeCurve(2, 100));
    for (const auto& curve : curves)
    {
        for (const double meanDb : {-10.0, 5.0, 15.0, 30.0, 60.0})
        {
            // By the midpoint rule over ln(SNR)
            constexpr int STEPS = 20000;
            const double from = std::log(FromDb(meanDb)) - 40;
            const double step = 44.0 / STEPS;
            double mean = 0;
            for (int i = 0; i < STEPS; ++i)
            {
                const double snr = std::exp(from + (i + 0.5) * step);
                const double x = snr / FromDb(meanDb);
                mean += curve.GetPer(snr) * std::exp(-x) * x * step;
            }
            EXPECT_NEAR(curve.GetMeanPer(FromDb(meanDb)) / mean, 1, 1e-3)
                << curve.snr.front() << ' ' << meanDb;
        }
    }
}

TEST_F(RateTableTest, ModelReadsItsTable)
{
    D2dSignal signal = {0, 1, 4, 0.1, 0.3, 1};
    signal.fragmentBytes = 100;
    EXPECT_NEAR(MakeModel("None", Write(SMALL))->GetOutageProbability(signal), 0.1, 1e-12)
        << "4 / (0.1 + 0.3) is 10 dB";
    EXPECT_NEAR(MakeModel("Rayleigh", m_path)->GetOutageProbability(signal),
                D2dRateTable(m_path).MakeCurve(1, 100).GetMeanPer(10),
                1e-12);
    EXPECT_THROW(MakeModel("None", "")->GetOutageProbability(signal), UserError);
    EXPECT_THROW(MakeModel("None", m_path + "x")->GetOutageProbability(signal), DataFileError);
}

TEST_F(RateTableTest, RateControlChoosesAmongItsRates)
{
    Ptr<D2dTableOutageModel> model = MakeModel("None", Write(SMALL));
    const auto choose = [&model](double snrDb, double target) {
        D2dSignal signal = {0, 1, FromDb(snrDb), 1, 0, 0};
        signal.fragmentBytes = 100;
        return model->GetSpectralEfficiency(signal, target, 0.5, 2);
    };
    EXPECT_EQ(choose(20, 0.2), 2);
    EXPECT_EQ(choose(20, 0.1), 1);
    EXPECT_EQ(choose(5, 0.3 + 1e-9), 1);
    EXPECT_EQ(choose(5, 0.2), 0.5) << "none has it";
}

TEST_F(RateTableTest, ErrorsSayWhereWhatAndWhatIsAllowed)
{
    EXPECT_NO_THROW(D2dRateTable(Write(SMALL)));
    const std::string line3 = m_path + ": line 3";
    const std::string begin = "1, 100, 0, 0.5\n1, 100, 1, 0.4\n";
    const std::vector<std::pair<std::string, std::string>> errors = {
        {"", m_path + ": found no line with rate, bytes, SNR and PER"},
        {"1, 100, 0\n", ": line 1: found 3 numbers, expected rate, bytes, SNR and PER"},
        {begin + "1, 100, x, 0\n", line3 + ", column 3: found 'x', expected a finite number"},
        {"0, 100, 0, 0.5\n", ": line 1: column 1: found rate 0, expected a positive one"},
        {"1, 0.5, 0, 0.5\n", ": line 1: column 2: found 0.5 bytes, expected 1, 2, ..."},
        {begin + "1, 100, 2, 1.5\n", line3 + ": column 4: found PER 1.5, expected one in [0, 1]"},
        {begin + "1, 100, 1, 0.3\n", line3 + ": column 3: found SNR 1 dB, expected more than 1 dB"},
        {begin + "1, 100, 2, 0.45\n", line3 + ": column 4: found PER 0.45, expected none over 0.4"},
        {begin + "0.5, 100, 0, 0.1\n", line3 + ": column 1: found rate 0.5, expected none under 1"},
        {begin + "1, 50, 0, 0.1\n", line3 + ": column 2: found 50 bytes, expected none under 100"},
        {begin + "1, 200, 5, 0.6\n",
         line3 + ": column 3: found SNR 5 dB, expected the SNRs of 100"},
        {begin + "1, 200, 0, 0.1\n", line3 + ": column 4: found PER 0.1, expected none under that"},
        {begin + "1, 200, 0, 0.6\n",
         line3 + ": rate 1 with 200 bytes ends with 1 SNRs, expected 2"},
        {"1, 100, 0, 0.5\n2, 100, 0, 0.5\n",
         ": line 2: rate 1 with 100 bytes ends with 1 SNRs, expected 2 or more"},
    };
    for (const auto& [text, message] : errors)
    {
        EXPECT_THAT(ErrorOf<DataFileError>([&] { D2dRateTable(Write(text)); }), HasSubstr(message))
            << text;
    }
}

/// Delivery through a channel, in both fidelities
using TableDeliveryTest = WithParameter<const char*, RateTableTest>;

INSTANTIATE_TEST_SUITE_P(Fidelities, TableDeliveryTest, FIDELITIES);

TEST_P(TableDeliveryTest, LengthOfTheFragmentCounts)
{
    // 100 and 200 bytes on the air, of which 34 are header and check sequence
    for (const uint32_t bytes : {66, 166})
    {
        TestNetwork network(
            2,
            {{"SpectralEfficiency", "1"}},
            {{"Fidelity", GetParam()},
             {"OutageModel",
              "ns3::collab::D2dTableOutageModel[Fading=None|FileName=" + Write(SMALL) + "]"}});
        network.SetOutage(0, 1, 1 - std::exp(-0.1)); // an SNR of 10 dB: (2^1 - 1) / 10
        for (int i = 0; i < 3000; ++i)
        {
            network.SendAt(MilliSeconds(10 * i), 0, 1, bytes);
        }
        Simulator::Run();
        ASSERT_THAT(network.Losses(), SizeIs(3000));
        ExpectMean(network.Losses(), bytes == 66 ? 0.1 : 0.3);
    }
}

} // namespace
} // namespace ns3::collab::tests
