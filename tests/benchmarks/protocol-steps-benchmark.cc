/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What python_protocols.py compares with: a protocol in C++ that only does one thing, many times.

#include "ns3/collab-module.h"
#include "ns3/core-module.h"

using namespace ns3;
using namespace ns3::collab;

/// As that of averaging.py
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

/// A round is one step: sleep, compute or exchange
class Steps : public CollaborationApplication
{
  public:
    explicit Steps(std::string what)
        : m_what(std::move(what))
    {
    }

    std::vector<Metric>
    GetMetrics() const override
    {
        return {{"heard", "", "numbers that came"}};
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
        std::size_t count = 0;
        if (m_what == "sleep")
        {
            co_await Delay(MilliSeconds(1));
        }
        else if (m_what == "compute")
        {
            co_await Compute("compute", 1000, []() { return 0; });
        }
        else
        {
            Broadcast(Number{1});
            const auto heard =
                co_await Hear<Number>(GetTransport()->GetNeighbors(), MilliSeconds(100));
            count = heard.size();
        }
        Report({{"heard", static_cast<double>(count)}});
    }

    std::string m_what; //!< what a round does
};

int
main(int argc, char* argv[])
{
    return RunScenario("protocol-steps", [&]() {
        uint32_t devices = 10;
        std::string what = "exchange";
        std::string runDir = "runs/protocol-steps";
        ParameterList list;
        list.Add("devices", devices, "number of devices").AtLeast(1);
        list.Add("what", what, "what a round does").Choices({"sleep", "compute", "exchange"});
        list.Add("runDir", runDir, "folder to be made for the results").ChangesNoResult();
        list.Take("rounds", "ns3::collab::CollaborationApplication::Rounds");
        ScenarioArguments(__FILE__, "One thing, many times.", list).Parse(argc, argv);
        RecordedRun run(runDir, "protocol-steps", "heard");
        list.AddTo(run);
        run.Play(InstallApplications(MakeD2dDevices(devices, 1), [&](uint32_t) {
            const auto application = CreateObject<Steps>(what);
            list.Apply(*application);
            return application;
        }));
        Simulator::Destroy();
    });
}
