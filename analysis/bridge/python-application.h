/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PYTHON_APPLICATION_H
#define PYTHON_APPLICATION_H

#include "dynamic-message.h"
#include "python-object.h"

#include "ns3/collab-learning-application.h"
#include "ns3/collab-metric.h"

#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::collab
{

class PythonDevice;

/// What a protocol in Python is to the simulation, the same on all devices
struct PythonProtocolType
{
    std::vector<Metric> metrics; //!< what report() is given
    bool hasLearner = false;     //!< whether devices have a learner of the module
};

/// A kind of messages that a protocol in Python takes part in
struct PythonMessageKind
{
    std::shared_ptr<const MessageLayout> layout; //!< of the messages
    Held type;                                   //!< their class, called with each of them
    Held handler; //!< called with the sender and the message; null if hear() waits for them
};

/**
 * @brief Something that a round in Python waits for: awaited by the process that drives it.
 *
 * The process gives what the await expression is worth.
 */
struct PythonStep
{
    std::function<ProcessOf<Held>()> begin; //!< makes the process
};

/**
 * @brief A protocol written in Python, as one device runs it.
 *
 * Its rounds are coroutines of Python (`async def round(self)`). What they await are PythonSteps,
 * which this application performs by the awaitables of C++ protocols, so that the same protocol
 * makes the same events in both languages. The event loop runs without the interpreter's lock and
 * takes it when a coroutine goes on; computations take it on the pool's threads.
 */
class PythonApplication : public LearningApplication
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    PythonApplication();
    ~PythonApplication() override;

    /// @param type what all devices have in common
    /// @param protocol the device's instance of the protocol
    void SetProtocol(std::shared_ptr<const PythonProtocolType> type, Held protocol);
    /// @return what the protocol knows of the simulation
    const std::shared_ptr<PythonDevice>& GetDevice() const;

    std::vector<Metric> GetMetrics() const override;

  protected:
    void DoDispose() override;

  private:
    friend class PythonDevice;
    friend struct PythonProcesses;

    void DoStart() override;
    Process Round() override;
    void DoResume() override;

    /// @param call uses Python, and is given the interpreter's lock
    /// @throws PythonError that names device, round and phase
    void CallPython(const std::function<void()>& call);
    /// @return device, round and phase
    std::string GetPlace() const;
    /// @param kind to take part in
    void Register(const PythonMessageKind& kind);
    /// @tparam T DynamicMessage or DynamicUnits
    /// @param kind to take part in
    template <typename T>
    void RegisterAs(const PythonMessageKind& kind);
    /// @brief Let a coroutine of Python go on.
    /// @param coroutine made by an `async def`
    /// @param value of the await expression at which it is
    /// @param error to be thrown there instead; null for none
    /// @param[out] result what it returns, if it ends
    /// @return what it waits for now; nothing if it has ended
    std::optional<PythonStep> Advance(const Held& coroutine,
                                      const Held& value,
                                      const std::exception_ptr& error,
                                      Held& result);
    /// @brief Run a coroutine of Python as a process.
    /// @param coroutine made by an `async def`; closed if the process is destroyed
    /// @return what it returns
    ProcessOf<Held> Drive(Held coroutine);
    /// @param coroutine of Python
    /// @return a process that does nothing else
    Process DriveBeside(Held coroutine);

    std::shared_ptr<const PythonProtocolType> m_type; //!< what all devices have in common
    Held m_protocol;                                  //!< the device's instance of the protocol
    std::shared_ptr<PythonDevice> m_device;           //!< see GetDevice()
    std::map<uint16_t, PythonMessageKind> m_kinds;    //!< of messages, by number
};

} // namespace ns3::collab

#endif /* PYTHON_APPLICATION_H */
