/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A whole algorithm: devices agree on the mean of their numbers by broadcasts that can be lost.

#include "ns3/collab-module.h"
#include "ns3/core-module.h"

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
        return {{"error", "1", "distance of the device's number from the mean of all"}};
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
        float sum = m_own;
        for (const auto& [device, number] : heard)
        {
            sum += number->value;
        }
        const std::size_t count = heard.size() + 1; // a job takes time, energy, and a host's thread
        m_own = co_await Compute("average", count, [sum, count]() { return sum / count; });
        Report({{"error", std::abs(m_own - m_mean)}});
    }

    float m_own;  //!< the number of the device
    float m_mean; //!< what it should become, as only the researcher knows
};

int
main(int argc, char* argv[])
{
    return RunScenario("hello-algorithm", [&]() { // turns errors into one line and an exit code
        uint32_t devices = 10;
        std::string runDir = "runs/hello-algorithm";
        ParameterList list;
        list.Add("devices", devices, "how many there are").AtLeast(1);
        list.Add("runDir", runDir, "folder to be made for the results").ChangesNoResult();
        ScenarioArguments(__FILE__, "Devices agree on a mean of numbers.", list).Parse(argc, argv);
        const float mean = (devices - 1) / 2.0;
        RecordedRun run(runDir, "hello-algorithm", "error");
        list.AddTo(run);
        run.Play(InstallApplications(MakeD2dDevices(devices), [&](uint32_t i) {
            return CreateObject<HelloApplication>(i, mean);
        }));
        Simulator::Destroy();
    });
}
