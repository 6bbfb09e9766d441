/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-processor.h"

#include "ns3/abort.h"
#include "ns3/collab-error.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("CollabProcessor");
NS_OBJECT_ENSURE_REGISTERED(Processor);

namespace
{

/// @param text a frequency such as "600MHz"
/// @return the frequency [Hz]
double
ParseFrequency(const std::string& text)
{
    static const std::map<std::string, double> units = {
        {"", 1}, {"Hz", 1}, {"kHz", 1e3}, {"MHz", 1e6}, {"GHz", 1e9}};
    std::istringstream stream(text);
    double number = 0;
    std::string unit;
    stream >> number;
    const bool isNumber = !stream.fail();
    stream >> unit;
    const auto found = units.find(unit);
    if (!isNumber || number <= 0 || !std::isfinite(number) || found == units.end())
    {
        throw UserError("Processor: in Frequencies there is \"" + text +
                        "\"; allowed: positive numbers with Hz, kHz, MHz or GHz, such as 600MHz");
    }
    return number * found->second;
}

} // namespace

TypeId
Processor::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::collab::Processor")
            .SetParent<Object>()
            .SetGroupName("Collab")
            .AddConstructor<Processor>()
            .AddAttribute("Frequency",
                          "Clock frequency f, if Frequencies is empty [Hz].",
                          DoubleValue(1.5e9),
                          MakeDoubleAccessor(&Processor::m_frequencyHz),
                          MakeDoubleChecker<double>(1.0))
            .AddAttribute(
                "Frequencies",
                "Clock frequencies to choose from, such as \"600MHz 1.5GHz\"; empty for "
                "Frequency alone.",
                StringValue(""),
                MakeStringAccessor(&Processor::SetFrequencies, &Processor::GetFrequencies),
                MakeStringChecker())
            .AddAttribute("Governor",
                          "At which of the frequencies it works until it is told otherwise.",
                          compat::EnumAttribute(ProcessorGovernor::PERFORMANCE),
                          compat::EnumAccessor(&Processor::m_governor),
                          compat::EnumChecker(ProcessorGovernor::PERFORMANCE,
                                              "Performance",
                                              ProcessorGovernor::POWERSAVE,
                                              "Powersave"))
            .AddAttribute("FlopsPerCycle",
                          "Floating-point operations of a job that are done in a cycle.",
                          DoubleValue(4.0),
                          MakeDoubleAccessor(&Processor::m_flopsPerCycle),
                          MakeDoubleChecker<double>(1e-6))
            .AddAttribute("JobOverhead",
                          "Time that each job with operations takes in addition, at any frequency, "
                          "as of starting it and reading its data.",
                          TimeValue(Time()),
                          MakeTimeAccessor(&Processor::m_jobOverhead),
                          MakeTimeChecker(Time()))
            .AddAttribute("Capacitance",
                          "Effective switched capacitance kappa [J s^2]: a cycle costs kappa f^2.",
                          DoubleValue(1e-28),
                          MakeDoubleAccessor(&Processor::m_capacitance),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("IdlePower",
                          "Power while it is on, whether it computes or not [W].",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&Processor::SetIdlePowerW, &Processor::GetIdlePowerW),
                          MakeDoubleChecker<double>(0.0))
            .AddTraceSource("State",
                            "The processor begins or ends a job, or is switched on or off.",
                            MakeTraceSourceAccessor(&Processor::m_stateTrace),
                            "ns3::collab::Processor::StateTracedCallback")
            .AddTraceSource("Level",
                            "Jobs that begin from now on have another frequency.",
                            MakeTraceSourceAccessor(&Processor::m_levelTrace),
                            "ns3::collab::Processor::LevelTracedCallback");
    return tid;
}

Processor::Processor()
{
    m_clock.Start(ProcessorState::IDLE);
}

