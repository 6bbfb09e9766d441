/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-medium.h"

#include "ns3/d2d-phy.h"

#include <utility>

namespace ns3::collab
{

namespace
{

/// First stream that questions draw from; users give numbers that are far below
constexpr int64_t QUESTION_STREAM = int64_t{1} << 62;
/// Streams of the questions to one channel
constexpr int64_t QUESTION_STREAMS = 1 << 16;
/// Stream of the fading of the first channel, if it is correlated in time
constexpr int64_t FADING_STREAM = int64_t{3} << 60;

} // namespace

D2dMedium::D2dMedium(const D2dChannelSettings& settings, uint32_t channel)
    : m_settings(settings),
      m_channel(channel),
      m_losses(std::make_unique<D2dLosses>(settings, FADING_STREAM + channel)),
      m_signals(std::make_unique<D2dSignals>(settings))
{
    Clear();
}

D2dMedium::~D2dMedium() = default;

void
D2dMedium::Clear()
{
    m_links =
        std::make_unique<D2dLinks>(m_settings, QUESTION_STREAM + QUESTION_STREAMS * m_channel);
    m_admission = std::make_unique<D2dAdmission>(); // whose claims hold devices
    m_radios.clear();
    m_users.clear();
}

void
D2dMedium::Dispose()
{
    m_schedule.reset();
    m_signals->Dispose();
    m_losses->SetOutageModel(nullptr);
    Clear();
}

void
D2dMedium::Add(Ptr<D2dPhy> radio, D2dMediumUser& user)
{
    radio->SetChannelIndex(static_cast<uint32_t>(m_radios.size()));
    m_radios.push_back(radio);
    m_users.push_back(&user);
    m_links->Add(radio, user.GetAddress());
    m_admission->AddReceiver(user.GetReceiverAccess());
    if (m_schedule)
    {
        m_schedule->SetDevices(m_radios.size());
    }
}

bool
D2dMedium::NeedsFragments(bool waits) const
{
    return m_signals->GetOutside() ||
           (m_settings.Interferes() && (waits || m_losses->GetTimeToFading().IsStrictlyPositive()));
}

double
D2dMedium::GetAcknowledgmentLoss(const D2dPhy& sender, const D2dLink& link, Time turnaround) const
{
    const D2dOutside* outside = m_signals->GetOutside();
    return m_losses->GetAcknowledgmentLoss(
        sender,
        link,
        turnaround,
        outside ? outside->GetInterferersW(*link.receiver, sender) : std::vector<double>());
}

D2dTdmaSchedule*
D2dMedium::GetTdmaSchedule()
{
    if (m_settings.access == D2dAccess::TDMA && !m_schedule)
    {
        m_schedule = std::make_unique<D2dTdmaSchedule>(
            m_settings.tdmaSlot, m_radios.size(), [this](uint32_t index) {
                return m_users[index]->TakeTurn();
            });
        m_schedule->SetGuard(m_settings.tdmaGuardTime);
    }
    return m_schedule.get();
}

void
D2dMedium::LimitReceptions(bool limited)
{
    if (!limited || m_limitsReceptions)
    {
        return;
    }
    m_limitsReceptions = true;
    for (const auto& radio : m_radios)
    {
        radio->GetState().TellBurstEnds(true); // which gives place to others
    }
}

bool
D2dMedium::LimitsReceptions() const
{
    return m_limitsReceptions && m_settings.access == D2dAccess::OFDMA;
}

bool
D2dMedium::ChecksPlace() const
{
    return LimitsReceptions() || m_admission->HasClosed();
}

void
D2dMedium::AwaitPlace(uint32_t sender, const std::vector<uint32_t>& receivers)
{
    // Links that change by themselves may let it send whatever the receivers do
    m_admission->Await(sender,
                       m_links->GetTopology().IsFixed() ? receivers : std::vector<uint32_t>());
}

void
D2dMedium::NotifyPlace(uint32_t receiver)
{
    Retry(HoldsLinks() ? m_admission->TakeWaiting(receiver) : m_admission->TakeAllWaiting());
}

void
D2dMedium::NotifyLimits()
{
    Retry(m_admission->TakeAllWaiting());
}

void
D2dMedium::ReleaseClaim(uint32_t sender)
{
    const auto released = m_admission->Release(sender);
    m_admission->Loosen(sender); // it has one burst less
    if (!released)
    {
        return;
    }
    if (!HoldsLinks())
    {
        NotifyLimits();
        return;
    }
    for (const auto& link : released->links)
    {
        m_admission->LoosenWaiting(link.receiverIndex);
    }
    NotifyPlace(sender);
}

bool
D2dMedium::HoldsLinks()
{
    const D2dTopology& topology = m_links->GetTopology();
    const uint64_t before = std::exchange(m_linkChanges, topology.CountAllChanges());
    return topology.IsFixed() && m_linkChanges == before;
}

void
D2dMedium::Retry(const std::vector<uint32_t>& senders)
{
    for (const uint32_t index : senders)
    {
        m_users[index]->RetryAccess();
    }
}

void
D2dMedium::NoteOverhearing(D2dOverhearing overhearing)
{
    m_hasOverhearing = m_hasOverhearing || overhearing != D2dOverhearing::NONE;
}

std::vector<D2dRecipient>
D2dMedium::TakeRecipients(std::size_t count)
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
D2dMedium::ReturnRecipients(std::vector<D2dRecipient>&& recipients)
{
    recipients.clear();
    m_spare.push_back(std::move(recipients));
}

double
D2dMedium::GetNoiseW(double bandwidthHz) const
{
    return m_losses->GetNoiseW(bandwidthHz);
}

std::optional<double>
D2dMedium::FindSpectralEfficiency(const D2dPhy& sender,
                                  const D2dLink& link,
                                  double targetOutage,
                                  double least,
                                  double greatest) const
{
    return m_losses->FindSpectralEfficiency(sender, link, targetOutage, least, greatest);
}

std::optional<double>
D2dMedium::FindSpectralEfficiency(const D2dSignal& signal,
                                  double targetOutage,
                                  double least,
                                  double greatest) const
{
    return m_losses->FindSpectralEfficiency(signal, targetOutage, least, greatest);
}

void
D2dMedium::HandleRadioChange(const D2dPhy& radio)
{
    m_links->GetTopology().NotifyRadioChange(radio.GetChannelIndex());
}

void
D2dMedium::HandleAcknowledgments(const D2dPhy& radio, Time duration)
{
    if (D2dOutside* outside = m_signals->GetOutside())
    {
        outside->Transmit(radio, m_signals->GetSubchannel(radio), duration);
    }
}

} // namespace ns3::collab
