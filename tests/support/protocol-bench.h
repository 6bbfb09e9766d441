/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SUPPORT_PROTOCOL_BENCH_H
#define SUPPORT_PROTOCOL_BENCH_H

#include "support/device-installation.h"
#include "support/simulation.h"
#include "support/tap-transport.h"

#include "ns3/application-container.h"
#include "ns3/collab-application.h"
#include "ns3/collab-energy-kind.h"
#include "ns3/collab-learner-pool.h"
#include "ns3/collab-processor.h"
#include "ns3/collab-transport.h"
#include "ns3/d2d-net-device.h"
#include "ns3/energy-source.h"
#include "ns3/node-container.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tests
{

/// Names and values of attributes; of two of one name the later one is in force
using Attributes = std::vector<std::pair<std::string, std::string>>;

/// A message that was not believed
struct Refusal
{
    uint32_t device = 0; //!< that received it
    ns3::Time time;      //!< when
    std::string reason;  //!< why
};

/// A message as a transport traces it
struct TracedMessage
{
    uint32_t device = 0;          //!< that sends or receives it
    ns3::Time time;               //!< when
    ns3::collab::Message message; //!< what it is
    uint64_t bytes = 0;           //!< header and payload
};

/// Devices with a transport, a processor and a battery each, the protocol that runs on them, and
/// all that becomes known of its run. Devices have the numbers 0, 1, ..., as their nodes do.
class ProtocolBench
{
  public:
    using Options = DeviceOptions; //!< how to make the devices

    ProtocolBench() = default;
    ProtocolBench(const ProtocolBench&) = delete;
    ProtocolBench& operator=(const ProtocolBench&) = delete;
    virtual ~ProtocolBench();

    /// @param options of new devices on D2D links; those of the run before are gone
    void MakeDevices(const Options& options = {});
    /// @brief Add a base station, the last node, which all devices reach by radios of their own
    /// without loss.
    void AddServer();
    /// @brief Make new devices on one Ethernet with an IPv4 stack instead.
    /// @param options of them; only number, payload mode, charge and run count
    /// @param transport Udp or Tcp
    void MakeIpDevices(const Options& options, const std::string& transport);

    /// @param nodes that get a transport which a test can tap, before their radios are installed
    /// @param payloadMode attribute PayloadMode
    static void MakeTaps(const ns3::NodeContainer& nodes, const std::string& payloadMode);

    /// @param threads of the host
    /// @return a new pool for the jobs of all devices
    ns3::Ptr<ns3::collab::LearnerPool> MakePool(uint32_t threads = 1);
    /// @param helper of a protocol
    /// @param attributes of its applications
    template <typename Helper>
    static void
    SetAttributes(Helper& helper, const Attributes& attributes)
    {
        for (const auto& [name, value] : attributes)
        {
            helper.SetAttribute(name, ns3::StringValue(value));
        }
    }
    /// @brief Record all that becomes known of applications and of the transports of all nodes, and
    /// end the run with the last of them.
    /// @param applications of the protocol, at most one a device
    void Watch(const ns3::ApplicationContainer& applications);
    /// @param application whose rounds, phases and end to record, which need not end the run
    void WatchApplication(ns3::Ptr<ns3::Application> application);
    /// @brief Record what becomes of messages at the transports of all nodes, as Watch() does.
    void WatchTransports();
    /// @brief Record messages too, whose payloads then stay; call it after Watch().
    void WatchMessages();
    /// @brief Record what the watched applications alone trace.
    /// @param source a trace source of records
    /// @param into receives the records, and forgets what it has
    template <typename Record>
    void
    Collect(const std::string& source, std::vector<Record>& into)
    {
        into.clear();
        for (auto it = m_applications.Begin(); it != m_applications.End(); ++it)
        {
            CollectTrace(*it, source, into);
        }
    }

    /// @param limit at which the run ends, if the applications do not end it
    void Run(ns3::Time limit = ns3::Seconds(1000));
    /// @brief Forget devices, applications and records.
    void Reset();

    /// @return transport of a device
    ns3::Ptr<ns3::collab::Transport> GetTransport(uint32_t device) const;
    /// @return transport of a device with a D2D radio or of the base station
    ns3::Ptr<TapTransport> GetTap(uint32_t device) const;
    /// @return D2D radio of a device
    ns3::Ptr<ns3::collab::D2dNetDevice> GetRadio(uint32_t device) const;
    /// @return processor of a device
    ns3::Ptr<ns3::collab::Processor> GetProcessor(uint32_t device) const;
    /// @return battery of a device
    ns3::Ptr<ns3::EnergySource> GetBattery(uint32_t device) const;
    /// @return number of a device
    uint32_t Id(uint32_t device) const;
    /// @return numbers of all devices
    std::vector<uint32_t> Ids() const;

    /// @param device that loses all that it should receive, from now on
    void Deafen(uint32_t device) const;
    /// @param device that receives again
    void Hear(uint32_t device) const;
    /// @param device that has no power, from now on
    void SwitchOff(uint32_t device) const;
    /// @param device that has power again
    void SwitchOn(uint32_t device) const;
    /// @brief Take the power from a device.
    /// @param device a device
    /// @param from when
    /// @param to when it has power again; for good if that is not later
    void Crash(uint32_t device, ns3::Time from, ns3::Time to = ns3::Time()) const;

    /// @return joules that a device has spent, by kind
    ns3::collab::EnergyByKind GetJoules(uint32_t device) const;
    /// @return joules that the battery of a device has lost
    double GetLostJoules(uint32_t device) const;

    /// @return a metric of a device, by round
    std::vector<double> MetricOf(uint32_t device, const std::string& name) const;
    /// @return why messages were not believed
    std::vector<std::string> GetReasons() const;
    /// @param hasRefusals whether refused messages are in it
    /// @return rounds, phases, ends and outcomes in their order, with every bit of every number
    std::string GetTrace(bool hasRefusals = true) const;

    ns3::NodeContainer m_nodes;                //!< the nodes, a server is the last one
    ns3::NetDeviceContainer m_devices;         //!< the devices' radios
    ns3::NetDeviceContainer m_serverRadios;    //!< of the server and, in their order, of devices
    ns3::Ptr<ns3::collab::LearnerPool> m_pool; //!< for the jobs of all devices
    ns3::ApplicationContainer m_applications;  //!< of the protocol

    std::vector<ns3::collab::RoundRecord> m_rounds;      //!< of all devices
    std::vector<ns3::collab::PhaseRecord> m_phases;      //!< of all devices
    std::map<uint32_t, bool> m_ends;                     //!< last ends: whether all rounds are done
    std::vector<Refusal> m_refusals;                     //!< of all devices
    std::vector<ns3::collab::MessageOutcome> m_outcomes; //!< of all messages
    std::vector<TracedMessage> m_sent;                   //!< see WatchMessages()
    std::vector<TracedMessage> m_received;               //!< see WatchMessages()

  private:
    std::string m_payloadMode; //!< attribute PayloadMode of the present devices
};

} // namespace tests

#endif /* SUPPORT_PROTOCOL_BENCH_H */
