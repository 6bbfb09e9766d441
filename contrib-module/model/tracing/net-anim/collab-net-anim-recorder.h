/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_NET_ANIM_RECORDER_H
#define COLLAB_NET_ANIM_RECORDER_H

#include "collab-net-anim-file.h"

#include "ns3/collab-application.h"
#include "ns3/collab-compat.h"
#include "ns3/collab-transport.h"
#include "ns3/d2d-net-device.h"
#include "ns3/energy-source.h"
#include "ns3/event-id.h"
#include "ns3/mobility-model.h"
#include "ns3/node-container.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-tracing
/// @brief What a NetAnimRecorder looks at, and when.
struct NetAnimOptions
{
    /// From one look at positions, batteries and links to the next; more than zero
    Time mobilityPollInterval = MilliSeconds(250);
    /// Whether to show links of D2dNetDevices. Each look at them asks the channel. A propagation
    /// model that draws the value of a link once and keeps it may draw it earlier then: with such a
    /// model the run is another one than without the recorder.
    bool links = false;
};

/**
 * @ingroup collab-tracing
 * @brief Records a run as an animation for NetAnim.
 *
 * - Nodes where they are, with their number and, once a round has ended, the present round.
 * - Batteries, as the counter "RemainingEnergy [J]" and as color: green if full, red if nearly
 *   empty, gray if empty. They are what the source's trace RemainingEnergy last told, since asking
 *   a source may change it.
 * - Messages, from Transport's trace Outcome: a packet from the sender to each device that the
 *   message was meant for, from when it went on air until it was received or given up. A lost one
 *   is marked "lost" with the reason.
 * - Links that are in range, with received signal strength and outage probability both ways.
 *
 * Positions, batteries and links are looked at every MobilityPollInterval while the simulation has
 * other events, and the file is written out. It begins when the recorder is made, and ends when the
 * recorder is destroyed.
 */
class NetAnimRecorder
{
  public:
    /// @param path where to write the animation
    /// @param nodes nodes to show, with mobility models; with transports, batteries and
    /// applications already where they have any
    /// @param options what to look at
    /// @throws UserError if the file cannot be made
    NetAnimRecorder(const std::string& path,
                    const NodeContainer& nodes,
                    const NetAnimOptions& options = {});
    /// Stops recording, and closes the animation.
    ~NetAnimRecorder();

    NetAnimRecorder(const NetAnimRecorder&) = delete;
    NetAnimRecorder& operator=(const NetAnimRecorder&) = delete;

  private:
    /// A node, and what the animation says of it
    struct Device
    {
        uint32_t id = 0;                         //!< number of the node
        Ptr<MobilityModel> mobility;             //!< where it is
        Vector position;                         //!< where the animation has it [m]
        Ptr<Transport> transport;                //!< its messages; may be null
        Ptr<D2dNetDevice> radio;                 //!< its radio; may be null
        Ptr<EnergySource> battery;               //!< its battery; may be null
        double initialJ = 0;                     //!< the battery's initial charge [J]
        double remainingJ = 0;                   //!< what its trace last told [J]
        std::optional<double> shownJ;            //!< what the animation's counter has [J]
        std::optional<NetAnimFile::Color> color; //!< the node's color in the animation
        std::vector<Ptr<CollaborationApplication>> applications; //!< its protocols

        /// @param before energy in the battery before [J]
        /// @param now energy in it now [J]
        void HandleEnergy(double before, double now);
    };

    /// @param node a node
    /// @return what the recorder needs of it
    static Device MakeDevice(Ptr<Node> node);
    /// @param device a device whose traces shall be heard
    void Connect(Device& device);
    /// @param device a device whose traces shall no longer be heard
    void Disconnect(Device& device);

    /// @brief Write what has changed since the last look.
    void Poll();
    /// @param device a device that may have moved
    void UpdatePosition(Device& device);
    /// @param device a device whose battery may have changed
    void UpdateBattery(Device& device);
    /// @brief Write the links that have changed.
    void UpdateLinks();
    /// @param device a device
    /// @param other another one
    /// @return what is written beside the link between them
    static std::string DescribeLink(const Device& device, const Device& other);

    /// @param outcome what became of a message
    void HandleOutcome(const MessageOutcome& outcome);
    /// @param record a round that ended
    void HandleRound(const RoundRecord& record);

    NetAnimFile m_file;                   //!< the animation
    NetAnimOptions m_options;             //!< what to look at
    std::map<uint32_t, Device> m_devices; //!< by number of the node
    /// What is written beside links, by the numbers of their nodes, the smaller one first
    std::map<std::pair<uint32_t, uint32_t>, std::string> m_links;
    EventId m_poll; //!< the next look
};

} // namespace ns3::collab

#endif /* COLLAB_NET_ANIM_RECORDER_H */
