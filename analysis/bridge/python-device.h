/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PYTHON_DEVICE_H
#define PYTHON_DEVICE_H

#include "dynamic-message.h"
#include "python-application.h"

#include "ns3/collab-learner.h"
#include "ns3/collab-message.h"
#include "ns3/collab-packed-message.h"
#include "ns3/nstime.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::collab
{

/// @param seconds 0 or more
/// @return the time; Time::Max() if it is too long for one
/// @throws std::invalid_argument if it is none
Time ToTime(double seconds);

/// How a protocol in Python sends a message
struct PythonSending
{
    std::optional<LossPolicy> policy; //!< what to do about loss; the attribute's if none
    uint8_t priority = 0;             //!< in the queue
    Time lifetime = Time::Max();      //!< from now on; then it is cancelled
    uint32_t maxAttempts = 0;         //!< of a part with ARQ; 0 for what the radio is set to
    std::optional<uint32_t> round;    //!< of the message; the present one if none
};

/// A message of a protocol in Python, which those who send it again share
class PythonMessage
{
  public:
    /// @param layout its kind
    /// @param blocks values of its fields
    /// @throws std::invalid_argument if their shapes are not those of the layout
    PythonMessage(std::shared_ptr<const MessageLayout> layout, std::vector<Block> blocks);

    /// @return bytes on the wire, without the header
    uint64_t GetSize() const;
    /// @return the message without units; null if it has them
    const Packed<DynamicMessage>& GetWhole() const;
    /// @return the message with units; null if it has none
    const Packed<DynamicUnits>& GetUnits() const;

  private:
    Packed<DynamicMessage> m_whole; //!< see GetWhole()
    Packed<DynamicUnits> m_units;   //!< see GetUnits()
};

/**
 * @brief All that a protocol in Python knows of the simulation and can do in it: what a protocol in
 * C++ has from its base class.
 *
 * Python calls it without the interpreter's lock. After the simulation it refuses everything.
 */
class PythonDevice
{
  public:
    /// @param application of the device, which tells by Detach() that it ends
    explicit PythonDevice(PythonApplication* application);

    /// @brief The simulation is over.
    void Detach();

    /// @return number of the device
    uint32_t GetNumber() const;
    /// @return present round, from 0
    uint32_t GetRound() const;
    /// @return rounds to run
    uint32_t GetRounds() const;
    /// @return simulated time [s]
    double GetNow() const;
    /// @return devices that a broadcast would reach now
    std::vector<uint32_t> GetNeighbors() const;
    /// @return where it is [m]
    std::array<double, 3> GetPosition() const;
    /// @return what is left in its battery; infinite without one [J]
    double GetEnergy() const;
    /// @return names of what its rounds report
    std::vector<std::string> GetMetricNames() const;
    /// @return floating-point operations of its processor in a second
    double GetFlopsPerSecond() const;
    /// @param sender number of another device
    /// @return mean received signal strength [W] and outage probability; nothing if it hears
    /// nothing
    std::optional<std::pair<double, double>> GetLinkQuality(uint32_t sender) const;
    /// @param kind to take part in
    void Register(const PythonMessageKind& kind);
    /// @return the message's sequence number
    uint32_t Send(uint32_t receiver, const PythonMessage& message, const PythonSending& how);
    /// @return the message's sequence number
    uint32_t Broadcast(const PythonMessage& message, const PythonSending& how);
    /// @return the message's sequence number
    uint32_t Multicast(std::vector<uint32_t> receivers,
                       const PythonMessage& message,
                       const PythonSending& how);
    /// @param phase its name in traces
    void EnterPhase(const std::string& phase);
    /// @param values by name of the metric; NaN for those that are missing
    void Report(const std::map<std::string, double>& values);
    /// @param isFinite whether training in the present round has left a finite model
    void NoteTrained(bool isFinite);
    /// @param coroutine to go on beside the rounds
    void Spawn(const Held& coroutine);
    /// @brief Let processes go on that have waited for what is so now.
    void CheckWaits();
    /// @brief End before all rounds are done.
    void StopForGood();

    /// @param seconds to wait
    PythonStep Sleep(double seconds) const;
    /// @param phase its name in traces; empty for the present one
    /// @param flops floating-point operations of the device
    /// @param work callable without arguments, called on a host thread
    /// @param isLight see LearnerPool::Submit()
    PythonStep Compute(const std::string& phase,
                       uint64_t flops,
                       const Held& work,
                       bool isLight) const;
    /// @param kind number of a kind of messages
    /// @param from devices to wait for
    /// @param seconds to wait at most
    PythonStep Hear(uint16_t kind, std::vector<uint32_t> from, double seconds) const;
    /// Send a message until it is acknowledged or given up
    PythonStep Deliver(uint32_t receiver,
                       const PythonMessage& message,
                       const PythonSending& how) const;
    /// @param isSo callable without arguments
    /// @param seconds to wait at most; infinite for as long as it takes
    PythonStep WaitUntil(const Held& isSo, double seconds) const;
    /// @param coroutines to go on at the same time
    /// @param enough how many of them have to end
    PythonStep Some(std::vector<Held> coroutines, std::size_t enough) const;

    /// @return the device's learner; null if it has none
    std::shared_ptr<Learner> GetLearner() const;
    /// @param task what to do
    PythonStep Train(const TrainTask& task) const;
    /// @param inputs samples
    PythonStep Predict(const std::shared_ptr<const DataView>& inputs) const;
    /// @param weights that the learner is to have first; null for those that it has
    PythonStep Evaluate(const FlatVector& weights) const;

  private:
    /// @return the application
    /// @throws std::logic_error if the simulation is over
    PythonApplication& Get() const;
    /// @param how a message is sent
    /// @return the same for the transport
    SendOptions MakeOptions(const PythonSending& how) const;

    PythonApplication* m_application; //!< of the device; null when it has ended
};

} // namespace ns3::collab

#endif /* PYTHON_DEVICE_H */