void
Processor::SetFrequencies(std::string frequencies)
{
    std::vector<double> levelsHz;
    std::istringstream words(frequencies);
    for (std::string word; words >> word;)
    {
        levelsHz.push_back(ParseFrequency(word));
    }
    std::sort(levelsHz.begin(), levelsHz.end());
    m_frequencies = frequencies;
    m_levelsHz = levelsHz;
    m_level.reset();
}

std::string
Processor::GetFrequencies() const
{
    return m_frequencies;
}

std::vector<double>
Processor::GetLevels() const
{
    return m_levelsHz.empty() ? std::vector<double>{m_frequencyHz} : m_levelsHz;
}

uint32_t
Processor::GetLevel() const
{
    const bool lowest = m_governor == ProcessorGovernor::POWERSAVE || m_levelsHz.empty();
    return m_level.value_or(lowest ? 0 : m_levelsHz.size() - 1);
}

void
Processor::SetLevel(uint32_t level)
{
    NS_LOG_FUNCTION(this << level);
    const std::size_t count = std::max<std::size_t>(1, m_levelsHz.size());
    NS_ABORT_MSG_UNLESS(level < count,
                        "Processor::SetLevel: " << level << " given; allowed: 0 to " << count - 1);
    const uint32_t before = GetLevel();
    m_level = level;
    if (level != before)
    {
        m_levelTrace(before, level);
    }
}

std::optional<uint32_t>
Processor::FindLevel(uint64_t flops, Time limit) const
{
    const std::vector<double> levelsHz = GetLevels();
    for (uint32_t level = 0; level < levelsHz.size(); ++level)
    {
        if (GetDurationAt(flops, levelsHz[level]) <= limit)
        {
            return level;
        }
    }
    return std::nullopt;
}

double
Processor::GetFrequencyHz() const
{
    if (m_busy)
    {
        return m_jobFrequencyHz;
    }
    return m_levelsHz.empty() ? m_frequencyHz : m_levelsHz[GetLevel()];
}

Time
Processor::GetDuration(uint64_t flops) const
{
    return GetDurationAt(flops, GetFrequencyHz());
}

Time
Processor::GetDurationAt(uint64_t flops, double frequencyHz) const
{
    const double cycles = static_cast<double>(flops) / m_flopsPerCycle;
    const Time overhead = flops > 0 ? m_jobOverhead : Time();
    return overhead + NanoSeconds(std::llround(cycles / frequencyHz * 1e9));
}

double
Processor::GetComputePowerW() const
{
    const double frequencyHz = GetFrequencyHz();
    return m_capacitance * frequencyHz * frequencyHz * frequencyHz;
}

double
Processor::GetIdlePowerW() const
{
    return m_idlePowerW;
}

void
Processor::SetIdlePowerW(double watts)
{
    m_idlePowerW = watts;
    if (!m_idlePowerChanged.IsNull())
    {
        m_idlePowerChanged();
    }
}

void
Processor::SetIdlePowerCallback(Callback<void> changed)
{
    m_idlePowerChanged = changed;
}

void
Processor::SetBusy(bool busy)
{
    NS_LOG_FUNCTION(this << busy);
    m_jobFrequencyHz = GetFrequencyHz();
    m_busy = busy && m_on;
    NotifyState();
}

bool
Processor::IsBusy() const
{
    return m_busy;
}

void
Processor::SwitchOff()
{
    NS_LOG_FUNCTION(this);
    m_on = false;
    m_busy = false;
    NotifyState();
}

void
Processor::SwitchOn()
{
    NS_LOG_FUNCTION(this);
    m_on = true;
    NotifyState();
}

bool
Processor::IsOn() const
{
    return m_on;
}

Time
Processor::GetStateDuration(ProcessorState state) const
{
    return m_clock.GetDuration(state);
}

void
Processor::NotifyState()
{
    const ProcessorState running = m_busy ? ProcessorState::BUSY : ProcessorState::IDLE;
    m_clock.Enter(m_on ? running : ProcessorState::OFF);
    m_stateTrace(m_on, m_busy);
}

} // namespace ns3::collab
