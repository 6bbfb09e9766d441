/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCENARIO_NETWORK_H
#define SCENARIO_NETWORK_H

#include "scenario-parameters.h"
#include "scenario-placement.h"

#include "ns3/application-container.h"
#include "ns3/collab-learner-pool.h"
#include "ns3/collab-wait-estimator.h"
#include "ns3/d2d-helper.h"
#include "ns3/d2d-net-device.h"
#include "ns3/device-profile-helper.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// Outage probability that the longest of some links shall have
struct PromisedOutage
{
    std::string parameter; //!< that says so
    double probability;    //!< its value
};

/// @brief Let radios notice bursts over the longest link, unless the attribute RxSensitivity is
/// given: in a narrow band that has little noise, and a given outage little power.
/// @param outage probability of that link
/// @param helper helper that makes the radios
void LowerSensitivity(double outage, ns3::collab::D2dHelper& helper);

/// @brief Let radios have links as the parameter links says, and notice bursts over them.
/// @param helper helper that makes the radios
void SetLinks(const CommonParameters& p, ns3::collab::D2dHelper& helper);

/// @return see FindOutageHints(); none for links of a trace
std::vector<std::string> FindLinkHints(const CommonParameters& p,
                                       const ns3::NetDeviceContainer& devices);

/**
 * @brief Say where links are not as a parameter has them.
 *
 * Parameters assume Rayleigh fading, log-distance path loss and a fixed rate, whatever attributes
 * make of the channel.
 *
 * @return a line for each thing to know; none if links are so
 */
std::vector<std::string> FindOutageHints(const ns3::NetDeviceContainer& senders,
                                         const ns3::NetDeviceContainer& receivers,
                                         const PromisedOutage& promised);

/// @return how long their links can be, and what is to be known of the longest one; see
/// FindOutageHints()
std::vector<std::string> FindPlaceHints(const CommonParameters& p,
                                        const ns3::NetDeviceContainer& devices);

/// What became of InstallNetwork()
struct InstalledNetwork
{
    int64_t streams;                //!< number of random streams used, from 0
    std::vector<std::string> hints; //!< see FindPlaceHints()
};

/// @brief Give every device a radio for D2D, a transport, a processor and a battery.
/// @param configure function that sets what the scenario wants of radios and channel; may be empty
/// @return what is to be known of it
InstalledNetwork InstallNetwork(const CommonParameters& p,
                                const ns3::NodeContainer& nodes,
                                const std::function<void(ns3::collab::D2dHelper&)>& configure = {});

/// @return its radio
ns3::Ptr<ns3::collab::D2dNetDevice> GetRadio(const ns3::Ptr<ns3::Node>& node);

/// @return what tells how long they can take
ns3::collab::WaitEstimator MakeWaitEstimator(const ns3::ApplicationContainer& applications);

/// @brief Let all devices wait equally long, as their protocol needs it.
/// @param computed the wait if there is no argument
/// @param[in,out] seconds the argument, which a given attribute is too, or 0; gets the wait that is
/// in force [s]
void SetWait(const std::string& attribute,
             ns3::Time computed,
             double& seconds,
             const ns3::ApplicationContainer& applications);

/// @brief Let devices know links as the argument knowledge says, if there is one.
/// @param helper helper that makes the radios
void SetKnowledge(const ns3::collab::ParameterList& parameters, ns3::collab::D2dHelper& helper);

/// @brief Let bursts read their links ten times a second if devices move, unless the attribute
/// LinkUpdatePeriod is given.
/// @param helper helper that makes the channel
void FollowMovement(const CommonParameters& p, ns3::collab::D2dHelper& helper);

/// @brief Let radios hear while they send, unless the attribute Duplex is given: OFDMA, with
/// subchannels of their own.
/// @param helper helper that makes the radios
void UseFullDuplex(ns3::collab::D2dHelper& helper);

/**
 * @brief Give the devices radios to a base station above them, with batteries and processors unless
 * they have them.
 *
 * All devices have one transmit power, with which the farthest one has the outage asked for, or if
 * devices move the farthest place where one can be, unless links are of a trace, which says those
 * to the server.
 *
 * @param nodes the devices, in place, with their D2D radios if they have any
 * @param streams first random stream to use
 * @return see FindPlaceHints(); none if the transmit power is given, or links are of a trace
 */
std::vector<std::string> InstallServerLinks(const CommonParameters& p,
                                            ns3::Ptr<ns3::Node> server,
                                            const ns3::NodeContainer& nodes,
                                            double outage,
                                            int64_t streams);

/// @return what devices live on, as the parameters say
ns3::collab::DeviceProfileHelper MakeProfile(const ns3::collab::ParameterList& parameters);

/// Give the devices of --slowDevices slower processors
void SlowDown(const CommonParameters& p, const ns3::NodeContainer& nodes);

/// @return where all jobs are computed: the pool that the user has given to all applications, or
/// one as the parameters say
ns3::Ptr<ns3::collab::LearnerPool> MakePool(const ns3::collab::ParameterList& parameters);

/// @brief Let a helper make applications as the parameters say.
/// @param[in,out] helper helper that has a SetAttribute()
template <typename Helper>
void
SetAttributes(const ns3::collab::ParameterList& parameters, const std::string& type, Helper& helper)
{
    parameters.Apply(ns3::TypeId::LookupByName(type),
                     [&helper](const std::string& name, const ns3::AttributeValue& value) {
                         helper.SetAttribute(name, value);
                     });
}

/// Frees what ns-3 holds, however the run ends
struct SimulatorGuard
{
    ~SimulatorGuard()
    {
        ns3::Simulator::Destroy();
    }
};

#endif /* SCENARIO_NETWORK_H */
