/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_NETWORK_H
#define BELIEF_NETWORK_H

#include "support/device-network.h"

#include "ns3/belief-consensus-belief.h"
#include "ns3/belief-consensus-discrete.h"
#include "ns3/belief-consensus-gaussian.h"
#include "ns3/belief-consensus-helper.h"
#include "ns3/belief-consensus-messages.h"
#include "ns3/belief-consensus-user-application.h"
#include "ns3/d2d-channel.h"
#include "ns3/d2d-matrix-outage-model.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tests
{

using Numbers = std::vector<double>;                         //!< of a belief
using BeliefMatrix = ns3::collab::Matrix<double>;            //!< W
using BeliefAttributes = std::map<std::string, std::string>; //!< of applications

/// A user's model whose jobs take as long, and fail when, as a test wants
class TestBelief : public ns3::collab::BeliefModel
{
  public:
    /// What differs from the model behind
    struct Settings
    {
        uint64_t updateFlops = 0;   //!< more operations of each update
        uint64_t poolFlops = 0;     //!< more operations of each pool
        uint32_t overflow = ~0U;    //!< number of the update that gives what is no belief
        bool poolOverflows = false; //!< whether pools of two or more do
    };

    /// @param model behind
    /// @param settings what differs
    TestBelief(std::unique_ptr<ns3::collab::BeliefModel> model, const Settings& settings)
        : m_model(std::move(model)),
          m_settings(settings)
    {
    }

    bool
    IsLight() const override
    {
        return false; // the host's threads do it
    }

    ns3::collab::Belief
    GetPrior() const override
    {
        return m_model->GetPrior();
    }

    ns3::collab::Belief
    Update(const ns3::collab::Belief& prior, uint32_t instant) override
    {
        const auto belief = m_model->Update(prior, instant);
        return instant == m_settings.overflow ? Spoil(belief) : belief;
    }

    uint64_t
    CountUpdateFlops(uint32_t instant) const override
    {
        return m_model->CountUpdateFlops(instant) + m_settings.updateFlops;
    }

    ns3::collab::Belief
    Pool(const std::vector<ns3::collab::WeightedBelief>& beliefs,
         ns3::collab::BeliefPooling pooling) const override
    {
        const auto belief = m_model->Pool(beliefs, pooling);
        return m_settings.poolOverflows ? Spoil(belief) : belief;
    }

    uint64_t
    CountPoolFlops(std::size_t beliefs, ns3::collab::BeliefPooling pooling) const override
    {
        return m_model->CountPoolFlops(beliefs, pooling) + m_settings.poolFlops;
    }

    double
    GetDistance(const ns3::collab::Belief& first, const ns3::collab::Belief& second) const override
    {
        return m_model->GetDistance(first, second);
    }

    uint64_t
    CountDistanceFlops() const override
    {
        return m_model->CountDistanceFlops();
    }

    std::size_t
    GetWireCount() const override
    {
        return m_model->GetWireCount();
    }

    bool
    HasUnits() const override
    {
        return m_model->HasUnits();
    }

    bool
    IsDouble() const override
    {
        return m_model->IsDouble();
    }

    Numbers
    ToWire(const ns3::collab::Belief& belief) const override
    {
        return m_model->ToWire(belief);
    }

    ns3::collab::Belief
    FromWire(const Numbers& numbers) const override
    {
        return m_model->FromWire(numbers);
    }

    ns3::collab::Belief
    FromSharedWire(const ns3::collab::Belief& numbers) const override
    {
        return m_model->FromSharedWire(numbers);
    }

    bool
    IsProper(const ns3::collab::Belief& belief) const override
    {
        return m_model->IsProper(belief);
    }

    Numbers
    Forge(ns3::collab::BeliefLie lie,
          double strength,
          const ns3::collab::Belief& belief) const override
    {
        return m_model->Forge(lie, strength, belief);
    }

    std::vector<ns3::collab::Metric>
    GetMetrics() const override
    {
        return m_model->GetMetrics();
    }

    std::vector<double>
    Evaluate(const ns3::collab::Belief& belief) override
    {
        return m_model->Evaluate(belief);
    }

    std::vector<std::pair<std::string, double>>
    Describe(const ns3::collab::Belief& belief) const override
    {
        return m_model->Describe(belief);
    }

  private:
    /// @return what no belief is
    static ns3::collab::Belief
    Spoil(const ns3::collab::Belief& belief)
    {
        Numbers numbers = *belief;
        numbers[0] = std::numeric_limits<double>::infinity();
        return std::make_shared<const Numbers>(std::move(numbers));
    }

    std::unique_ptr<ns3::collab::BeliefModel> m_model; //!< behind
    Settings m_settings;                               //!< what differs
};

constexpr uint32_t TRUE_WORD = 2; //!< the true hypothesis of MakeBitBelief()
constexpr double FLOPS = 6e9;     //!< of a processor in a second
constexpr uint16_t BELIEF = 1;    //!< kind of messages

/// @param bit of two that the user sees, with labels that are right with probability 0.7
/// @param seed of its samples
/// @return a belief about four words
inline std::unique_ptr<ns3::collab::BeliefModel>
MakeBitBelief(uint32_t bit, uint64_t seed)
{
    ns3::collab::DiscreteBeliefConfig config;
    config.observers = {std::make_shared<const ns3::collab::DiscreteObserver>(
        ns3::collab::MakeBitObserver(2, bit, 0.7, TRUE_WORD))};
    config.seeds = {seed};
    config.best = {TRUE_WORD};
    return ns3::collab::MakeDiscreteBelief(std::move(config));
}

/// @param seed of the samples
/// @return a belief about a line
inline std::unique_ptr<ns3::collab::BeliefModel>
MakeLineBelief(uint64_t seed)
{
    ns3::collab::GaussianBeliefConfig config;
    config.theta = {-0.3, 0.5};
    config.observers = {{{-1.0}, {1.0}}};
    config.seeds = {seed};
    config.test = {{-1.0}, {1.0}};
    config.testSamples = 10;
    return ns3::collab::MakeGaussianBelief(std::move(config));
}

/// @param users number of them
/// @param seed of the first user's samples
/// @return beliefs about two bits, of which users see one in turn
inline std::vector<std::unique_ptr<ns3::collab::BeliefModel>>
MakeBitBeliefs(uint32_t users, uint64_t seed = 100)
{
    std::vector<std::unique_ptr<ns3::collab::BeliefModel>> models;
    for (uint32_t i = 0; i < users; ++i)
    {
        models.push_back(MakeBitBelief(i % 2, seed + i));
    }
    return models;
}

/// @param users number of them
/// @return W of users that all hear and trust each other alike
inline BeliefMatrix
MakeUniformWeights(uint32_t users)
{
    return {users, users, 1.0 / users};
}

/// Something that became known in a run, in the order in which it did
struct BeliefEvent
{
    /// What it is
    enum Kind
    {
        SENT,      //!< device has broadcast numbers in round
        RECEIVED,  //!< device has received numbers of peer
        REFUSED,   //!< device has not believed the message that it has received; text says why
        PHASE,     //!< device has ended the phase text
        POOLED,    //!< device has pooled with entries
        ROUND,     //!< device has ended round with belief numbers
        END,       //!< device goes on no more; text is "finished" or "stopped"
        OUTCOME,   //!< message of peer to device was delivered (text) or lost ("")
        DESCRIBED, //!< device has told parameters of its belief
    };

    Kind kind = SENT;                                             //!< what it is
    uint32_t device = 0;                                          //!< whose
    uint32_t round = 0;                                           //!< instant
    uint32_t peer = 0;                                            //!< sender
    uint32_t sequence = 0;                                        //!< of the message
    ns3::Time time;                                               //!< when
    ns3::Time start;                                              //!< of a phase or round
    uint64_t bytes = 0;                                           //!< of the message
    std::string text;                                             //!< see above
    Numbers numbers;                                              //!< see above
    std::vector<ns3::collab::BeliefWeightsRecord::Entry> entries; //!< of a pool
    ns3::collab::RoundRecord record;                              //!< of a round
};

/// How to make users of belief consensus
struct BeliefUsers
{
    std::vector<std::unique_ptr<ns3::collab::BeliefModel>> models; //!< one a device
    BeliefMatrix w;                                                //!< trust
    std::string type = "BeliefConsensusApplication";               //!< of applications
    BeliefAttributes attributes;                                   //!< of all applications
    std::map<uint32_t, BeliefAttributes> own;                      //!< of some
    uint32_t threads = 1;                                          //!< of the host
    bool reliability = false;                                      //!< see UseReliability()

    /// @param device whose model does its jobs otherwise
    /// @param settings what differs
    void
    Change(uint32_t device, const TestBelief::Settings& settings)
    {
        models[device] = std::make_unique<TestBelief>(std::move(models[device]), settings);
    }
};

/// @param w trust
/// @param attributes of all applications
/// @return users about two bits
inline BeliefUsers
MakeBitUsers(const BeliefMatrix& w, BeliefAttributes attributes)
{
    BeliefUsers users;
    users.models = MakeBitBeliefs(static_cast<uint32_t>(w.rows));
    users.w = w;
    users.attributes = std::move(attributes);
    return users;
}

/// Users of belief consensus on a radio, and all that becomes known in their run
class BeliefNetworkTest : public DeviceNetwork
{
  protected:
    /// @param options of the devices
    /// @param duplex of their radios
    void
    MakeNetwork(Options options, const std::string& duplex = "Full")
    {
        options.duplex = duplex;
        MakeDevices(options);
        m_events.clear();
    }

    /// @param outage of what the row's device hears of the column's
    void
    SetOutage(const std::vector<std::vector<double>>& outage)
    {
        auto model = ns3::CreateObject<ns3::collab::D2dMatrixOutageModel>();
        model->SetMatrix(outage);
        model->SetNodes(m_nodes);
        GetRadio(0)->GetD2dChannel()->SetAttribute("OutageModel", ns3::PointerValue(model));
    }

    /// @param users to install, whose models are taken
    void
    Install(BeliefUsers users)
    {
        ns3::collab::BeliefConsensusHelper helper(MakePool(users.threads),
                                                  "ns3::collab::" + users.type);
        for (const auto& [name, value] : users.attributes)
        {
            helper.SetAttribute(name, ns3::StringValue(value));
        }
        if (users.reliability)
        {
            helper.UseReliability();
        }
        Watch(helper.Install(m_nodes, std::move(users.models), users.w));
        for (const auto& [device, attributes] : users.own)
        {
            for (const auto& [name, value] : attributes)
            {
                m_applications.Get(device)->SetAttribute(name, ns3::StringValue(value));
            }
        }
        ns3::collab::BeliefConsensusHelper::AssignStreams(m_applications, 1000);
        for (const uint32_t i : Ids())
        {
            ConnectApplication(i);
            ConnectTransport(i);
        }
    }

    /// @brief Make a network of users, of which all links have one outage.
    /// @param users to install
    /// @param outage of the links
    /// @param duplex of the radios
    void
    Make(BeliefUsers users, double outage = 0, const std::string& duplex = "Full")
    {
        Options options;
        options.devices = static_cast<uint32_t>(users.models.size());
        options.outage = outage;
        MakeNetwork(options, duplex);
        Install(std::move(users));
    }

    /// @brief As Make(), and run it.
    void
    Play(BeliefUsers users, double outage = 0, const std::string& duplex = "Full")
    {
        Make(std::move(users), outage, duplex);
        Run();
    }

    /// @return the application of a device
    ns3::Ptr<ns3::collab::BeliefUserApplication>
    GetUser(uint32_t device) const
    {
        return ns3::DynamicCast<ns3::collab::BeliefUserApplication>(m_applications.Get(device));
    }

    /// @return rho of a device after each of its rounds
    std::vector<Numbers>
    GetBeliefs(uint32_t device) const
    {
        std::vector<Numbers> beliefs;
        for (const auto& event : GetEvents(BeliefEvent::ROUND, device))
        {
            beliefs.push_back(event.numbers);
        }
        return beliefs;
    }

    /// @return events of a kind of a device
    std::vector<BeliefEvent>
    GetEvents(BeliefEvent::Kind kind, uint32_t device) const
    {
        std::vector<BeliefEvent> events;
        for (const auto& event : m_events)
        {
            if (event.kind == kind && event.device == device)
            {
                events.push_back(event);
            }
        }
        return events;
    }

    std::vector<BeliefEvent> m_events; //!< what became known

  private:
    /// @param kind of event
    /// @param device whose
    /// @param round instant
    /// @return a new event of now
    BeliefEvent&
    Add(BeliefEvent::Kind kind, uint32_t device, uint32_t round)
    {
        m_events.emplace_back();
        m_events.back().kind = kind;
        m_events.back().device = device;
        m_events.back().round = round;
        m_events.back().time = ns3::Simulator::Now();
        return m_events.back();
    }

    /// @param device whose application is to be traced
    void
    ConnectApplication(uint32_t device)
    {
        using namespace ns3;
        using namespace ns3::collab;
        const Ptr<BeliefUserApplication> user = GetUser(device);
        user->TraceConnectWithoutContext(
            "Round",
            Callback<void, const RoundRecord&>(
                [this, application = PeekPointer(user)](const RoundRecord& record) {
                    BeliefEvent& event = Add(BeliefEvent::ROUND, record.device, record.round);
                    event.start = record.start;
                    event.numbers = *application->GetBelief();
                    event.record = record;
                }));
        user->TraceConnectWithoutContext(
            "Phase", Callback<void, const PhaseRecord&>([this](const PhaseRecord& record) {
                BeliefEvent& event = Add(BeliefEvent::PHASE, record.device, record.round);
                event.start = record.start;
                event.text = record.phase;
            }));
        user->TraceConnectWithoutContext(
            "End", Callback<void, uint32_t, bool>([this](uint32_t number, bool finished) {
                Add(BeliefEvent::END, number, 0).text = finished ? "finished" : "stopped";
            }));
        user->TraceConnectWithoutContext(
            "Weights",
            Callback<void, const BeliefWeightsRecord&>([this](const BeliefWeightsRecord& record) {
                Add(BeliefEvent::POOLED, record.device, record.round).entries = record.entries;
            }));
        user->TraceConnectWithoutContext(
            "Belief", Callback<void, const BeliefRecord&>([this](const BeliefRecord& record) {
                BeliefEvent& event = Add(BeliefEvent::DESCRIBED, record.device, record.round);
                for (const auto& [name, value] : record.parameters)
                {
                    event.text += name + " ";
                    event.numbers.push_back(value);
                }
            }));
    }

    /// @param device whose transport is to be traced
    void
    ConnectTransport(uint32_t device)
    {
        using namespace ns3;
        using namespace ns3::collab;
        const Ptr<Transport> transport = GetTransport(device);
        const auto connect = [this, device, transport](const char* source, BeliefEvent::Kind kind) {
            transport->TraceConnectWithoutContext(
                source,
                Callback<void, const Message&, uint64_t>(
                    [this, device, kind](const Message& message, uint64_t bytes) {
                        BeliefEvent& event = Add(kind, device, message.round);
                        event.peer = message.sender;
                        event.sequence = message.sequence;
                        event.bytes = bytes;
                        const auto payload =
                            std::dynamic_pointer_cast<const PayloadOf<PublicBelief>>(
                                message.payload);
                        event.numbers = payload ? payload->Get().numbers : Numbers();
                    }));
        };
        connect("Tx", BeliefEvent::SENT);
        connect("Rx", BeliefEvent::RECEIVED);
        transport->TraceConnectWithoutContext(
            "Reject",
            Callback<void, uint32_t, const std::string&>(
                [this](uint32_t number, const std::string& reason) {
                    Add(BeliefEvent::REFUSED, number, 0).text = reason;
                }));
        transport->TraceConnectWithoutContext(
            "Outcome", Callback<void, const MessageOutcome&>([this](const MessageOutcome& outcome) {
                BeliefEvent& event = Add(BeliefEvent::OUTCOME, outcome.receiver, outcome.round);
                event.peer = outcome.sender;
                event.sequence = outcome.sequence;
                event.bytes = outcome.bytes;
                event.time = outcome.end;
                event.text = outcome.delivered ? "delivered" : "";
            }));
    }
};

} // namespace tests

#endif /* BELIEF_NETWORK_H */
