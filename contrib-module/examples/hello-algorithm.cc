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

/// What a device tells: its number, 4 bytes on the wire.
struct NumberPayload : public Payload
{
    uint64_t
    WireSize() const override
    {
        return WIRE_WORD;
    }

    void
    Serialize(std::vector<uint8_t>& bytes) const override
    {
        PutFloats(&number, 1, 1, bytes);
    }

    static std::shared_ptr<const Payload>
    Parse(const uint8_t* bytes, std::size_t size)
    {
        const auto payload = std::make_shared<NumberPayload>();
        WireReader reader(bytes, size);
        payload->number = reader.TakeFloats(1)[0]; // a PayloadError if there are too few bytes,
        reader.CheckEnd();                         // or too many
        return payload;
    }

    float number = 0; //!< the number
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
        return {{"error", "1", "distance of the device's number from the mean of all"},
                {"bad", "", "messages up to then that were not believed"}};
    }

  private:
    void
    DoStart() override
    {
        GetTransport()->RegisterKind(1, "number", NumberPayload::Parse, [this](const Message& m) {
            const auto payload = std::dynamic_pointer_cast<const NumberPayload>(m.payload);
            if (!payload || !std::isfinite(payload->number))
            {
                ++m_bad;
                return GetTransport()->Reject("no finite number"); // traced; the run goes on
            }
            m_sum += payload->number;
            ++m_heard;
        });
    }

    void
    BeginRound() override
    {
        EnterPhase("exchange");
        m_sum = m_own;
        m_heard = 0;
        const auto payload = std::make_shared<NumberPayload>();
        payload->number = m_own;
        GetTransport()->Broadcast(1, GetRound(), payload);
        m_timer = Simulator::Schedule(MilliSeconds(100), &HelloApplication::Average, this);
    }

    void
    Average()
    {
        EnterPhase("average");
        CountMessages(m_heard, GetTransport()->GetNeighbors().size());
        const auto mean = std::make_shared<float>();
        RunJob( // takes time and energy of the device, and a thread of the host
            m_heard + 1,
            [mean, sum = m_sum, count = m_heard + 1]() { *mean = sum / count; },
            [this, mean]() {
                m_own = *mean;
                EndRound({{"error", std::abs(m_own - m_mean)}, {"bad", m_bad}});
            });
    }

    void
    DoHalt() override // the battery is empty
    {
        m_timer.Cancel();
    }

    float m_own;          //!< the number of the device
    float m_mean;         //!< what it should become, as only the researcher knows
    EventId m_timer;      //!< end of the exchange
    float m_sum = 0;      //!< of the own number and of those heard in the round
    uint32_t m_heard = 0; //!< how many were heard
    uint32_t m_bad = 0;   //!< messages that were not believed
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
