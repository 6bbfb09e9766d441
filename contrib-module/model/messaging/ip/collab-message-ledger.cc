/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-message-ledger.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
{

MessageLedger::MessageLedger(OutcomeCallback outcome)
    : m_outcome(std::move(outcome))
{
}

MessageLedger::~MessageLedger()
{
    for (auto& [sequence, entry] : m_open)
    {
        for (auto& [receiver, reception] : entry.receptions)
        {
            reception.lifetimeEvent.Cancel();
        }
    }
}

void
MessageLedger::Open(std::shared_ptr<const Message> message,
                    uint64_t bytes,
                    uint32_t fragments,
                    const std::vector<uint32_t>& receivers)
{
    if (receivers.empty())
    {
        return;
    }
    Entry& entry = m_open[message->sequence];
    MessageOutcome& common = entry.common;
    common.sender = message->sender;
    common.kind = message->kind;
    common.round = message->round;
    common.sequence = message->sequence;
    common.bytes = bytes;
    common.fragments = fragments;
    common.queued = Simulator::Now();
    common.start = Simulator::Now();
    common.units = message->unitsSent;
    for (const uint32_t receiver : receivers)
    {
        entry.receptions[receiver];
    }
    entry.unconcluded = entry.receptions.size();
    entry.message = std::move(message);
}

std::shared_ptr<const Message>
MessageLedger::Find(uint32_t sequence) const
{
    const auto found = m_open.find(sequence);
    return found == m_open.end() ? nullptr : found->second.message;
}

MessageLedger::Reception*
MessageLedger::FindReception(uint32_t sequence, uint32_t receiver)
{
    const auto entry = m_open.find(sequence);
    if (entry == m_open.end())
    {
        return nullptr;
    }
    const auto reception = entry->second.receptions.find(receiver);
    if (reception == entry->second.receptions.end() || reception->second.concluded)
    {
        return nullptr;
    }
    return &reception->second;
}

uint64_t
MessageLedger::NotifyAttempt(uint32_t sequence, uint64_t bytes)
{
    const auto found = m_open.find(sequence);
    if (found == m_open.end())
    {
        return 0;
    }
    MessageOutcome& common = found->second.common;
    if (common.attempts++ == 0)
    {
        common.start = Simulator::Now();
    }
    const uint64_t added = std::min(bytes, common.bytes - common.bytesSent);
    common.bytesSent += added;
    return added;
}

void
MessageLedger::EndRun()
{
    for (auto& [sequence, entry] : m_open)
    {
        for (auto& [receiver, reception] : entry.receptions)
        {
            reception.lifetimeEvent.Cancel();
            if (!reception.receiverDone && !reception.concluded)
            {
                reception.end = Simulator::Now();
                reception.reason = reception.reason.empty() ? "run-ended" : reception.reason;
            }
        }
        if (entry.common.attempts == 0)
        {
            entry.common.start = Simulator::Now();
        }
        Tell(entry);
    }
    m_open.clear();
}

void
MessageLedger::NotifyFragment(uint32_t sequence, uint32_t receiver)
{
    if (Reception* reception = FindReception(sequence, receiver))
    {
        ++reception->fragments;
    }
}

void
MessageLedger::NotifyReceiverDone(uint32_t sequence,
                                  uint32_t receiver,
                                  bool delivered,
                                  uint32_t units)
{
    if (Reception* reception = FindReception(sequence, receiver))
    {
        reception->receiverDone = true;
        reception->delivered = delivered;
        reception->units = units;
        reception->end = Simulator::Now();
        Check(sequence, receiver);
    }
}

void
MessageLedger::NotifySenderDone(uint32_t sequence,
                                uint32_t receiver,
                                const std::string& reason,
                                Time lifetime)
{
    Reception* reception = FindReception(sequence, receiver);
    if (!reception || reception->senderDone)
    {
        return;
    }
    reception->senderDone = true;
    reception->reason = reason;
    // What was sent may arrive up to and at the end of its lifetime.
    reception->lifetimeEvent =
        Simulator::Schedule(lifetime + TimeStep(1), [this, sequence, receiver]() {
            FindReception(sequence, receiver)->networkDone = true;
            Check(sequence, receiver);
        });
    Check(sequence, receiver);
}

void
MessageLedger::Check(uint32_t sequence, uint32_t receiver)
{
    Entry& entry = m_open.at(sequence);
    Reception& reception = entry.receptions.at(receiver);
    // A divisible message of which something has arrived is handed up when its receiver says so.
    const bool isAwaited = entry.common.units > 0 && reception.fragments > 0;
    if (!reception.senderDone || !(reception.receiverDone || (reception.networkDone && !isAwaited)))
    {
        return;
    }
    if (!reception.receiverDone)
    {
        reception.end = Simulator::Now();
    }
    reception.concluded = true;
    reception.lifetimeEvent.Cancel();
    if (--entry.unconcluded == 0)
    {
        const Entry told = std::move(entry);
        m_open.erase(sequence);
        Tell(told);
    }
}

void
MessageLedger::Tell(const Entry& entry) const
{
    for (const auto& [receiver, reception] : entry.receptions)
    {
        MessageOutcome outcome = entry.common;
        outcome.receiver = receiver;
        outcome.lostFragments = outcome.fragments - reception.fragments;
        outcome.end = reception.end;
        outcome.delivered = reception.delivered;
        outcome.lostUnits = outcome.units - reception.units;
        if (!outcome.delivered || outcome.lostUnits > 0)
        {
            outcome.reason = reception.reason.empty() ? "lost" : reception.reason;
        }
        m_outcome(outcome);
    }
}

} // namespace ns3::collab
