/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-channel.h"

#include "d2d-admission.h"
#include "d2d-tdma-schedule.h"
#include "d2d-topology.h"

#include "ns3/abort.h"
#include "ns3/collab-error.h"
#include "ns3/d2d-block-fading.h"
#include "ns3/d2d-neighbor-discovery.h"
#include "ns3/d2d-net-device.h"
#include "ns3/d2d-question-streams.h"
#include "ns3/d2d-recipient.h"
#include "ns3/d2d-spectrum-bridge.h"
#include "ns3/d2d-subchannels.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ns3
{
namespace collab
{

NS_LOG_COMPONENT_DEFINE("D2dChannel");
NS_OBJECT_ENSURE_REGISTERED(D2dChannel);

namespace
{

/// Index of no device: greater than that of any
constexpr std::size_t NO_DEVICE = std::numeric_limits<std::size_t>::max();

/// First stream that questions draw from; users give numbers that are far below
constexpr int64_t QUESTION_STREAM = int64_t{1} << 62;
/// Streams of the questions to one channel
constexpr int64_t QUESTION_STREAMS = 1 << 16;
/// Stream of the fading of the first channel, if it is correlated in time
constexpr int64_t FADING_STREAM = int64_t{3} << 60;

} // namespace

D2dChannel::D2dChannel()
    : m_topology(std::make_unique<D2dTopology>(m_keeping)),
      m_fading(std::make_unique<D2dBlockFading>(FADING_STREAM + GetId())),
      m_admission(std::make_unique<D2dAdmission>())
{
    NS_LOG_FUNCTION(this);
}

D2dChannel::~D2dChannel() = default;

std::size_t
D2dChannel::GetNDevices() const
{
    return m_devices.size();
}

Ptr<NetDevice>
D2dChannel::GetDevice(std::size_t i) const
{
    return m_devices.at(i);
}

void
D2dChannel::Add(Ptr<D2dNetDevice> device)
{
    NS_LOG_FUNCTION(this << device);
    const Mac48Address address = Mac48Address::ConvertFrom(device->GetAddress());
    const bool isNew = m_indexOf.emplace(address, m_devices.size()).second;
    NS_ABORT_MSG_UNLESS(isNew,
                        "D2dChannel::Add: address "
                            << address << " is in use already; every device needs its own");
    device->GetPhy()->SetChannelIndex(static_cast<uint32_t>(m_devices.size()));
    if (!m_devices.empty() &&
        m_devices.back()->GetMac()->GetQueue() == device->GetMac()->GetQueue())
    {
        throw UserError(
            "two D2dNetDevices have one and the same TxQueue, as they do when it is set "
            "by a default value; each needs its own: use D2dHelper::SetQueue()");
    }
    m_devices.push_back(device);
    m_topology->Add(device->GetPhy());
    m_admission->AddReceiver(device->GetMac()->GetReceiverAccess());
    LimitReceptions(device->GetMac()->GetMaxReceptions() > 0 ||
                    device->GetMac()->GetReceiverSensing());
    NoteOverhearing(device->GetMac()->GetOverhearing());
    if (m_schedule)
    {
        m_schedule->SetDevices(m_devices.size());
    }
    if (m_spectrumBridge)
    {
        m_spectrumBridge->Add(device);
    }
}

void
D2dChannel::SetPropagationLossModel(Ptr<PropagationLossModel> model)
{
    m_lossModel = model;
    m_topology->SetLossModel(model);
}

Ptr<PropagationLossModel>
D2dChannel::GetPropagationLossModel() const
{
    return m_lossModel;
}

void
D2dChannel::SetPropagationDelayModel(Ptr<PropagationDelayModel> model)
{
    m_delayModel = model;
    m_topology->SetDelayModel(model);
}

void
D2dChannel::SetDelayResolution(Time resolution)
{
    m_topology->SetDelayResolution(resolution);
}

Time
D2dChannel::GetDelayResolution() const
{
    return m_topology->GetDelayResolution();
}

Ptr<PropagationDelayModel>
D2dChannel::GetPropagationDelayModel() const
{
    return m_delayModel;
}

void
D2dChannel::SetKeptLinks(uint64_t links)
{
    m_topology->SetBudget(links);
}

uint64_t
D2dChannel::GetKeptLinks() const
{
    return m_topology->GetBudget();
}

void
D2dChannel::InvalidateLinks()
{
    m_topology->Invalidate();
}

void
D2dChannel::NotifyRadioChange(const D2dPhy& device)
{
    m_topology->NotifyRadioChange(device.GetChannelIndex());
}

std::string
D2dChannel::ExplainUnkeptLinks() const
{
    return m_topology->ExplainUnkept();
}

std::vector<std::string>
D2dChannel::FindHints() const
{
    std::vector<std::string> hints;
    const bool waits = std::any_of(m_devices.begin(), m_devices.end(), [](const auto& device) {
        const D2dArqRules rules = device->GetMac()->GetArqRules();
        return rules.arq == D2dArq::STOP_AND_WAIT && rules.combining == D2dCombining::CHASE;
    });
    if (m_fidelity == D2dFidelity::BURST && NeedsFragments(waits))
    {
        const std::string cause = m_spectrumBridge ? "where others use the band (SpectrumBridge)"
                                  : m_access == D2dAccess::SHARED ? "with Access=Shared"
                                                                  : "with Subchannels";
        const std::string what = NeedsFragments(false)
                                     ? " each fragment is simulated by itself, which takes longer"
                                     : " each fragment that is combined and acknowledged by itself "
                                       "is simulated by itself, which takes longer than "
                                       "ns3::collab::D2dMac::Arq=SelectiveRepeat";
        hints.push_back("ns3::collab::D2dChannel::Fidelity=Burst is not in use: " + cause + what);
    }
    const std::string doubt = m_keeping == D2dLinkKeeping::AUTO ? m_topology->FindDoubt() : "";
    if (!doubt.empty())
    {
        hints.push_back("links are computed anew at each send, which takes longer: " + doubt);
    }
    const bool isSilent = std::any_of(m_devices.begin(), m_devices.end(), [](const auto& device) {
        return device->GetDiscovery()->IsSilent();
    });
    if (isSilent)
    {
        hints.push_back("who has sent nothing for ns3::collab::D2dNeighborDiscovery::"
                        "NeighborTimeout, such as one that trains, is out of range to others, "
                        "which do not wait for it; a BeaconInterval above 0 lets them hear it");
    }
    return hints;
}

Ptr<D2dNetDevice>
D2dChannel::FindDevice(Mac48Address address) const
{
    const auto found = m_indexOf.find(address);
    return found == m_indexOf.end() ? nullptr : m_devices[found->second];
}

Mac48Address
D2dChannel::GetAddress(uint32_t index) const
{
    return m_devices[index]->GetMac()->GetAddress();
}

Ptr<D2dNetDevice>
D2dChannel::FindDeviceOfNode(uint32_t node)
{
    for (; m_knownNodes < m_devices.size(); ++m_knownNodes)
    {
        const uint32_t added = m_devices[m_knownNodes]->GetNode()->GetId();
        if (added >= m_indexOfNode.size())
        {
            m_indexOfNode.resize(added + 1, NO_DEVICE);
        }
        m_indexOfNode[added] = std::min(m_indexOfNode[added], m_knownNodes);
    }
    const bool isKnown = node < m_indexOfNode.size() && m_indexOfNode[node] != NO_DEVICE;
    return isKnown ? m_devices[m_indexOfNode[node]] : nullptr;
}

D2dQuestionStreams&
D2dChannel::GetQuestionStreams() const
{
    if (!m_questions)
    {
        m_questions =
            std::make_unique<D2dQuestionStreams>(QUESTION_STREAM + QUESTION_STREAMS * GetId());
    }
    return *m_questions;
}

double
D2dChannel::GetRssW(Ptr<const D2dNetDevice> transmitter, Ptr<const D2dNetDevice> receiver) const
{
    return GetRssW(*transmitter->GetPhy(), *receiver->GetPhy());
}

double
D2dChannel::GetRssW(const D2dPhy& transmitter, const D2dPhy& receiver) const
{
    const D2dQuestionStreams::Question question(GetQuestionStreams(), m_lossModel, m_delayModel);
    return m_topology->GetRssW(transmitter.GetChannelIndex(), receiver.GetChannelIndex());
}

double
D2dChannel::GetNoiseW(double bandwidthHz) const
{
    constexpr double BOLTZMANN_J_PER_K = 1.380649e-23;
    constexpr double REFERENCE_TEMPERATURE_K = 290;
    if (m_noisePowerW > 0)
    {
        return m_noisePowerW;
    }
    return BOLTZMANN_J_PER_K * REFERENCE_TEMPERATURE_K * bandwidthHz * m_noiseFigure;
}

void
D2dChannel::SetNoiseFigureDb(double noiseFigureDb)
{
    m_noiseFigureDb = noiseFigureDb;
    m_noiseFigure = std::pow(10.0, noiseFigureDb / 10);
}

void
D2dChannel::SetCaptureMarginDb(double marginDb)
{
    m_captureMarginDb = marginDb;
    m_captureRatio = std::pow(10.0, marginDb / 10);
}

double
D2dChannel::GetCaptureMarginDb() const
{
    return m_captureMarginDb;
}

double
D2dChannel::GetNoiseFigureDb() const
{
    return m_noiseFigureDb;
}

double
D2dChannel::GetOutageProbability(const D2dSignal& signal) const
{
    return m_outageModel->GetOutageProbability(signal);
}

D2dLink
D2dChannel::GetLink(Ptr<const D2dNetDevice> transmitter, Ptr<const D2dNetDevice> receiver) const
{
    const D2dQuestionStreams::Question question(GetQuestionStreams(), m_lossModel, m_delayModel);
    return m_topology->GetLink(transmitter->GetPhy()->GetChannelIndex(),
                               receiver->GetPhy()->GetChannelIndex());
}

const std::vector<D2dLink>&
D2dChannel::GetLinks(Ptr<const D2dNetDevice> transmitter) const
{
    return GetLinks(*transmitter->GetPhy());
}

const std::vector<D2dLink>&
D2dChannel::GetLinks(const D2dPhy& transmitter) const
{
    const D2dQuestionStreams::Question question(GetQuestionStreams(), m_lossModel, m_delayModel);
    return m_topology->GetLinks(transmitter.GetChannelIndex());
}

std::shared_ptr<const D2dAudience>
D2dChannel::GetAudience(const D2dPhy& transmitter, const D2dBurst& burst)
{
    const D2dQuestionStreams::Question question(GetQuestionStreams(), m_lossModel, m_delayModel);
    return FindAudience(transmitter, burst);
}

std::shared_ptr<const D2dAudience>
D2dChannel::DrawAudience(const D2dPhy& transmitter, const D2dBurst& burst)
{
    return FindAudience(transmitter, burst);
}

D2dLink
D2dChannel::DrawLink(const D2dPhy& transmitter, const D2dPhy& receiver)
{
    return m_topology->GetLink(transmitter.GetChannelIndex(), receiver.GetChannelIndex());
}

std::vector<D2dLink>
D2dChannel::DrawReach(const D2dPhy& transmitter, const D2dBurst& burst, const D2dAudience& audience)
{
    const bool isToAll = burst.destination.IsGroup() && !burst.group;
    return m_topology->GetReach(transmitter.GetChannelIndex(), audience, isToAll);
}

std::vector<D2dLink>
D2dChannel::DrawReach(const D2dPhy& transmitter, const D2dAudience& audience)
{
    return m_topology->GetReach(transmitter.GetChannelIndex(), audience, false);
}

std::shared_ptr<const D2dAudience>
D2dChannel::FindAudience(const D2dPhy& transmitter, const D2dBurst& burst)
{
    const uint32_t index = transmitter.GetChannelIndex();
    m_topology->SetInterferenceCutoffDbm(Interferes() ? m_interferenceCutoffDbm
                                                      : std::numeric_limits<double>::infinity());
    if (burst.group)
    {
        return m_topology->GetGroupAudience(
            index, burst.group, [&](uint32_t node) { return FindMember(transmitter, node); });
    }
    if (burst.destination.IsGroup())
    {
        return m_topology->GetAudience(index);
    }
    std::vector<D2dLink> single;
    Ptr<D2dNetDevice> receiver = FindDevice(burst.destination);
    if (receiver && receiver->GetPhy() != &transmitter)
    {
        single.push_back(m_topology->GetLink(index, receiver->GetPhy()->GetChannelIndex()));
    }
    return std::make_shared<const D2dAudience>(std::move(single));
}

uint32_t
D2dChannel::FindMember(const D2dPhy& transmitter, uint32_t node)
{
    Ptr<D2dNetDevice> receiver = FindDeviceOfNode(node);
    NS_ABORT_MSG_UNLESS(receiver && receiver->GetNode() != transmitter.GetNode(),
                        "D2dChannel: node " << node << ", of the group of a burst, has "
                                            << "no other device on the channel");
    return receiver->GetPhy()->GetChannelIndex();
}

double
D2dChannel::GetOutageProbability(const D2dPhy& transmitter,
                                 const D2dLink& link,
                                 const D2dDisturbance& disturbance,
                                 double spectralEfficiency,
                                 uint32_t fragmentBytes) const
{
    if (!link.inRange)
    {
        return 1.0;
    }
    const double noiseW = transmitter.GetNoiseW();
    const bool disturbed = disturbance.powerW > 0 || disturbance.faded > 0;
    if (!disturbed && link.KeepsLoss(noiseW, spectralEfficiency))
    {
        return link.keptLoss;
    }
    D2dSignal signal = MakeSignal(transmitter, link, spectralEfficiency);
    signal.interferenceW = disturbance.powerW;
    signal.fadedInterference = disturbance.faded;
    signal.fragmentBytes = fragmentBytes > 0 ? fragmentBytes : transmitter.GetFragmentBytes();
    const double loss = m_outageModel->GetOutageProbability(signal);
    if (!disturbed && m_outageModel->IsFunctionOfSignal())
    {
        link.keptLoss = loss;
        link.keptNoiseW = noiseW;
        link.keptRate = spectralEfficiency;
    }
    return loss;
}

double
D2dChannel::Fade(const D2dPhy& transmitter, const D2dPhy& receiver, double probability)
{
    const Time coherence = m_outageModel->GetCoherenceTime();
    if (!coherence.IsStrictlyPositive())
    {
        return probability;
    }
    const double gain =
        m_fading->GetGain(transmitter.GetChannelIndex(), receiver.GetChannelIndex(), coherence);
    return gain < probability ? 1.0 : 0.0;
}

D2dQuality
D2dChannel::GetQuality(const D2dPhy& transmitter,
                       const D2dLink& link,
                       const D2dDisturbance& disturbance,
                       double spectralEfficiency,
                       uint32_t fragmentBytes)
{
    if (!link.inRange)
    {
        return {};
    }
    D2dSignal signal = MakeSignal(transmitter, link, spectralEfficiency);
    signal.interferenceW = disturbance.powerW;
    signal.fadedInterference = disturbance.faded;
    signal.fragmentBytes = fragmentBytes;
    const D2dQuality quality = m_outageModel->GetQuality(signal);
    const Time coherence = m_outageModel->GetCoherenceTime();
    if (!coherence.IsStrictlyPositive())
    {
        return quality;
    }
    const double gain =
        m_fading->GetGain(transmitter.GetChannelIndex(), link.receiverIndex, coherence);
    return {quality.GetQuantile(gain), std::numeric_limits<double>::infinity()};
}

Time
D2dChannel::GetTimeToFading() const
{
    const Time fading = D2dBlockFading::GetTimeToNext(m_outageModel->GetCoherenceTime());
    const Time state = D2dBlockFading::GetTimeToNext(m_outageModel->GetStateStep());
    const bool both = fading.IsStrictlyPositive() && state.IsStrictlyPositive();
    return both ? std::min(fading, state) : std::max(fading, state);
}

D2dSignal
D2dChannel::MakeSignal(const D2dPhy& transmitter, const D2dLink& link, double spectralEfficiency)
{
    D2dSignal signal;
    signal.transmitter = transmitter.GetNode()->GetId();
    signal.receiver = link.receiverNode;
    signal.rssW = link.rssW;
    signal.noiseW = transmitter.GetNoiseW();
    signal.spectralEfficiency = spectralEfficiency;
    return signal;
}

double
D2dChannel::GetInterferenceScale(const D2dPhy& transmitter,
                                 const D2dLink& link,
                                 double spectralEfficiency) const
{
    return link.rssW > 0 ? m_outageModel->GetInterferenceScale(
                               MakeSignal(transmitter, link, spectralEfficiency))
                         : 0.0;
}

void
D2dChannel::SetOutageModel(Ptr<D2dOutageModel> model)
{
    m_outageModel = model;
    InvalidateLinks(); // they keep probabilities
}

Ptr<D2dOutageModel>
D2dChannel::GetOutageModel() const
{
    return m_outageModel;
}

double
D2dChannel::GetOutageProbability(Ptr<const D2dNetDevice> transmitter,
                                 Ptr<const D2dNetDevice> receiver) const
{
    const D2dPhy& phy = *transmitter->GetPhy();
    return GetOutageProbability(
        phy, GetLink(transmitter, receiver), {}, phy.GetSpectralEfficiency());
}

double
D2dChannel::GetAcknowledgmentLoss(const D2dPhy& sender, const D2dLink& link, Time turnaround) const
{
    const bool comesTooLate = turnaround.IsStrictlyPositive() && link.delay * 4 >= turnaround;
    if (!link.returnInRange || comesTooLate)
    {
        return 1.0;
    }
    D2dSignal signal;
    signal.transmitter = link.receiverNode;
    signal.receiver = sender.GetNode()->GetId();
    signal.rssW = link.returnRssW;
    signal.noiseW = link.receiver->GetNoiseW();
    signal.spectralEfficiency = link.receiver->GetSpectralEfficiency();
    signal.fragmentBytes = std::max(link.receiver->GetAcknowledgmentSize(), uint32_t{1});
    if (m_spectrumBridge)
    {
        signal = m_outageModel->AddInterferers(
            signal, m_spectrumBridge->GetInterferersW(*link.receiver, sender));
    }
    return m_outageModel->GetOutageProbability(signal);
}

std::optional<double>
D2dChannel::GetSpectralEfficiency(const D2dPhy& sender,
                                  const D2dLink& link,
                                  double targetOutage,
                                  double least,
                                  double greatest) const
{
    if (!link.returnInRange)
    {
        return std::nullopt;
    }
    D2dSignal signal;
    signal.transmitter = sender.GetNode()->GetId();
    signal.receiver = link.receiverNode;
    signal.rssW = link.returnRssW;
    signal.noiseW = sender.GetNoiseW();
    signal.fragmentBytes = sender.GetFragmentBytes();
    return GetSpectralEfficiency(signal, targetOutage, least, greatest);
}

std::optional<double>
D2dChannel::GetSpectralEfficiency(D2dSignal signal,
                                  double targetOutage,
                                  double least,
                                  double greatest) const
{
    signal.spectralEfficiency =
        m_outageModel->GetSpectralEfficiency(signal, targetOutage, least, greatest);
    const bool isServed = signal.spectralEfficiency > least ||
                          m_outageModel->GetOutageProbability(signal) <= targetOutage;
    return isServed ? std::optional(signal.spectralEfficiency) : std::nullopt;
}

D2dAccess
D2dChannel::GetAccess() const
{
    return m_access;
}

bool
D2dChannel::Interferes() const
{
    return m_access == D2dAccess::SHARED || (m_access == D2dAccess::OFDMA && m_subchannels > 0);
}

bool
D2dChannel::NeedsFragments(bool waits) const
{
    return m_spectrumBridge || (Interferes() && (waits || GetTimeToFading().IsStrictlyPositive()));
}

void
D2dChannel::SetSpectrumBridge(Ptr<D2dSpectrumBridge> bridge)
{
    m_spectrumBridge = bridge;
}

uint32_t
D2dChannel::CountSubchannels() const
{
    return m_access == D2dAccess::OFDMA ? std::max(m_subchannels, uint32_t{1}) : 1;
}

D2dSubchannels*
D2dChannel::GetSubchannels()
{
    if (IsDisturbed() && !m_signals)
    {
        m_signals = std::make_unique<D2dSubchannels>();
    }
    if (!m_signals)
    {
        return nullptr;
    }
    // Without interference a device hears several fragments at once
    m_signals->SetLocking(Interferes() ? m_locking : D2dLocking::NONE, m_captureRatio);
    const bool isDivided = m_access == D2dAccess::OFDMA;
    const bool leaks = isDivided && m_leakageDb < NO_LEAKAGE_DB;
    m_signals->SetDivision(isDivided ? m_subchannels : 1,
                           leaks ? std::pow(10.0, -m_leakageDb / 10) : 0.0);
    return m_signals.get();
}

uint32_t
D2dChannel::GetSubchannel(const D2dPhy& device) const
{
    if (m_access != D2dAccess::OFDMA || m_subchannels == 0)
    {
        return 0;
    }
    const uint32_t given = device.GetSubchannel();
    if (given == D2dPhy::ANY_SUBCHANNEL)
    {
        return device.GetChannelIndex() % m_subchannels;
    }
    if (given >= m_subchannels)
    {
        throw UserError("D2dPhy::Subchannel is " + std::to_string(given) +
                        "; the channel has Subchannels " + std::to_string(m_subchannels) +
                        ", from 0 on");
    }
    return given;
}

bool
D2dChannel::SensesOn(const D2dPhy& device, uint32_t subchannel) const
{
    return Interferes() && GetSubchannel(device) == subchannel;
}

D2dTdmaSchedule*
D2dChannel::GetTdmaSchedule()
{
    if (m_access == D2dAccess::TDMA && !m_schedule)
    {
        m_schedule =
            std::make_unique<D2dTdmaSchedule>(m_tdmaSlot, GetNDevices(), [this](uint32_t index) {
                return m_devices[index]->GetMac()->TakeTurn();
            });
        m_schedule->SetGuard(m_tdmaGuardTime);
    }
    return m_schedule.get();
}

void
D2dChannel::LimitReceptions(bool limited)
{
    if (!limited || m_limitsReceptions)
    {
        return;
    }
    m_limitsReceptions = true;
    for (const auto& device : m_devices)
    {
        device->GetPhy()->TellBurstEnds(true); // which gives place to others
    }
}

void
D2dChannel::NoteOverhearing(D2dOverhearing overhearing)
{
    m_hasOverhearing = m_hasOverhearing || overhearing != D2dOverhearing::NONE;
}

bool
D2dChannel::HasReceptionLimits() const
{
    return m_limitsReceptions;
}

bool
D2dChannel::LimitsReceptions() const
{
    return m_limitsReceptions && m_access == D2dAccess::OFDMA;
}

bool
D2dChannel::ChecksPlace() const
{
    return LimitsReceptions() || m_admission->HasClosed();
}

D2dAdmission&
D2dChannel::GetAdmission()
{
    return *m_admission;
}

void
D2dChannel::NotifyPlace()
{
    for (const uint32_t index : m_admission->TakeWaiting()) // who finds no place waits anew
    {
        m_devices[index]->GetMac()->RetryAccess();
    }
}

Time
D2dChannel::GetLinkUpdatePeriod() const
{
    return m_linkUpdatePeriod;
}

D2dFidelity
D2dChannel::GetFidelity() const
{
    return m_fidelity;
}

std::vector<D2dRecipient>
D2dChannel::TakeRecipients(std::size_t count)
{
    std::vector<D2dRecipient> recipients;
    if (!m_spare.empty())
    {
        recipients = std::move(m_spare.back());
        m_spare.pop_back();
    }
    recipients.resize(count);
    return recipients;
}

void
D2dChannel::ReturnRecipients(std::vector<D2dRecipient>&& recipients)
{
    recipients.clear();
    m_spare.push_back(std::move(recipients));
}

int64_t
D2dChannel::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    int64_t used = 0;
    if (m_lossModel)
    {
        used += m_lossModel->AssignStreams(stream);
    }
    if (m_delayModel)
    {
        used += m_delayModel->AssignStreams(stream + used);
    }
    return used;
}

void
D2dChannel::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_schedule.reset();
    if (m_spectrumBridge)
    {
        m_spectrumBridge->Dispose();
        m_spectrumBridge = nullptr;
    }
    m_topology = std::make_unique<D2dTopology>(m_keeping);
    m_questions.reset();
    m_admission = std::make_unique<D2dAdmission>(); // whose claims hold devices
    m_devices.clear();
    m_indexOf.clear();
    m_indexOfNode.clear();
    m_knownNodes = 0;
    m_lossModel = nullptr;
    m_delayModel = nullptr;
    m_outageModel = nullptr;
    Channel::DoDispose();
}

} // namespace collab
} // namespace ns3
