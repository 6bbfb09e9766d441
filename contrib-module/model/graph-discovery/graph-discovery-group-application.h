/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_GROUP_APPLICATION_H
#define GRAPH_DISCOVERY_GROUP_APPLICATION_H

#include "graph-discovery-messages.h"
#include "graph-discovery-plan.h"

#include "ns3/collab-distributed-pca.h"
#include "ns3/collab-matrix.h"
#include "ns3/collab-random.h"
#include "ns3/graph-discovery-exchange-application.h"
#include "ns3/node-container.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief A device of a group: whom it trusts with what, and what all tell each other beforehand.
 *
 * In the setup of the first round a device listens, if it has to measure its links. Then each
 * broadcasts, if a subclass needs them, how often it loses what each other one sends, from which
 * each finds the clusters of reliable devices; a row that has not come counts as P_D = 1. If a
 * subspace is needed that all share, each also broadcasts its principal components, which are of
 * all of its samples together, and so outside of what trust can forbid; a device whose components
 * have not come is left out of the subspace.
 */
class DiscoveryGroupApplication : public DatapointExchangeApplication
{
  public:
    /// Of all messages but datapoints: before those
    static constexpr uint8_t CONTROL_PRIORITY = 1;
    /// Index of no device
    static constexpr uint32_t NOBODY = UINT32_MAX;

    /// @return the object TypeId
    static TypeId GetTypeId();

    DiscoveryGroupApplication();

    /// @brief Tell what all devices know, and what this one keeps to itself.
    /// @param devices all devices, ascending, this one included
    /// @param trust T_i of this device: a row a device, in that order, a column a partition
    /// @param seed of what this device draws
    void SetGroup(std::vector<uint32_t> devices, Matrix<uint8_t> trust, uint64_t seed);

    /// @brief Tell for what parts of a pass have time, so that they begin at the same times on all
    /// devices.
    /// @param nodes of all devices, with their transports and processors: the slowest ones count.
    /// By default those of this device
    /// @param samples greatest number of datapoints that a device has at first; there is time for
    /// twice as many. By default this device's
    void SetPlan(NodeContainer nodes, uint64_t samples);

    /// @param index of a device
    /// @return whether this one has its row of outage probabilities; of itself, whether it has told
    bool HasRow(uint32_t index) const;
    /// @param index of a device
    /// @return whether this one has its principal components; of itself, whether it has found them
    bool HasComponents(uint32_t index) const;
    /// @return cluster of reliable devices of each device, by index, as this device knows them
    const std::vector<uint32_t>& GetClusters() const;
    /// @param index of another device
    /// @return P_D of the link from it now, once started: probability of losing a datapoint that is
    /// sent once, of which each part can be lost; 1 if it is out of reach
    double GetOutage(uint32_t index) const;

  protected:
    /// What the setup of a subclass needs
    struct SetupNeeds
    {
        bool links = false;      //!< whether it matters whom a device hears
        bool clusters = false;   //!< whether each tells its row, and finds reliable clusters
        bool trust = false;      //!< whether each tells each how far it trusts it
        uint32_t components = 0; //!< d of the subspace; 0 for none
    };

    void DoDispose() override;
    void DoStart() override;

    /// @return what the setup needs
    virtual SetupNeeds GetNeeds() const = 0;
    /// @return datapoints of a device for which parts of a pass have time
    uint64_t GetPlannedSamples() const;
    /// @return how long parts of a pass take
    SlowestDevice GetSlowest() const;
    /// @param round of a setup
    /// @return how long it takes; nothing after the first round, when all of it is known
    Time GetSetupDuration(uint32_t round) const;
    /// @brief Tell others what they need, and wait for theirs, in the first round.
    Process SetUpGroup();

    /// @param deadline end of the setup
    /// @return options of what all devices need, which is repeated until then
    static SendOptions MakeSetupOptions(Time deadline);

    /// @return makes F, a row a feature and a column a component, of what has come, on any thread
    std::function<Matrix<float>()> PrepareSubspace() const;
    /// @return floating-point operations of that
    uint64_t CountSubspaceFlops() const;

