/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "python-device.h"

#include "python-arrays.h"

#include "ns3/collab-depletion-watch.h"
#include "ns3/collab-processor.h"
#include "ns3/collab-transport.h"
#include "ns3/energy-source-container.h"
#include "ns3/mobility-model.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <set>
#include <stdexcept>

namespace py = pybind11;

namespace ns3::collab
{

namespace
{

/// @return when a message that is sent now is cancelled
Time
GetDeadline(const PythonSending& how)
{
    return how.lifetime < Time::Max() ? Simulator::Now() + how.lifetime : Time::Max();
}

/// What a computation in Python has come to
struct JobResult
{
    Held value;                         //!< what it has returned
    std::shared_ptr<PythonError> error; //!< what it has thrown; null for nothing
};

/// @return what the callable returns or throws
JobResult
CallWork(const Held& work)
{
    const py::gil_scoped_acquire lock;
    try
    {
        return {Hold((*work)()), nullptr};
    }
    catch (py::error_already_set& error)
    {
        return {nullptr, std::make_shared<PythonError>(error)};
    }
}

ProcessOf<Held>
SleepProcess(Time time)
{
    co_await Delay(time);
    co_return nullptr;
}

} // namespace

Time
ToTime(double seconds)
{
    constexpr double LONGEST = 1e9; // what Time holds in nanoseconds
    if (std::isnan(seconds) || seconds < 0)
    {
        throw std::invalid_argument(fmt::format("a time of {} s; allowed: 0 or more", seconds));
    }
    return seconds < LONGEST ? Seconds(seconds) : Time::Max();
}

PythonMessage::PythonMessage(std::shared_ptr<const MessageLayout> layout, std::vector<Block> blocks)
{
    if (layout->hasUnits)
    {
        m_units = Pack(DynamicUnits(std::move(layout), std::move(blocks)));
    }
    else
    {
        m_whole = Pack(DynamicMessage(std::move(layout), std::move(blocks)));
    }
}

uint64_t
PythonMessage::GetSize() const
{
    return m_whole ? m_whole->WireSize() : m_units->WireSize();
}

const Packed<DynamicMessage>&
PythonMessage::GetWhole() const
{
    return m_whole;
}

const Packed<DynamicUnits>&
PythonMessage::GetUnits() const
{
    return m_units;
}

/// The coroutines behind the steps, as far as they use what only an application can
struct PythonProcesses
{
    static ProcessOf<Held>
    Compute(
        PythonApplication* application, std::string phase, uint64_t flops, Held work, bool isLight)
    {
        const std::function<JobResult()> call = [work]() { return CallWork(work); };
        const JobResult result = co_await application->Compute(phase, flops, call, isLight);
        if (result.error)
        {
            throw PythonError(*result.error);
        }
        co_return result.value;
    }

    template <typename T>
    static ProcessOf<Held>
    Hear(PythonApplication* application, uint16_t kind, std::vector<uint32_t> from, Time longest)
    {
        const PythonMessageKind& known = application->m_kinds.at(kind);
        const auto heard = co_await application->Hear<T>(std::move(from), longest, T(known.layout));
        Held result;
        const std::function<void()> convert = [&]() {
            py::dict messages;
            for (const auto& [sender, body] : heard)
            {
                messages[py::int_(sender)] = GiveMessage(known.type, *body);
            }
            result = Hold(std::move(messages));
        };
        application->CallPython(convert);
        co_return result;
    }

    template <typename T>
    static ProcessOf<Held>
    Deliver(PythonApplication* application,
            uint32_t receiver,
            Packed<T> message,
            DeliverOptions how)
    {
        const bool isThere =
            co_await application->Deliver<T>(receiver, std::move(message), std::move(how));
        co_return HoldBool(isThere);
    }

    static ProcessOf<Held>
    WaitUntil(PythonApplication* application, Held isSo, Time longest)
    {
        const std::function<bool()> ask = [application, isSo]() {
            bool answer = false;
            application->CallPython([&]() { answer = py::bool_((*isSo)()); });
            return answer;
        };
        const bool answer = co_await application->WaitUntil(ask, longest);
        co_return HoldBool(answer);
    }

    static Process
    Keep(PythonApplication* application, Held coroutine, std::shared_ptr<Held> result)
    {
        *result = co_await application->Drive(std::move(coroutine));
    }

    static ProcessOf<Held>
    Some(PythonApplication* application, std::vector<Held> coroutines, std::size_t enough)
    {
        std::vector<std::shared_ptr<Held>> results;
        std::vector<Process> processes;
        for (Held& coroutine : coroutines)
        {
            results.push_back(std::make_shared<Held>());
            processes.push_back(Keep(application, std::move(coroutine), results.back()));
        }
        const std::size_t last = co_await SomeOf(std::move(processes), enough);
        Held all;
        const std::function<void()> convert = [&]() {
            py::list values;
            for (const auto& result : results)
            {
                values.append(Give(*result));
            }
            all = Hold(py::make_tuple(last, values));
        };
        application->CallPython(convert);
        co_return all;
    }

