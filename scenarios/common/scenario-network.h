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
#include "ns3/collab-given-attributes.h"
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

/// What radios the devices of a run have
struct RadioPlan
{
    bool hasD2d = true; //!< whether to each other; else to the base station alone
    std::function<void(ns3::collab::D2dHelper&)> configure = {}; //!< sets what D2D wants
    /// of the farthest device's link to a base station; nothing if there is none
    std::optional<double> serverOutage = {};
};

/// Devices in place with their radios, processors and batteries
struct ScenarioNetwork
{
    ns3::NodeContainer nodes;           //!< the devices
    ns3::Ptr<ns3::Node> server;         //!< the base station; null if there is none
    std::vector<ns3::Vector> positions; //!< of the devices
    std::vector<std::string> hints; //!< what is to be known of the longest links, by place or file
    int64_t streams = 0;            //!< number of random streams that D2D uses, from 0
};

/**
 * @brief Make the devices of a run, which move, are slow, and come and go as the parameters say.
 *
 * If there is a base station, all devices send to it with one power, with which the farthest one
 * has the outage asked for, or if devices move the farthest place where one can be, unless links
 * are of a trace, which says those to the server.
 */
ScenarioNetwork MakeNetwork(const CommonParameters& p, const RadioPlan& plan = {});

/// @brief Give every device a radio for D2D, a transport, a processor and a battery.
/// @param[in,out] network with nodes in place; gets the rest
/// @param configure function that sets what the scenario wants of radios and channel; may be empty
void InstallNetwork(const CommonParameters& p,
                    ScenarioNetwork& network,
                    const std::function<void(ns3::collab::D2dHelper&)>& configure = {});

/// @return the radio of a device
ns3::Ptr<ns3::collab::D2dNetDevice> GetRadio(const ns3::Ptr<ns3::Node>& node);

/// @return what tells how long exchanges of some applications can take
ns3::collab::WaitEstimator MakeWaitEstimator(const ns3::ApplicationContainer& applications);

/// @brief Let all devices wait equally long, as their protocol needs it.
/// @param computed the wait if there is no argument
/// @param[in,out] seconds the argument, which a given attribute is too, or 0; gets the wait that is
/// in force [s]
void SetWait(const std::string& attribute,
             ns3::Time computed,
             double& seconds,
             const ns3::ApplicationContainer& applications);

/// @brief Let radios hear while they send, unless the attribute Duplex is given: OFDMA, with
/// subchannels of their own.
/// @param helper helper that makes the radios
void UseFullDuplex(ns3::collab::D2dHelper& helper);

/// @return batteries and processors as the parameters say
ns3::collab::DeviceProfileHelper MakeProfile(const ns3::collab::ParameterList& parameters);

/// Give the devices of --slowDevices slower processors
void SlowDown(const CommonParameters& p, const ns3::NodeContainer& nodes);

/// @return where all jobs are computed: the pool that the user has given to all applications, or
/// one as the parameters say
ns3::Ptr<ns3::collab::LearnerPool> MakePool(const ns3::collab::ParameterList& parameters);

/// @brief Let a helper's objects have a value of an attribute, unless the user has given one.
/// @param attribute name with the type that declares it
/// @param set the helper's function that sets an attribute
template <typename Helper, typename Base>
void
SetUnlessGiven(Helper& helper,
               const std::string& attribute,
               const ns3::AttributeValue& value,
               void (Base::*set)(const std::string&, const ns3::AttributeValue&))
{
    if (!ns3::collab::IsAttributeGiven(attribute))
    {
        (helper.*set)(attribute.substr(attribute.rfind(':') + 1), value);
    }
}

/// Do so for applications
template <typename Helper>
void
SetUnlessGiven(Helper& helper, const std::string& attribute, const ns3::AttributeValue& value)
{
    SetUnlessGiven(helper, attribute, value, &Helper::SetAttribute);
}

/// @brief Let a helper make objects of a type as the parameters say.
/// @param set its function that sets an attribute
template <typename Helper, typename Base>
void
SetAttributes(const ns3::collab::ParameterList& parameters,
              const std::string& type,
              Helper& helper,
              void (Base::*set)(const std::string&, const ns3::AttributeValue&))
{
    parameters.Apply(
        ns3::TypeId::LookupByName(type),
        [&](const std::string& name, const auto& value) { (helper.*set)(name, value); });
}

/// @brief Let a helper make applications as the parameters say.
/// @param helper helper that has a SetAttribute()
template <typename Helper>
void
SetAttributes(const ns3::collab::ParameterList& parameters, const std::string& type, Helper& helper)
{
    SetAttributes(parameters, type, helper, &Helper::SetAttribute);
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
