/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/device-network.h"

#include "ns3/collab-run-progress.h"
#include "ns3/uinteger.h"

#include <gmock/gmock.h>
#include <limits>
#include <sstream>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// A protocol whose rounds take a second and have given values of a metric
class GivenApplication : public CollaborationApplication
{
  public:
    std::vector<double> values; //!< of the metric, by round

  private:
    void
    DoStart() override
    {
    }

    Process
    Round() override
    {
        co_await Delay(Seconds(1));
        Report({{"score", values.at(GetRound())}});
    }
};

using RunProgressTest = tests::DeviceNetwork;

} // namespace

TEST_F(RunProgressTest, ShowsTheMeanOfTheLatestValues)
{
    MakeDevices({});
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    const std::vector<std::vector<double>> values = {{1, 4, 7}, {2, nothing, 8}, {6, 6, 9}};
    Ptr<LearnerPool> pool = CreateObject<LearnerPool>();
    ApplicationContainer applications;
    for (uint32_t device = 0; device < 3; ++device)
    {
        auto application = CreateObject<GivenApplication>();
        application->SetAttribute("Rounds", UintegerValue(3));
        application->SetLearnerPool(pool);
        application->values = values[device];
        m_nodes.Get(device)->AddApplication(application);
        applications.Add(application);
    }
    std::ostringstream output;
    {
        RunProgress progress(output, "test", "score", applications);
        Simulator::Stop(Seconds(10));
        Simulator::Run();
    }
    std::vector<std::string> means;
    const std::string text = output.str();
    for (std::size_t at = text.find("score "); at != std::string::npos;
         at = text.find("score ", at + 1))
    {
        means.push_back(text.substr(at + 6, text.find(',', at) - at - 6));
    }
    EXPECT_THAT(means,
                testing::ElementsAre(
                    "1.000", "1.500", "3.000", "4.000", "nan", "nan", "nan", "7.000", "8.000"));
    EXPECT_THAT(text, testing::StartsWith("\r\033[Ktest [##..................] round 1/3"));
    EXPECT_THAT(text, testing::HasSubstr("test [####################] round 3/3"));
}
