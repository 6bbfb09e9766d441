/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONTRACT_PROTOCOLS_H
#define CONTRACT_PROTOCOLS_H

#include "support/protocol-bench.h"

#include "ns3/collab-learner.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tests
{

/// What a test of the contract changes in a run
struct ContractSetting
{
    DeviceOptions devices;         //!< of the links; the protocol says how many
    std::string transport;         //!< Udp or Tcp; empty for D2D links
    Attributes attributes;         //!< of the applications
    uint32_t threads = 1;          //!< of the host
    std::optional<uint32_t> fails; //!< device whose training gives NaN
    std::size_t firstFailure = 0;  //!< number of its first training that does
    /// What models are measured on, and share; a set of another shape if there is none
    std::shared_ptr<const ns3::collab::DataView> samples;
    /// Learner of a device instead of a DivergingLearner; may be empty
    std::function<std::shared_ptr<ns3::collab::Learner>(uint32_t)> makeLearner;
};

/// A run of a protocol
class ContractBench : public ProtocolBench
{
  public:
    /// @return a learner for a device, as the setting says
    std::shared_ptr<ns3::collab::Learner> MakeLearner(uint32_t device);
    /// @return what models are measured on
    std::shared_ptr<const ns3::collab::DataView> GetSamples() const;

    ContractSetting m_setting;                                     //!< of the run
    std::vector<std::shared_ptr<ns3::collab::Learner>> m_learners; //!< of the devices
};

/// A form of a protocol, in which what devices tell each other is written otherwise
struct ProtocolForm
{
    std::string name;               //!< of tests
    Attributes attributes;          //!< of the applications
    std::string mode = "Reference"; //!< attribute PayloadMode
    bool isSilent = false; //!< whether a device that has diverged sends nothing to be refused
};

/// What a protocol believes by its rules, or because it cannot tell
enum class Strange
{
    STRANGERS,  //!< messages of a device that is not in the group: it is one of the neighbors
    DUPLICATES, //!< messages that come twice: they count again
    QUESTIONS,  //!< messages that come twice: it answers again, so that all takes longer
    ROUNDS,     //!< nothing of rounds that are not in the run, but it refuses none of that
    PARTS,      //!< parts of a list: fewer are all that there are
};

/// A protocol that obeys the contract
struct Protocol
{
    std::string name;               //!< of tests
    uint32_t devices = 4;           //!< number of devices, without a base station
    uint32_t rounds = 3;            //!< that it runs
    std::optional<uint32_t> server; //!< device without which the others learn nothing more
    bool hasBaseStation = false;    //!< whether it needs ProtocolBench::AddServer()
    bool isAnalog = false; //!< whether it needs D2D radios, and who has diverged sends nothing
    bool learns = true;             //!< whether its devices have learners
    bool resumes = false;           //!< whether a device that is back does all rounds
    bool trainsSeldom = false;      //!< whether some device may train once only
    bool divergenceEndsRun = false; //!< whether a learner that diverges does, and says so
    bool hasOneModel = false;       //!< whether devices measure one model, not their own
    bool endsAlike = false;         //!< whether all have the same model at last, if nothing is lost
    std::set<Strange> believes;     //!< what it believes by its rules
    std::vector<ProtocolForm> forms; //!< others than the usual one
    /// Makes the applications, with these attributes besides its own
    std::function<ns3::ApplicationContainer(ContractBench&, const Attributes&)> install;
};

/// @return all protocols: a new algorithm joins here
std::vector<Protocol> GetProtocols();

/// @param protocol whose name tells it in messages of GoogleTest
inline void
PrintTo(const Protocol& protocol, std::ostream* os)
{
    *os << protocol.name;
}

} // namespace tests

#endif /* CONTRACT_PROTOCOLS_H */