    static ProcessOf<Held>
    Train(PythonApplication* application, TrainTask task)
    {
        const Trained trained = co_await application->Train(task);
        Held result;
        const std::function<void()> convert = [&]() {
            py::dict values = GiveScores(application->ReadScores(trained.scores));
            values["local_loss"] = trained.report.localLoss;
            values["steps"] = trained.report.steps;
            values["is_finite"] = trained.isFinite;
            result = Hold(std::move(values));
        };
        application->CallPython(convert);
        co_return result;
    }

    static ProcessOf<Held>
    Predict(PythonApplication* application, std::shared_ptr<const DataView> inputs)
    {
        Matrix<float> predicted = co_await application->Predict(std::move(inputs));
        Held result;
        const std::function<void()> convert = [&]() {
            result = Hold(GiveMatrix(std::move(predicted)));
        };
        application->CallPython(convert);
        co_return result;
    }

    static ProcessOf<Held>
    Evaluate(PythonApplication* application, FlatVector weights)
    {
        const std::vector<Score> scores = co_await application->Evaluate(std::move(weights));
        Held result;
        const std::function<void()> convert = [&]() {
            result = Hold(GiveScores(application->ReadScores(scores)));
        };
        application->CallPython(convert);
        co_return result;
    }

    static Held
    HoldBool(bool value)
    {
        const py::gil_scoped_acquire lock;
        return Hold(py::bool_(value));
    }
};

PythonDevice::PythonDevice(PythonApplication* application)
    : m_application(application)
{
}

void
PythonDevice::Detach()
{
    m_application = nullptr;
}

PythonApplication&
PythonDevice::Get() const
{
    if (!m_application)
    {
        throw std::logic_error("the simulation of this device is over");
    }
    return *m_application;
}

uint32_t
PythonDevice::GetNumber() const
{
    return Get().GetDeviceId();
}

uint32_t
PythonDevice::GetRound() const
{
    return Get().GetRound();
}

uint32_t
PythonDevice::GetRounds() const
{
    return Get().GetRounds();
}

double
PythonDevice::GetNow() const
{
    Get(); // or there is no time any more
    return Simulator::Now().GetSeconds();
}

std::vector<uint32_t>
PythonDevice::GetNeighbors() const
{
    return Get().GetNode()->GetObject<Transport>()->GetNeighbors();
}

std::array<double, 3>
PythonDevice::GetPosition() const
{
    const Ptr<MobilityModel> mobility = Get().GetNode()->GetObject<MobilityModel>();
    if (!mobility)
    {
        throw std::logic_error("this device has no position");
    }
    const Vector position = mobility->GetPosition();
    return {position.x, position.y, position.z};
}

double
PythonDevice::GetEnergy() const
{
    const auto sources = Get().GetNode()->GetObject<EnergySourceContainer>();
    if (!sources || sources->GetN() == 0)
    {
        return std::numeric_limits<double>::infinity();
    }
    return DepletionWatch::Of(sources->Get(0))->GetRemainingJ(); // as the table energy has it
}

std::vector<std::string>
PythonDevice::GetMetricNames() const
{
    std::vector<std::string> names;
    for (const Metric& metric : Get().GetMetrics())
    {
        names.push_back(metric.name);
    }
    return names;
}

double
PythonDevice::GetFlopsPerSecond() const
{
    constexpr uint64_t MANY = 1'000'000'000'000;
    const auto processor = Get().GetNode()->GetObject<Processor>();
    return static_cast<double>(MANY) / processor->GetDuration(MANY).GetSeconds();
}

std::optional<std::pair<double, double>>
PythonDevice::GetLinkQuality(uint32_t sender) const
{
    const auto quality = Get().GetNode()->GetObject<Transport>()->GetLinkQuality(sender);
    if (!quality)
    {
        return std::nullopt;
    }
    return std::pair(quality->rssW, quality->outageProbability);
}

SendOptions
PythonDevice::MakeOptions(const PythonSending& how) const
{
    SendOptions options(how.policy.value_or(Get().GetLossPolicy()));
    options.priority = how.priority;
    options.maxAttempts = how.maxAttempts;
    options.deadline = GetDeadline(how);
    return options;
}

void
PythonDevice::Register(const PythonMessageKind& kind)
{
    Get().Register(kind);
}

uint32_t
PythonDevice::Send(uint32_t receiver, const PythonMessage& message, const PythonSending& how)
{
    const SendOptions options = MakeOptions(how);
    return message.GetWhole() ? Get().Send(receiver, message.GetWhole(), options, how.round)
                              : Get().Send(receiver, message.GetUnits(), options, how.round);
}

uint32_t
PythonDevice::Broadcast(const PythonMessage& message, const PythonSending& how)
{
    const SendOptions options = MakeOptions(how);
    return message.GetWhole() ? Get().Broadcast(message.GetWhole(), options, how.round)
                              : Get().Broadcast(message.GetUnits(), options, how.round);
}

uint32_t
PythonDevice::Multicast(std::vector<uint32_t> receivers,
                        const PythonMessage& message,
                        const PythonSending& how)
{
    const std::set<uint32_t> ascending(receivers.begin(), receivers.end());
    const auto group =
        std::make_shared<const std::vector<uint32_t>>(ascending.begin(), ascending.end());
    const SendOptions options = MakeOptions(how);
    return message.GetWhole() ? Get().Multicast(group, message.GetWhole(), options, how.round)
                              : Get().Multicast(group, message.GetUnits(), options, how.round);
}

void
PythonDevice::EnterPhase(const std::string& phase)
{
    Get().EnterPhase(phase);
}

void
PythonDevice::Report(const std::map<std::string, double>& values)
{
    MetricValues report;
    for (const Metric& metric : Get().GetMetrics())
    {
        const auto found = values.find(metric.name);
        report.emplace_back(metric.name,
                            found == values.end() ? std::numeric_limits<double>::quiet_NaN()
                                                  : found->second);
    }
    Get().CollaborationApplication::Report(std::move(report));
}

void
PythonDevice::NoteTrained(bool isFinite)
{
    Get().NoteTrained(isFinite);
}

void
PythonDevice::Spawn(const Held& coroutine)
{
    Get().Spawn(Get().DriveBeside(coroutine));
}

void
PythonDevice::CheckWaits()
{
    Get().CheckWaits();
}

void
PythonDevice::StopForGood()
{
    Get().StopForGood();
}

PythonStep
PythonDevice::Sleep(double seconds) const
{
    const Time time = ToTime(seconds);
    return {[time]() { return SleepProcess(time); }};
}

PythonStep
PythonDevice::Compute(const std::string& phase,
                      uint64_t flops,
                      const Held& work,
                      bool isLight) const
{
    return {[application = &Get(), phase, flops, work, isLight]() {
        return PythonProcesses::Compute(application, phase, flops, work, isLight);
    }};
}

PythonStep
PythonDevice::Hear(uint16_t kind, std::vector<uint32_t> from, double seconds) const
{
    const auto known = Get().m_kinds.find(kind);
    if (known == Get().m_kinds.end() || known->second.handler)
    {
        throw std::invalid_argument(
            "hear() waits for messages of the protocol that have no handler");
    }
    const bool hasUnits = known->second.layout->hasUnits;
    return {
        [application = &Get(), kind, from = std::move(from), time = ToTime(seconds), hasUnits]() {
            return hasUnits ? PythonProcesses::Hear<DynamicUnits>(application, kind, from, time)
                            : PythonProcesses::Hear<DynamicMessage>(application, kind, from, time);
        }};
}

PythonStep
PythonDevice::Deliver(uint32_t receiver,
                      const PythonMessage& message,
                      const PythonSending& how) const
{
    DeliverOptions options;
    options.round = how.round;
    options.priority = how.priority;
    options.deadline = GetDeadline(how);
    return {[application = &Get(), receiver, message, options]() {
        return message.GetWhole()
                   ? PythonProcesses::Deliver(application, receiver, message.GetWhole(), options)
                   : PythonProcesses::Deliver(application, receiver, message.GetUnits(), options);
    }};
}

PythonStep
PythonDevice::WaitUntil(const Held& isSo, double seconds) const
{
    return {[application = &Get(), isSo, time = ToTime(seconds)]() {
        return PythonProcesses::WaitUntil(application, isSo, time);
    }};
}

PythonStep
PythonDevice::Some(std::vector<Held> coroutines, std::size_t enough) const
{
    return {[application = &Get(), coroutines = std::move(coroutines), enough]() {
        return PythonProcesses::Some(application, coroutines, enough);
    }};
}

std::shared_ptr<Learner>
PythonDevice::GetLearner() const
{
    return Get().GetLearner();
}

PythonStep
PythonDevice::Train(const TrainTask& task) const
{
    return {[application = &Get(), task]() { return PythonProcesses::Train(application, task); }};
}

PythonStep
PythonDevice::Predict(const std::shared_ptr<const DataView>& inputs) const
{
    return {
        [application = &Get(), inputs]() { return PythonProcesses::Predict(application, inputs); }};
}

PythonStep
PythonDevice::Evaluate(const FlatVector& weights) const
{
    return {[application = &Get(), weights]() {
        return PythonProcesses::Evaluate(application, weights);
    }};
}

} // namespace ns3::collab
