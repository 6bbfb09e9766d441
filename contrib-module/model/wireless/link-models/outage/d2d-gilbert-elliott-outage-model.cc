/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-gilbert-elliott-outage-model.h"

#include "ns3/boolean.h"
#include "ns3/collab-error.h"
#include "ns3/double.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(D2dGilbertElliottOutageModel);

TypeId
D2dGilbertElliottOutageModel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::collab::D2dGilbertElliottOutageModel")
            .SetParent<D2dOutageModel>()
            .SetGroupName("Collab")
            .AddConstructor<D2dGilbertElliottOutageModel>()
            .AddAttribute("OutageModel",
                          "Outage of a link in its good state.",
                          StringValue("ns3::collab::D2dRayleighOutageModel"),
                          MakePointerAccessor(&D2dGilbertElliottOutageModel::m_model),
                          MakePointerChecker<D2dOutageModel>())
            .AddAttribute("MeanGoodTime",
                          "How long a link is good, on average.",
                          TimeValue(Seconds(1)),
                          MakeTimeAccessor(&D2dGilbertElliottOutageModel::m_meanGood),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("MeanBadTime",
                          "How long a link is bad, on average.",
                          TimeValue(MilliSeconds(100)),
                          MakeTimeAccessor(&D2dGilbertElliottOutageModel::m_meanBad),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("StateStep",
                          "Links change their state at multiples of this time only; not longer "
                          "than the time that both rates of change add up to, "
                          "1 / (1 / MeanGoodTime + 1 / MeanBadTime).",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&D2dGilbertElliottOutageModel::m_step),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("BadLoss",
                          "By how much the power of a bad link is less [dB].",
                          DoubleValue(0.0),
                          MakeDoubleAccessor(&D2dGilbertElliottOutageModel::m_badLossDb),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("BadOutage",
                          "Probability that a bad link loses a fragment that would not be lost "
                          "for its power.",
                          DoubleValue(1.0),
                          MakeDoubleAccessor(&D2dGilbertElliottOutageModel::m_badOutage),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("Reciprocal",
                          "Whether both ways of a link are in the same state.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&D2dGilbertElliottOutageModel::m_reciprocal),
                          MakeBooleanChecker());
    return tid;
}

void
D2dGilbertElliottOutageModel::NotifyConstructionCompleted()
{
    D2dOutageModel::NotifyConstructionCompleted();
    GetChain(); // says what is wrong with the times
}

int64_t
D2dGilbertElliottOutageModel::AssignStreams(int64_t stream)
{
    m_stream = stream;
    m_random.reset();
    return 1;
}

Time
D2dGilbertElliottOutageModel::GetStateStep() const
{
    return m_step;
}

D2dGilbertElliottOutageModel::Chain
D2dGilbertElliottOutageModel::GetChain() const
{
    const auto steps = [this](const Time& time) {
        return static_cast<double>(m_step.GetTimeStep()) / static_cast<double>(time.GetTimeStep());
    };
    const Chain chain{steps(m_meanGood), steps(m_meanBad)};
    if (chain.toBad + chain.toGood > 1)
    {
        throw UserError(
            fmt::format("D2dGilbertElliottOutageModel: StateStep of {:g} s is too long for a "
                        "MeanGoodTime of {:g} s and a MeanBadTime of {:g} s: at most {:g} s",
                        m_step.GetSeconds(),
                        m_meanGood.GetSeconds(),
                        m_meanBad.GetSeconds(),
                        m_step.GetSeconds() / (chain.toBad + chain.toGood)));
    }
    return chain;
}

bool
D2dGilbertElliottOutageModel::IsBad(uint32_t transmitter, uint32_t receiver) const
{
    if (!m_random)
    {
        m_random.emplace();
        m_random->SetStream(m_stream);
    }
    if (m_reciprocal && receiver < transmitter)
    {
        std::swap(transmitter, receiver);
    }
    // A step from good to bad with p and back with q is this: with p + q the state is drawn anew,
    // whatever it was, and is bad with p / (p + q); else it stays. So only the steps since it was
    // last drawn matter.
    const auto [toBad, toGood] = GetChain();
    const double drawn = toBad + toGood;
    auto step = static_cast<uint64_t>(Simulator::Now().GetTimeStep() / m_step.GetTimeStep());
    double uniform = m_random->GetUniform(transmitter, receiver, step);
    while (step > 0 && uniform >= drawn)
    {
        uniform = m_random->GetUniform(transmitter, receiver, --step);
    }
    return step > 0 ? uniform < toBad : uniform * drawn < toBad;
}

D2dSignal
D2dGilbertElliottOutageModel::Weaken(D2dSignal signal, bool bad) const
{
    signal.rssW *= bad ? std::pow(10.0, -m_badLossDb / 10) : 1.0;
    return signal;
}

double
D2dGilbertElliottOutageModel::GetInterferenceScale(const D2dSignal& signal) const
{
    return m_model->GetInterferenceScale(
        Weaken(signal, IsBad(signal.transmitter, signal.receiver)));
}

double
D2dGilbertElliottOutageModel::DoGetOutageProbability(const D2dSignal& signal) const
{
    const bool bad = IsBad(signal.transmitter, signal.receiver);
    const double outage = m_model->GetOutageProbability(Weaken(signal, bad));
    return bad ? outage + (1 - outage) * m_badOutage : outage;
}

std::optional<D2dQuality>
D2dGilbertElliottOutageModel::DoGetQuality(const D2dSignal& signal) const
{
    if (m_badOutage > 0 && m_badOutage < 1)
    {
        return std::nullopt; // of what is lost whatever its power nobody knows what it was worth
    }
    const bool bad = IsBad(signal.transmitter, signal.receiver);
    return bad && m_badOutage > 0 ? D2dQuality() : m_model->GetQuality(Weaken(signal, bad));
}

} // namespace ns3::collab
