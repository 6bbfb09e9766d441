/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A whole algorithm: devices agree on the mean of their numbers by broadcasts that can be lost.

#include "ns3/collab-module.h"
#include "ns3/core-module.h"
#include "ns3/mobility-module.h"

#include <cmath>

using namespace ns3;
using namespace ns3::collab;

/// What a device tells: 4 bytes on the wire. Whatever is no finite number is refused.
struct Number
{
    static constexpr const char* NAME = "number";
    float value = 0;

    template <typename V>
    void
    Fields(V& fields)
    {
        fields(value);
    }
};

/// What is measured in a round.
struct HelloMetrics
{
    double error = 0;

    static Columns<HelloMetrics>
    GetColumns()
    {
        return {{"error", "1", "distance from the mean of all", &HelloMetrics::error}};
    }
};

/// What each device does.
class HelloApplication : public CollaborationApplication
{
  public:
    HelloApplication(float number, float mean)
        : m_own(number),
          m_mean(mean)
    {
    }

    std::vector<Metric>
    GetMetrics() const override
    {
        return DescribeMetrics<HelloMetrics>();
    }

  private:
    void
    DoStart() override
    {
        Listen<Number>();
    }

    Process
    Round() override
    {
        EnterPhase("exchange");
        Broadcast(Number{m_own});
        const auto heard = co_await Hear<Number>(GetTransport()->GetNeighbors(), MilliSeconds(100));
        m_own = co_await Compute("average", heard.size() + 1, Mean(heard));
        Report(HelloMetrics{std::abs(m_own - m_mean)});
    }

    /// A job: it takes time and energy, and a thread of the host.
    std::function<float()>
    Mean(const Inbox<Number>::Bodies& heard) const
    {
        return [own = m_own, heard]() {
            float sum = own;
            for (const auto& [device, number] : heard)
            {
                sum += number->value;
            }
            return sum / (heard.size() + 1);
        };
    }

    float m_own;  //!< the number of the device
    float m_mean; //!< what it should become, as only the researcher knows
};

int
main(int argc, char* argv[])
{
    return RunScenario("hello-algorithm", [&]() { // turns errors into one line and an exit code
        uint32_t devices = 10, broken = 0;
        std::string runDir = "runs/hello-algorithm";
        ParameterList list;
        list.Add("devices", devices, "how many there are");
        list.Add("broken", broken, "how many of them tell NaN");
        list.Add("runDir", runDir, "folder to be made for the results");
        ScenarioArguments(__FILE__, "Devices agree on a mean of numbers.", list).Parse(argc, argv);
        if (broken >= devices)
        {
            throw UserError("--broken must be less than --devices");
        }
        NodeContainer nodes(devices);
        MobilityHelper mobility; // in rows of ten
        mobility.SetPositionAllocator("ns3::GridPositionAllocator", "DeltaX", DoubleValue(100));
        mobility.Install(nodes);
        NetDeviceContainer radios = D2dHelper().Install(nodes);
        D2dHelper::AssignStreams(radios, 0);
        DeviceProfileHelper().Install(radios);           // batteries and processors
        const float mean = (broken + devices - 1) / 2.0; // of the numbers from broken on
        RecordedRun run(runDir, "hello-algorithm", "error");
        run.AddParameter("devices", devices).AddParameter("broken", broken);
        run.Play(InstallApplications(nodes, [&](uint32_t i) {
            return CreateObject<HelloApplication>(i < broken ? NAN : i, mean);
        }));
        Simulator::Destroy();
    });
}