    /// @return all devices, ascending
    const std::vector<uint32_t>& GetDevices() const;
    /// @return number of all devices
    uint32_t CountDevices() const;
    /// @return own index among the devices
    uint32_t GetOwnIndex() const;
    /// @param device number of a device
    /// @return its index; NOBODY if it is none of the group's
    uint32_t FindIndex(uint32_t device) const;
    /// @return L
    uint32_t GetPartitions() const;
    /// @param index of another device
    /// @return T_i of it: partitions with which this device trusts it
    std::vector<uint8_t> GetTrusted(uint32_t index) const;
    /// @return partitions with which each device trusts this one, as it has told
    const std::vector<uint32_t>& GetTrustedWith() const;
    /// @return others of the own cluster, by index, ascending
    const std::vector<uint32_t>& GetMembers() const;
    /// @return the same by number, for messages to all of them
    const DeviceGroup& GetMemberGroup() const;
    /// @param index of another device
    /// @return whether it is of the own cluster
    bool IsMember(uint32_t index) const;
    /// @return generator of this device's draws
    RandomGenerator& GetGenerator();
    /// @return attribute ControlLossPolicy
    LossPolicy GetControlLossPolicy() const;

    /// @param deadline when a message is too late
    /// @param policy what is done about loss
    /// @return options of a small message, which goes before datapoints
    static SendOptions MakeControlOptions(Time deadline, LossPolicy policy);
    /// @brief Send a small message to one device, before datapoints.
    /// @param index of the device
    /// @param message what it says
    /// @param round of the message
    /// @param deadline when it is too late
    template <typename T>
    void
    SendControl(uint32_t index, T message, uint32_t round, Time deadline)
    {
        Send(m_devices[index],
             std::move(message),
             MakeControlOptions(deadline, m_controlLossPolicy),
             round);
    }

    /// @brief Take part in messages of the group's devices; those of strangers are refused.
    /// @param handle gets the sender's index and the message while the application runs; a
    /// PayloadError that it throws refuses the message
    /// @param expected a message of the shape that all know
    template <typename T>
    void
    OnControl(std::function<void(uint32_t, const Received<T>&)> handle, T expected = {})
    {
        On<T>([this, handle = std::move(handle)](
                  const Received<T>& message) { handle(FindOther(message.sender), message); },
              std::move(expected));
    }

  private:
    /// @param device number of a device
    /// @return index of another device of the group
    /// @throws PayloadError if it is none
    uint32_t FindOther(uint32_t device) const;
    /// @return how long devices listen before they tell anything
    Time GetListeningTime() const;
    /// @param deadline when rows are too late
    void TellRow(Time deadline);
    /// @param deadline when it is too late
    void TellTrust(Time deadline);
    /// @return computes the own components, on any thread
    std::function<std::shared_ptr<const PrincipalComponents>()> PrepareComponents() const;
    /// @return whether what others tell in the setup is not too late
    bool IsSettingUp() const;
    /// @brief Find the devices of the own cluster.
    void FindCluster();

    LossPolicy m_controlLossPolicy; //!< attribute ControlLossPolicy
    Time m_setupDeadline;           //!< attribute SetupDeadline
    double m_threshold;             //!< attribute ReliabilityThreshold

    NodeContainer m_planned;             //!< nodes of all devices; none: only this one's
    uint64_t m_plannedSamples = 0;       //!< greatest number at first; 0: this device's
    std::vector<uint32_t> m_devices;     //!< all, ascending
    std::vector<uint32_t> m_indexOf;     //!< by number of a device
    Matrix<uint8_t> m_trust;             //!< T_i
    RandomGenerator m_generator;         //!< of the draws
    uint32_t m_own = 0;                  //!< own index
    uint32_t m_datapointParts = 1;       //!< in which a datapoint is sent
    Time m_setupEnd;                     //!< of the first setup
    Matrix<double> m_outage;             //!< P_D, receiver by transmitter, as far as known
    std::vector<uint8_t> m_hasRow;       //!< by index
    std::vector<uint32_t> m_trustedWith; //!< by index
    std::vector<std::shared_ptr<const PrincipalComponents>> m_parts; //!< by index, if known
    std::vector<uint32_t> m_clusters;                                //!< by index
    std::vector<uint32_t> m_members;                                 //!< of the own cluster
    DeviceGroup m_memberGroup;                                       //!< the same by number
};

} // namespace ns3::collab

#endif /* GRAPH_DISCOVERY_GROUP_APPLICATION_H */
